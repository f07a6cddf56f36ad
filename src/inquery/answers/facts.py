"""Facts about a result, computed in code; prose may quote these and nothing else."""

from __future__ import annotations

import datetime
import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from inquery.answers.answer import AnswerColumn, Fact, FactDetail
from inquery.answers.date_part_words import goes_round
from inquery.answers.formats import as_number, format_cell, format_label
from inquery.answers.people_names import with_whole_names
from inquery.answers.shape import Field, Role, Rows, Shape, ordered, read_shape
from inquery.answers.unfinished import begun_before, unfinished
from inquery.language.dates import QUARTER, Span

MEASURES = 3
"""Columns that get facts of their own; a wide result has more numbers than a person reads."""
OUTLIER_Z = 3.5
"""Robust z-score above which a value stands out (Iglewicz and Hoaglin)."""
FEWEST_FOR_OUTLIERS = 8
NAMING: tuple[Role, ...] = ("category", "time", "identifier")
MOST_NAMING = 3

Pairs = list[tuple[Any, float]]


def compute_facts(
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    truncated: str | None = None,
    today: datetime.date | None = None,
    since: datetime.date | None = None,
    whole: bool = True,
) -> list[Fact]:
    """Everything worth saying about a result, most general first; without `today` every period counts as over.

    The first five of twelve are not `whole`: their sum is no total. `since` is the first day that the statement takes: a
    month that begins before it is cut.
    """
    facts = [Fact(kind="count", value=len(rows))]
    if truncated:
        facts.append(Fact(kind="truncated", label=truncated, value=len(rows)))
    if not rows:
        return facts
    columns, rows = with_whole_names(columns, rows)
    shape = read_shape(columns, rows)
    if len(rows) == 1:
        facts += [_single(field, rows[0][field.index]) for field in shape.fields]
        return facts
    late = unfinished(shape, rows, today) if today else [None] * len(rows)
    early = begun_before(shape, rows, since) if since else [None] * len(rows)
    partly = [a or b for a, b in zip(late, early, strict=True)]
    named = _Named(columns, label_fields(shape, rows))
    for field in shape.of_role("measure")[:MEASURES]:
        facts += _measure_facts(field, shape, rows, partly, named, whole=whole and truncated is None)
        facts += _unfinished(field, shape, rows, late, today) if today else []
    facts += [Fact(kind="cut", detail=_period(span)) for span in early if span][:1]
    return facts + _null_facts(shape, rows)


def label_fields(shape: Shape, rows: Rows) -> list[Field]:
    """The columns that name a row: the first that can, and further ones until rows are told apart.

    Where a list begins with the numbers of its rows and names repeat, a row is called by both: 44892 · Ann.
    """
    candidates = [field for role in NAMING for field in shape.of_role(role)]
    if not candidates:
        return []
    found = candidates[:1]
    first = shape.fields[0]
    if first.role == "identifier" and not _tells_apart(found, rows) and _tells_apart([first], rows):
        named = found[0].role == "category" and all(row[found[0].index] is not None for row in rows)
        return [first, *(found if named else ())]
    for field in candidates[1:MOST_NAMING]:
        if _tells_apart(found, rows) or field.role == "identifier":
            break
        found.append(field)
    return sorted(found, key=lambda field: field.index)


def _tells_apart(fields: Sequence[Field], rows: Rows) -> bool:
    return len({tuple(str(row[field.index]) for field in fields) for row in rows}) == len(rows)


def told_label(cell: Any, column: AnswerColumn, language: str = "en") -> str:
    """A cell that names its row, in words where it is a code."""
    known = column.words.get(str(cell)) if isinstance(cell, str | int) and not isinstance(cell, bool) else None
    return known or format_label(cell, language)


class _Named:
    """What rows are called."""

    def __init__(self, columns: Sequence[AnswerColumn], fields: list[Field]) -> None:
        self.columns, self.fields = columns, fields

    def of(self, row: Sequence[Any]) -> str:
        return " · ".join(told_label(row[field.index], self.columns[field.index]) for field in self.fields)


def _single(field: Field, cell: Any) -> Fact:
    number = as_number(cell)
    value = cell if isinstance(cell, int) and not isinstance(cell, bool) else number
    return Fact(kind="single", column=field.name, value=value if number is not None else format_cell(cell))


def _measure_facts(
    field: Field, shape: Shape, rows: Rows, late: Sequence[Span | None], named: _Named, *, whole: bool
) -> list[Fact]:
    pairs = _pairs(field, rows)
    # A month that is not over belongs to the total and may be the highest, but it is no fall, no lowest and no
    # outlier: from August to a half November revenue was told as down 70%.
    over = _pairs(field, [row for row, span in zip(rows, late, strict=True) if span is None])
    if len(pairs) < 2:
        return []
    numbers = [number for _, number in pairs]
    facts = [Fact(kind="average", column=field.name, value=statistics.fmean(numbers))]
    total = sum(numbers)
    if field.additive and whole:
        facts.insert(0, Fact(kind="total", column=field.name, value=total))
    facts += _extremes(field, named, pairs, over, total if field.additive and whole and min(numbers) >= 0 else None)
    facts += _changes(field, shape, over, named)
    return facts + _outliers(field, named, over)


def _pairs(field: Field, rows: Rows) -> Pairs:
    return [(row, number) for row in rows if (number := as_number(row[field.index])) is not None]


def _extremes(field: Field, named: _Named, pairs: Pairs, over: Pairs, total: float | None) -> list[Fact]:
    if not named.fields:
        return []
    facts = []
    for kind, among, pick in (("top", pairs, max), ("bottom", over, min)):
        if len({number for _, number in among}) < 2:
            continue
        row, number = pick(among, key=lambda pair: pair[1])
        detail: FactDetail = {"share": number / total} if total else {}
        if kind == "bottom" and number > min(n for _, n in pairs):
            detail["finished_only"] = True
        facts.append(Fact(kind=kind, column=field.name, label=named.of(row), value=number, detail=detail))
    return facts


def _unfinished(
    field: Field, shape: Shape, rows: Rows, late: Sequence[Span | None], today: datetime.date
) -> list[Fact]:
    """The period that holds today and the last one ahead."""
    found = [
        (span, row) for span, row in zip(late, rows, strict=True) if span and as_number(row[field.index]) is not None
    ]
    found.sort(key=lambda pair: pair[0].start)
    begun = [pair for pair in found if pair[0].start <= today]
    facts = []
    for span, row in begun + [pair for pair in found if pair[0].start > today][-1:]:
        detail = _period(span) | {"begun": span.start <= today}
        label = format_label(row[shape.of_role("time")[0].index])
        facts.append(
            Fact(kind="unfinished", column=field.name, label=label, value=as_number(row[field.index]), detail=detail)
        )
    return facts


def _period(span: Span) -> FactDetail:
    detail: FactDetail = {"grain": span.grain, "start": span.start.isoformat()}
    return detail | {"quarter": (span.start.month + 2) // 3} if span.grain == QUARTER else detail


def _changes(field: Field, shape: Shape, pairs: Pairs, named: _Named) -> list[Fact]:
    times = shape.of_role("time")
    if (
        len(pairs) < 2
        or not times
        or len(shape.of_role("category"))
        or goes_round(times[0].name)
        or not ordered([row[times[0].index] for row, _ in pairs])
    ):
        return []
    when = times[0].index
    series = [(str(row[when]), told_label(row[when], named.columns[when]), number) for row, number in pairs]
    if series[0][0] > series[-1][0]:
        series.reverse()
    first, last = series[0], series[-1]
    detail: FactDetail = {"from": first[1], "to": last[1], "first": first[2], "last": last[2]}
    if first[2]:
        detail["rate"] = (last[2] - first[2]) / abs(first[2])
    steps = [(b[2] - a[2], b[1]) for a, b in pairwise(series)]
    rise, fall = max(steps), min(steps)
    if rise[0] > 0:
        detail |= {"rise": rise[0], "rise_at": rise[1]}
    if fall[0] < 0:
        detail |= {"fall": fall[0], "fall_at": fall[1]}
    return [Fact(kind="change", column=field.name, value=last[2] - first[2], detail=detail)]


def _outliers(field: Field, named: _Named, pairs: Pairs) -> list[Fact]:
    numbers = [number for _, number in pairs]
    if len(numbers) < FEWEST_FOR_OUTLIERS or not named.fields:
        return []
    middle = statistics.median(numbers)
    spread = statistics.median(abs(number - middle) for number in numbers)
    if not spread:
        return []
    # 0.6745 is the median deviation of a normal distribution in standard deviations.
    found = [(row, n) for row, n in pairs if 0.6745 * abs(n - middle) / spread > OUTLIER_Z]
    return [
        Fact(
            kind="outlier",
            column=field.name,
            label=named.of(row),
            value=n,
            detail={"median": middle},
        )
        for row, n in sorted(found, key=lambda p: -abs(p[1] - middle))[:2]
    ]


def _null_facts(shape: Shape, rows: Rows) -> list[Fact]:
    counts = [(field, sum(row[field.index] is None for row in rows)) for field in shape.fields]
    return [Fact(kind="nulls", column=field.name, value=count) for field, count in counts if count]
