"""A figure of one period beside that of another: what the model wrote of it is put together by code.

Which figure, of which rows, by which groups: that the model finds. That a comparison needs both periods, each in a column of
its own, and the change of one to the other, it forgets, or it lets a window run over names as if they were months. Where the
question holds one period against another and nothing else, the arithmetic is known. So it is where somebody bought in one
and not in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from inquery.form.ast import (
    Agg,
    And,
    Arith,
    Block,
    Bucket,
    ColumnRef,
    Compound,
    Condition,
    Expr,
    Literal,
    Or,
    Over,
    Predicate,
    Slot,
    Sort,
    TableRef,
    Unit,
    rebuild_tree,
    walk_tree,
)
from inquery.language.dates import MONTH, OPEN_END, OPEN_START, QUARTER, Span, before, year_before

_COMPARES = re.compile(
    r"\bcompar|\bvs\.?\b|\bversus\b|\bagainst\b|\bgrow|\bgrew\b|\bgrown\b|\bchang|\bincreas|\bdecreas|\bdropp?|\bfell\b|\bfall"
    r"|\brise|\brose\b|\brisen\b|\bgain|\bdeclin|\bshift|\bmove[ds]?\b|\bdiffer|\bside by side\b|\bbeside\b|\bnext to each other\b"
    r"|\bup or down\b|\byear[\s-]on[\s-]year\b|\byear[\s-]over[\s-]year\b|\b(?:yoy|mom|qoq)\b"
    r"|比|增长|下降|变化|增减|涨|跌|增幅|降幅|变动",
    re.I,
)
_OTHERWISE = re.compile(
    r"\bcontribut|\bexplain|\bdown to (?:each|the)|\baccounts? for|\bbut (?:not|none|nothing|no longer|never)|\band none"
    r"|\bthen (?:had )?none|\bnot (?:once|a single|any)\b|\bnever\b|\bplaced nothing|\b(?:did|was|were|has|have|had)(?:n't| not)\b"
    r"|\bno (?:orders?|sales|purchases?)\b|\bretention|\brepeat|\b(?:in both|both in)\b|\bmedian\b"
    r"|贡献|没再|没有再|再没|却没|就没|未再|流失|留存|复购|都有|都(?:下|买|来|借|寄)过|中位|一[单次个家票条]都(?:没|未)",
    re.I,
)
"""Whoever bought in one year and not in the other, and what each part did for the whole."""
_EACH = re.compile(
    r"\b(?:each|every|per|by|for each)\s+(?:calendar\s+)?(?:year|quarter|month|week|day)\b"
    r"|\b(?:monthly|yearly|weekly|daily|annual(?:ly)?|trend)\b|\bover (?:time|the years)\b|\byears?\b[^.?]{0,20}\beach\b"
    r"|[每逐各](?:一)?(?:年|季|个?季度|个?月|周|天|日)|走势|趋势",
    re.I,
)
_AMOUNT = re.compile(
    r"\bdifference\b|\bby how (?:much|many)\b|\bhow (?:much|many) (?:more|less|fewer)\b|差额|差值|相差|差多少|多了多少|少了多少",
    re.I,
)
_RATE = re.compile(r"%|\bper ?cent|\bpercentage\b|\brate\b|\bgrowth\b|百分|增幅|降幅|增速|增长率|同比|环比|幅度", re.I)
_FASTEST = re.compile(
    r"\bfast|\bquick|\bgrowth rate\b|\b(?:most|biggest|highest|largest)\b[^.?]{0,24}\b(?:per ?cent|percentage|rate|relative)"
    r"|增长最快|增速最|增幅最|涨得最快|涨幅最|下降最快|降幅最|跌幅最",
    re.I,
)
_MOST = re.compile(
    r"\b(?:grew|grown|rose|gained|increased|improved|climbed|dropped|fell|declined|decreased|lost|shrank)\b[^.?]{0,24}\b(?:most|furthest|least)\b"
    r"|\b(?:biggest|largest|greatest|steepest|sharpest)\s+(?:\w+\s+)?(?:increase|growth|rise|gain|drop|fall|decline|decrease|loss)\b"
    r"|\bmost growth\b|(?:增长|增加|上升|涨得?|下降|减少|下滑|跌得?|掉得?)最[多大狠厉]",
    re.I,
)
_DOWN = re.compile(
    r"\bdropp|\bfell\b|\bfall|\bdeclin|\bdecreas|\blost\b|\bshrank\b|\bloss\b|下降|减少|下滑|跌|降幅|掉", re.I
)
_TWO_YEARS = re.compile(
    r"(?:from|between|over|从|自)?\s*(?P<first>(?:19|20)\d\d)年?\s*(?:to|and|through|-|–|—|到|至|和|与)\s*(?P<second>(?:19|20)\d\d)年?(?:之间|间)?",
    re.I,
)


_CYCLIC: Mapping[Unit, Unit] = {"quarter": "quarterno", "month": "monthno"}


_DENIES = re.compile(
    r"\bno longer\b|\bnone\b|\bnothing\b|\bnever\b|\b(?:but|and|then|yet)\s+(?:\w+\s+){0,3}?(?P<no>not|no)\b"
    r"|\b(?:did|has|have|had|was|were)(?:n't| not)\b|没|未再|未有|不再",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Pair:
    """The later period and those it is held against, by the names of their slots."""

    late: str
    earlier: tuple[str, ...]
    slots: Mapping[str, Literal]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.late, *self.earlier)


def beside_each_other(
    query: Any, question: str, slots: Mapping[str, Literal], said: Mapping[str, str]
) -> tuple[Any, Mapping[str, Literal]]:
    """The form with the figure of both periods and its change, and the slots with those it needs; else what was given.

    `said` has the words of each slot.
    """
    pair = compared_periods(question, slots, said)
    if pair is None or not isinstance(query, Block) or not query.sources or query.per:
        return query, slots
    made = _side_by_side(query, question, pair, whole_years=_whole_years(pair))
    return (made, pair.slots) if made is not None else (query, slots)


def without_denied(query: Any, question: str, said: Mapping[str, str]) -> Any:
    """Those of one period who are not among those of another, where the question denies the other and the form asks for both."""
    if (
        not isinstance(query, Compound)
        or query.op != "intersect"
        or len(said) != 2
        or not isinstance(query.right, Block)
    ):
        return query
    denial = _DENIES.search(question)
    sides = [
        {str(test.right.name) for test in _tests(side, {*said}) if isinstance(test.right, Slot)}
        for side in (query.left, query.right)
    ]
    if (
        denial is None
        or re.search(r"\bboth\b|都", question)
        or any(len(side) != 1 for side in sides)
        or sides[0] == sides[1]
    ):
        return query

    def distance(name: str) -> int:
        at, word = question.find(said[name]), "no" if denial["no"] else 0
        return max(at - denial.end(word), denial.start(word) - at - len(said[name]))

    denied = min(said, key=distance)
    left, right = (query.right, query.left) if sides[0] == {denied} else (query.left, query.right)
    return replace(query, op="except", left=left, right=right)


def compared_periods(question: str, slots: Mapping[str, Literal], said: Mapping[str, str]) -> Pair | None:
    """The periods of a question that holds one against another, and asks nothing else of them."""
    if not slots or not _COMPARES.search(question) or _OTHERWISE.search(question):
        return None
    closed = {name: _span(literal) for name, literal in slots.items() if _span(literal) is not None}
    if len(closed) != len(slots):
        return None
    spans = {name: span for name, span in closed.items() if span is not None}
    if len(spans) == 1:
        return _two_years(question, slots, said)
    ordered = sorted(spans, key=lambda name: (spans[name].start, spans[name].end), reverse=True)
    # 10月跟9月比，环比 says September twice.
    late, *earlier = list({spans[name]: name for name in reversed(ordered)}.values())[::-1]
    if not 1 <= len(earlier) <= 2 or any(spans[name].end > spans[late].start for name in earlier):
        return None
    if len(earlier) == 2:
        base = spans[late]
        wanted = {(each.start, each.end) for each in (before(base), year_before(base))}
        if {(spans[name].start, spans[name].end) for name in earlier} != wanted:
            return None
    elif not _are_alike(spans[late], spans[earlier[0]]):
        return None
    return Pair(late, tuple(earlier), slots)


def _span(literal: Literal) -> Span | None:
    if literal.kind != "period" or not isinstance(literal.value, tuple):
        return None
    start, end = (date.fromisoformat(day) for day in literal.value)
    if start == OPEN_START or end == OPEN_END:
        return None
    days = (end - start).days
    grain = MONTH if 28 <= days <= 31 and start.day == 1 else QUARTER if 89 <= days <= 92 and start.day == 1 else ""
    return Span(start, end, grain)


def _are_alike(late: Span, early: Span) -> bool:
    """Whether two periods are of a length: a month is held against a month; this year may not be over."""
    days = sorted(((late.end - late.start).days, (early.end - early.start).days))
    return days[1] - days[0] <= 3 or days[1] <= days[0] * 1.05


def _two_years(question: str, slots: Mapping[str, Literal], said: Mapping[str, str]) -> Pair | None:
    """The two years of `changed from 2024 to 2025`, which is read as one span of them."""
    (name, words), *rest = said.items()
    years = _TWO_YEARS.fullmatch(words.strip())
    if rest or not years or _EACH.search(question):
        return None
    first, second = sorted((int(years["first"]), int(years["second"])))
    made = {
        f"{name}{side}": Literal((f"{year}-01-01", f"{year + 1}-01-01"), "period")
        for side, year in (("late", second), ("early", first))
    }
    return Pair(f"{name}late", (f"{name}early",), {**slots, **made}) if first < second else None


def _whole_years(pair: Pair) -> bool:
    return all(
        str(value[0]).endswith("-01-01") and str(value[1]).endswith("-01-01")
        for name in pair.names
        if isinstance(value := pair.slots[name].value, tuple)
    )


def _side_by_side(block: Block, question: str, pair: Pair, *, whole_years: bool) -> Block | None:
    asked = {*pair.slots}
    dates = {test.left for test in _tests(block, asked)}
    if len(dates) != 1 or not isinstance(when := next(iter(dates)), ColumnRef):
        return None
    keys: list[Expr | TableRef] = []
    for key in block.by:
        if isinstance(key, Bucket):
            if key.unit in {"year", "week", "day"} or (key.of == when and not whole_years):
                return None
            # Quarters of two years stand beside each other by their number.
            key = replace(key, unit=_CYCLIC.get(key.unit, key.unit))
        keys.append(key)
    labels, figures = _parts(block, keys)
    measures = list(dict.fromkeys(_undated(each, asked) for each in figures))
    if len(measures) != 1 or any(isinstance(node, Block) for node in walk_tree(measures[0])):
        return None
    rest = _rest(block.where, asked)
    if rest is None or any(True for _ in _tests(block.having, asked)):
        return None
    of: dict[str, Any] = {name: _dated(measures[0], Predicate("in", when, Slot(name))) for name in pair.names}
    if None in of.values():
        return None
    late = of[pair.late]
    subtracted = any(isinstance(each, Arith) and each.op == "-" for each in figures)
    amount = (subtracted or _AMOUNT.search(question)) and not _RATE.search(question)
    show: list[Any] = [*labels, late]
    for name in pair.earlier:
        show += [of[name], Arith("-", late, of[name]) if amount else _rate(late, of[name])]
    ranking = _ranking(question, late, of[pair.earlier[0]])
    either = Or(tuple(Predicate("in", when, Slot(name)) for name in pair.names))
    sort = block.sort if block.sort and all(each.expr in keys for each in block.sort) else ()
    if ranking is not None:
        sort = (ranking,)
    elif block.top is not None:
        sort = (Sort(late, next((each.descending for each in block.sort), True)),)
    return replace(
        block,
        show=tuple(show),
        where=And((*rest, either)) if rest else either,
        by=tuple(keys),
        sort=sort,
        distinct=False,
    )


def _tests(node: object, slots: set[str]) -> Iterator[Predicate]:
    """The tests of a date against one of the periods."""
    for each in walk_tree(node):
        if isinstance(each, Predicate):
            right = each.right if isinstance(each.right, tuple) else (each.right,)
            if any(isinstance(part, Slot) and part.name in slots for part in right):
                yield each


def _parts(block: Block, keys: list[Expr | TableRef]) -> tuple[list[Any], list[Any]]:
    """What names the groups, and the figures."""
    labels: list[Any] = []
    figures: list[Any] = []
    by_date = {key.of for key in keys if isinstance(key, Bucket)}
    for item in block.show:
        if isinstance(item, Bucket) and item.of in by_date:
            labels.append(next(key for key in keys if isinstance(key, Bucket) and key.of == item.of))
        elif isinstance(item, ColumnRef | TableRef):
            labels.append(item)
        else:
            figures.append(item)
    return labels, figures


def _undated(figure: Any, slots: set[str]) -> Any:
    """The figure itself, of no period: that of which a difference, a growth or a running sum is told."""
    if isinstance(figure, Over):
        return _undated(figure.of or Agg("count"), slots)
    if isinstance(figure, Arith) and len({_named(test) for test in _tests(figure, slots)}) > 1:
        sides = [side for side in (figure.left, figure.right) if any(True for _ in _tests(side, slots))]
        return _undated(sides[0], slots)
    return rebuild_tree(figure, lambda node: _all_time(node, slots))


def _named(test: Predicate) -> str:
    return str(test.right)


def _all_time(node: Any, slots: set[str]) -> Any:
    if not isinstance(node, Agg) or node.where is None:
        return node
    rest = _rest(node.where, slots)
    if rest is None:
        return node
    return replace(node, where=And(tuple(rest)) if len(rest) > 1 else next(iter(rest), None))


def _rest(where: Condition | None, slots: set[str]) -> list[Condition] | None:
    """What else is asked of the rows; None where the periods are part of something else."""
    found: list[Condition] = []
    for part in where.items if isinstance(where, And) else (where,) if where is not None else ():
        dated = list(_tests(part, slots))
        if not dated:
            found.append(part)
        elif not (part in dated or (isinstance(part, Or) and all(item in dated for item in part.items))):
            return None
    return found


def _dated(figure: Any, within: Predicate) -> Any | None:
    """The figure of one period alone; None where it has nothing to keep to it."""
    kept: list[bool] = []

    def keep(node: Any) -> Any:
        if not isinstance(node, Agg):
            return node
        kept.append(not isinstance(node.of, Block) and (node.where is not None or node.func not in _SHARES))
        return _share_of(node, within) if node.func in _SHARES else replace(node, where=_both(node.where, within))

    made = rebuild_tree(figure, keep)
    return made if kept and all(kept) else None


_SHARES = frozenset({"share", "percent"})


def _share_of(share: Agg, within: Predicate) -> Arith:
    """A part of the rows of a period, of which the condition of the share keeps some."""
    whole = replace(share, func="sum" if share.of is not None else "count", where=within)
    part = replace(whole, where=_both(share.where, within))
    return Arith("/", part if share.func == "share" else Arith("*", Literal(100, "number"), part), whole)


def _both(where: Condition | None, within: Predicate) -> Condition:
    if where is None:
        return within
    return And((*(where.items if isinstance(where, And) else (where,)), within))


def _rate(late: Any, early: Any) -> Arith:
    return Arith("/", Arith("*", Literal(100, "number"), Arith("-", late, early)), early)


def _ranking(question: str, late: Any, early: Any) -> Sort | None:
    """What a question for the fastest or the largest change is sorted by."""
    up = _DOWN.search(question) is None
    if _FASTEST.search(question):
        return Sort(_rate(late, early), up)
    return Sort(Arith("-", late, early), up) if _MOST.search(question) else None
