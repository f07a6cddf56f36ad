"""Promise 29: no question or statement within the limits holds the server; what is long is read elsewhere, or refused."""

import asyncio
import datetime
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, HOW_MANY, Served, make_shop, served

from inquery.agents import context, sources
from inquery.agents.nodes import run_sql as run_node
from inquery.agents.nodes import write_sql as write_node
from inquery.agents.own_sql import limits_for, run_own_sql
from inquery.agents.questions.question_bounds import LONGEST_NUMBER, check_length, check_question
from inquery.agents.sources import Sources
from inquery.answers import formats
from inquery.aside import LONG_STATEMENT, READERS, run_aside
from inquery.catalog.joins import with_joins
from inquery.errors import BadRequest, QuestionEmpty, QuestionTooLong, SqlRefused
from inquery.knowledge.glossary import Glossary
from inquery.language.numbers import numbers_in
from inquery.language.periods import periods_in
from inquery.lasting import YOUNG, make_lasting
from inquery.metrics.metric_book import Book
from inquery.metrics.propose import propose_metrics
from inquery.metrics.question_cover import Vocabulary
from inquery.settings import QuerySettings, Settings
from inquery.sql import Catalog, Policy, check

TODAY = datetime.date(2026, 3, 9)
PERIODS = ["去年今年上个月", "Q1 ", "May ", "in mar 2024 ", "from March to April and ", "2024-01-02 ", "自去年以来", "last week of march "]  # fmt: skip
NUMBERS = ["9", "９", "9,999", "九", "亿", "百分之亿", "1e", "٣"]
MANY_JOINS = "SELECT COUNT(*) FROM orders o0" + "".join(
    f" JOIN orders o{n} ON o{n}.order_id = o{n - 1}.order_id" for n in range(1, 1700)
)
MANY_COLUMNS = f"SELECT {', '.join(f'amount + {n} AS c{n}' for n in range(900))} FROM orders"


def calls_in(work: Callable[[], object]) -> int:
    """How many functions are called: work is counted, not timed."""
    count = 0

    def tick(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(tick)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("phrase", PERIODS)
def test_periods_are_read_in_one_pass(phrase: str) -> None:
    """A text twice as long must not be four times the work."""

    def calls(size: int) -> int:
        text = (phrase * 4000)[:size]
        return calls_in(lambda: periods_in(text, today=TODAY))

    calls(200)  # patterns are compiled once
    assert calls(3200) < 2.6 * calls(1600)


def test_metrics_are_proposed_in_one_pass_over_the_tables() -> None:
    """With 5,000 tables each label looked at every other table, and the first question waited for minutes."""

    def calls(tables: int) -> int:
        named = {f"t_{n:05d}_sale": ["id", "name", "amount", "price", "updated_at"] for n in range(tables)}
        catalog = Catalog.of(named, dialect="sqlite")
        return calls_in(lambda: propose_metrics(catalog, Glossary()))

    calls(10)
    assert calls(400) < 2.6 * calls(200)


def test_stored_values_become_words_in_one_pass_over_the_tables() -> None:
    """Each of 5,000 tables has a status that is open: every one was compared with all before it, for 18 s."""

    def calls(tables: int) -> int:
        columns = ["id", "name", "status", "amount"]
        catalog = Catalog.of({f"t_{n:05d}_sale": columns for n in range(tables)}, dialect="sqlite")
        values = {(table.full_name, "status"): ["open", "closed"] for table in catalog.tables}
        book = Book(catalog, Glossary(), values, propose_metrics(catalog, Glossary(), values))
        assert len(book.dimensions) >= tables
        return calls_in(lambda: Vocabulary(book))

    calls(400)
    assert calls(400) < 2.6 * calls(200)


def test_a_policy_finds_its_tables_in_one_pass() -> None:
    """A grant of 5,000 tables looked for each of them among all."""

    def calls(tables: int) -> int:
        catalog = Catalog.of({f"t_{n:05d}": ["id"] for n in range(tables)}, dialect="sqlite")
        policy = Policy(tables=frozenset(table.full_name for table in catalog.tables))
        return calls_in(lambda: check("SELECT id FROM t_00001", dialect="sqlite", catalog=catalog, policy=policy))

    calls(400)
    assert calls(400) < 2.6 * calls(200)


@pytest.mark.parametrize("digits", NUMBERS)
def test_a_number_of_any_length_is_read_or_left_alone(digits: str) -> None:
    for hit in numbers_in("orders over " + digits * (3900 // len(digits))):
        assert abs(hit.value) / 100 >= 0  # neither infinite nor too large to be divided


def test_a_question_is_bounded_before_a_rule_reads_it() -> None:
    check_question("orders of 1,2,3,4 over " + "9" * LONGEST_NUMBER, 4000)
    check_question("ids 101,102,103" + ",104" * 200, 4000)
    check_length("", 4000)
    with pytest.raises(QuestionEmpty):
        check_question(" \n", 4000)
    with pytest.raises(QuestionTooLong):
        check_question("x" * 4001, 4000)
    for digits in ("9" * (LONGEST_NUMBER + 1), "９" * 200, "亿" * 200, "一二三" * 50):
        with pytest.raises(BadRequest) as refused:
            check_question(f"orders over {digits}", 4000)
        assert "more than 100 digits" in refused.value.public_message("en")
        assert "超过 100 位" in refused.value.public_message("zh")


MANY_PARTS = {
    "joins": MANY_JOINS,
    "commas": "SELECT 1 AS x FROM " + ", ".join(f"orders o{n}" for n in range(1700)),
    "common tables": f"WITH {', '.join(f'c{n} AS (SELECT 1 AS x)' for n in range(1700))} SELECT * FROM c1",
    "subqueries": "SELECT " + ", ".join(f"(SELECT {n}) AS c{n}" for n in range(1700)),
    "calls": f"SELECT {', '.join(f'abs(amount) AS c{n}' for n in range(4000))} FROM orders",
    "semicolons": "SELECT 1 AS x" + ";" * 30_000,
}


@pytest.mark.parametrize("kind", MANY_PARTS)
def test_parts_without_number_are_refused_before_they_are_resolved(kind: str) -> None:
    catalog = Catalog.of({"orders": ["order_id", "amount"]}, dialect="sqlite")
    with pytest.raises(SqlRefused) as refused:
        check(MANY_PARTS[kind], dialect="sqlite", catalog=catalog)
    assert refused.value.rule == "too_complex"


def test_parts_that_people_write_are_not_too_many() -> None:
    catalog = Catalog.of({"orders": ["order_id", "amount"]}, dialect="sqlite")
    few = MANY_JOINS[: MANY_JOINS.index(" JOIN orders o60 ")]
    listed = f"SELECT amount FROM orders WHERE order_id IN ({', '.join(map(str, range(100_000, 112_000)))})"
    tables = ", ".join(f"c{n} AS (SELECT {n} AS x)" for n in range(100))
    for sql in (few, listed, f"WITH {tables} SELECT x FROM c99", " UNION ALL ".join(["SELECT 1 AS x"] * 100)):
        assert check(sql, dialect="sqlite", catalog=catalog).text


def test_joins_are_guessed_in_one_pass_over_the_tables() -> None:
    """Where hundreds of tables are called the same, a column that says so means none of them."""

    def calls(tables: int) -> int:
        names = {f"north_customer_{n:04}": ["id", "name", "customer_id", "order_no", "made_by"] for n in range(tables)}
        catalog = Catalog.of(names | {"orders": ["id", "order_no"]}, dialect="sqlite")
        return calls_in(lambda: with_joins(catalog))

    calls(400)  # the words of names are kept
    assert calls(400) < 2.6 * calls(200)


async def test_short_texts_stay_and_long_ones_leave_the_loop() -> None:
    here = threading.get_ident()
    assert await run_aside(False, threading.get_ident) == here
    assert await run_aside(True, threading.get_ident) != here
    found = await asyncio.gather(*(run_aside(True, threading.get_ident) for _ in range(20)))
    assert len(set(found)) <= READERS, "a crowd of long texts waits for its turn"


async def test_rows_of_very_many_cells_are_written_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    monkeypatch.setattr(formats, "json_rows", lambda rows: threads.append(threading.get_ident()))
    for rows in ([(1, "a")] * 10, [tuple(range(900))] * 1000):
        await formats.json_rows_aside(rows)
    here = threading.get_ident()
    assert [thread == here for thread in threads] == [True, False]


async def test_what_a_reader_raises_is_raised() -> None:
    with pytest.raises(SqlRefused):
        await run_aside(True, check, "DROP TABLE x", dialect="sqlite", catalog=Catalog.of({}, dialect="sqlite"))


@pytest.fixture
def threads_of_the_guard(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The threads in which statements are checked, in order."""
    from inquery.agents import own_sql

    found: list[int] = []
    really = own_sql.check

    def noted(*args: Any, **kwargs: Any) -> Any:
        found.append(threading.get_ident())
        return really(*args, **kwargs)

    monkeypatch.setattr(own_sql, "check", noted)
    return found


async def test_a_long_statement_is_checked_aside_and_runs(tmp_path: Path, threads_of_the_guard: list[int]) -> None:
    sources = Sources(Settings(home=tmp_path / "home"))
    source = await sources.open(sources.add(make_shop(tmp_path / "shop.sqlite")))
    limits = limits_for(QuerySettings(), None)
    assert len(MANY_COLUMNS) > LONG_STATEMENT
    for sql in ("SELECT 1 AS one", MANY_COLUMNS):
        await run_own_sql(source.id, sql, catalog=source.catalog, policy=Policy(), limits=limits)
    here = threading.get_ident()
    assert [thread == here for thread in threads_of_the_guard] == [True, False]
    await asyncio.to_thread(sources.close)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("long")) as found:
        yield found


@pytest.mark.parametrize(
    "question", [("去年今年上个月" * 570)[:3999], ("Q1 " * 1400)[:3999], ("orders per city in march 2024 " * 140)[:3999], "订单" * 1999]
)  # fmt: skip
def test_the_server_goes_on_while_it_reads_a_long_question(server: Served, question: str) -> None:
    """Somebody else's requests are answered one after another all the while."""
    answers: list[int] = []
    over = threading.Event()

    def look() -> None:
        with server.client() as client:
            while not over.is_set():
                answers.append(client.get("/health/live").status_code)

    looking = threading.Thread(target=look)
    looking.start()
    try:
        with server.client() as client:
            found = client.post(API + "/query", json={"question": question})
    finally:
        over.set()
        looking.join()
    assert found.status_code == 200, found.text
    assert set(answers) == {200}
    assert len(answers) > 10


@pytest.mark.parametrize(("tables", "aside"), [(400, False), (1, True)])
def test_a_question_over_very_many_tables_is_read_aside(
    server: Served, monkeypatch: pytest.MonkeyPatch, tables: int, aside: bool
) -> None:
    threads: list[str] = []

    def note(room: Any, name: str) -> None:
        really = getattr(room, name)

        def noted(*args: Any) -> Any:
            threads.append(threading.current_thread().name)
            return really(*args)

        monkeypatch.setattr(room, name, noted)

    note(sources, "rank_tables")
    note(write_node, "_settled")
    note(run_node, "judge_choice")
    monkeypatch.setattr(context, "LARGE_CATALOG", tables)
    with server.client() as client:
        found = client.post(API + "/query", json={"question": HOW_MANY, "refresh": True})
    assert found.json()["status"] == "answered", found.text
    assert len(threads) >= 3
    assert all(name.startswith("inquery-reader") == aside for name in threads), threads


def test_a_server_does_not_walk_what_it_has_loaded(server: Served) -> None:
    """A collection of garbage would hold it for half a second."""
    assert httpx.get(server.url + "/health/live").status_code == 200
    assert gc.get_freeze_count() > 10_000


def test_a_server_does_not_walk_what_it_made_of_very_many_tables(server: Served) -> None:
    """Neither while it is made, nor afterwards: a million objects held it for three quarters of a second."""
    assert httpx.get(server.url + "/health/live").status_code == 200
    assert gc.get_threshold() == YOUNG
    before = gc.get_freeze_count()
    with make_lasting(True):
        assert not gc.isenabled()
        made = [[number] for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + len(made)


@pytest.mark.parametrize(("language", "said"), [("en", "more than 100 digits"), ("zh", "超过 100 位")])
def test_a_question_of_digits_is_refused_with_a_sentence(server: Served, language: str, said: str) -> None:
    with server.client(headers={"accept-language": language}) as client:
        found = client.post(API + "/query", json={"question": "9" * 3990})
    assert (found.status_code, said in found.json()["message"]) == (422, True), found.text


def test_the_server_goes_on_while_it_checks_a_long_statement(server: Served) -> None:
    shop = httpx.get(server.url + API + "/connections").json()
    where = next(each["id"] for each in shop if each["name"] == "shop")

    async def both() -> tuple[list[int], httpx.Response]:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            running = asyncio.create_task(client.post(API + f"/connections/{where}/sql", json={"sql": MANY_COLUMNS}))
            seen = []
            while not running.done():
                seen.append((await client.get("/health/live")).status_code)
            return seen, await running

    answers, found = asyncio.run(both())
    assert found.status_code == 200, found.text
    assert len(answers) > 5
    assert set(answers) == {200}
    refused = httpx.post(server.url + API + f"/connections/{where}/sql", json={"sql": MANY_JOINS}, timeout=60)
    assert (refused.status_code, refused.json()["code"]) == (422, "sql_refused")
