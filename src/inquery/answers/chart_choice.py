"""Which chart a result deserves, by rules; words in the question win."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from inquery.answers.answer import AnswerColumn, ChartPoint, ChartSeries, ChartSpec, ChartType
from inquery.answers.formats import as_number, format_cell, humanise, json_cell
from inquery.answers.shape import Field, Rows, Shape, largest_first, ordered, read_shape
from inquery.answers.unfinished import unfinished

MOST_BARS = 8
MOST_SLICES = 6
LINE_ABOVE = 15
MOST_POINTS = 100
MOST_SERIES = 4
MOST_COLUMNS = 60
"""Columns that are looked at: what a chart shows stands among the first, and to look at a thousand takes seconds."""
MOST_PARTS = 8
"""Values of a second dimension that each get a series of their own; more cannot be told apart."""
MOST_CELLS = 40
"""Rows and columns of a heat map or a pivot table; the page shows as many."""
FILLED = 0.5
"""Part of a grid's cells that must hold a number for it to be drawn unasked: a sparse one is a list."""

# A kind that others are said with stands before them: a stacked area chart is no bar chart.
WORDS: dict[ChartType, re.Pattern[str]] = {
    "heat": re.compile(r"\bheat ?-?maps?\b|\bheat chart\b|热力图?|热图", re.I),
    "pivot": re.compile(r"\bpivot(ed)?( table)?\b|\bcross[- ]?tab(le|ulation)?\b|透视表?|交叉表", re.I),
    "area": re.compile(r"\b(stacked )?area (chart|graph|plot)\b|面积图?", re.I),
    "pie": re.compile(r"\bpie\b|\bdonut\b|饼图|饼状|环形图", re.I),
    "line": re.compile(r"\bline (chart|graph|plot)\b|\btrend|\bover time\b|折线|趋势|走势|曲线", re.I),
    "bar": re.compile(
        r"\b(stacked |grouped )?bar(s| chart| graph)?\b|\bcolumn chart\b|\bhistogram\b|\bstacked\b|柱状|柱形|条形|直方图|堆[叠积]", re.I
    ),
    "scatter": re.compile(r"\bscatter|\bcorrelat|散点|相关性", re.I),
}  # fmt: skip
_PARTS = re.compile(r"\bshare|\bproportion|\bpercent|\bbreakdown|\bcomposition|占比|比例|构成|份额|分布", re.I)
_SHARE = re.compile(r"\bshare|\bproportion|占比|比例|份额", re.I)
_WANTED = re.compile(r"\bchart|\bgraph|\bplot|\bvisuali[sz]e|\bdraw\b|图|可视化|画", re.I)
_STACKED = re.compile(r"\bstacked\b|堆[叠积]", re.I)
_WHOLE = re.compile(r"\b100 ?(%|percent|per cent)|\bpercent(age)? stacked\b|百分百|百分比堆|100％", re.I)
_BESIDE = re.compile(r"\b(grouped|clustered|side by side)\b|分组|簇状|并排|并列", re.I)
_KIND = (
    r"(?:(?:100 ?%|percent(?:age)?|stacked|grouped|clustered|side[- ]by[- ]side) )*"
    r"(?:(?:bar|column|line|pie|donut|area) (?:chart|graph|plot)|heat ?-?map|pivot table)"
)
_KIND_ZH = (
    r"(?:(?:100[%％]|百分[比百]|堆[叠积]|分组|簇状)的?)*"
    r"(?:(?:柱状|柱形|条形|折线|曲线|饼状?|环形|面积|热力?|堆[叠积])图|(?:数据)?透视表|交叉表)"
)
_ITS_CHART = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"^\W*(?:please )?(?:(?:draw|plot|show|make|create|give|display)(?: me)? )?(?:an? |the )?{_KIND} (?:of|for|showing|with) ",
        rf",? (?:as|in|with|using|on) an? {_KIND}(?= ?\W*$)",
        rf"^\W*(?:请|帮我|给我)*(?:用|以){_KIND_ZH}(?:来)?(?:显示|展示|表示|画出|呈现|看看?|说明)?",
        rf"^\W*{_KIND_ZH}[：:]",
        rf"[，,]? ?(?:并?(?:画|做|绘制|制作|显示|展示)[成为]|[用以])?(?:一[张个幅])?的?{_KIND_ZH}(?:显示|展示|表示|呈现)?(?=\W*$)",
    )
)
_DRAWN_ZH = re.compile(r"^\W*(?:请|帮我|给我)*(?:[把将]|(?:画|做|生成|绘制|制作)出?(?:一?[张个幅])?)")
_DRAWN_WHOLE_ZH = re.compile(r"^(\W*(?:请|帮我|给我)*(?:画|生成|绘制|制作)出?(?:一?[张个幅])?.+)的图表?(?=\W*$)")
_SCALES: Mapping[str, str] = {"number": "", "count": ""}
"""Formats whose numbers stand on one axis with those of which nothing is known."""
_DIGITS = re.compile(r"\d+")
_EARLIER = re.compile(
    r"^(previous|prev|prior)[_ ]|(^|[_ ])last[_ ](year|month|quarter|week)$|[_ ]before$|^对比期|去年|上期|同期", re.I
)


def asked_for(question: str) -> ChartType | None:
    """The kind of chart the question names."""
    return next((kind for kind, pattern in WORDS.items() if pattern.search(question)), None)


def wants_chart(question: str) -> bool:
    """Whether the question speaks of a picture at all."""
    return bool(_WANTED.search(question)) or asked_for(question) is not None


def without_chart(question: str) -> str:
    """A question without the words about its picture, which say nothing of what is measured; as it is where there are none."""
    left = _DRAWN_WHOLE_ZH.sub(r"\1", question)  # without the verb a picture may be what is asked about: 没有对应的图
    for pattern in _ITS_CHART:
        left = pattern.sub("", left)
    left = left if left == question else _DRAWN_ZH.sub("", left)
    return left if re.search(r"\w", left) else question


def choose_chart(
    question: str,
    columns: Sequence[AnswerColumn],
    rows: Rows,
    *,
    wanted: ChartType | None = None,
    language: str = "en",
    today: datetime.date | None = None,
) -> ChartSpec | None:
    """A chart of the result, or None where a table says it better; in the reader's words where the columns have them.

    With `today` the places whose period is not over are marked, so that no trend ends in a fall.
    """
    if len(rows) < 2 or len(columns) < 2:
        return None
    shape = read_shape(columns[:MOST_COLUMNS], rows)
    named = wanted or asked_for(question)
    told = [[_in_words(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows]
    spec = _by_two(question, shape, told, named) if named not in {"pie", "scatter"} else None
    if spec is None:
        # A grid needs two dimensions: without them the rules choose.
        is_asked = named is not None and named not in {"heat", "pivot"}
        kind, why = (named, "the question asks for it") if is_asked else _by_rule(question, shape, rows)
        if kind is None:
            return None
        spec = (
            _scatter(shape, told, why)
            if kind == "scatter"
            else _with_axis(kind, _asked_shares(question, kind, shape, columns), told, why, columns)
        )
    if spec is None:
        return None
    if today is not None:
        spec = spec.model_copy(update={"open": _open_places(spec, shape, today)})
    return _entitled(spec, columns, language)


def _in_words(cell: Any, column: AnswerColumn) -> Any:
    known = column.words.get(str(cell)) if isinstance(cell, str | int) and not isinstance(cell, bool) else None
    return known or cell


def _open_places(spec: ChartSpec, shape: Shape, today: datetime.date) -> list[str]:
    """The labels of periods that hold today or lie ahead."""
    axis = next((field for field in shape.of_role("time") if field.name == spec.x), None)
    if axis is None or spec.type in {"pie", "scatter"}:
        return []
    cells = [(point[spec.x],) for point in spec.data]
    alone = Shape((Field(0, axis.name, "time"),))
    return [str(cell) for (cell,), span in zip(cells, unfinished(alone, cells, today), strict=True) if span]


def _entitled(spec: ChartSpec, columns: Sequence[AnswerColumn], language: str) -> ChartSpec:
    """The chart with the names of its axes and series, how their numbers look, and a title: revenue by region."""
    known = {column.name: column for column in columns}
    labels = {column.name: column.label or humanise(column.name) for column in columns}
    look = known.get(spec.measure)
    series = [
        each.model_copy(
            update={
                "name": each.name if look else labels.get(each.key, each.name),
                "format": (look or known[each.key]).format,
                "unit": (look or known[each.key]).unit,
                "compares": look is None and place > 0 and bool(_EARLIER.search(each.key)),
            }
        )
        for place, each in enumerate(spec.series)
    ]
    axes = [known[name].label for name in (spec.x, spec.split) if name]
    drawn = [known[spec.measure].label] if look else [known[each.key].label for each in spec.series]
    title = _title(drawn, axes, language) if all(axes) and all(drawn) else ""
    words = {"x_name": labels[spec.x], "split_name": labels.get(spec.split, ""), "title": title, "language": language}
    return spec.model_copy(update={"series": series, "measure": labels[spec.measure] if look else "", **words})


def _title(drawn: Sequence[str], axes: Sequence[str], language: str) -> str:
    if language == "zh":
        return f"{'、'.join(drawn)}（按{'、'.join(axes)}）"
    told = ", ".join(drawn)
    return f"{told[:1].upper()}{told[1:]} by {' and '.join(axes)}"


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
    over_time = axis.role == "time" and ordered([row[axis.index] for row in rows])
    kind: ChartType = named or ("line" if over_time else "bar")
    if named is None and len(parts) > MOST_PARTS and len(pairs) >= FILLED * len(places) * len(parts):
        kind = "heat"
    is_grid = kind in {"heat", "pivot"}
    most = (MOST_CELLS, MOST_CELLS) if is_grid else (MOST_PARTS, MOST_POINTS)
    fits = 2 <= len(parts) <= most[0] and 2 <= len(places) <= most[1] and axis.name not in parts
    if not fits or len(pairs) < len(rows) or (len(rows) == len(places) and not is_grid):
        return None
    found: dict[float | int | str, ChartPoint] = {}
    for row in rows:
        label = _label(row[axis.index])
        found.setdefault(label, {axis.name: label, **dict.fromkeys(parts)})[_part(row[split.index])] = _number(
            row[measures[0].index]
        )
    data = list(found.values())
    if axis.role == "time" and (over_time or kind in {"line", "area", "heat", "pivot"}):
        data = _in_time(data, axis.name)
    elif kind == "bar" and axis.role == "category":
        data = _ranked(data, axis.name, parts)
    stacks, whole = _stacking(question, kind, measures[0])
    return ChartSpec(
        type=kind,
        x=axis.name,
        split=split.name,
        measure=measures[0].name,
        series=[ChartSeries(key=part, name=part) for part in parts],
        data=data,
        stacked=stacks,
        whole=whole,
        sums=measures[0].additive,
        why="the question asks for it" if named else "a number by two dimensions",
    )


def _stacking(question: str, kind: ChartType, measure: Field) -> tuple[bool, bool]:
    """Whether series stand on each other, and whether each place is a whole: only what may be added up does."""
    if kind not in {"bar", "area"} or not measure.additive or _BESIDE.search(question):
        return False, False
    whole = bool(_WHOLE.search(question))
    return whole or kind == "area" or bool(_STACKED.search(question) or _PARTS.search(question)), whole


def _part(cell: Any) -> str:
    return str(_label(cell))


def _ranked(data: list[ChartPoint], axis: str, keys: Sequence[str]) -> list[ChartPoint]:
    """Bars of plain names from the largest down; names with an order of their own, and rows that are ranked, keep theirs."""
    sums = [sum(_amount(point, key) for key in keys) for point in data]
    return [data[place] for place in largest_first([point[axis] for point in data], sums)]


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


def _on_one_scale(measures: list[Field], columns: Sequence[AnswerColumn]) -> list[Field]:
    """The measures that are told like the first: beside amounts of 600,000 bars of 28% are not to be seen."""
    looks = {field.name: (columns[field.index].format, columns[field.index].unit) for field in measures}
    kinds = {name: (_SCALES.get(style, style), unit) for name, (style, unit) in looks.items()}
    return [field for field in measures if kinds[field.name] == kinds[measures[0].name]]


def _asked_shares(question: str, kind: ChartType, shape: Shape, columns: Sequence[AnswerColumn]) -> Shape:
    """Where the question is how large the parts are, their shares in place of the amounts; a pie tells both."""
    if kind == "pie" or not _PARTS.search(question):
        return shape
    measures = shape.of_role("measure")
    shares = [field for field in measures if _is_share(columns[field.index])]
    return Shape(tuple(f for f in shape.fields if f.role != "measure" or f in shares)) if shares else shape


def _is_share(column: AnswerColumn) -> bool:
    return column.format in {"percent", "fraction"} and bool(_SHARE.search(f"{humanise(column.name)} {column.label}"))


def _with_axis(
    kind: ChartType, shape: Shape, rows: Rows, why: str, columns: Sequence[AnswerColumn]
) -> ChartSpec | None:
    measures = _on_one_scale(shape.of_role("measure"), columns)[: 1 if kind == "pie" else MOST_SERIES]
    axis = next((field for field in _axes(kind, shape) if field not in measures), None)
    if axis is None or not measures:
        return None
    data: list[ChartPoint] = [
        {axis.name: _label(row[axis.index]), **{m.name: _number(row[m.index]) for m in measures}} for row in rows
    ]
    merged = _merge(data, axis.name, measures)
    if axis.role == "time" and (kind in {"line", "area"} or ordered([row[axis.index] for row in rows])):
        merged = _in_time(merged, axis.name)
    if kind == "pie" and not measures[0].additive and len(merged) > MOST_SLICES:
        kind, why = "bar", "rates make no whole"  # the smaller slices would vanish: nothing can stand for their rest
    shown, fewer = _bounded(kind, merged, axis.name, measures)
    if kind == "bar" and axis.role == "category" and not fewer:
        shown = _ranked(shown, axis.name, [measures[0].name])
    return _spec(kind, axis.name, measures, shown, why, aggregated=fewer) if len(shown) > 1 else None


def _in_time(data: list[ChartPoint], axis: str) -> list[ChartPoint]:
    """From the earliest to the latest: a statement that orders nothing gave January, April, March and February."""
    keys = [tuple(map(int, _DIGITS.findall(str(point[axis])))) for point in data]
    if len({len(key) for key in keys}) != 1 or not keys[0]:
        return data  # names whose order no digits tell
    return [point for _, point in sorted(zip(keys, data, strict=True), key=lambda each: each[0])]


def _axes(kind: ChartType, shape: Shape) -> list[Field]:
    times, categories = shape.of_role("time"), shape.of_role("category")
    rest = shape.of_role("identifier") + shape.of_role("other")
    return [*times, *categories, *rest] if kind in {"line", "area"} else [*categories, *times, *rest]


def _merge(data: list[ChartPoint], axis: str, measures: list[Field]) -> list[ChartPoint]:
    """One point a label: numbers that may be added are, of others the first is kept."""
    found: dict[float | int | str | None, ChartPoint] = {}
    for point in data:
        kept = found.setdefault(point[axis], {axis: point[axis]})
        for measure in measures:
            if kept.get(measure.name) is None:
                kept[measure.name] = point[measure.name]
            elif measure.additive:
                kept[measure.name] = _amount(kept, measure.name) + _amount(point, measure.name)
    return list(found.values())


def _amount(point: ChartPoint, key: str) -> float | int:
    """The number of a point; nothing counts as zero."""
    value = point[key]
    return value if isinstance(value, int | float) else 0


def _bounded(
    kind: ChartType, data: list[ChartPoint], axis: str, measures: list[Field]
) -> tuple[list[ChartPoint], bool]:
    most = MOST_SLICES if kind == "pie" else MOST_POINTS
    if len(data) <= most:
        return data, False
    if kind in {"line", "area"}:
        return data[:: -(-len(data) // most)], True
    ranked = sorted(data, key=lambda point: -_amount(point, measures[0].name))
    head, tail = ranked[: most - 1], ranked[most - 1 :]
    if not all(measure.additive for measure in measures):
        return head, True
    rest: ChartPoint = {axis: "…", **{m.name: sum(_amount(point, m.name) for point in tail) for m in measures}}
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
