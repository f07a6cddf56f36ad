"""Charts in the words of chart servers: `{type, data, title, …}` as @antv/mcp-server-chart sends and takes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from inquery.answers.answer import ChartPoint, ChartSeries, ChartSpec, ChartType
from inquery.answers.formats import as_number
from inquery.errors import BadRequest

KINDS: dict[ChartType, str] = {
    "bar": "column",
    "line": "line",
    "area": "area",
    "pie": "pie",
    "scatter": "scatter",
    "heat": "column",
    "pivot": "column",
}
"""Our chart types in their words; what we call a bar stands upright, which they call a column. They draw no grids."""
DRAWN: dict[str, tuple[ChartType, str, str]] = {
    "column": ("bar", "category", "value"),
    "bar": ("bar", "category", "value"),
    "funnel": ("bar", "category", "value"),
    "pie": ("pie", "category", "value"),
    "line": ("line", "time", "value"),
    "area": ("area", "time", "value"),
    "scatter": ("scatter", "x", "y"),
}
"""What our own renderer can draw of theirs: our type, and the fields of a point."""
MOST_POINTS = 5000
LONGEST_LABEL = 200


def tool_of(spec: ChartSpec) -> str:
    """The tool of a chart server that draws such a chart."""
    return f"generate_{KINDS[spec.type]}_chart"


class ChartRequest(TypedDict, total=False):
    """The arguments of a chart server's tool, in its own words."""

    data: list[ChartPoint]
    title: str
    axisXTitle: str
    axisYTitle: str
    group: bool
    stack: bool


def request_of(spec: ChartSpec) -> ChartRequest:
    """The arguments of that tool."""
    _, label, value = DRAWN[KINDS[spec.type]]
    several = len(spec.series) > 1 and spec.type != "pie"
    data: list[ChartPoint] = []
    for point in spec.data:
        for series in spec.series if several else spec.series[:1]:
            number = as_number(point.get(series.key))
            if number is None:
                continue
            at = as_number(point[spec.x]) if spec.type == "scatter" else str(point[spec.x])
            drawn: ChartPoint = {label: at, value: number}
            data.append(drawn | {"group": series.name or series.key} if several else drawn)
    asked: ChartRequest = {"data": data, "title": spec.title}
    if spec.type != "pie":
        asked |= {"axisXTitle": spec.x_name or spec.x, "axisYTitle": "" if several else spec.series[0].name}
    if spec.type in {"bar", "area"}:
        asked |= {"group": several and not spec.stacked, "stack": several and spec.stacked}
    return asked


def spec_of(asked: Mapping[str, Any]) -> ChartSpec:
    """The chart that a chart server asks to be drawn; raises BadRequest for what we cannot draw."""
    kind = str(asked.get("type", ""))[:40]
    points = asked.get("data")
    if kind not in DRAWN:
        names = ", ".join(DRAWN)
        raise BadRequest.because(
            f"charts of type {kind} are not drawn here; try {names}", f"此处不绘制 {kind} 类型的图表；可用：{names}"
        )
    if not isinstance(points, list) or not 0 < len(points) <= MOST_POINTS:
        raise BadRequest.because(
            f"data is a list of 1 to {MOST_POINTS} points", f"data 应为 1 到 {MOST_POINTS} 个点的列表"
        )
    drawn, label, value = DRAWN[kind]
    groups, rows = _grouped(points, label, value)
    x = _text(asked.get("axisXTitle")) or label
    named = [name or _text(asked.get("axisYTitle")) or value for name in groups]
    data: list[ChartPoint] = [
        {x: at} | {f"y{n}": found.get(name) for n, name in enumerate(groups)} for at, found in rows
    ]
    series = [ChartSeries(key=f"y{n}", name=name) for n, name in enumerate(named)]
    return ChartSpec(
        type=drawn, title=_text(asked.get("title")), x=x, series=series, data=data, stacked=bool(asked.get("stack"))
    )


def _grouped(points: Sequence[Any], label: str, value: str) -> tuple[list[str], list[tuple[Any, dict[str, float]]]]:
    """The groups in their order, and each label with its number of every group; points of a scatter stay apart."""
    groups: dict[str, None] = {}
    rows: list[tuple[Any, dict[str, float]]] = []
    by_label: dict[Any, dict[str, float]] = {}
    for point in points:
        number = as_number(point.get(value)) if isinstance(point, dict) else None
        at = as_number(point.get(label)) if isinstance(point, dict) and label == "x" else _label(point, label)
        if number is None or at is None:
            raise BadRequest.because(
                f"each point has {label} and a number {value}", f"每个点需要 {label} 和数值 {value}"
            )
        group = _text(point.get("group"))
        groups.setdefault(group)
        if label == "x" or at not in by_label:
            by_label[at] = {}
            rows.append((at, by_label[at]))
        by_label[at][group] = number
    return list(groups), rows


def _label(point: Any, label: str) -> str | None:
    found = point.get(label) if isinstance(point, dict) else None
    return _text(found) if isinstance(found, str | int | float) else None


def _text(value: Any) -> str:
    return str(value)[:LONGEST_LABEL] if isinstance(value, str | int | float) else ""
