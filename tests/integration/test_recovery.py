"""Every class of failure, provoked on real engines, is recovered or stopped as the table of recovery says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from tests.contract.case import EngineCase
from tests.contract.cases_mariadb import MariadbCase
from tests.contract.cases_postgres import PostgresCase
from tests.contract.cases_sqlite import SqliteCase

from inquery.agents.context import Services
from inquery.agents.run import Request, Runner
from inquery.answers.answer import Answer
from inquery.databases.executor.execute import attached_ids, detach
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings, get_settings

ENGINES = ["sqlite", "postgres", "mariadb"]
TABLES = [
    "CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, city VARCHAR(40) NOT NULL)",
    "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, amount DECIMAL(10, 2) NOT NULL, ordered_on DATE NOT NULL, shipped_on DATE, note VARCHAR(40), FOREIGN KEY (customer_id) REFERENCES customers (customer_id))",
    "INSERT INTO customers VALUES " + ", ".join(f"({n}, 'name {n}', '{'Paris' if n % 2 else 'Berlin'}')" for n in range(1, 301)),
    "INSERT INTO orders VALUES " + ", ".join(f"({n}, {n}, {n}.50, '2024-0{n % 9 + 1}-01', '2025-0{n % 9 + 1}-01', 'x')" for n in range(1, 101)),
]  # fmt: skip
GOOD = "SELECT COUNT(*) AS n FROM customers"
CASES: dict[str, EngineCase] = {}
Q = "How many customers are there in all?"
LONG = "SELECT COUNT(*) AS n FROM customers a CROSS JOIN customers b CROSS JOIN customers c CROSS JOIN customers d WHERE a.name < b.name AND c.name < d.name"


@dataclass
class Shop:
    """A database, and how its administrator changes it behind Inquery's back."""

    case: EngineCase
    url: str
    settings: Settings

    def change(self, *statements: str) -> None:
        self.case.run_as_admin(self.url, *statements)

    def runner(self, script: Any, **settings: Any) -> tuple[Runner, ScriptedWriter, str]:
        writer = ScriptedWriter(script)
        services = Services.of(Settings(home=self.settings.home, **settings))
        connection_id = services.sources.add(self.url)
        return Runner(services, InMemorySaver(), writer=writer), writer, connection_id


@pytest.fixture(params=ENGINES)
def shop(request: pytest.FixtureRequest, tmp_path: Path, own_home: Path) -> Iterator[Shop]:
    if request.param == "sqlite":
        case: EngineCase = SqliteCase(tmp_path)
    else:
        kind: Callable[..., EngineCase] = PostgresCase if request.param == "postgres" else MariadbCase
        case = CASES.setdefault(request.param, kind(request.getfixturevalue(request.param)))
    url = case.make_database()
    made = Shop(case, url, Settings(home=own_home))
    made.change(*TABLES)
    yield made
    for connection_id in attached_ids():
        detach(connection_id)


async def told(shop: Shop, script: Any, question: str = Q, **settings: Any) -> tuple[Answer, list[str], ScriptedWriter]:
    """The answer, the classes of the repairs, and the writer."""
    runner, writer, connection_id = shop.runner(script, **settings)
    classes: list[str] = []
    answer: Answer | None = None
    async for event in runner.stream(Request(question, connection_id=connection_id)):
        if event.type == "retry":
            classes.append(event.error_class)
        if event.type == "done":
            answer = event.answer
    assert answer is not None
    return answer, classes, writer


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ("SELECT COUNT( FROM customers", "sql_syntax"),
        ("SELECT COUNT(*) FROM zzqq", "unknown_table"),
        ("SELECT zzqq FROM customers", "unknown_column"),
        ("SELECT customer_id FROM customers c JOIN orders o ON c.customer_id = o.customer_id", "ambiguous_column"),
        ("DROP TABLE customers", "not_a_query"),
    ],
)
async def test_faults_the_guard_sees_are_written_again(shop, wrong, kind):
    answer, classes, writer = await told(shop, [wrong, GOOD])
    assert (answer.status, answer.rows, classes) == ("answered", [[300]], [kind])
    assert writer.requests[-1][1].sql == wrong


@pytest.mark.parametrize(
    ("wrong", "kind", "engines"),
    [
        ("SELECT name FROM customers WHERE customer_id = (SELECT customer_id FROM orders)", "subquery_cardinality", {"postgres", "mysql"}),
        ("SELECT city, COUNT(*) AS n FROM customers", "aggregation", {"postgres"}),
        ("SELECT COUNT(*) AS n FROM orders WHERE amount = 'many'", "type_mismatch", {"postgres"}),
    ],
)  # fmt: skip
async def test_faults_only_the_database_sees_are_written_again(shop, wrong, kind, engines):
    answer, classes, _ = await told(shop, [wrong, GOOD])
    assert answer.status == "answered"
    if shop.case.dialect in engines:
        assert (answer.rows, classes) == ([[300]], [kind])


async def test_a_column_dropped_since_is_found_by_reading_the_catalogue_again(shop):
    runner, writer, connection_id = shop.runner(
        [GOOD, "SELECT COUNT(note) AS n FROM orders", "SELECT COUNT(*) AS n FROM orders"]
    )
    await runner.ask(Request(Q, connection_id=connection_id))
    shop.change("ALTER TABLE orders DROP COLUMN note")
    answer = await runner.ask(Request("How many orders have a note?", connection_id=connection_id))
    assert (answer.status, answer.rows) == ("answered", [[100]])
    request, failure = writer.requests[-1]
    assert failure.error_class == "unknown_column"
    assert all(table.column("note") is None for table in request.schema.tables)


async def test_a_table_dropped_since_is_told_of(shop):
    runner, _, connection_id = shop.runner([GOOD, *["SELECT COUNT(*) AS n FROM orders"] * 3])
    await runner.ask(Request(Q, connection_id=connection_id))
    shop.change("DROP TABLE orders")
    answer = await runner.ask(Request("How many orders are there?", connection_id=connection_id))
    assert answer.status == "declined"
    assert "customers" in answer.text


async def test_a_statement_that_takes_too_long_is_written_again(shop, monkeypatch):
    monkeypatch.setenv("INQUERY_QUERY__TIMEOUT_S", "2")
    get_settings.cache_clear()
    answer, classes, writer = await told(shop, [LONG, GOOD], query={"timeout_s": 2})
    assert (answer.rows, classes) == ([[300]], ["timeout"])
    assert any("LIMIT" in text or "filter" in text for text in writer.requests[-1][1].suggestions)


async def test_a_statement_that_takes_too_long_twice_ends_the_run(shop):
    answer, _, writer = await told(shop, [LONG, LONG, LONG], query={"timeout_s": 1})
    assert (answer.status, answer.error["class"], len(writer.requests)) == ("failed", "timeout", 2)


async def test_a_table_that_may_not_be_read_ends_the_run_at_once(shop):
    if shop.case.dialect == "sqlite":
        pytest.skip("SQLite has no accounts")
    runner, writer, connection_id = shop.runner([GOOD, "SELECT COUNT(*) AS n FROM orders", GOOD])
    await runner.ask(Request(Q, connection_id=connection_id))
    reader = shop.case.server.reader  # type: ignore[attr-defined]
    if shop.case.dialect == "postgres":
        shop.change(f"REVOKE SELECT ON orders FROM {reader}")
    else:
        database = shop.url.rsplit("/", 1)[1].replace("%20", " ")
        shop.change(
            f"REVOKE SELECT ON `{database}`.* FROM `{reader}`@`%`",
            f"GRANT SELECT ON `{database}`.customers TO `{reader}`@`%`",
        )
    answer = await runner.ask(Request("How many orders are there?", connection_id=connection_id))
    assert (answer.status, answer.error["class"], len(writer.requests)) == ("failed", "permission", 2)
    assert reader not in answer.model_dump_json()


async def test_a_database_that_vanishes_ends_the_run_at_once(shop):
    if shop.case.dialect != "postgres":
        pytest.skip("only PostgreSQL drops a database under its sessions")
    runner, writer, connection_id = shop.runner([GOOD, "SELECT COUNT(*) AS n FROM orders", GOOD])
    await runner.ask(Request(Q, connection_id=connection_id))
    name = shop.url.rsplit("/", 1)[1].replace("%20", " ")
    shop.case.run_as_admin(shop.url.rsplit("/", 1)[0] + "/postgres", f'DROP DATABASE "{name}" WITH (FORCE)')
    answer = await runner.ask(Request("How many orders are there?", connection_id=connection_id))
    assert (answer.status, answer.error["class"], len(writer.requests)) == ("failed", "connection", 2)
    assert "127.0.0.1" not in answer.model_dump_json()


async def test_an_empty_result_by_a_value_that_is_not_there_is_written_again(shop):
    wrong, right = (
        "SELECT COUNT(*) AS n FROM customers WHERE city = 'paris'",
        "SELECT COUNT(*) AS n FROM customers WHERE city = 'Paris'",
    )
    answer, classes, writer = await told(shop, [wrong, right], "How many customers live in paris?")
    assert answer.rows == [[150]]
    if classes:  # MariaDB may compare without case
        assert classes == ["empty_result"]
        assert "Paris" in writer.requests[-1][1].suggestions[0]


async def test_an_empty_result_by_the_wrong_time_column_is_written_again(shop):
    wrong = "SELECT COUNT(*) AS n FROM orders WHERE ordered_on >= '2025-01-01'"
    answer, classes, _ = await told(shop, [wrong, wrong.replace("ordered_on", "shipped_on")], "How many orders were there since 2025?", agent={"clarify": False})  # fmt: skip
    assert (answer.rows, classes) == ([[100]], ["wrong_time_column"])


async def test_three_times_the_same_wrong_statement_ends_the_run(shop):
    answer, classes, writer = await told(shop, lambda request: ["SELECT zzqq FROM customers"])
    assert (answer.status, classes, len(writer.requests)) == ("failed", ["unknown_column"], 2)
