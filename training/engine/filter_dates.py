"""Conditions on years and dates."""

from __future__ import annotations

from random import Random

from inquery.form.ast import ColumnRef, Comparison, Literal, Predicate
from training.engine import phrasebook as book
from training.engine.condition import Filter
from training.engine.periods import Span, pick_span
from training.engine.schema import Cell, Column, Table
from training.engine.talk import Talk


def year_filter(ref: ColumnRef, column: Column, present: list[Cell], rng: Random) -> Filter:
    ordered = sorted(int(c) for c in present if isinstance(c, int))
    value = ordered[rng.randrange(len(ordered) // 6, max(1, len(ordered) * 5 // 6))]
    op: Comparison = rng.choices(["=", ">", "<", ">=", "<=", "between"], (20, 32, 26, 8, 4, 10))[0]  # type: ignore[assignment]
    if op == "between":
        low, high = ordered[len(ordered) // 4], ordered[len(ordered) * 3 // 4]
        condition = Predicate(op, ref, (Literal(low, "number"), Literal(high, "number")))
        return Filter(condition, lambda talk: ("", _said_years(talk, column, low, high)), "between", column)
    if op in "><" and rng.random() < 0.5:
        value = round(value / 10) * 10
    return Filter(
        Predicate(op, ref, Literal(value, "number")),
        lambda talk: ("", _said_year(talk, column, op, value)),
        "year",
        column,
    )


def _year_word(talk: Talk, column: Column) -> str:
    verbs = book.verbs_of(column.attribute.names if column.attribute else ())
    return talk.pick(*verbs) if verbs else ""


def _said_year(talk: Talk, column: Column, op: str, value: int) -> str:
    label = talk.label(column)
    if talk.zh:
        verb = book.verb_zh(label)
        tail = {
            "=": f"{value}年",
            ">": talk.pick(f"{value}年之后", f"{value}年以后"),
            "<": talk.pick(f"{value}年之前", f"{value}年以前"),
            ">=": f"{value}年及以后",
            "<=": f"{value}年及以前",
        }[op]
        if verb and talk.rng.random() < 0.7:
            return tail + verb
        sign = {"=": "为", ">": "晚于", "<": "早于", ">=": "不早于", "<=": "不晚于"}[op]
        return f"{label}{sign}{value}年"
    verb = _year_word(talk, column)
    words = {"=": "in", ">": "after", "<": "before", ">=": talk.pick("in or after", "since"), "<=": "in or before"}[op]
    if verb and talk.rng.random() < 0.75:
        return f"{verb} {words} {value}"
    if op == "=":
        return talk.pick(f"with {label} {value}", f"{talk.whose(label)} {value}")
    return (
        talk.pick(f"with {talk.a(label)} {words} {value}", f"{talk.whose(label)} {words} {value}")
        if "or" not in words
        else f"{talk.whose(label)} {words} {value}"
    )


def _said_years(talk: Talk, column: Column, low: int, high: int) -> str:
    label = talk.label(column)
    if talk.zh:
        verb = book.verb_zh(label)
        return f"{low}年到{high}年之间{verb}" if verb else f"{label}在{low}年到{high}年之间"
    verb = _year_word(talk, column)
    return f"{verb} between {low} and {high}" if verb else f"with {talk.a(label)} between {low} and {high}"


def date_filter(ref: ColumnRef, table: Table, column: Column, present: list[Cell], rng: Random) -> Filter:
    span = pick_span(rng, [str(c)[:10] for c in present], birth=column.kind == "birth")
    return dated(ref, table, column, span)


def dated(ref: ColumnRef, table: Table, column: Column, span: Span) -> Filter:
    """Within, before or after a span of time."""
    constant = Literal((span.start, span.end), "period")
    condition = Predicate(span.op, ref, constant)
    return Filter(condition, lambda talk: ("", said_date(talk, table, column, span)), "period", column)


def said_date(talk: Talk, table: Table, column: Column, span: Span) -> str:
    """orders placed last month, 上个月下单."""
    when = span.say(talk)
    label = talk.label(column)
    main = is_main_date(table, column)
    if talk.zh:
        verb = book.verb_zh(label)
        if (main and talk.rng.random() < 0.4) or (verb and verb in talk.noun(table)):
            return when
        return when + verb if verb and len(verb) > 1 and verb != "开始" else f"{label}在{when}"
    verbs = book.verbs_of(column.attribute.names if column.attribute else ())
    if main and talk.rng.random() < 0.4:
        return when
    if verbs:
        return f"{talk.pick(*verbs)} {when}"
    when = when.replace("during ", "in ")
    return talk.pick(f"with {talk.a(label)} {when}", f"{talk.whose(label)} {when}")


def is_main_date(table: Table, column: Column) -> bool:
    """Whether the bare time would be understood as this column: the only date of an event."""
    dates = [c for c in table.data if c.attribute and c.attribute.kind in ("date", "time")]
    return not table.entity.person and dates[:1] == [column] and len(dates) == 1
