"""Charts follow the rules, drawings show them, files open safely."""

import datetime
import uuid
from decimal import Decimal
from xml.etree import ElementTree

import pytest

from inquery.answers.answer import AnswerColumn, ChartSpec
from inquery.answers.chart_choice import choose_chart, without_chart
from inquery.answers.drawing import draw_png, draw_terminal
from inquery.answers.followups import suggest_questions
from inquery.answers.formats import format_cell, format_label, format_number, json_cell
from inquery.answers.frame import to_frame
from inquery.answers.picture import draw_svg
from inquery.answers.pivot import pivot_texts
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


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Stacked bar chart of revenue by quarter and channel in 2025", "revenue by quarter and channel in 2025"),
        ("Draw me a pie chart of revenue by region", "revenue by region"),
        ("revenue by month and channel as a 100% stacked area chart", "revenue by month and channel"),
        ("Pivot table of revenue by category and channel", "revenue by category and channel"),
        ("画一张2026年每月各品类销售额的热力图", "2026年每月各品类销售额"),
        ("用百分比堆叠图显示2025年每季度各渠道销售额", "2025年每季度各渠道销售额"),
        ("各渠道销售额，画成饼图", "各渠道销售额"),
        ("把每月收入画成折线图", "每月收入"),
        ("2026年每月各渠道销售额的透视表", "2026年每月各渠道销售额"),
        ("用透视表显示各大区每季度毛利", "各大区每季度毛利"),
        ("数据透视表：各大区毛利", "各大区毛利"),
        ("各大区毛利，用折线图表示", "各大区毛利"),
        ("画一张各大区毛利的图", "各大区毛利"),
        ("哪些商品没有对应的图", "哪些商品没有对应的图"),
        ("图书的销售额", "图书的销售额"),
        ("今年销售额趋势图", "今年销售额趋势图"),  # a trend is asked for, not its picture alone
        ("画成饼图", "画成饼图"),
        ("sales of bar stools by month", "sales of bar stools by month"),
        ("将要到货的商品有多少", "将要到货的商品有多少"),
    ],
)
def test_the_words_about_a_picture_say_nothing_of_what_is_measured(question: str, left: str) -> None:
    assert without_chart(question) == left


def test_a_line_goes_from_the_earliest_to_the_latest_however_its_rows_came() -> None:
    said = columns(("月", "text"), ("金额", "number"))
    spec = choose_chart("每个月的费用趋势", said, [("2024-01", 1), ("2024-10", 4), ("2024-3", 3), ("2024-02", 2)])
    assert spec is not None
    assert (spec.type, [point["月"] for point in spec.data]) == ("line", ["2024-01", "2024-02", "2024-3", "2024-10"])
    split = columns(("month", "text"), ("channel", "text"), ("revenue", "number"))
    rows = [("2024-02", "web", 1), ("2024-01", "web", 2), ("2024-02", "app", 3), ("2024-01", "app", 4)]
    both = choose_chart("monthly revenue by channel as a line chart", split, rows)
    assert both is not None
    assert [point["month"] for point in both.data] == ["2024-01", "2024-02"]


def test_bars_of_a_share_that_was_asked_for_are_the_shares() -> None:
    amounts = AnswerColumn(name="revenue", kind="number", format="money", unit="CNY")
    shares = AnswerColumn(name="revenue_share_percent", kind="number", format="percent", label="share of revenue")
    changes = AnswerColumn(name="revenue_change_percent", kind="number", format="percent")
    cols = [AnswerColumn(name="category", kind="text"), amounts, shares, changes]
    rows = [[f"c{n}", 100.0 * n, 10.0 * n, 1.0] for n in range(1, 8)]
    drawn = [
        [series.key for series in spec.series]
        for question in ("What share of revenue came from each category?", "各品类销售额占比", "Revenue by category")
        if (spec := choose_chart(question, cols, rows))
    ]
    assert drawn == [["revenue_share_percent"], ["revenue_share_percent"], ["revenue"]]


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


def by_channel(language: str = "en") -> list[AnswerColumn]:
    words = {"web": "网站", "store": "门店"} if language == "zh" else {}
    label = {"month": "月份", "channel": "渠道", "revenue": "销售额"} if language == "zh" else {}
    return [
        AnswerColumn(name="month", kind="text", label=label.get("month", "month")),
        AnswerColumn(name="channel", kind="text", label=label.get("channel", "channel"), words=words),
        AnswerColumn(name="revenue", kind="number", label=label.get("revenue", "revenue"), format="money", unit="CNY"),
    ]


SALES = [(f"2026-{m:02}", c, 1_000_000 * m + n) for m in (9, 10, 11) for n, c in enumerate(("web", "store"))]
NOVEMBER = datetime.date(2026, 11, 17)


@pytest.mark.parametrize(
    ("question", "kind", "stacked", "whole"),
    [
        ("revenue by month and channel", "line", False, False),
        ("grouped bar chart", "bar", False, False),
        ("按渠道分组的柱状图", "bar", False, False),
        ("stacked bar chart", "bar", True, False),
        ("堆叠柱状图", "bar", True, False),
        ("100% stacked bar chart", "bar", True, True),
        ("百分比堆积柱状图", "bar", True, True),
        ("area chart", "area", True, False),
        ("面积图", "area", True, False),
        ("100% stacked area chart", "area", True, True),
        ("heat map", "heat", False, False),
        ("热力图", "heat", False, False),
        ("pivot table", "pivot", False, False),
        ("透视表", "pivot", False, False),
    ],
)
def test_two_dimensions_are_drawn_as_asked(question: str, kind: str, stacked: bool, whole: bool) -> None:
    spec = choose_chart(question, by_channel(), SALES, today=NOVEMBER)
    assert spec is not None
    assert (spec.type, spec.stacked, spec.whole, spec.split) == (kind, stacked, whole, "channel")
    assert [(s.format, s.unit) for s in spec.series] == [("money", "CNY")] * 2
    assert spec.open == ["2026-11"]
    assert ElementTree.fromstring(draw_svg(spec)).tag.endswith("svg")
    assert all(cell_width(line) <= 82 for line in draw_terminal(spec, 80).splitlines())


@pytest.mark.parametrize("kind", ["line", "stacked bars", "heat map", "pivot"])
def test_charts_speak_the_readers_language(kind: str) -> None:
    spec = choose_chart(kind, by_channel("zh"), SALES, language="zh", today=NOVEMBER)
    assert spec is not None
    for drawn in (draw_svg(spec), draw_terminal(spec, 90)):
        assert "网站" in drawn
        assert "web" not in drawn
        assert "万" in drawn or kind == "pivot"


def test_an_unfinished_period_is_dashed_and_no_other() -> None:
    for question, dashed in (("line chart", 2), ("grouped bars", 2), ("heat map", 2)):
        spec = choose_chart(question, by_channel(), SALES, today=NOVEMBER)
        over = choose_chart(question, by_channel(), SALES, today=datetime.date(2027, 3, 1))
        assert spec is not None
        assert over is not None
        assert draw_svg(spec).count("stroke-dasharray") == dashed
        assert "stroke-dasharray" not in draw_svg(over)


def test_a_hundred_per_cent_is_that_of_every_place() -> None:
    spec = choose_chart("100% stacked bar chart", by_channel(), SALES)
    assert spec is not None
    drawn = draw_svg(spec)
    assert "100%" in drawn
    assert "¥" not in drawn  # the axis is of shares
    heights: dict[str, float] = {}
    for bar in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}rect"):
        if float(bar.get("width", "0")) == 64:
            heights[bar.get("x", "")] = heights.get(bar.get("x", ""), 0) + float(bar.get("height", "0"))
    assert len(heights) == 3
    assert max(heights.values()) - min(heights.values()) < 0.5


def test_a_pivot_adds_up_only_what_may_be_added() -> None:
    spec = choose_chart("pivot", by_channel(), SALES)
    rates = [
        c if c.name != "revenue" else AnswerColumn(name="rate", kind="number", format="percent") for c in by_channel()
    ]
    of_rates = choose_chart("pivot", rates, [(a, b, n / 1e6) for a, b, n in SALES])
    assert spec is not None
    assert of_rates is not None
    head, rows = pivot_texts(spec)
    assert (head[-1], rows[-1][0], rows[-1][-1]) == ("Total", "Total", "¥60,000,003")
    assert pivot_texts(of_rates)[0] == ["channel \\ month", "2026-09", "2026-10", "2026-11"]


def test_a_figure_of_an_earlier_period_is_drawn_to_be_compared_with() -> None:
    compared = [*MONTH, AnswerColumn(name="previous_revenue", kind="number")]
    spec = choose_chart("", compared, [(month, n, n - 5) for month, n in MONTHS])
    assert spec is not None
    assert [series.compares for series in spec.series] == [False, True]
    assert 'stroke-dasharray="2 3"' in draw_svg(spec)


def test_bars_of_names_are_sorted_unless_their_order_means_something() -> None:
    def order(rows: list[tuple[str, int]]) -> list[object]:
        spec = choose_chart("bars", CITY, rows)
        assert spec is not None
        return [point["city"] for point in spec.data]

    assert order([("a", 1), ("b", 9), ("c", 5)]) == ["b", "c", "a"]
    assert order([("c", 1), ("b", 5), ("a", 9)]) == ["c", "b", "a"]  # asked for the worst, and ranked so
    assert order([("周一", 1), ("周二", 9), ("周三", 5)]) == ["周一", "周二", "周三"]


def test_a_rate_is_written_in_per_cent() -> None:
    of_rate = [CITY[0], AnswerColumn(name="rate", kind="number", format="fraction")]
    spec = choose_chart("", of_rate, [("a", 0.04), ("b", 0.06)])
    assert spec is not None
    for drawn in (draw_svg(spec), draw_terminal(spec)):
        assert "4%" in drawn
        assert "0.04" not in drawn


def test_figures_of_two_units_do_not_share_an_axis() -> None:
    cols = [
        AnswerColumn(name="campus", kind="text"),
        AnswerColumn(name="refund_rate", kind="number", format="percent"),
        AnswerColumn(name="fees", kind="number", format="money", unit="CNY"),
        AnswerColumn(name="margin", kind="number", format="percent"),
    ]
    rows = [("东", 28.0, 603_213.0, 12.0), ("西", 22.0, 650_051.5, 31.0)]

    def drawn(columns: list[AnswerColumn]) -> list[str]:
        spec = choose_chart("by campus", columns, [[row[cols.index(each)] for each in columns] for row in rows])
        return [series.key for series in spec.series] if spec else []

    assert drawn(cols) == ["refund_rate", "margin"]
    assert drawn([cols[0], cols[2], cols[1]]) == ["fees"]
    counts = [AnswerColumn(name="n", kind="number", format="count"), AnswerColumn(name="m", kind="number")]
    spec = choose_chart("by campus", [cols[0], *counts], [("东", 3, 4), ("西", 5, 6)])
    assert spec is not None
    assert [series.key for series in spec.series] == ["n", "m"]


def test_rates_of_many_are_no_pie() -> None:
    of_rate = [CITY[0], AnswerColumn(name="return_rate", kind="number", format="fraction")]
    spec = choose_chart("pie chart", of_rate, [(f"n{'abcdefghij'[i]}", 0.01 * i) for i in range(10)])
    assert spec is not None
    assert (spec.type, len(spec.data)) == ("bar", 10)
