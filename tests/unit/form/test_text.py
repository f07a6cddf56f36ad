"""The form as text reads back as it was written, and says what is wrong where it does not."""

import pytest
from tests.unit.form.shop import NAMES

from inquery.form.ast import Agg, Block, ColumnRef, Literal, Predicate, Sort, Source, TableRef
from inquery.form.name_words import FormError, NameMap, spell_name, split_words
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.sql import Column, Table

TEXTS = [
    "from customers show *",
    "from customers show customers.* , count by customers",
    "from customers , orders show customers.name , count by customers sort count desc , customers.name top 3",
    "from customers show distinct customers.name where customers.country = 'New York' or customers.level >= 2",
    "from customers show count where [ customers.level = 1 or customers.level = 2 ] and not [ customers.name has 'A' ]",
    "from customers show customers.name where customers.country in ( 'France' , 'it''s' ) and customers.level not in ( 1 )",
    "from customers show customers.name where customers.country null or customers.name not null",
    "from orders show orders.total where orders.ordered_at in t0 and orders.total between 1.5 and -2",
    "from orders show orders.total where orders.ordered_at in 2024-01-01..2025-01-01",
    "from orders show month ( orders.ordered_at ) , sum ( orders.total ) by month ( orders.ordered_at )",
    "from orders show avg ( days ( orders.ordered_at , orders.paid_at ) )",
    "from orders show percent ( if orders.status = 'paid' ) , share ( orders.total if orders.status = 'open' )",
    "from items show sum ( items.qty * items.price ) - 2 * ( count + 1 )",
    "from items show items.qty - ( items.price - 1 ) , items.qty / ( items.price * 2 )",
    "from customers , maybe orders show customers.name , count ( orders ) by customers",
    "from games , teams as home , teams as away show home.team_name , away.team_name",
    "from categories , categories as parent_id show categories.label , parent_id.label",
    "from customers show customers.name where no ( from orders where orders.status = 'open' )",
    "from orders show orders.total where orders.total > ( from orders show avg ( orders.total ) same orders.status )",
    "from customers show customers.name except from customers , orders show customers.name",
    "show 100 * ( from orders show count ) / ( from items show count )",
    "show avg ( from orders show count by orders.customer_id )",
    "from teams , teams as teams_2 via teams_2.team_name = teams.team_name show teams_2.team_id",
    "from 门店 show 门店.店名 where 门店.开业_日期 in t0",
    "from from_ show from_.order",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_reads_back_as_it_was_written(text: str) -> None:
    assert write(read_form(text, NAMES), NAMES) == text


def test_a_tree_prints_as_its_documentation_says() -> None:
    query = Block(
        sources=(Source("customers"), Source("orders")),
        show=(ColumnRef("customers", "name"), Agg("count")),
        where=Predicate("=", ColumnRef("customers", "country"), Literal("France", "text")),
        by=(TableRef("customers"),),
        sort=(Sort(Agg("count"), descending=True),),
        top=Literal(1, "number"),
    )
    text = (
        "from customers , orders show customers.name , count where customers.country = 'France' "
        "by customers sort count desc top 1"
    )
    assert write(query, NAMES) == text
    assert read_form(text, NAMES) == query


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("from nowhere show *", 1, "a table"),
        ("from customers show orders.total", 3, "a column of a table in from"),
        ("from customers show customers.name where customers.level 3", 6, "a comparison"),
        ("from customers show sum", 4, "("),
        ("from customers show customers.name extra", 4, "nothing more"),
        ("from customers , customers show *", 3, "twice"),
        ("show", 1, "an expression"),
    ],
)
def test_an_error_names_the_word_and_what_was_expected(text: str, position: int, expected: str) -> None:
    with pytest.raises(FormError) as caught:
        read_form(text, NAMES)
    assert caught.value.position == position
    assert expected in str(caught.value)


def test_names_become_single_distinct_words() -> None:
    tables = [Table(("a b",), (Column("x y"), Column("x_y"), Column("单价(元)"))), Table(("t0",), (Column("c"),))]
    names = NameMap(tables)
    assert names.table_words == {"a b": "a_b", "t0": "t0_"}
    assert names.column_words["a b"] == {"x y": "x_y", "x_y": "x_y_2", "单价(元)": "单价_元"}
    assert spell_name("已付 金额") == "已付_金额"


def test_tables_of_two_schemas_with_one_name_are_told_apart() -> None:
    tables = [Table(("sales", "log"), (Column("a"),)), Table(("hr", "log"), (Column("b"),))]
    names = NameMap(tables)
    assert write(read_form("from hr_log show hr_log.b", names), names) == "from hr_log show hr_log.b"
    with pytest.raises(FormError):
        read_form("from hr_log show hr_log.a", names)


def test_names_can_be_shown_in_one_style() -> None:
    names = NameMap([Table(("Orders",), (Column("TotalAmt"),))], lower=True)
    query = read_form("from orders show orders.total_amt", names)
    assert query == Block((Source("Orders"),), (ColumnRef("Orders", "TotalAmt"),))


def test_a_quoted_constant_is_one_word() -> None:
    assert split_words("a = 'New  York' and b = 'it''s' , 'x'") == [
        "a", "=", "'New  York'", "and", "b", "=", "'it''s'", ",", "'x'",
    ]  # fmt: skip
