"""A statement is parsed by the guard and by one reader, and by nobody else."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlglot.dialects.sqlite import SQLite

from inquery import Inquery
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings
from inquery.sql.interpreted import interpreted

JOINED = "SELECT c.city, SUM(o.amount) FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.city"
EMPTY = "SELECT name FROM customers WHERE city = 'Atlantis' AND segment = 'consumer'"


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often sqlglot parses each text: those of the guard's own grammar and all others."""
    found: Counter[str] = Counter()
    classes = {SQLite.parser_class, interpreted(SQLite.parser_class)}  # two where sqlglot's compiled build is installed
    for owner in {next(kind for kind in each.__mro__ if "parse" in vars(kind)) for each in classes}:
        plain = owner.parse

        def parse(self: Any, raw_tokens: Any, sql: str | None = None, plain: Any = plain) -> Any:
            found[sql or ""] += 1
            return plain(self, raw_tokens, sql)

        monkeypatch.setattr(owner, "parse", parse)
    return found


def ask(shop: Path, home: Path, question: str, sql: str) -> str:
    """The statement that was run."""
    client = Inquery.connect(str(shop), settings=Settings(home=home), writer=ScriptedWriter(lambda request: [sql]))
    try:
        answer = client.ask(question, can_ask=False)
    finally:
        client.close()
    assert answer.status == "answered"
    return answer.sql or ""


@pytest.mark.parametrize(
    ("question", "sql", "part"),
    [
        ("What is the total amount of orders by city of customers?", JOINED, "SUM(o.amount)"),
        ("Which consumer customers live in Paris?", EMPTY, "Atlantis"),
    ],
)
def test_a_statement_is_parsed_three_times(
    parsed: Counter[str], shop: Path, own_home: Path, question: str, sql: str, part: str
) -> None:
    """By the guard as it came and as the guard wrote it, and once for spelling, joins and an empty result together."""
    assert ask(shop, own_home, question, sql) == sql
    assert parsed[sql] == 2
    assert sum(count for text, count in parsed.items() if part in text) == 3


def test_a_statement_that_is_corrected_is_read_once_more(parsed: Counter[str], shop: Path, own_home: Path) -> None:
    written = "SELECT name FROM customers WHERE city = 'BEIJING'"
    ran = ask(shop, own_home, "Which customers live in Beijing?", written)
    assert ran == written.replace("BEIJING", "Beijing")
    assert (parsed[written], parsed[ran]) == (1, 2)
