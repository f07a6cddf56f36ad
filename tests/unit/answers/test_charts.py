"""Charts follow the rules, drawings show them, files open safely."""

from decimal import Decimal

import pytest

from inquery.answers.answer import AnswerColumn, ChartSpec
from inquery.answers.charts import choose_chart
from inquery.answers.draw import cell_width, png, svg, terminal
from inquery.answers.followups import suggest
from inquery.answers.formats import format_cell, format_number, json_cell
from inquery.answers.frame import to_frame
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
    text = terminal(spec, 60)
    assert all(cell_width(line) <= 62 for line in text.splitlines())
    assert any(ord(c) > 0x2500 for c in text)


def test_a_chart_is_drawn_as_pictures() -> None:
    spec = choose_chart("", CITY, CITIES)
    assert isinstance(spec, ChartSpec)
    assert "北京" in svg(spec)
    assert png(spec).startswith(b"\x89PNG")


def test_frames_keep_repeated_names() -> None:
    assert list(to_frame(["n", "n"], [(1, 2)]).columns) == ["n", "n_2"]


def test_cells_travel_without_loss() -> None:
    assert json_cell(2**60) == str(2**60)
    assert json_cell(Decimal("1.10")) == "1.10"
    assert json_cell(b"\x00\xff") == "00ff"
    assert json_cell(float("inf")) == "inf"
    assert format_cell(None) == "—"
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
        found = suggest("how many", catalog, [("orders",)], columns(("n", "number")), [(5,)], language=language)
        assert 2 <= len(found) <= 4
        assert all(item.tables[0] in catalog.by_path for item in found)
        again = suggest(found[0].question, catalog, [("orders",)], columns(("n", "number")), [(5,)], language=language)
        assert found[0].question not in [item.question for item in again]
