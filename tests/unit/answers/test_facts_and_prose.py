"""Facts are computed, prose quotes them, and no other number survives."""

import datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inquery.answers.answer import AnswerColumn, Fact
from inquery.answers.chart_choice import choose_chart
from inquery.answers.facts import compute_facts
from inquery.answers.number_check import drop_unknown_numbers, is_known, known_numbers, quoted_numbers
from inquery.answers.prose import explain_result

MONTHS = [("2026-08", 100.0), ("2026-09", 150.0), ("2026-10", 120.0)]


def columns(*pairs: tuple[str, str]) -> list[AnswerColumn]:
    return [AnswerColumn(name=name, kind=kind) for name, kind in pairs]


def fact(facts: list[Fact], kind: str) -> Fact:
    return next(f for f in facts if f.kind == kind)


def test_totals_shares_and_extremes() -> None:
    facts = compute_facts(columns(("city", "text"), ("amount", "number")), [("A", 60), ("B", 30), ("C", 10)])
    assert fact(facts, "total").value == 100
    assert (fact(facts, "top").label, fact(facts, "top").detail["share"]) == ("A", 0.6)
    assert fact(facts, "bottom").label == "C"


def test_change_over_time() -> None:
    change = fact(compute_facts(columns(("month", "text"), ("revenue", "number")), MONTHS), "change")
    assert change.value == 20
    assert change.detail["rate"] == pytest.approx(0.2)
    assert (change.detail["rise_at"], change.detail["fall_at"]) == ("2026-09", "2026-10")


def test_a_falling_axis_is_read_in_the_order_of_time() -> None:
    change = fact(compute_facts(columns(("month", "text"), ("revenue", "number")), MONTHS[::-1]), "change")
    assert change.value == 20


@pytest.mark.parametrize("name", ["customer_id", "avg_price", "year", "单价", "完成率", "rating"])
def test_what_must_not_be_added_is_not(name: str) -> None:
    facts = compute_facts(columns(("x", "text"), (name, "number")), [("a", 1), ("b", 2)])
    assert not [f for f in facts if f.kind == "total"]


LISTED = columns(("order_id", "number"), ("customer", "text"), ("amount", "number"))


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        ([(7, "Ann", 5.0), (8, "Ann", 9.0), (9, "Bob", 1.0)], "8 · Ann"),
        ([(7, "Ann", 5.0), (8, None, 9.0), (9, None, 1.0)], "8"),
        ([(7, "Ann", 5.0), (8, "Bob", 9.0), (9, "Cy", 1.0)], "Bob"),
    ],
)
def test_a_row_of_a_list_is_called_by_its_number_where_names_repeat(rows: list[tuple[Any, ...]], label: str) -> None:
    assert fact(compute_facts(LISTED, rows), "top").label == label


def test_a_truncated_result_has_no_total() -> None:
    facts = compute_facts(columns(("x", "text"), ("n", "number")), [("a", 1), ("b", 2)], truncated="rows")
    assert not [f for f in facts if f.kind == "total"]
    assert fact(facts, "truncated")


def test_outliers_and_nulls() -> None:
    rows = [(f"d{i}", float(10 + i % 3)) for i in range(12)] + [("odd", 500.0), ("none", None)]
    facts = compute_facts(columns(("day", "text"), ("n", "number")), rows)
    assert fact(facts, "outlier").label == "odd"
    assert fact(facts, "nulls").value == 1


@pytest.mark.parametrize(("language", "expected"), [("en", "The answer is 1,234."), ("zh", "答案是1,234。")])
def test_a_single_number_is_answered_directly(language: str, expected: str) -> None:
    cols = columns(("count", "number"))
    assert explain_result("how many", compute_facts(cols, [(1234,)]), cols, [(1234,)], language=language) == expected


def test_an_empty_result_says_so_in_both_languages() -> None:
    cols = columns(("n", "number"))
    for language, words in (("en", "No rows match"), ("zh", "没有符合条件")):
        assert words in explain_result("?", compute_facts(cols, []), cols, [], language=language)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("The total is 100. It rose by 37%.", "The total is 100."),
        ("合计100。同比增长37%。", "合计100。"),
        ("A has 60, that is 60% of all.", "A has 60, that is 60% of all."),
        ("There are 3 rows.", "There are 3 rows."),
        ("It is about 99.6.", ""),
    ],
)
def test_a_sentence_with_an_unknown_number_is_dropped(text: str, kept: str) -> None:
    rows = [("A", 60), ("B", 30), ("C", 10)]
    facts = compute_facts(columns(("city", "text"), ("amount", "number")), rows)
    assert drop_unknown_numbers(text, facts, rows)[0] == kept


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,234.5", 1234.5),
        ("12.3万", 123_000),
        ("1.5亿", 150_000_000),
        ("37%", 0.37),
        ("−5", -5),
        ("2.5 million", 2_500_000),
        ("3k", 3000),
    ],
)
def test_numbers_are_read_with_their_units(text: str, value: float) -> None:
    assert next(quoted_numbers(text)).value == pytest.approx(value)


cells: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.integers(-(10**12), 10**12),
    st.floats(-1e9, 1e9, allow_nan=False).map(lambda f: round(f, 3)),
    st.decimals(-(10**6), 10**6, places=2).map(Decimal),
)
labels = st.one_of(
    st.text("abc甲乙丙", min_size=1, max_size=6), st.dates(datetime.date(2020, 1, 1), datetime.date(2026, 12, 31))
)


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.tuples(labels, cells, cells), max_size=30),
    names=st.tuples(
        st.sampled_from(["city", "日期"]), st.sampled_from(["amount", "金额", "rate"]), st.sampled_from(["n", "数量"])
    ),
    language=st.sampled_from(["en", "zh"]),
    truncated=st.sampled_from([None, "rows"]),
)
def test_every_number_in_the_prose_is_in_the_result_or_the_facts(rows, names, language, truncated) -> None:  # type: ignore[no-untyped-def]
    cols = columns((names[0], "text"), (names[1], "number"), (names[2], "number"))
    facts = compute_facts(cols, rows, truncated=truncated)
    text = explain_result("?", facts, cols, rows, language=language, truncated=truncated)
    known = known_numbers(facts, rows)
    assert text
    assert all(is_known(number, known) for number in quoted_numbers(text))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_percentages_that_are_stored_as_such_are_told(language: str) -> None:
    columns = [
        AnswerColumn(name="c", kind="text"),
        AnswerColumn(name="rate", kind="number", label="rate", format="percent"),
    ]
    rows = [(f"c{'abcdefghijk'[n]}", 9.558203 - n / 3) for n in range(11)]
    text = explain_result("rate by c", compute_facts(columns, rows), columns, rows, language=language)
    assert "9.56%" in text


@pytest.mark.parametrize(
    ("rows", "en", "zh"),
    [
        ([("web", 3), ("app", 5), ("store", 1)], "app 5, web 3, store 1", "app 5、web 3、store 1"),
        ([("a", 1), ("c", 2), ("b", 3)], "a 1, c 2, b 3", "a 1、c 2、b 3"),  # ranked: the lowest first
        ([("Q1", 3), ("Q2", 5), ("Q3", 1)], "Q1 3, Q2 5, Q3 1", "Q1 3、Q2 5、Q3 1"),
    ],
)
def test_figures_are_listed_in_the_order_of_their_bars(rows: list[tuple[Any, ...]], en: str, zh: str) -> None:
    found = columns(("channel", "text"), ("orders", "number"))
    for language, listed in (("en", en), ("zh", zh)):
        assert listed in explain_result("?", compute_facts(found, rows), found, rows, language=language)
    spec = choose_chart("Orders by channel as bars", found, rows)
    assert spec is not None
    assert [point["channel"] for point in spec.data] == [part.split(" ")[0] for part in en.split(", ")]


@pytest.mark.parametrize("name", ["hour", "小时", "weekday", "星期"])
def test_from_midnight_to_eleven_nothing_has_grown(name: str) -> None:
    """What comes again every day or week has a highest and a lowest, and no development."""
    facts = compute_facts(columns((name, "text"), ("orders", "number")), [("00", 4), ("01", 2), ("02", 9)])
    assert "change" not in {each.kind for each in facts}
    assert (fact(facts, "top").label, fact(facts, "bottom").label) == ("02", "01")


ORDERED = columns(("order_id", "number"), ("ordered_at", "datetime"), ("customer", "text"), ("amount", "number"))


def test_rows_from_the_latest_on_are_told_by_their_time_and_not_by_an_amount() -> None:
    rows = [[45 - n, f"2026-11-{20 - n:02} 10:00:00", f"buyer {n}", 10 * (n % 3) + n] for n in range(8)]
    text = explain_result("the eight latest orders", compute_facts(ORDERED, rows), ORDERED, rows)
    assert text == "Of 8 results, the latest is buyer 0 (2026-11-20 10:00:00, 0); the list goes to 2026-11-13 10:00:00."


def test_rows_that_are_ranked_by_an_amount_stay_so_whatever_their_days_do() -> None:
    rows = [[45 - n, f"2026-11-{20 - n:02} 10:00:00", f"buyer {n}", 100 - n] for n in range(8)]
    text = explain_result("the largest orders", compute_facts(ORDERED, rows), ORDERED, rows)
    assert "buyer 0 has the highest figure (100" in text


@pytest.mark.parametrize(
    ("label", "cells", "language", "said"),
    [
        ("store", ("a", "b", "c"), "en", "There are 3 stores: a, b, c."),
        ("门店", ("甲", "乙", "丙"), "zh", "共3个门店：甲、乙、丙。"),
        ("return reason", ("late", "late", "damaged"), "en", "There are 3 results: late, late, damaged."),
        ("abv", ("甲", "乙", "丙"), "zh", "共3条结果：甲、乙、丙。"),
        ("price (yuan)", ("low", "high", "none"), "en", "There are 3 results: low, high, none."),
    ],
)
def test_names_are_counted_by_what_they_name_where_each_stands_once(
    label: str, cells: tuple[str, ...], language: str, said: str
) -> None:
    named = [AnswerColumn(name="name", kind="text", label=label)]
    assert explain_result("which", [], named, [[cell] for cell in cells], language=language) == said


def test_of_a_list_that_was_cut_nobody_says_how_many_there_are() -> None:
    named = [AnswerColumn(name="name", kind="text", label="store")]
    assert explain_result("which", [], named, [["a"], ["b"]], truncated="rows").startswith("There are 2 results")


def test_a_cell_that_reads_as_millions_may_be_quoted() -> None:
    sizes = columns(("size", "text"), ("share", "number"))
    rows = [["12M", 20.5], ["25M", 28.25], ["3.2M", 9.75]]
    assert "12M 20.5" in explain_result("share of each size", compute_facts(sizes, rows), sizes, rows)


def test_figures_without_a_name_are_told_by_their_ends() -> None:
    price = [AnswerColumn(name="price", kind="number", label="price")]
    rows = [[n * 10] for n in range(1, 9)]
    assert explain_result("prices", [], price, rows) == "There are 8 rows, with price from 10 to 80."


def test_a_total_of_a_column_called_number_is_a_figure() -> None:
    sold = columns(("name", "text"), ("total_number", "number"))
    rows = [["frog", 7], ["beer", 6]]
    assert "frog 7" in explain_result("two best dishes", compute_facts(sold, rows), sold, rows)
