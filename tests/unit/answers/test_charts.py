"""Charts follow the rules, drawings show them, files open safely."""

import datetime
import uuid
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from inquery.answers.answer import AnswerColumn, ChartSpec
from inquery.answers.chart_choice import choose_chart
from inquery.answers.drawing import draw_png, draw_terminal
from inquery.answers.followups import suggest_questions
from inquery.answers.formats import format_cell, format_label, format_number, json_cell
from inquery.answers.frame import to_frame
from inquery.answers.picture import draw_svg
from inquery.answers.widths import cell_width
from inquery.sql import Catalog, Column, Join, Table


def columns(*pairs: tuple[str, str]) -> list[AnswerColumn]:
    return [AnswerColumn(name=name, kind=kind) for name, kind in pairs]


CITY = columns(("city", "text"), ("amount", "number"))
CITIES = [("北京", 60), ("上海", 30), ("Paris", 10)]
MONTH = columns(("month", "text"), ("revenue", "number"))
MONTHS = [(f"2026-{m:02}", 100 + m) for m in range(1, 13)]


@pytest.mark.parametrize(
    ("question", "cols", "rows", "kind"),
    [
        ("revenue by month", MONTH, MONTHS, "line"),
        ("amount by city", CITY, CITIES, "bar"),
        ("share of amount by city", CITY, CITIES, "pie"),
        ("各城市金额占比", CITY, CITIES, "pie"),
        ("amount by city as a line chart", CITY, CITIES, "line"),
        ("把每月收入画成饼图", MONTH, MONTHS, "pie"),
        ("height and weight", columns(("height", "number"), ("weight", "number")), [(1.7, 60), (1.8, 80)], "scatter"),
        ("one row", CITY, CITIES[:1], None),
        ("one column", CITY[:1], [("a",), ("b",)], None),
        ("too many categories", CITY, [(f"c{i}", i) for i in range(40)], None),
        ("names only", columns(("a", "text"), ("b", "text")), [("x", "y"), ("z", "w")], None),
    ],
)
def test_the_rules_choose(question: str, cols: list[AnswerColumn], rows: list, kind: str | None) -> None:  # type: ignore[type-arg]
    spec = choose_chart(question, cols, rows)
    assert (spec.type if spec else None) == kind


def test_a_long_series_is_thinned_and_says_so() -> None:
    spec = choose_chart("trend", columns(("day", "date"), ("n", "number")), [(f"{d:05}", d) for d in range(1000)])
    assert spec is not None
    assert len(spec.data) <= 100
    assert spec.aggregated


def test_slices_beyond_six_are_joined() -> None:
    spec = choose_chart("pie chart", CITY, [(f"c{i}", i + 1) for i in range(10)])
    assert spec is not None
    assert len(spec.data) == 6
    assert sum(point["amount"] for point in spec.data) == sum(range(1, 11))


@pytest.mark.parametrize(("question", "cols", "rows"), [("", MONTH, MONTHS), ("", CITY, CITIES), ("pie", CITY, CITIES)])
def test_a_chart_is_drawn_in_characters(question: str, cols: list[AnswerColumn], rows: list) -> None:  # type: ignore[type-arg]
    spec = choose_chart(question, cols, rows)
    assert spec is not None
    text = draw_terminal(spec, 60)
    assert all(cell_width(line) <= 62 for line in text.splitlines())
    assert any(ord(c) > 0x2500 for c in text)


def test_a_chart_is_drawn_as_pictures() -> None:
    spec = choose_chart("", CITY, CITIES)
    assert isinstance(spec, ChartSpec)
    assert "北京" in draw_svg(spec)
    assert draw_png(spec).startswith(b"\x89PNG")


def test_frames_keep_repeated_names() -> None:
    assert list(to_frame(["n", "n"], [(1, 2)]).columns) == ["n", "n_2"]


def test_cells_travel_without_loss() -> None:
    assert json_cell(2**60) == str(2**60)
    assert json_cell(Decimal("1.10")) == "1.10"
    assert json_cell(b"\x00\xff") == "00ff"
    assert json_cell(float("inf")) == "inf"
    assert format_cell(None) == "—"
    assert format_cell(datetime.date(2026, 11, 1)) == "2026-11-01"
    assert format_cell(uuid.UUID(int=1)) == "00000000-0000-0000-0000-000000000001"
    assert [format_label(name) for name in (2026, 2026.0, Decimal("20260"), 0.5, "east")] == [
        "2026",
        "2026",
        "20260",
        "0.5",
        "east",
    ]
    assert format_number(1234567, "zh") == "123.46万"
    assert format_number(0.1234) == "0.12"


def test_followups_are_new_and_say_what_they_need() -> None:
    orders = Table(
        ("orders",),
        (
            Column("order_id", "INTEGER", primary_key=True),
            Column("status", "TEXT", samples=("paid", "shipped")),
            Column("ordered_at", "TIMESTAMP"),
            Column("total_amount", "REAL"),
        ),
    )
    customers = Table(("customers",), (Column("customer_id", "INTEGER", primary_key=True),))
    catalog = Catalog(
        "sqlite", (orders, customers), (Join(("orders",), ("customer_id",), ("customers",), ("customer_id",)),)
    )
    for language in ("en", "zh"):
        found = suggest_questions(
            "how many", catalog, [("orders",)], columns(("n", "number")), [(5,)], language=language
        )
        assert 2 <= len(found) <= 4
        assert all(item.tables[0] in catalog.by_path for item in found)
        again = suggest_questions(
            found[0].question, catalog, [("orders",)], columns(("n", "number")), [(5,)], language=language
        )
        assert found[0].question not in [item.question for item in again]


def drawn(
    kind: str, values: list[float | None], *, labels: list[str] | None = None, series: int = 1
) -> ElementTree.Element:
    names = labels or [f"label {n}" for n in range(len(values))]
    data = [{"x": name, **{f"s{n}": value for n in range(series)}} for name, value in zip(names, values, strict=True)]
    keys = [{"key": f"s{n}", "name": f"系列{n}"} for n in range(series)]
    return ElementTree.fromstring(draw_svg(ChartSpec(type=kind, title="A < B & 标题", x="x", series=keys, data=data)))


def places(tree: ElementTree.Element, tag: str, *names: str) -> list[tuple[float, ...]]:
    found = tree.iter(f"{{http://www.w3.org/2000/svg}}{tag}")
    return [tuple(float(node.attrib[name]) for name in names) for node in found if names[0] in node.attrib]


@pytest.mark.parametrize("kind", ["bar", "line", "pie", "scatter"])
@pytest.mark.parametrize(
    "values",
    [[1.0, 2.0, 3.0], [-5.0, 0.0, 5.0], [None, None, None], [0.0, 0.0, 0.0], [1e12, 1e-9, None], [7.0, 7.0, 7.0]],
)
def test_every_chart_stays_inside_its_picture(kind: str, values: list[float | None]) -> None:
    tree = drawn(kind, values, labels=["1", "2", "3"])
    assert "A < B & 标题" in "".join(tree.itertext())
    for x, y in [*places(tree, "text", "x", "y"), *places(tree, "circle", "cx", "cy")]:
        assert 0 <= x <= 720
        assert 0 <= y <= 420
    for x, y, width, height in places(tree, "rect", "x", "y", "width", "height"):
        assert min(x, y, width, height) >= 0
        assert x + width <= 720
        assert y + height <= 420


def test_bars_are_as_high_as_their_numbers() -> None:
    bars = places(drawn("bar", [10.0, 20.0, 40.0]), "rect", "x", "y", "width", "height")
    heights = [height for *_, height in bars]
    assert heights == pytest.approx([heights[2] / 4, heights[2] / 2, heights[2]], abs=0.2)


def test_a_line_breaks_where_a_number_is_missing() -> None:
    tree = drawn("line", [1.0, 2.0, None, 3.0, 4.0])
    path = next(tree.iter("{http://www.w3.org/2000/svg}path")).attrib["d"]
    assert (path.count("M"), path.count("L")) == (2, 2)


def test_several_series_are_told_apart_by_a_legend() -> None:
    text = "".join(drawn("bar", [1.0, 2.0], series=3).itertext())
    assert all(f"系列{n}" in text for n in range(3))


def test_long_labels_are_cut_and_slanted_clear_of_the_edge() -> None:
    tree = drawn("bar", [float(n) for n in range(14)], labels=[f"类别名称很长很长很长很长 {n}" for n in range(14)])
    turned = [
        node for node in tree.iter("{http://www.w3.org/2000/svg}text") if "rotate(-40" in node.get("transform", "")
    ]
    assert len(turned) == 14
    assert all((node.text or "").endswith("…") for node in turned)


def test_two_dimensions_become_series_and_no_number_is_lost() -> None:
    cols = columns(("month", "text"), ("channel", "text"), ("revenue", "number"))
    rows = [(f"2026-{m:02}", channel, m * 10 + n) for m in (1, 2, 3) for n, channel in enumerate(("app", "web"))]
    spec = choose_chart("monthly revenue by channel", cols, rows[:-1])
    assert spec is not None
    assert (spec.type, spec.x, [each.key for each in spec.series]) == ("line", "month", ["app", "web"])
    assert spec.data[1] == {"month": "2026-02", "app": 20, "web": 21}
    assert spec.data[2]["web"] is None  # a pair that is not there is a gap, not nought
    shares = choose_chart("各渠道每月销售额占比，画成柱状图", cols, rows)
    assert shares is not None
    assert (shares.type, shares.stacked) == ("bar", True)
    for drawn in (draw_svg(spec), draw_svg(shares)):
        assert "web" in drawn


def test_a_pair_of_labels_that_comes_twice_is_no_series() -> None:
    cols = columns(("city", "text"), ("channel", "text"), ("amount", "number"))
    spec = choose_chart("amount", cols, [("a", "x", 1), ("a", "x", 2), ("b", "y", 3)])
    assert spec is None or [each.key for each in spec.series] == ["amount"]


def test_a_chart_is_entitled_in_the_readers_words() -> None:
    columns = [
        AnswerColumn(name="region", label="大区", words={"east": "华东"}),
        AnswerColumn(name="total_amount", kind="number", label="销售额", format="money", unit="CNY"),
    ]
    chart = choose_chart("?", columns, [["east", 5], ["west", 3]], language="zh")
    assert chart is not None
    assert (chart.title, chart.series[0].key, chart.series[0].name) == ("销售额（按大区）", "total_amount", "销售额")
    assert [point["region"] for point in chart.data] == ["华东", "west"]
    english = choose_chart("?", [columns[0].model_copy(update={"label": "region"}), columns[1].model_copy(update={"label": "revenue"})], [["a", 5], ["b", 3]])  # fmt: skip
    assert english is not None
    assert english.title == "Revenue by region"
    plain = choose_chart(
        "?", [AnswerColumn(name="region"), AnswerColumn(name="n", kind="number")], [["a", 5], ["b", 3]]
    )
    assert plain is not None
    assert plain.title == ""
