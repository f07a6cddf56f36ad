"""`inquery ask` and the Python door: the JSON document, the exit codes, streams and cancelling."""

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.integration.api_server import scripted

from inquery import Inquery
from inquery.agents.opening import open_runner
from inquery.agents.run import Request
from inquery.answers.answer import Answer, AnswerColumn
from inquery.cli import cli
from inquery.client import Reply
from inquery.databases.executor.execute import attached_ids, detach
from inquery.errors import NotFound
from inquery.llm.scripted import ScriptedWriter
from inquery.settings import Settings, get_settings

SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE stores (store_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, store_id INTEGER REFERENCES stores, amount DECIMAL(10,2), big INTEGER);
INSERT INTO customers VALUES (1, 'Ann', 'Beijing'), (2, 'Bob', 'Paris');
INSERT INTO stores VALUES (1, 'Alpha', 'Beijing'), (2, 'Beta', 'Paris');
INSERT INTO orders VALUES (1, 1, 1, 10, 9007199254740993), (2, 1, 2, 20, 1), (3, 2, 1, 30, 2);
"""
SCRIPT = {
    "How many orders are there?": ["SELECT COUNT(*) AS n FROM orders"],
    "订单有多少？": ["SELECT COUNT(*) AS n FROM orders"],
    "Show the big numbers of orders": ["SELECT order_id, big FROM orders ORDER BY order_id"],
    "Which orders are broken?": ["SELECT zzqq FROM orders"],
}


@pytest.fixture
def shop(tmp_path: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(SHOP)
    connection.close()
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "INQUERY_LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in scripted(tmp_path, SCRIPT).items():
        monkeypatch.setenv(name, value)
    get_settings.cache_clear()
    assert run("connections", "add", "shop", str(path))[0] == 0
    yield path
    for connection_id in attached_ids():
        detach(connection_id)


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, list(arguments), input=stdin, prog_name="inquery")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def asked(*arguments: str, stdin: str = "") -> tuple[int, dict[str, Any]]:
    code, out, err = run("ask", *arguments, "--json", stdin=stdin)
    assert out.count("\n") == 1, err
    return code, json.loads(out)


def test_the_only_registered_database_is_asked_and_every_field_is_there(shop):
    code, answer = asked("How many orders are there?")
    assert (code, answer["status"], answer["rows"], answer["row_count"]) == (0, "answered", [[3]], 1)
    assert answer.keys() == Answer.model_fields.keys()
    assert answer["usage"]["model_calls"] == 1
    assert answer["provenance"]["connection"] == "shop"


@pytest.mark.parametrize(
    ("question", "code", "status"),
    [
        ("订单有多少？", 0, "answered"),
        ("hello", 0, "chat"),
        ("有哪些表？", 0, "chat"),
        ("How many orders in Beijing?", 2, "clarification"),
        ("drop all tables", 1, "refused"),
        ("", 1, "failed"),
        ("Which orders are broken?", 1, "failed"),
        ("x" * 20_000, 1, "failed"),
    ],
)
def test_exit_codes_say_how_it_ended(shop, question, code, status):
    got, answer = asked(question, "--connection", "shop")
    assert (got, answer["status"]) == (code, status)
    assert answer["text"]


def test_an_unknown_database_is_one_document_too(shop):
    code, answer = asked("How many orders are there?", "--connection", "nowhere")
    assert (code, answer["status"], answer["error"]["code"]) == (1, "failed", "not_found")


def test_large_integers_are_text_and_questions_come_from_standard_input(shop):
    _, answer = asked("-", stdin="Show the big numbers of orders")
    assert answer["rows"] == [[1, "9007199254740993"], [2, 1], [3, 2]]


def test_a_second_process_finds_the_thread(shop):
    _, first = asked("How many orders are there?")
    code, again = asked("how many orders are there", "--thread", first["thread_id"])
    assert (code, again["usage"]["model_calls"]) == (0, 0)
    assert again["cache"]["level"] == "thread"
    assert asked("How many orders are there?", "--refresh", "--thread", first["thread_id"])[1]["cache"] is None


def test_a_person_sees_sql_table_words_and_what_to_ask_next(shop):
    code, out, _ = run("ask", "How many orders are there?")
    assert code == 0
    assert "SELECT COUNT(*) AS n FROM orders" in out
    assert "The number of orders is 3." in out
    assert "You could ask:" in out


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_to_ask_next_is_told_in_the_language_of_the_question(shop, language):
    assert "您还可以问" in run("ask", "订单有多少？", "--lang", language)[1]
    assert "You could ask:" in run("ask", "How many orders are there?", "--lang", language)[1]


def test_no_clarify_takes_the_best_reading(shop):
    assert asked("How many orders in Beijing?", "--no-clarify")[1]["status"] != "clarification"


def test_chat_answers_picks_and_leaves(shop):
    lines = "How many orders are there?\nhello\n/help\n\nexit\n"
    code, out, err = run("chat", "--connection", "shop", stdin=lines)
    assert code == 0
    assert "The number of orders is 3." in out
    assert "  1. " in out
    assert "Hello!" in out
    assert "Conversation " in err


def test_chat_clarifies_by_number(shop):
    code, out, _ = run("chat", "--connection", "shop", stdin="How many orders in Beijing?\nnever mind\n")
    assert code == 0
    assert "1. customer city is Beijing" in out
    assert "Cancelled." in out


def test_python_asks_streams_and_resumes(shop):
    writer = ScriptedWriter(lambda request: ["SELECT city, COUNT(*) AS n FROM customers GROUP BY city ORDER BY city"])
    with Inquery.connect(f"sqlite:///{shop}", writer=writer) as iq:
        answer = iq.ask("How many customers are there in each city?")
        assert answer.rows == [["Beijing", 1], ["Paris", 1]]
        assert list(answer.frame().columns) == ["city", "n"]
        assert "<table>" in answer._repr_html_()
        assert answer.reading["question"]
        kinds = [event.type for event in iq.stream("List the customers by city, please", refresh=True)]
        assert kinds[-1] == "done"
        assert {"step", "sql", "rows"} <= set(kinds)
        waiting = iq.ask("How many orders in Beijing?", can_ask=True)
        assert waiting.status == "clarification"
        assert iq.resume(waiting.thread_id, 1).status == "answered"
        with pytest.raises(NotFound):
            iq.resume("no-such-thread", 1)


IN_PARIS = "How many orders in Paris?"
AT_STORES = "SELECT COUNT(*) AS n FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id WHERE s.city = 'Paris'"


def test_a_script_gets_an_answer_with_its_assumption_and_a_conversation_is_asked_back(shop, monkeypatch):
    with Inquery.connect(f"sqlite:///{shop}", writer=ScriptedWriter(lambda _: [AT_STORES])) as iq:
        answer = iq.ask(IN_PARIS)
        assert (answer.status, answer.rows) == ("answered", [[1]])
        assert answer.reading["assumptions"] == ["Assumed: store city is Paris"]
        assert [event.type for event in iq.stream(IN_PARIS, refresh=True) if event.type == "clarification"] == []
        assert iq.ask(IN_PARIS, refresh=True, can_ask=True).status == "clarification"
        assert iq.ask(IN_PARIS, refresh=True, can_ask=False).status == "answered"
        assert iq.ask(IN_PARIS, refresh=True, thread_id=answer.thread_id).status == "clarification"
        monkeypatch.setattr("sys.ps1", ">>> ", raising=False)  # a person types
        assert iq.ask(IN_PARIS, refresh=True).status == "clarification"


def test_the_command_line_asks_back_a_person_and_a_program_but_not_a_file(shop, monkeypatch):
    code, out, _ = run("ask", "How many orders in Beijing?", "--connection", "shop")
    assert code != 2
    assert "1. customer city is Beijing" not in out
    monkeypatch.setattr("inquery.cli.ask._someone_reads", lambda: True)
    code, out, _ = run("ask", "How many orders in Beijing?", "--connection", "shop")
    assert (code, "1. customer city is Beijing" in out) == (2, True)
    assert asked("How many orders in Beijing?", "--connection", "shop")[0] == 2


async def test_python_is_awaited_from_any_loop_and_cancelled(shop):
    class Slow(ScriptedWriter):
        async def write(self, request):
            await asyncio.sleep(300)
            return []

    iq = await asyncio.to_thread(Inquery.connect, str(shop), writer=Slow([]))
    try:
        task = asyncio.create_task(iq.aask("How many orders are there?"))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 30)
    finally:
        await asyncio.to_thread(iq.close)


def test_a_client_that_asked_nothing_lets_go_again_and_again(shop):
    for _ in range(3):
        closing = threading.Thread(target=Inquery.connect(str(shop)).close, daemon=True)
        closing.start()
        closing.join(60)
        assert not closing.is_alive()


def test_names_in_html_are_escaped(shop):
    writer = ScriptedWriter(["SELECT '<script>alert(1)</script>' AS \"<b>\" FROM orders LIMIT 1"])
    with Inquery.connect(str(shop), writer=writer, settings=Settings()) as iq:
        shown = iq.ask("Show something of the orders")._repr_html_()
    assert "<script>" not in shown
    assert "<b>" not in shown


async def test_a_thread_can_be_asked_again_as_soon_as_its_answer_is_read(shop):
    request = Request("How many orders are there?", thread_id="t", connection_id="shop")
    async with open_runner(Settings()) as runner:
        async for event in runner.stream(request):
            if event.type != "done":
                continue
            again = await runner.ask(replace(request, question="Show the big numbers of orders"))
            assert (event.answer.status, again.status, again.row_count) == ("answered", "answered", 3)


@pytest.mark.parametrize(
    ("question", "sample"),
    [("How many customers are there in each segment?", "segment"), ("一共有多少个客户？", "COUNT(*)")],
)
def test_a_verified_question_needs_no_weights(
    question: str, sample: str, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquery.llm.embedded.weights.installed", list)
    monkeypatch.delenv("INQUERY_LLM__PROVIDER", raising=False)
    get_settings.cache_clear()
    code, out, _ = run("ask", question, "--json")
    answer = json.loads(out)
    assert (code, answer["status"], answer["usage"]["model_calls"]) == (0, "answered", 0)
    assert sample in answer["sql"]
    code, out, _ = run("ask", f"{question} 2021", "--json")
    assert (code, json.loads(out)["error"]["code"]) == (1, "model_missing")


def test_a_notebook_sees_labels_currencies_and_what_codes_stand_for():
    shown = Reply(
        status="answered",
        question="q",
        columns=[
            AnswerColumn(name="status", kind="text", label="order status", words={"P": "paid"}),
            AnswerColumn(name="revenue", kind="number", format="money", unit="CNY"),
            AnswerColumn(name="share", kind="number", format="fraction"),
        ],
        rows=[["P", 3713.2646518987362, 0.123]],
    )
    assert list(shown.frame().columns) == ["status", "revenue", "share"]
    assert list(shown.frame(labels=True).columns) == ["order status", "revenue", "share"]
    page = shown._repr_html_()
    assert "<th>order status</th>" in page
    assert "<td>paid</td><td>¥3,713.26</td><td>12.3%</td>" in page
