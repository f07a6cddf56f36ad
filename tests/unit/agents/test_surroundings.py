"""What surrounds a question: caches, rights, privacy, analysts, several databases, several candidates."""

import dataclasses
import sqlite3

import pytest
from langchain_core.messages import AIMessage

from inquery.agents.context import Profile, Services
from inquery.agents.run import Request, Runner
from inquery.agents.statements.fanout import join_warnings
from inquery.cache.exact import MemoryExactCache
from inquery.errors import NotFound
from inquery.knowledge.glossary import Glossary
from inquery.llm.chat import ChatModel
from inquery.llm.scripted import ScriptedModel, ScriptedWriter
from inquery.settings import LLMSettings, Settings
from inquery.sql import Catalog, Column, ForeignKey, Join, Policy, Table
from inquery.sql.statement import read_statement

COUNT = "SELECT COUNT(*) AS n FROM orders"
Q = "How many orders are there?"


async def test_an_exact_hit_answers_another_thread_without_the_model(desk):
    opened = desk([COUNT])
    opened.services.exact = MemoryExactCache()
    await opened.ask(Q, "a")
    again = await opened.ask(Q, "b")
    assert (again.rows, again.usage.model_calls, opened.calls) == ([[5]], 0, 1)
    assert again.cache is not None
    assert again.cache["level"] == "exact"


async def test_a_hit_by_another_user_reads_the_rows_again_through_the_gate(desk):
    opened = desk([COUNT, COUNT])
    opened.services.exact = MemoryExactCache()
    await opened.ask(Q, "a", user="ann")
    assert (await opened.ask(Q, "b", user="bob")).rows == [[5]]
    narrow = Policy(row_filters={"orders": "status = 'paid'"})
    assert (await opened.ask(Q, "c", user="bob", policy=narrow)).rows == [[3]]
    assert opened.calls == 2


async def test_hidden_tables_are_neither_shown_nor_read(desk):
    policy = Policy(tables=frozenset({"customers", "stores"}))
    opened = desk(lambda request: [COUNT])
    answer = await opened.ask("How many customers have orders?", policy=policy)
    assert answer.status == "failed"
    request = opened.writer.requests[0][0]
    assert {table.name for table in request.schema.tables} == {"customers", "stores"}
    assert "orders" not in (await opened.ask("有哪些表？", policy=policy)).text


async def test_a_profile_narrows_what_is_read_and_how_it_is_told(desk):
    opened = desk(lambda request: ["SELECT city, COUNT(*) AS n FROM customers GROUP BY city"])
    terse = Profile("p", "Terse", tables=("customers",), chart="none", analysis="short")
    answer = await opened.ask("How many customers in each city, compared?", profile=terse)
    assert answer.chart is None
    assert answer.text.count(".") == 1
    assert (await opened.ask("How many customers per store?", profile=dataclasses.replace(terse, tables=("stores",)))).status == "failed"  # fmt: skip


async def test_an_unknown_analyst_is_told_of(desk):
    class NoProfiles:
        async def get(self, agent_id):
            raise NotFound(agent_id, what="analyst", name=agent_id)

    opened = desk([COUNT])
    opened.services.profiles = NoProfiles()
    assert (await opened.ask(Q, agent_id="nobody")).error["code"] == "not_found"


async def test_several_candidates_are_compared_by_running_them(desk):
    odd, same, other = COUNT + " WHERE status = 'paid'", "SELECT COUNT(order_id) AS c FROM orders", COUNT
    opened = desk([[odd, same, other]], llm={"candidates": 3})
    answer = await opened.ask("How many orders in all the shop?", "t")
    # The first has two thirds of the weight, more than the two that agree against it.
    assert (answer.rows, opened.calls) == ([[3]], 1)
    assert answer.provenance["agreement"] == pytest.approx(0.665, abs=0.01)
    assert answer.provenance["candidates"] == 3


async def test_the_database_is_chosen_by_the_question_with_a_reason(desk, tmp_path, own_home):
    other = tmp_path / "zoo.sqlite"
    with sqlite3.connect(other) as connection:
        connection.executescript(
            "CREATE TABLE animals (animal_id INTEGER PRIMARY KEY, species TEXT); INSERT INTO animals VALUES (1, 'lion');"
        )
    connection.close()
    opened = desk(["SELECT COUNT(*) AS n FROM animals"])
    zoo = opened.services.sources.add(f"sqlite:///{other}")
    choice = Profile("p", "Both", connections=(opened.connection_id, zoo))
    runner = Runner(opened.services, opened.saver, writer=opened.writer)
    answer = await runner.ask(Request("How many animals of each species?", profile=choice))
    assert answer.rows == [[1]]
    assert "animals" in answer.provenance["connection_choice"]


def chat_model(*answers: str) -> tuple[ChatModel, ScriptedModel]:
    model = ScriptedModel(answers=[AIMessage(content=text) for text in answers])
    return ChatModel(model, LLMSettings(provider="openai", retries=0), name="test"), model


async def test_prose_by_a_model_keeps_only_numbers_of_the_result(desk):
    chat, model = chat_model("There are 5 orders. Last year there were 99 of them.")
    opened = desk([COUNT], chat=chat, agent={"prose": "model"})
    answer = await opened.ask(Q)
    assert answer.text == "There are 5 orders."
    assert (answer.usage.model_calls, len(model.asked)) == (2, 1)


@pytest.mark.parametrize("privacy", ["schema_only"])
async def test_no_cell_reaches_a_remote_model_under_schema_only(desk, privacy):
    chat, model = chat_model("A lie.")
    opened = desk([COUNT], chat=chat, agent={"prose": "model"}, privacy=privacy)
    answer = await opened.ask(Q)
    assert answer.status == "answered"
    assert model.asked == []


async def test_a_chat_model_rewrites_what_no_rule_reads(desk):
    chat, _ = chat_model('{"question": "How many cancelled orders are there?"}')
    opened = desk([COUNT, COUNT + " WHERE status = 'cancelled'"], chat=chat)
    await opened.ask(Q, "t")
    answer = await opened.ask("the ones of them that went wrong", "t")
    assert answer.rows == [[1]]
    assert opened.writer.requests[-1][0].question == "How many cancelled orders are there?"


async def test_recovery_may_ask_a_chat_model_but_only_within_the_table(desk):
    chat, model = chat_model('{"next": "remember"}', '{"next": "end"}')
    opened = desk(["SELECT zza FROM orders", "SELECT zzb FROM orders", COUNT], chat=chat)
    answer = await opened.ask(Q)
    assert answer.rows == [[5]]
    assert len(model.asked) == 1
    assert "unknown_column" in str(model.asked[0])


async def test_a_budget_that_is_spent_ends_the_run(desk, shop, own_home):
    chat, _ = chat_model('{"candidates": [{"sql": "SELECT zza FROM orders"}]}', "{}")
    from inquery.llm.chat_writer import ChatWriter

    llm = LLMSettings(provider="openai", budget_tokens=1)
    services = Services.of(Settings(home=own_home, llm=llm))
    connection_id = services.sources.add(str(shop))
    runner = Runner(services, None, writer=ChatWriter(chat, llm))
    answer = await runner.ask(Request(Q, connection_id=connection_id))
    assert answer.error is not None
    assert answer.error["code"] == "model_budget_spent"


def _shop_catalog() -> Catalog:
    orders = Table(("orders",), (Column("id", primary_key=True, nullable=False), Column("store_id"), Column("total", "REAL")), foreign_keys=(ForeignKey(("store_id",), ("stores",), ("id",)),))  # fmt: skip
    items = Table(("items",), (Column("id", primary_key=True), Column("order_id", nullable=False), Column("price")))
    stores = Table(("stores",), (Column("id", primary_key=True), Column("name")))
    joins = (
        Join(("items",), ("order_id",), ("orders",), ("id",)),
        Join(("orders",), ("store_id",), ("stores",), ("id",)),
    )
    return Catalog(dialect="sqlite", tables=(orders, items, stores), joins=joins)


def _warnings(sql: str, language: str) -> list[str]:
    statement = read_statement(sql, _shop_catalog())
    assert statement is not None
    return join_warnings(statement, Glossary(), language)


def test_joins_that_repeat_rows_are_warned_of():
    assert "several times" in _warnings("SELECT SUM(o.total) FROM orders o JOIN items i ON i.order_id = o.id", "en")[0]
    assert _warnings("SELECT SUM(i.price) FROM orders o JOIN items i ON i.order_id = o.id", "en") == []


@pytest.mark.parametrize("counted", ["o.id", "total", "CASE WHEN o.total > 9 THEN 1 END", "o.store_id) + SUM(i.price"])
def test_a_count_of_rows_that_a_join_repeats_is_warned_of(counted):
    sql = f"SELECT COUNT({counted}) FROM orders o JOIN items i ON i.order_id = o.id"
    (warning,) = _warnings(sql, "en")
    assert "orders repeat for each of their items" in warning.lower()
    assert "(" not in warning  # words, and no SQL
    (chinese,) = _warnings(sql, "zh")
    assert "重复" in chinese


@pytest.mark.parametrize(
    "counted", ["DISTINCT o.id", "i.id", "DISTINCT i.order_id", "price", "*", "1", "id", "o.id + i.id"]
)
def test_a_count_that_no_join_repeats_is_not_warned_of(counted):
    sql = f"SELECT COUNT({counted}) FROM orders o JOIN items i ON i.order_id = o.id"
    assert _warnings(sql, "en") == []


def test_a_count_of_a_parent_in_its_own_subquery_is_not_warned_of():
    sql = "SELECT SUM(i.price), (SELECT COUNT(p.id) FROM orders p) FROM orders o JOIN items i ON i.order_id = o.id"
    assert _warnings(sql, "en") == []


async def test_two_hundred_questions_at_one_time(desk):
    import asyncio

    opened = desk(lambda request: [COUNT])
    opened.writer = ScriptedWriter(lambda request: [COUNT], delay_s=0.1)
    runner = Runner(opened.services, opened.saver, writer=opened.writer)
    asked = [runner.ask(Request(f"{Q} {n}", connection_id=opened.connection_id)) for n in range(200)]
    answers = await asyncio.gather(*asked)
    assert {answer.status for answer in answers} == {"answered"}


async def test_a_thumbs_down_empties_every_cache_of_the_answer(desk):
    opened = desk([COUNT, COUNT + " WHERE status = 'paid'"])
    opened.services.exact = MemoryExactCache()
    await opened.ask(Q, "t")
    assert await opened.runner.feedback(Request(thread_id="t"), good=False)
    again = await opened.ask(Q, "t")
    assert (again.rows, again.cache, opened.calls) == ([[3]], None, 2)
    with pytest.raises(NotFound):
        await opened.runner.feedback(Request(thread_id="t", user="somebody else"), good=False)


async def test_a_message_that_decides_an_approval_is_its_reply(desk):
    opened = desk([COUNT, COUNT], agent={"approval": "always"})
    assert (await opened.ask(Q, "t")).status == "approval"
    assert (await opened.ask("同意", "t")).rows == [[5]]
    assert (await opened.ask("How many orders are there, really?", "t")).status == "approval"
    assert (await opened.ask("no", "t")).status == "refused"


@pytest.mark.parametrize(
    ("where", "warned"),
    [
        ("ordered_on >= '2025-01-01' AND ordered_on < '2026-01-01'", False),
        ("ordered_on BETWEEN '2025-01-01' AND '2025-12-31'", False),
        ("strftime('%Y', ordered_on) = '2025'", False),
        ("ordered_on LIKE '2025%'", False),
        ("ordered_on < date('now')", False),
        ("ordered_on < '2025-01-01'", True),
        ("ordered_on >= '2024-01-01' AND ordered_on < '2025-01-01'", True),
    ],
)
async def test_a_period_the_statement_leaves_out_is_warned_of(desk, where, warned):
    opened = desk([f"{COUNT} WHERE {where}"])
    answer = await opened.ask("How many orders were placed in 2025?")
    assert any("2025" in text for text in answer.warnings) is warned, answer.warnings
