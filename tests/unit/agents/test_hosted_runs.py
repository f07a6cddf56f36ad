"""Runs with a hosted model: many loops in one process, a database that is down, numbers that were invented."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.stubs.openai_server import Reply, Stub, openai_server
from tests.unit.agents.conftest import Opened

from inquery import Inquery
from inquery.agents.context import Profile
from inquery.agents.sources import Sources
from inquery.agents.state_types import make_fault
from inquery.agents.supervisor import looping
from inquery.answers.number_check import SentenceGate
from inquery.catalog.stored import Stored, read_time, save_catalog
from inquery.catalog.value_index import ValueIndex
from inquery.errors import Text
from inquery.llm.parsing import WithoutThoughts
from inquery.llm.providers import address_of, first_shape, withhold_key
from inquery.llm.writers import hold_chats
from inquery.settings import LLMSettings, Settings
from inquery.sql import Catalog

GOOD = {"candidates": [{"sql": "SELECT COUNT(*) FROM customers"}]}


def hosted(stub: Stub, **changes: Any) -> dict[str, Any]:
    return {"provider": "openai", "model": "m", "base_url": stub.url, "retries": 0, "timeout_s": 20, **changes}


def test_many_connections_of_one_process_share_a_model(shop: Path, own_home: Path) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        settings = Settings(home=own_home, llm=hosted(stub), cache={"enabled": False})
        for _ in range(3):
            with Inquery.connect(str(shop), settings=settings) as client:
                assert client.ask("How many customers are there?").rows == [[3]]
        first, second = (Inquery.connect(str(shop), settings=settings) for _ in range(2))
        assert first.ask("How many customers are there?").status == "answered"
        first.close()
        assert second.ask("How many customers do we have?").status == "answered"
        second.close()


def test_a_rate_holds_for_all_connections_of_a_process(shop: Path, own_home: Path) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        llm = LLMSettings(**hosted(stub, requests_per_minute=1))
        settings = Settings(llm=llm, cache={"enabled": False})
        found = []
        for question in ("How many customers are there?", "一共有多少位客户？"):
            with Inquery.connect(shop, settings=settings) as client:
                answer = client.ask(question)
            found.append((answer.status, (answer.error or {}).get("code")))
    assert found == [("answered", None), ("failed", "model_rate_limited")]
    assert len(stub.asked) == 1


async def test_a_notebooks_loop_may_ask_too(shop: Path, own_home: Path) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        settings = Settings(home=own_home, llm=hosted(stub), cache={"enabled": False})
        client = await asyncio.to_thread(Inquery.connect, str(shop), settings=settings)
        answers = await asyncio.gather(*(client.aask(f"How many customers are there, {n}?") for n in range(3)))
        await asyncio.to_thread(client.close)
    assert [answer.status for answer in answers] == ["answered"] * 3


@pytest.fixture
def unreached(own_home: Path) -> str:
    """The address of a database that nothing listens at, of which a catalogue was read once."""
    url = "postgresql://reader@127.0.0.1:9/shop"
    catalog = Catalog.of(
        {"public.customers": ["id", "name"], "public.orders": ["id", "customer_id"]}, dialect="postgres"
    )
    made = Sources(Settings(home=own_home)).add(url)
    save_catalog(made, Stored(catalog, ValueIndex.of({}), read_time(), {}, True), home=own_home)
    return url


@pytest.mark.parametrize(
    ("question", "words"), [("How many customers?", "has not been run"), ("有多少客户？", "尚未执行")]
)
def test_a_database_that_is_down_still_gets_its_statement(
    question: str, words: str, unreached: str, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("inquery.agents.sources.FRESH_S", 0.0)  # the catalogue is older than one would believe
    with openai_server(Reply(arguments=GOOD)) as stub:
        settings = Settings(home=own_home, llm=hosted(stub), database={"connect_timeout_s": 2})
        with Inquery.connect(unreached, settings=settings) as client:
            answer = client.ask(question)
    assert answer.unverified
    assert "customers" in (answer.sql or "")
    assert (answer.status, answer.error and answer.error["code"]) == ("failed", "connect_failed")
    assert words in answer.text


def test_a_file_that_was_moved_away_is_a_database_that_is_down(
    shop: Path, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{shop}"
    with openai_server(Reply(arguments=GOOD)) as stub:
        settings = Settings(home=own_home, llm=hosted(stub), cache={"enabled": False}, knowledge={"join_tests": "off"})
        with Inquery.connect(address, settings=settings) as client:
            assert client.ask("How many customers are there?").rows == [[3]]
        shop.rename(shop.with_suffix(".away"))
        monkeypatch.setattr("inquery.agents.sources.FRESH_S", 0.0)
        with Inquery.connect(address, settings=settings) as client:
            answer = client.ask("How many customers are there?")
    assert (answer.unverified, answer.status, answer.sql) == (True, "failed", "SELECT COUNT(*) FROM customers")


async def test_rows_kept_from_an_earlier_run_say_when_they_were_read(desk: Opened) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, cache={"enabled": False})
            first = await asked.ask("How many customers are there?")
            second = await asked.ask("How many customers do we have?")
    assert "rows_as_of" not in first.provenance
    assert second.provenance["rows_as_of"].startswith("20")
    assert (second.cache, second.rows) == (None, [[3]])


async def test_an_invented_number_is_never_streamed(desk: Opened) -> None:
    prose = Reply("<think>99999?</think>There are 3 customers. That is 99999 more than in 1850. Well done.")
    with openai_server(Reply(arguments=GOOD), prose) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, agent={"prose": "model"})
            answer = await asked.ask("How many customers are there?")
    shown = "".join(event.text for event in asked.seen("token"))  # type: ignore[union-attr]
    assert "3 customers" in shown
    assert "Well done." in shown
    assert "99999" not in shown
    assert "think" not in shown
    assert answer.text.strip() == shown.strip()


@pytest.mark.parametrize("step", [1, 3, 7, 100])
def test_sentences_pass_whole_however_they_are_cut(step: int) -> None:
    text = "One is 3.5 of 7. Two is 42! 第三句是 7。第四句是 8。"
    sent: list[str] = []
    gate = SentenceGate([3.5, 7.0], sent.append)
    for start in range(0, len(text), step):
        gate.feed(text[start : start + step])
    gate.end()
    assert "".join(sent) == "One is 3.5 of 7. 第三句是 7。"


@pytest.mark.parametrize("step", [1, 4, 100])
def test_thoughts_are_not_streamed(step: int) -> None:
    text = "<think>a < b</think>\n1 < 2 is <b>true</b>."
    sent: list[str] = []
    spoken = WithoutThoughts(sent.append)
    for start in range(0, len(text), step):
        spoken.feed(text[start : start + step])
    spoken.end()
    assert "".join(sent) == "1 < 2 is <b>true</b>."


def test_tables_of_two_years_are_two_faults() -> None:
    def fault(message: str) -> Any:
        return make_fault("unknown_table", Text("x", "x"), message=message)

    assert looping([fault("no such table: sales_2023"), fault("no such table: sales_2024")]) == ""
    assert looping([fault("error at line 3, column 12"), fault("error at line 4, column 9")]) == "message"


async def test_what_is_stable_comes_first_so_that_caches_hit(desk: Opened) -> None:
    usage = {"prompt_tokens_details": {"cached_tokens": 64}}
    wrong = Reply(arguments={"candidates": [{"sql": "SELECT COUNT( FROM WHERE"}]}, usage=usage)
    mended = "SELECT s.city, COUNT(*) FROM orders AS o JOIN stores AS s ON s.store_id = o.store_id GROUP BY s.city"
    right = Reply(arguments={"candidates": [{"sql": mended}]})
    with openai_server(Reply(arguments=GOOD, usage=usage), wrong, right) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, cache={"enabled": False})
            answer = await asked.ask("How many customers are there?")
            await asked.ask("Count the orders of each city for me")
    first, second, repaired = (body["messages"][-1]["content"] for body in stub.asked)
    schema_end = first.index("Today is")
    assert first[:schema_end].rstrip() in second
    assert second.startswith(first[:schema_end].rstrip())
    assert repaired.startswith(first[: first.index("Schema:")])
    assert answer.usage.cached_tokens == 64


async def test_ollama_is_held_to_a_schema_and_given_room_to_read(desk: Opened) -> None:
    with openai_server(Reply(arguments=GOOD)) as stub:
        given = hosted(stub, provider="ollama", base_url=stub.url.removesuffix("/v1"), model="qwen3:8b")
        async with hold_chats():
            answer = await desk(llm=given, writer=None).ask("How many customers are there?")
    assert (answer.rows, answer.usage.prompt_tokens) == ([[3]], 100)
    assert "candidates" in stub.asked[0]["format"]["properties"]
    assert stub.asked[0]["options"]["num_ctx"] == 16_384  # its own 4,096 would cut the schema without a word
    assert len(stub.asked) == 1


async def test_a_missing_model_of_ollama_is_told(desk: Opened) -> None:
    missing = Reply(status=404, error={"error": "model 'qwen3:8b' not found"})
    with openai_server(missing) as stub:
        given = hosted(stub, provider="ollama", base_url=stub.url.removesuffix("/v1"), model="qwen3:8b")
        async with hold_chats():
            answer = await desk(llm=given, writer=None).ask("How many customers are there?")
    assert answer.error is not None
    assert (answer.error["code"], answer.error["detail"]) == ("model_unknown", "model 'qwen3:8b' not found")


@pytest.mark.parametrize(
    ("given", "address", "limit"),
    [
        ({"provider": "openai"}, "https://api.openai.com/v1", "max_completion_tokens"),
        ({"provider": "azure", "base_url": "https://x.openai.azure.com/"}, "https://x.openai.azure.com/openai/v1", "max_completion_tokens"),
        ({"provider": "deepseek"}, "https://api.deepseek.com/v1", "max_tokens"),
        ({"provider": "siliconflow"}, "https://api.siliconflow.cn/v1", "max_tokens"),
        ({"provider": "dashscope"}, "https://dashscope.aliyuncs.com/compatible-mode/v1", "max_tokens"),
        ({"provider": "gemini"}, "https://generativelanguage.googleapis.com/v1beta/openai/", "max_tokens"),
        ({"provider": "lmstudio"}, "http://localhost:1234/v1", "max_tokens"),
        ({"provider": "openai", "base_url": "https://gate.example/v1"}, "https://gate.example/v1", "max_tokens"),
    ],
)  # fmt: skip
def test_providers_are_known_by_name(
    given: dict[str, str], address: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILICONFLOW_API_KEY", "its own")
    for name in ("OPENAI_API_BASE", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("INQUERY_LLM__MODEL", "m")
    settings = Settings(llm=given).llm
    assert address_of(settings) == address
    assert first_shape(settings).limit_name == limit
    assert settings.api_key.get_secret_value() == ("its own" if given["provider"] == "siliconflow" else "")
    moved = Settings(llm=given | {"base_url": "https://elsewhere.example/v1"}).llm
    assert moved.api_key.get_secret_value() == ""  # a variable's key is for the public address alone
    named = withhold_key(LLMSettings(), LLMSettings(provider="siliconflow"))
    assert named.api_key.get_secret_value() == ""  # an analyst that names a provider is given nobody's key


async def test_claude_is_told_what_to_cache(desk: Opened) -> None:
    with openai_server(Reply(arguments=GOOD, usage={"cache_read_input_tokens": 50})) as stub:
        given = hosted(stub, provider="anthropic", base_url=stub.url.removesuffix("/v1"), api_key="k")
        async with hold_chats():
            asked = desk(llm=given, writer=None)
            await asked.ask("How many customers are there?")
    content = stub.asked[0]["messages"][-1]["content"]
    assert isinstance(content, str)  # a small schema is not worth a place in the cache
    assert json.dumps(stub.asked[0]).count("cache_control") == 0


async def test_a_follow_up_that_no_rule_reads_is_asked_with_what_was_said_long_ago(desk: Opened) -> None:
    whole = Reply(arguments={"question": "How many customers are there in Paris?"})
    cities = ("Lyon", "Oslo", "Rome", "Bern", "Bonn")
    good = Reply(arguments=GOOD)
    with openai_server(*[good] * len(cities), whole, good) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, cache={"enabled": False}, agent={"history_messages": 3})
            for city in cities:
                await asked.ask(f"How many customers are there in {city}?", thread="t")
            answer = await asked.ask(
                "and that other place we spoke of at the very beginning, the same thing", thread="t"
            )
    rewriting, writing = (body["messages"][-1]["content"] for body in stub.asked[-2:])
    assert "How many customers are there in Lyon?" in rewriting.partition("earlier: ")[2]
    assert "How many customers are there in Paris?" in writing
    assert answer.status == "answered"


@pytest.mark.parametrize(("question", "said"), [("讲个笑话吧", "因为表太多。"), ("Tell me a joke", "Too many tables.")])
async def test_small_talk_is_the_models_where_there_is_one(question: str, said: str, desk: Opened) -> None:
    with openai_server(Reply(said)) as stub:
        async with hold_chats():
            answer = await desk(llm=hosted(stub), writer=None).ask(question)
            silent = await desk(llm=hosted(stub, base_url="http://127.0.0.1:9/v1"), writer=None).ask(question)
    assert (answer.status, answer.text, len(stub.asked)) == ("chat", said, 1)
    assert silent.status == "chat"
    assert silent.text


async def test_rows_that_were_cut_are_counted_when_asked_for(desk: Opened) -> None:
    listed = Reply(arguments={"candidates": [{"sql": "SELECT order_id FROM orders ORDER BY order_id"}]})
    with openai_server(listed) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, cache={"enabled": False}, query={"rows": 2})
            known = await asked.ask("List the orders", count_rows=True)
            unknown = await asked.ask("List all the orders")
    assert (known.truncated, len(known.rows), known.total_count) == ("rows", 2, 5)
    assert (unknown.truncated, unknown.total_count) == ("rows", None)


@pytest.mark.parametrize(
    ("question", "advice"),
    [
        ("How many pings have the kind b?", ["reads all of pings", "a period would make it faster"]),
        ("类型为 b 的 pings 有多少？", ["需要扫描整张表 pings", "指定时间范围会更快"]),
    ],
)
async def test_a_slow_statement_is_told_in_the_answer(
    question: str, advice: list[str], shop: Path, desk: Opened
) -> None:
    with sqlite3.connect(shop) as connection:
        connection.executescript(
            "CREATE TABLE pings (ping_id INTEGER PRIMARY KEY, kind TEXT);"
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 1000000) "
            "INSERT INTO pings SELECT i, 'a' FROM n;"
        )
    connection.close()
    with openai_server(
        Reply(arguments={"candidates": [{"sql": "SELECT COUNT(*) FROM pings WHERE kind = 'b'"}]})
    ) as stub:
        async with hold_chats():
            answer = await desk(llm=hosted(stub), writer=None, cache={"enabled": False}).ask(question)
    assert (answer.status, answer.provenance.get("advice")) == ("answered", advice)


PAID = Profile("p", "Paid", prompt="Count paid orders only, and write tersely.")


async def test_an_analysts_prompt_is_heeded_in_statements_and_in_prose(desk: Opened) -> None:
    with openai_server(Reply(arguments=GOOD), Reply("There are 3.")) as stub:
        async with hold_chats():
            asked = desk(llm=hosted(stub), writer=None, cache={"enabled": False})
            answer = await asked.ask("How many customers are there?", profile=PAID)
    assert [PAID.prompt in body["messages"][-1]["content"] for body in stub.asked] == [True, True]
    assert (answer.text, answer.warnings) == ("There are 3.", [])


async def test_a_model_that_reads_no_prompt_says_so(desk: Opened) -> None:
    answer = await desk([GOOD["candidates"][0]["sql"]]).ask("一共有多少客户？", profile=PAID)
    assert answer.status == "answered"
    assert any("不读取该分析师的指示" in warning for warning in answer.warnings)
