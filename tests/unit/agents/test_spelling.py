"""Values and words that a model did not take as the database has them."""

import pytest


@pytest.mark.parametrize("wrong", ["'Beijin'", "'Beijings'", '"Beijing_"'])
async def test_a_misspelt_value_that_the_question_spells_is_put_right_without_the_model(desk, wrong):
    opened = desk([f"SELECT name FROM customers WHERE city <> {wrong} ORDER BY name"])
    answer = await opened.ask("Which customers do not live in Beijing?")
    assert (answer.rows, opened.calls) == ([["Ann"], ["Bob"]], 1)
    assert "'Beijing'" in (answer.sql or "")


@pytest.mark.parametrize(
    ("sql", "question"),
    [
        ("SELECT name FROM customers WHERE city <> 'Paris'", "Which customers live in Beijing?"),
        ("SELECT name FROM customers WHERE name <> 'Beijings'", "Which customers live in Beijing?"),
        ("SELECT name, 'Beijings' AS said FROM customers", "Which customers live in Beijing?"),
    ],
)
async def test_other_values_stay_as_they_are_written(desk, sql, question):
    answer = await desk([sql]).ask(question)
    assert answer.sql == sql


@pytest.mark.parametrize("written", ['"beijing"', "'BEIJING'", "'beijings'"])
async def test_a_text_that_a_column_holds_in_another_form_is_put_right(desk, written):
    opened = desk([f"SELECT name FROM customers WHERE city = {written}"])
    assert (await opened.ask("Which customers live in beijing city?")).rows == [["张伟"]]
    assert (opened.calls, opened.seen("retry")) == (1, [])


async def test_an_alias_that_a_subquery_uses_again_is_read_in_its_own_place(desk):
    sql = (
        "SELECT SUM(x.amount) FROM orders x WHERE x.status = '{}' AND x.customer_id IN"
        " (SELECT x.customer_id FROM customers x WHERE x.city = '{}')"
    )
    opened = desk([sql.format("PAID", "beijing")])
    answer = await opened.ask("What is the sum of amounts of orders of customers there?")
    assert (answer.sql, answer.rows) == (sql.format("paid", "Beijing"), [[150.0]])


async def test_the_same_text_beside_another_column_stays(desk):
    sql = "SELECT c.name FROM customers c JOIN stores s ON s.city = c.city WHERE s.name = {} AND c.name <> 'alpha'"
    answer = await desk([sql.format("'alpha'")]).ask("Which customers live near a store?")
    assert answer.sql == sql.format("'Alpha'")


async def test_what_a_function_makes_of_a_column_is_not_corrected(desk):
    sql = "SELECT name FROM customers WHERE LOWER(city) = 'beijing'"
    answer = await desk([sql]).ask("Which customers live in Beijing?")
    assert (answer.sql, answer.rows) == (sql, [["张伟"]])


async def test_the_statement_shown_is_one_that_the_engine_can_run(desk, shop):
    import sqlite3

    opened = desk(["SELECT COUNT(*)::BIGINT AS n FROM orders WHERE status ILIKE 'PAID'"])
    answer = await opened.ask("How many orders of the shop are paid?")
    with sqlite3.connect(shop) as connection:
        assert connection.execute(answer.sql or "").fetchall() == [(3,)]
    connection.close()


@pytest.fixture
def coded(shop):
    """Statuses as numbers, explained by a comment of the table."""
    import sqlite3

    with sqlite3.connect(shop) as connection:
        connection.executescript(
            "CREATE TABLE claims (id INTEGER PRIMARY KEY, state INTEGER, -- 状态 1待审核 2已赔付\n kind TEXT);"
            "INSERT INTO claims VALUES (1, 1, 'car'), (2, 2, 'car'), (3, 2, 'home');"
        )
    connection.close()


@pytest.mark.parametrize(
    ("sql", "right"),
    [
        ("SELECT COUNT(*) FROM claims WHERE state = '已赔付'", "SELECT COUNT(*) FROM claims WHERE state = 2"),
        (
            "SELECT COUNT(*) FROM claims WHERE state IN ('已赔付', '待审核')",
            "SELECT COUNT(*) FROM claims WHERE state IN (2, 1)",
        ),
        ("SELECT COUNT(*) FROM claims WHERE state = '2'", "SELECT COUNT(*) FROM claims WHERE state = '2'"),
        ("SELECT COUNT(*) FROM claims WHERE kind = 'home'", "SELECT COUNT(*) FROM claims WHERE kind = 'home'"),
    ],
)
async def test_a_word_that_stands_for_a_code_becomes_the_code(coded, desk, sql, right):
    answer = await desk([sql]).ask("已赔付的理赔有几件？")
    assert answer.sql == right


async def test_the_reading_tells_the_code_that_a_phrase_was_taken_for(coded, desk):
    answer = await desk(["SELECT COUNT(*) FROM claims WHERE state = 2"]).ask("已赔付的理赔有几件？")
    assert answer.rows == [[2]]
    assert {"phrase": "已赔付", "table": "claims", "column": "state", "value": "2"} in answer.reading["filters"]
