"""Rows that a join leaves out are counted; where there are none nothing is said."""

import pytest

BY_STORE = (
    "SELECT s.name, SUM(o.amount) AS revenue FROM orders o JOIN stores s ON s.store_id = o.store_id GROUP BY s.name"
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Total amount of orders by store", "1 of 5 orders (20%) have no store and are left out."),
        ("各门店的订单金额", "5条订单中有1条（20%）没有商店，未计入。"),
    ],
)
async def test_what_is_left_out_is_counted_and_told(desk, question, told):
    answer = await desk([BY_STORE]).ask(question)
    assert answer.warnings == [told]
    assert answer.text.endswith(told)
    fact = next(fact for fact in answer.facts if fact.kind == "left_out")
    assert (fact.value, fact.detail["share"], fact.detail["of"]) == (1, 0.2, 5)


@pytest.mark.parametrize(
    "sql",
    [
        f"{BY_STORE.replace('GROUP', 'WHERE o.ordered_on < ' + repr('2026-01-01') + ' GROUP')}",
        BY_STORE.replace("JOIN", "LEFT JOIN"),
        "SELECT c.name, COUNT(*) AS n FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.name",
    ],
)
async def test_nothing_is_said_where_no_row_is_lost(desk, sql):
    answer = await desk([sql]).ask("Total amount of orders by store")
    assert answer.status == "answered"
    assert [each for each in answer.warnings if not each.startswith("Please check")] == []
