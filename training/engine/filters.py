"""Conditions on one column: their tree and how they are said as part of a noun phrase."""

from __future__ import annotations

from random import Random

from inquery.form.ast import ColumnRef, Comparison, Literal, Predicate
from training.engine import phrasebook as book
from training.engine.condition import Filter, Part, literal
from training.engine.filter_dates import date_filter, year_filter
from training.engine.schema import Cell, Column, Table
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh


def make(source: str, table: Table, column: Column, rng: Random) -> Filter | None:
    """A filter that some rows pass."""
    ref = ColumnRef(source, column.name)
    present: list[Cell] = [cell for cell in column.cells if cell is not None]
    if not present or column.attribute is None:
        return None
    if len(present) < len(column.cells) * 0.95 and rng.random() < 0.5:
        return _null(ref, column, rng)
    kind = column.kind
    if kind == "flag":
        return _flag(ref, table, column, rng.choice(present))
    if kind == "category":
        return _category(ref, table, column, present, rng)
    if kind in ("text", "code"):
        return _text(ref, table, column, present, rng)
    if kind == "year":
        return year_filter(ref, column, present, rng)
    if column.attribute.dated:
        return date_filter(ref, table, column, present, rng)
    return number(ref, column, present, rng)


def _flag(ref: ColumnRef, table: Table, column: Column, cell: Cell) -> Filter:
    def say(talk: Talk) -> Part:
        english, chinese = column.spoken(cell)
        talk.values.append((table.name, column.name, str(cell), chinese if talk.zh else english))
        if talk.zh:
            return "", chinese
        if english.startswith(("with", "on ", "in ", "over")):
            return "", english
        return english, ""

    return Filter(Predicate("=", ref, literal(cell)), say, "flag", column)


def _category(ref: ColumnRef, table: Table, column: Column, present: list[Cell], rng: Random) -> Filter:
    cell = rng.choice(present)
    others = sorted({c for c in present if c != cell}, key=str)
    roll = rng.random()
    if len(others) > 1 and roll < 0.12:
        cells = [cell, *rng.sample(others, 1 if rng.random() < 0.8 or len(others) < 3 else 2)]
        condition = Predicate("in", ref, tuple(literal(c) for c in cells))
        return Filter(condition, lambda talk: _said_in(talk, table, column, cells), "in", column)
    if others and roll < 0.2:
        return Filter(
            Predicate("!=", ref, literal(cell)), lambda talk: _said_not(talk, table, column, cell), "not", column
        )
    return Filter(
        Predicate("=", ref, literal(cell)), lambda talk: said_value(talk, table, column, cell), "equals", column
    )


def _place(column: Column) -> str:
    names = column.attribute.names if column.attribute else ()
    if set(names) & book.ORIGINS:
        return "origin"
    return "place" if set(names) & book.PLACES else ""


def _premodifier(column: Column) -> bool:
    names = column.attribute.names if column.attribute else ()
    return any(name.split()[-1] in book.PREMODIFIERS for name in names)


def said_value(talk: Talk, table: Table, column: Column, cell: Cell) -> Part:
    """Column equals value."""
    value = talk.value(table, column, cell)
    label = talk.label(column)
    roll = talk.rng.random()
    place = _place(column)
    if talk.zh:
        return _said_value_zh(talk, table, column, value, label, place, roll)
    if place and roll < 0.75:
        if place == "origin":
            return "", talk.pick(
                f"from {value}", f"from {value}", f"that come from {value}"
            ) if table.entity.person else talk.pick(f"from {value}", f"in {value}")
        if table.entity.person:
            return "", talk.pick(f"in {value}", f"from {value}", f"living in {value}", f"based in {value}")
        return "", talk.pick(f"in {value}", f"located in {value}", f"in {value}")
    if column.label in ("payment method", "payment type") and roll < 0.6:
        return "", f"paid by {value}"
    if _premodifier(column) and roll < 0.7:
        plain = value.strip("'\"")
        return (plain if plain.isupper() or (column.attribute and column.attribute.pool) else plain.lower()), ""
    choices = [
        f"with {label} {value}",
        f"{talk.whose(label)} {value}",
        f"with {label} {value}",
        f"where the {label} is {value}",
    ]
    if not value[:1].isdigit():
        choices.append(f"with {talk.a(label)} of {value}")
    return "", talk.pick(*choices)


def _said_value_zh(talk: Talk, table: Table, column: Column, value: str, label: str, place: str, roll: float) -> Part:
    if column.label in ("gender", "sex") and table.entity.person and roll < 0.85 and value in ("男", "女"):
        return (value + "性" if talk.rng.random() < 0.5 else value), ""
    if place and roll < 0.8:
        if place == "origin" or table.entity.person:
            return "", talk.pick(f"来自{value}", value, f"{label}是{value}")
        return "", talk.pick(f"位于{value}", f"在{value}", value, value)
    if _premodifier(column) and roll < 0.65:
        return ("", value) if len(value) > 3 or talk.rng.random() < 0.6 else (value, "")
    return "", talk.pick(f"{label}为{value}", f"{label}是{value}", f"{label}为{value}")


def _said_not(talk: Talk, table: Table, column: Column, cell: Cell) -> Part:
    value, label = talk.value(table, column, cell), talk.label(column)
    place = _place(column)
    if talk.zh:
        if place and talk.rng.random() < 0.6:
            return "", talk.pick(f"不在{value}", f"不是{value}") if place == "place" else talk.pick(
                f"不是来自{value}", f"非{value}"
            )
        return "", talk.pick(f"{label}不是{value}", f"{label}不为{value}", f"{label}非{value}", f"除{value}以外")
    if place and talk.rng.random() < 0.6:
        return "", talk.pick(f"not from {value}", f"outside {value}") if place == "origin" else talk.pick(
            f"not in {value}", f"outside {value}"
        )
    return "", talk.pick(
        f"{talk.whose(label)} not {value}",
        f"with {talk.a(label)} other than {value}",
        f"that do not have {label} {value}",
    )


def _said_in(talk: Talk, table: Table, column: Column, cells: list[Cell]) -> Part:
    values = [talk.value(table, column, cell) for cell in cells]
    label, place = talk.label(column), _place(column)
    if talk.zh:
        joined = listed_zh(values, talk.rng, talk.pick("或", "和", "或者"))
        if place and talk.rng.random() < 0.7:
            return "", talk.pick(joined, f"来自{joined}" if table.entity.person else f"位于{joined}")
        return "", talk.pick(f"{label}为{joined}", f"{label}是{joined}", f"{label}属于{joined}")
    joined = listed(values, talk.rng, "or")
    if place and talk.rng.random() < 0.75:
        return "", talk.pick(f"from {joined}", f"in {joined}" if place == "place" else f"from {joined}")
    if _premodifier(column) and talk.rng.random() < 0.5:
        return joined, ""
    return "", talk.pick(
        f"{talk.whose(label)} {joined}", f"with {label} {joined}", f"{talk.whose(label)} either {joined}"
    )


def _text(ref: ColumnRef, table: Table, column: Column, present: list[Cell], rng: Random) -> Filter:
    cell = str(rng.choice(present))
    if column.kind == "text" and rng.random() < 0.55:
        found = _like(ref, column, cell, rng)
        if found:
            return found

    def say(talk: Talk) -> Part:
        value, label = talk.value(table, column, cell), talk.label(column)
        if talk.zh:
            return "", talk.pick(
                f"{label}为{value}",
                f"{label}是{value}",
                f"{label}叫{value}" if column.kind == "text" and "名" in label else f"{label}为{value}",
            )
        options = [f"with {label} {value}", f"{talk.whose(label)} {value}"]
        if column.kind == "text" and "name" in label:
            options += [f"named {value}", f"called {value}"]
        return "", talk.pick(*options)

    return Filter(Predicate("=", ref, Literal(cell, "text")), say, "equals", column)


def _like(ref: ColumnRef, column: Column, cell: str, rng: Random) -> Filter | None:
    words = [w for w in cell.split() if len(w) > 3 and w.isalpha()] if " " in cell else []
    piece = rng.choice(words) if words else cell[:2] if not cell.isascii() and len(cell) > 2 else ""
    if not piece:
        return None
    op: Comparison = rng.choices(["has", "starts", "ends", "not has"], (70, 14, 8, 8))[0]  # type: ignore[assignment]
    if op == "starts":
        piece = cell[:1] if rng.random() < 0.5 else piece if cell.startswith(piece) else cell[:1]
    if op == "ends":
        piece = cell[-1] if not cell.isascii() else words[-1] if words and cell.endswith(words[-1]) else cell[-1]

    def say(talk: Talk) -> Part:
        label, said = talk.label(column), talk._quoted(piece) if talk.rng.random() < 0.85 else piece
        if talk.zh:
            ways = {
                "has": (f"{label}包含{said}", f"{label}里有{said}", f"{label}中含有{said}", f"{label}带{said}"),
                "starts": (f"{label}以{said}开头",), "ends": (f"{label}以{said}结尾",), "not has": (f"{label}不包含{said}", f"{label}里没有{said}"),
            }  # fmt: skip
            return "", talk.pick(*ways[op])
        said = said if said[0] in "'\"" else f"'{said}'" if len(said) < 3 else said
        ways = {
            "has": (f"whose {label} contains {said}", f"with {said} in the {label}", f"with {said} in their {label}", f"whose {label} includes the word {said}"),
            "starts": (f"whose {label} starts with {said}", f"with {talk.a(label)} beginning with {said}"),
            "ends": (f"whose {label} ends with {said}",),
            "not has": (f"whose {label} does not contain {said}", f"without {said} in the {label}"),
        }  # fmt: skip
        return "", talk.pick(*ways[op])

    return Filter(Predicate(op, ref, Literal(piece, "text")), say, "like", column)


def _null(ref: ColumnRef, column: Column, rng: Random) -> Filter:
    missing = rng.random() < 0.7

    def say(talk: Talk) -> Part:
        label = talk.label(column)
        if talk.zh:
            ways = (
                (f"没有{label}", f"{label}为空", f"未填写{label}", f"还没有{label}", f"缺少{label}")
                if missing
                else (f"有{label}", f"{label}不为空", f"填写了{label}")
            )
        elif missing:
            ways = (
                f"without {talk.a(label)}",
                f"with no {label}",
                f"{talk.whose(label)} missing",
                f"with no {label} recorded",
                f"{talk.whose(label)} unknown",
            )
        else:
            ways = (f"with {talk.a(label)} recorded", f"that have {talk.a(label)}", f"{talk.whose(label)} not empty")
        return "", talk.pick(*ways)

    return Filter(Predicate("is null" if missing else "not null", ref), say, "null", column)


_OPS_EN = {
    ">": ("over", "above", "greater than", "higher than", "more than"), "<": ("under", "below", "less than", "lower than"),
    ">=": ("at least", "no less than", "of at least"), "<=": ("at most", "no more than", "of at most"),
}  # fmt: skip


_OPS_ZH = {
    ">": ("大于", "超过", "高于", "多于", "在{v}以上"), "<": ("小于", "低于", "不到", "少于", "不足"),
    ">=": ("不低于", "大于等于", "至少为", "不少于", "达到{v}及以上"), "<=": ("不超过", "不高于", "小于等于", "最多为"),
}  # fmt: skip


def nice(value: float, attribute_kind: str) -> float:
    """A round threshold near a value."""
    if attribute_kind == "year" or abs(value) < 10:
        return int(value) if attribute_kind in ("int", "year") else round(value, 1)
    size = 10 ** (len(str(int(abs(value)))) - (1 if abs(value) < 100 else 2))
    if abs(value) < 100:
        size = 5 if abs(value) > 20 else 1
    return int(round(value / size) * size)


def number(ref: ColumnRef, column: Column, present: list[Cell], rng: Random) -> Filter | None:
    """A comparison or a range that leaves something."""
    assert column.attribute
    ordered = sorted(float(c) for c in present if isinstance(c, int | float))
    if len(ordered) < 3:
        return None
    middle = ordered[rng.randrange(len(ordered) // 5, max(1, len(ordered) * 4 // 5))]
    value = nice(middle, column.kind)
    if rng.random() < 0.12:
        return _between(ref, column, ordered, rng)
    if column.kind == "int" and rng.random() < 0.08:
        value = int(rng.choice(ordered))
        return _equal_number(ref, column, value)
    op: Comparison = rng.choices([">", "<", ">=", "<="], (46, 28, 16, 10))[0]  # type: ignore[assignment]
    return Filter(
        Predicate(op, ref, Literal(value, "number")),
        lambda talk: ("", said_compared(talk, column, op, value)),
        "compare",
        column,
    )


def _equal_number(ref: ColumnRef, column: Column, value: float) -> Filter:
    def say(talk: Talk) -> Part:
        label, said = talk.label(column), talk.number(value, column)
        if talk.zh:
            return "", talk.pick(f"{label}为{said}", f"{label}是{said}", f"{label}等于{said}")
        return "", talk.pick(f"with {talk.a(label)} of {said}", f"{talk.whose(label)} {said}", f"with {label} {said}")

    return Filter(Predicate("=", ref, Literal(value, "number")), say, "equals", column)


def said_compared(talk: Talk, column: Column, op: str, value: float) -> str:
    """The comparison as a phrase after the noun, or a Chinese clause."""
    said, label = talk.number(value, column), talk.label(column)
    names = column.attribute.names if column.attribute else ()
    if talk.zh:
        way = talk.rng.choice(_OPS_ZH[op])
        if "age" in names and talk.rng.random() < 0.4:
            ages = {
                ">": (f"超过{said}", f"大于{said}"),
                "<": (f"不满{said}", f"小于{said}"),
                ">=": (f"{said}及以上", f"年满{said}"),
                "<=": (f"{said}及以下", f"不超过{said}"),
            }
            return talk.pick(*ages[op])
        return label + (way.format(v=said) if "{v}" in way else way + said)
    concept = book.concept_of(names)
    bare = talk.number(value) if "age" in names else said
    if op in "><" and talk.rng.random() < 0.55:
        ways = concept.more if op == ">" else concept.less
        if ways:
            return talk.pick(*ways).format(v=bare)
    if label.split()[-1] in book.COUNTED or label.startswith("number of "):
        things = label.removeprefix("number of ").replace("count", "").strip()
        words = {">": "more than", "<": "fewer than", ">=": "at least", "<=": "at most"}[op]
        if talk.rng.random() < 0.7:
            return f"with {words} {talk.number(value)} {things}"
    return _plain_comparison(talk, label, op, said)


def _plain_comparison(talk: Talk, label: str, op: str, said: str) -> str:
    way = talk.rng.choice(_OPS_EN[op])
    joined = way.removeprefix("of ")
    if op in ("<=", ">=") and talk.rng.random() < 0.25:
        return f"with {talk.a(label)} of {said} or {'more' if op == '>=' else 'less'}"
    return talk.pick(
        f"with {talk.a(label)} {'of ' if way in ('more than', 'at least', 'at most', 'less than') else ''}{joined} {said}",
        f"{talk.whose(label)} {joined} {said}",
        f"with {label} {joined} {said}",
    )


def _between(ref: ColumnRef, column: Column, ordered: list[float], rng: Random) -> Filter:
    low = nice(ordered[len(ordered) // 4], column.kind)
    high = nice(ordered[len(ordered) * 3 // 4], column.kind)
    if low >= high:
        high = low + max(1, abs(low) // 2)
    bounds = (Literal(low, "number"), Literal(high, "number"))

    def say(talk: Talk) -> Part:
        label, first, last = talk.label(column), talk.number(low), talk.number(high, column)
        if talk.zh:
            return "", talk.pick(
                f"{label}在{first}到{last}之间", f"{label}介于{first}和{last}之间", f"{label}{first}到{last}"
            )
        return "", talk.pick(
            f"with {talk.a(label)} between {first} and {last}",
            f"{talk.whose(label)} between {first} and {last}",
            f"with {label} from {first} to {last}",
        )

    return Filter(Predicate("between", ref, bounds), say, "between", column)
