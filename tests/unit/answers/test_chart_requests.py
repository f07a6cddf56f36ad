"""Charts in the words of chart servers, there and back."""

import pytest

from inquery.answers.answer import ChartSeries, ChartSpec
from inquery.answers.chart_requests import KINDS, request_of, spec_of, tool_of
from inquery.errors import BadRequest

ONE = ChartSpec(type="bar", x="city", series=[ChartSeries(key="n", name="orders")], data=[{"city": "北京", "n": 2}, {"city": "Paris", "n": 1}])  # fmt: skip
TWO = ChartSpec(
    type="line", title="Sales", x="month", series=[ChartSeries(key="a", name="in"), ChartSeries(key="b", name="out")],
    data=[{"month": "2024-01", "a": 1, "b": 4}, {"month": "2024-02", "a": 3, "b": None}],
)  # fmt: skip


def test_a_bar_goes_to_the_tool_of_columns() -> None:
    asked = request_of(ONE)
    assert tool_of(ONE) == "generate_column_chart"
    assert asked["data"] == [{"category": "北京", "value": 2.0}, {"category": "Paris", "value": 1.0}]
    assert (asked["group"], asked["stack"], asked["axisXTitle"], asked["axisYTitle"]) == (
        False,
        False,
        "city",
        "orders",
    )


def test_several_series_are_groups_and_what_is_missing_is_left_out() -> None:
    asked = request_of(TWO)
    assert asked["title"] == "Sales"
    assert asked["data"] == [
        {"time": "2024-01", "value": 1.0, "group": "in"},
        {"time": "2024-01", "value": 4.0, "group": "out"},
        {"time": "2024-02", "value": 3.0, "group": "in"},
    ]


@pytest.mark.parametrize("spec", [ONE, TWO, ONE.model_copy(update={"type": "pie"})], ids=lambda spec: spec.type)
def test_what_is_asked_for_is_what_is_drawn(spec: ChartSpec) -> None:
    drawn = spec_of(request_of(spec) | {"type": KINDS[spec.type], "source": "mcp-server-chart"})
    assert (drawn.type, drawn.title) == (spec.type, spec.title)
    assert len(drawn.data) == len(spec.data)
    numbers = [[point.get(series.key) for series in drawn.series] for point in drawn.data]
    assert numbers == [[point.get(series.key) for series in spec.series] for point in spec.data]


def test_points_of_a_scatter_stay_apart() -> None:
    drawn = spec_of({"type": "scatter", "data": [{"x": 1, "y": 2}, {"x": 1, "y": 5}]})
    assert [point["y0"] for point in drawn.data] == [2, 5]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"type": "mind-map", "data": [{"name": "a"}]},
        {"type": "pie", "data": "all"},
        {"type": "pie", "data": [{"category": "a", "value": float("nan")}]},
        {"type": "pie", "data": [{"category": None, "value": 1}]},
        {"type": "line", "data": [{"time": "x", "value": 1}] * 5001},
    ],
)
def test_what_cannot_be_drawn_is_refused(asked: dict[str, object]) -> None:
    with pytest.raises(BadRequest):
        spec_of(asked)
