"""What models really send, and what is read from it."""

import pytest
from pydantic import BaseModel

from inquery.errors import BadOutput
from inquery.llm.parsing import find_sql, parse_as


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
        ("I selected nothing.", None),
        ("", None),
    ],
)
def test_a_statement_is_found_in_free_text(text: str, sql: str | None) -> None:
    assert find_sql(text) == sql
