"""Prose is held to what a reader needs: the figure, its unit, no database names, two sentences."""

from typing import Any

import pytest

from inquery.answers.answer import AnswerColumn
from inquery.answers.facts import compute_facts
from inquery.answers.prose import Beside, Ranked, explain_result
from inquery.answers.prose_check import check_prose, sentences_in

STORE = AnswerColumn(name="name", label="store")
REVENUE = AnswerColumn(name="total_amount", kind="number", label="revenue", format="money", unit="CNY")
RATE = AnswerColumn(name="r", kind="number", label="return rate", format="fraction")


@pytest.mark.parametrize(
    ("text", "columns", "rows", "faults"),
    [
        ("Revenue: ¥1,200.", [REVENUE], [[1200.0]], []),
        ("Revenue: 1,200.", [REVENUE], [[1200.0]], ["no unit"]),
        ("销售额为12.35万元。", [REVENUE], [[123456.78]], []),
        ("Revenue: ¥1,300.", [REVENUE], [[1200.0]], ["no figure"]),
        ("Return rate: 4.75%.", [RATE], [[0.0475]], []),
        ("Return rate: 0.0475.", [RATE], [[0.0475]], ["no unit"]),
        ("The total_amount is ¥1,200.", [REVENUE], [[1200.0]], ["identifier"]),
        ("orders.total is ¥1,200.", [REVENUE], [[1200.0]], ["identifier"]),
        ("SUM is ¥1,200.", [REVENUE], [[1200.0]], ["identifier"]),
        ("`total` is ¥1,200.", [REVENUE], [[1200.0]], ["identifier"]),
        ("ann_lee has the highest revenue: ¥9.", [STORE, REVENUE], [["ann_lee", 9]], []),
        ("Acme Inc. has ¥9. It leads. By far.", [STORE, REVENUE], [["Acme Inc.", 9]], ["too long"]),
        ("There are 2 results: a store, b store.", [STORE], [["a store"], ["b store"]], []),
        ("There are 2 results.", [STORE], [["a store"], ["b store"]], ["no figure"]),
        ("No rows match the question.", [STORE], [], []),
        ("", [STORE], [], ["empty"]),
    ],
)
def test_faults(text: str, columns: list[AnswerColumn], rows: list[list[Any]], faults: list[str]) -> None:
    assert check_prose(text, columns, rows) == faults


@pytest.mark.parametrize(("text", "count"), [("A 1.5. B!", 2), ("甲为1.5。乙！", 2), ("one", 1), ("", 0)])
def test_sentences_are_counted(text: str, count: int) -> None:
    assert sentences_in(text) == count


def prose(columns: list[AnswerColumn], rows: list[list[Any]], language: str = "en", **beside: Any) -> str:
    repeated = bool(beside.get("repeated"))
    facts = compute_facts(columns, rows, whole=not repeated)
    text = explain_result("?", facts, columns, rows, language=language, beside=Beside(**beside))
    assert check_prose(text, columns, rows) == []
    return text


def test_the_figure_that_ranks_is_said() -> None:
    row = [["Harbour", 5_760_000.5]]
    assert prose([STORE, REVENUE], row, ranked=Ranked("revenue")) == "Harbour has the highest revenue: ¥5,760,000.50."
    assert prose([STORE], [["Harbour"]], "zh", ranked=Ranked("销售额", descending=False)) == "销售额最低的是Harbour。"


def test_a_double_count_is_said_and_never_added_up() -> None:
    rows: list[list[Any]] = [["a store", 30], ["b store", 20]]
    assert prose([STORE, REVENUE], rows).endswith("The total is ¥50.")
    doubled = prose([STORE, REVENUE], rows, repeated=True)
    assert "counted more than once" in doubled
    assert "50" not in doubled
    assert "重复计算" in prose([STORE, REVENUE], [["a store", 30]], "zh", repeated=True)


def test_many_rows_name_the_first_and_those_after_it() -> None:
    rows: list[list[Any]] = [[f"{letter} store", 100 - at] for at, letter in enumerate("abcdefgh")]
    assert prose([STORE, REVENUE], rows).startswith(
        "Of 8 stores, a store has the highest revenue (¥100, 13% of the total), followed by b store (¥99)"
    )
    assert prose([STORE, REVENUE], rows[::-1], "zh").startswith(
        "共8项，revenue最低的是h store（93元），其次是g store（94元）"
    )


def test_rows_that_one_name_does_not_tell_apart_get_two() -> None:
    columns = [AnswerColumn(name="month"), AnswerColumn(name="channel"), REVENUE]
    text = prose(columns, [["2026-01", "web", 5], ["2026-01", "app", 7], ["2026-02", "web", 6], ["2026-02", "app", 1]])
    assert "2026-01 · web ¥5" in text


@pytest.mark.parametrize(
    ("text", "rows", "language", "faults"),
    [
        ("shootouts数为16。", [[16]], "zh", ["mixed languages"]),
        ("数量为16。", [[16]], "zh", []),
        ("Total 金额: 16.", [[16]], "en", ["mixed languages"]),
        ("The total is —.", [[None]], "en", ["no value"]),
        ("总额为—。", [[None]], "zh", ["no value"]),
    ],
)
def test_words_of_another_language_and_missing_values_are_faults(
    text: str, rows: list[list[Any]], language: str, faults: list[str]
) -> None:
    assert check_prose(text, [AnswerColumn(name="n", kind="number")], rows, language) == faults


SHARE = AnswerColumn(name="percent", kind="number", label="share", format="percent")
CHANNEL = AnswerColumn(name="channel", label="channel")
GIFTS = AnswerColumn(name="n", kind="number", label="number of gifts 2023-24 records", format="count")
MONTH = AnswerColumn(name="month", label="month")


@pytest.mark.parametrize(
    ("columns", "rows", "language", "text"),
    [
        ([SHARE], [[31.5789]], "en", "The share is 31.58%."),
        ([SHARE.model_copy(update={"label": "占比"})], [[31.5789]], "zh", "占比为31.58%。"),
        ([CHANNEL, SHARE], [["organic", 37.5]], "en", "organic: share 37.5%."),
        ([CHANNEL, SHARE], [["web", 99.744], ["shop", 12.0]], "en", "Share: web 99.74%, shop 12%."),
        ([GIFTS], [[190]], "en", "The number of gifts 2023-24 records is 190."),
        ([GIFTS, SHARE], [[None, None]], "en", "There is no data to work this out from."),
        ([GIFTS], [[None]], "zh", "没有可供计算的数据。"),
        ([AnswerColumn(name="t", kind="number", label="total amt合计")], [[42]], "zh", "total amt合计为42。"),
        ([CHANNEL], [[None], ["web"]], "zh", "共2条结果：（空）、web。"),
        ([CHANNEL, GIFTS], [[None, 3]], "en", "Number of gifts 2023-24 records: 3."),
        ([AnswerColumn(name="home - away", kind="number")], [[31]], "zh", "答案是31。"),
        (
            [GIFTS, SHARE],
            [[3, 10.0], [4, 12.5]],
            "en",
            "Number of gifts 2023-24 records 3, share 10%; number of gifts 2023-24 records 4, share 12.5%. The total is 7.",
        ),
        (
            [MONTH, GIFTS],
            [["2025-01", 2], ["2025-02", 6], ["2025-03", 2]],
            "en",
            "From 2025-01 to 2025-03, number of gifts 2023-24 records began and ended at 2. It was highest in 2025-02 (6).",
        ),
    ],
)
def test_per_cent_names_with_numbers_nothing_and_a_way_back(
    columns: list[AnswerColumn], rows: list[list[Any]], language: str, text: str
) -> None:
    facts = compute_facts(columns, rows)
    assert explain_result("?", facts, columns, rows, language=language) == text
