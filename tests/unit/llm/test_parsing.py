"""What models really send, and what is read from it."""

import pytest
from pydantic import BaseModel

from inquery.errors import BadOutput
from inquery.llm.parsing import bare_sql, find_sql, parse_as


class Named(BaseModel):
    name: str


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "x"}',
        'Here you are:\n```json\n{"name": "x"}\n```\nAnything else?',
        '<think>maybe {"name": "wrong"}</think>{"name": "x"}',
        'first {"nom": 1} then {"name": "x"}',
        '{"name": "x",}',
        '```\n{"name": "x"}',
        '好的：{"name": "x"}。',
    ],
)
def test_the_value_is_found(text: str) -> None:
    assert parse_as(text, Named) == Named(name="x")


def test_an_unclosed_thought_holds_no_answer() -> None:
    with pytest.raises(BadOutput):
        parse_as('<think>{"name": "x"}', Named)


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1\n```", "SELECT 1"),
        (
            "The query is:\n\nWITH a AS (SELECT 1) SELECT * FROM a\n\nIt returns one row.",
            "WITH a AS (SELECT 1) SELECT * FROM a",
        ),
        ("<think>select 2</think>\nselect 1", "select 1"),
        ("maybe ```sql\nselect 2\n``` no</think>\nselect 1", "select 1"),
        ("Run this: select 1 from a", "select 1 from a"),
        ("可以执行：SELECT 1 FROM a", "SELECT 1 FROM a"),
        ("It is `SELECT 1 FROM a`, which is short.", "SELECT 1 FROM a"),
        ("You could select from a table of weather, but there is none.", None),
        ("I selected nothing.", None),
        ("", None),
    ],
)
def test_a_statement_is_found_in_free_text(text: str, sql: str | None) -> None:
    assert find_sql(text) == sql


CTE = "WITH a AS (\n  SELECT 1 AS n\n\n)\n\nSELECT n FROM a\n\nORDER BY n"


@pytest.mark.parametrize(
    ("text", "sql"),
    [
        ("SELECT 1", "SELECT 1"),
        ("```sql\nSELECT 1;\n```", "SELECT 1"),
        ("Sure! Here it is:\n\nSELECT 1;\n\nIt returns one row.", "SELECT 1"),
        ("SELECT 1;\n\nWith this you get one row.", "SELECT 1"),
        ("Use the following query:\nSELECT 1", "SELECT 1"),
        ("With the tables given:\n\n```\nSELECT 1\n```\nDone.", "SELECT 1"),
        (CTE, CTE),
        ("SELECT 1;;\n", "SELECT 1"),
        (f"Here:\n\n{CTE};\n\nThe rows are sorted.", CTE),
        ("SELECT 1;\n\nSELECT 2", "SELECT 1;\n\nSELECT 2"),
        ("SELECT 1;\n\nDELETE FROM a", "SELECT 1;\n\nDELETE FROM a"),
        ("DELETE FROM a WHERE b IN (\nSELECT 1)", "DELETE FROM a WHERE b IN (\nSELECT 1)"),
        ("INSERT INTO a\nSELECT 1", "INSERT INTO a\nSELECT 1"),
        ("I cannot answer that.", "I cannot answer that."),
    ],
)
def test_a_statement_is_freed_of_what_models_put_around_it(text: str, sql: str) -> None:
    assert bare_sql(text) == sql
