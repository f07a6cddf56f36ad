"""Which chart a result deserves, by rules; words in the question win."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from inquery.answers.answer import AnswerColumn, ChartPoint, ChartSeries, ChartSpec, ChartType
from inquery.answers.formats import as_number, format_cell, json_cell
from inquery.answers.shape import Field, Rows, Shape, ordered, read_shape

MOST_BARS = 8
MOST_SLICES = 6
LINE_ABOVE = 15
MOST_POINTS = 100
MOST_SERIES = 4
MOST_COLUMNS = 60
"""Columns that are looked at: what a chart shows stands among the first, and to look at a thousand takes seconds."""
MOST_PARTS = 8
"""Values of a second dimension that each get a series of their own; more cannot be told apart."""

WORDS: dict[ChartType, re.Pattern[str]] = {
    "pie": re.compile(r"\bpie\b|\bdonut\b|饼图|饼状|环形图", re.I),
    "line": re.compile(r"\bline (chart|graph|plot)\b|\btrend|\bover time\b|折线|趋势|走势|曲线", re.I),
    "bar": re.compile(r"\bbar(s| chart| graph)?\b|\bcolumn chart\b|\bhistogram\b|柱状|柱形|条形|直方图", re.I),
    "scatter": re.compile(r"\bscatter|\bcorrelat|散点|相关性", re.I),
}
_PARTS = re.compile(r"\bshare|\bproportion|\bpercent|\bbreakdown|\bcomposition|占比|比例|构成|份额|分布", re.I)
_WANTED = re.compile(r"\bchart|\bgraph|\bplot|\bvisuali[sz]e|\bdraw\b|图|可视化|画", re.I)


def asked_for(question: str) -> ChartType | None:
    """The kind of chart the question names."""
    return next((kind for kind, pattern in WORDS.items() if pattern.search(question)), None)


def wants_chart(question: str) -> bool:
    """Whether the question speaks of a picture at all."""
    return bool(_WANTED.search(question)) or asked_for(question) is not None


def choose_chart(
    question: str,
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    wanted: ChartType | None = None,
    language: str = "en",
) -> ChartSpec | None:
    """A chart of the result, or None where a table says it better; in the reader's words where the columns have them."""
    if len(rows) < 2 or len(columns) < 2:
        return None
    shape = read_shape(columns[:MOST_COLUMNS], rows)
    named = wanted or asked_for(question)
    if named in {None, "bar", "line"} and (made := _by_two(question, shape, rows, named)) is not None:
        return made
    kind, why = (named, "the question asks for it") if named else _by_rule(question, shape, rows)
    if kind is None:
        return None
    told = [[_in_words(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows]
    spec = _scatter(shape, told, why) if kind == "scatter" else _with_axis(kind, shape, told, why)
    return _entitled(spec, columns, language) if spec else None


def _in_words(cell: Any, column: AnswerColumn) -> Any:
    known = column.words.get(str(cell)) if isinstance(cell, str | int) and not isinstance(cell, bool) else None
    return known or cell


def _entitled(spec: ChartSpec, columns: Sequence[AnswerColumn], language: str) -> ChartSpec:
    """The chart with the names of its series and a title: revenue by region."""
    labels = {column.name: column.label for column in columns if column.label}
    series = [ChartSeries(key=each.key, name=labels.get(each.key, each.name)) for each in spec.series]
    drawn = [labels[each.key] for each in spec.series if each.key in labels]
    if spec.x not in labels or not drawn:
        return spec.model_copy(update={"series": series})
    if language == "zh":
        title = f"{'、'.join(drawn)}（按{labels[spec.x]}）"
    else:
        told = ", ".join(drawn)
        title = f"{told[:1].upper()}{told[1:]} by {labels[spec.x]}"
    return spec.model_copy(update={"series": series, "title": title})


def _by_rule(question: str, shape: Shape, rows: Rows) -> tuple[ChartType | None, str]:
    measures, times, categories = shape.of_role("measure"), shape.of_role("time"), shape.of_role("category")
    if times and measures and ordered([row[times[0].index] for row in rows]):
        return "line", "numbers over time"
    if categories and measures:
        return _by_category(question, categories[0], measures, rows)
    if len(measures) >= 2 and not categories and not times:
        return "scatter", "two numbers"
    return None, ""


def _by_two(question: str, shape: Shape, rows: Rows, named: ChartType | None) -> ChartSpec | None:
    """One measure by two dimensions: a series for each value of the second, where no pair of labels comes twice."""
    measures, times, categories = shape.of_role("measure"), shape.of_role("time"), shape.of_role("category")
    labels = [*times[:1], *categories]
    if len(measures) != 1 or len(labels) != 2:
        return None
    axis, split = sorted(labels, key=lambda field: (field.role != "time", -len({row[field.index] for row in rows})))
    parts = list(dict.fromkeys(_part(row[split.index]) for row in rows))
    pairs = {(row[axis.index], row[split.index]) for row in rows}
    places = {row[axis.index] for row in rows}
    fits = 2 <= len(parts) <= MOST_PARTS and 2 <= len(places) <= MOST_POINTS and axis.name not in parts
    if not fits or len(pairs) < len(rows) or len(rows) == len(places):
        return None
    over_time = axis.role == "time" and ordered([row[axis.index] for row in rows])
    kind: ChartType = named or ("line" if over_time else "bar")
    found: dict[float | int | str, ChartPoint] = {}
    for row in rows:
        label = _label(row[axis.index])
        found.setdefault(label, {axis.name: label, **dict.fromkeys(parts)})[_part(row[split.index])] = _number(
            row[measures[0].index]
        )
    data = list(found.values())
    if over_time and str(data[0][axis.name]) > str(data[-1][axis.name]):
        data.reverse()
    series = [ChartSeries(key=part, name=part) for part in parts]
    stacked = kind == "bar" and measures[0].additive and bool(_PARTS.search(question))
    return ChartSpec(
        type=kind, x=axis.name, series=series, data=data, stacked=stacked, why="a number by two dimensions"
    )


def _part(cell: Any) -> str:
    return str(_label(cell))


def _by_category(question: str, category: Field, measures: list[Field], rows: Rows) -> tuple[ChartType | None, str]:
    labels = {row[category.index] for row in rows}
    values = [as_number(row[measures[0].index]) for row in rows]
    whole = len(measures) == 1 and all(value is not None and value >= 0 for value in values)
    if whole and _PARTS.search(question) and len(labels) == len(rows) <= MOST_SLICES:
        return "pie", "parts of a whole"
    if len(labels) == len(rows) <= MOST_BARS or len(rows) <= LINE_ABOVE:
        return "bar", "a number by category"
    return None, ""


def _scatter(shape: Shape, rows: Rows, why: str) -> ChartSpec | None:
    measures = shape.of_role("measure")
    if len(measures) < 2:
        return None
    x, y = measures[:2]
    points = [(row[x.index], row[y.index]) for row in rows if row[x.index] is not None and row[y.index] is not None]
    step = -(-len(points) // MOST_POINTS) or 1
    data: list[ChartPoint] = [{x.name: as_number(a), y.name: as_number(b)} for a, b in points[::step]]
    return _spec("scatter", x.name, [y], data, why, aggregated=step > 1) if len(data) > 1 else None


def _with_axis(kind: ChartType, shape: Shape, rows: Rows, why: str) -> ChartSpec | None:
    measures = shape.of_role("measure")[: 1 if kind == "pie" else MOST_SERIES]
    axis = next((field for field in _axes(kind, shape) if field not in measures), None)
    if axis is None or not measures:
        return None
    data: list[ChartPoint] = [
        {axis.name: _label(row[axis.index]), **{m.name: _number(row[m.index]) for m in measures}} for row in rows
    ]
    if axis.role == "time" and len(data) > 1 and str(data[0][axis.name]) > str(data[-1][axis.name]):
        data.reverse()
    merged = _merge(data, axis.name, measures)
    shown, fewer = _bounded(kind, merged, axis.name, measures)
    return _spec(kind, axis.name, measures, shown, why, aggregated=fewer) if len(shown) > 1 else None


def _axes(kind: ChartType, shape: Shape) -> list[Field]:
    times, categories = shape.of_role("time"), shape.of_role("category")
    rest = shape.of_role("identifier") + shape.of_role("other")
    return [*times, *categories, *rest] if kind == "line" else [*categories, *times, *rest]


def _merge(data: list[ChartPoint], axis: str, measures: list[Field]) -> list[ChartPoint]:
    """One point a label: numbers that may be added are, of others the first is kept."""
    found: dict[float | int | str | None, ChartPoint] = {}
    for point in data:
        kept = found.setdefault(point[axis], {axis: point[axis]})
        for measure in measures:
            if kept.get(measure.name) is None:
                kept[measure.name] = point[measure.name]
            elif measure.additive:
                kept[measure.name] = _amount(kept, measure) + _amount(point, measure)
    return list(found.values())


def _amount(point: ChartPoint, measure: Field) -> float | int:
    """The number of a point; nothing counts as zero."""
    value = point[measure.name]
    return value if isinstance(value, int | float) else 0


def _bounded(
    kind: ChartType, data: list[ChartPoint], axis: str, measures: list[Field]
) -> tuple[list[ChartPoint], bool]:
    most = MOST_SLICES if kind == "pie" else MOST_POINTS
    if len(data) <= most:
        return data, False
    if kind == "line":
        return data[:: -(-len(data) // most)], True
    ranked = sorted(data, key=lambda point: -_amount(point, measures[0]))
    head, tail = ranked[: most - 1], ranked[most - 1 :]
    if not all(measure.additive for measure in measures):
        return head, True
    rest: ChartPoint = {axis: "…", **{m.name: sum(_amount(point, m) for point in tail) for m in measures}}
    return [*head, rest], True


def _label(cell: Any) -> float | int | str:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        label: float | int | str = json_cell(cell)
        return label
    return format_cell(cell)


def _number(cell: Any) -> float | int | None:
    number = as_number(cell)
    return int(number) if number is not None and number.is_integer() and abs(number) < 1 << 53 else number


def _spec(
    kind: ChartType, x: str, series: list[Field], data: list[ChartPoint], why: str, *, aggregated: bool
) -> ChartSpec:
    drawn = [ChartSeries(key=field.name, name=field.name) for field in series]
    return ChartSpec(type=kind, x=x, series=drawn, data=data, aggregated=aggregated, why=why)
