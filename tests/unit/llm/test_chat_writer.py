"""The chat writer: one call, what the prompt holds, and what privacy keeps out of it."""

import datetime
import json
from dataclasses import replace

import pytest

from inquery.errors import BadOutput, BadRequest, ModelMissing, ModelRefused, Unanswerable
from inquery.llm.chat import ChatModel
from inquery.llm.chat_writer import ChatWriter
from inquery.llm.prompting import load_prompt, prompt_names
from inquery.llm.scripted import ScriptedModel
from inquery.llm.token_count import count_tokens
from inquery.llm.usage import UsageMeter, count_calls
from inquery.llm.writer import Example, Failure, SchemaView, ValueMatch, WriteRequest
from inquery.llm.writers import writer_for
from inquery.settings import LLMSettings
from inquery.sql import Column, Join, Table

CANARY = "Zanzibar-7741"
REMOTE = LLMSettings(provider="openai", model="m", base_url="https://models.example.com/v1", structured_output="text")
REQUEST = WriteRequest(
    question="How many orders went there?",
    language="en",
    dialect="postgres",
    schema=SchemaView(
        (
            Table(
                ("public", "orders"),
                (Column("id", "int", primary_key=True), Column("city", "text", samples=(CANARY,), comment="下单城市")),
            ),
            Table(("public", "customers"), (Column("id", "int", primary_key=True),)),
        ),
        (Join(("public", "orders"), ("customer_id",), ("public", "customers"), ("id",)),),
    ),
    values=(ValueMatch("public.orders", "city", CANARY, "there"),),
    samples=(Example("orders in a city", f"SELECT count(*) FROM orders WHERE city = '{CANARY}'"),),
    template=f"SELECT * FROM orders WHERE city = '{CANARY}'",
    glossary={"GMV": "sum of amount"},
    today=datetime.date(2026, 11, 15),
    n=2,
)
FAILED = Failure(
    f"SELECT cty FROM orders WHERE city = '{CANARY}'", "unknown_column",
    f'column "cty" of orders does not exist; row ({CANARY}, 7741)', (f"city, as in {CANARY}",),
)  # fmt: skip


def scripted(*answers: str | BaseException) -> ScriptedModel:
    return ScriptedModel(answers=list(answers))


def writer(model: ScriptedModel, privacy: str = "full", settings: LLMSettings = REMOTE) -> ChatWriter:
    return ChatWriter(ChatModel(model, settings, name="m"), settings, privacy=privacy)


def prompt_of(model: ScriptedModel) -> str:
    return str(model.asked[-1][0].content)


async def test_one_call_gives_all_candidates_best_first() -> None:
    model = scripted(
        json.dumps({"candidates": [{"sql": "SELECT 1", "why": "a"}, {"sql": "SELECT 2"}, {"sql": "SELECT 3"}]})
    )
    with count_calls(UsageMeter()) as meter:
        found = await writer(model).write(REQUEST)
    assert [c.sql for c in found] == ["SELECT 1", "SELECT 2"]
    assert found[0].score > found[1].score
    assert meter.model_calls == 1


async def test_the_prompt_holds_all_that_was_linked() -> None:
    model = scripted("SELECT 1")
    await writer(model).write(REQUEST)
    prompt = prompt_of(model)
    for part in (
        "public.orders",
        "下单城市",
        "customer_id = public.customers.id",
        "GMV",
        CANARY,
        "2026-11-15",
        "PostgreSQL",
    ):
        assert part in prompt


async def test_a_bare_statement_is_accepted() -> None:
    found = await writer(scripted("Sure:\n```sql\nSELECT 1\n```")).write(REQUEST)
    assert [c.sql for c in found] == ["SELECT 1"]


async def test_prose_is_bad_output() -> None:
    with pytest.raises(BadOutput):
        await writer(scripted("Certainly, here we go.")).write(REQUEST)


async def test_a_no_is_told_from_a_refusal() -> None:
    with pytest.raises(Unanswerable):
        await writer(scripted("这些表里没有薪资数据，无法回答这个问题。")).write(REQUEST)
    with pytest.raises(ModelRefused):
        await writer(scripted("I would rather not.")).write(REQUEST)


async def test_schema_only_shows_a_remote_model_no_cell_value() -> None:
    model = scripted("SELECT 1", "SELECT 2")
    chat = writer(model, "schema_only")
    await chat.write(REQUEST)
    first = prompt_of(model)
    await chat.repair(REQUEST, FAILED)
    for prompt in (first, prompt_of(model)):
        assert CANARY not in prompt
        assert "7741" not in prompt
        assert "public.orders" in prompt
    assert "city" in prompt_of(model)


async def test_the_question_itself_is_sent_since_the_user_wrote_it() -> None:
    model = scripted("SELECT 1")
    await writer(model, "schema_only").write(replace(REQUEST, question=f"orders in {CANARY}"))
    assert CANARY in prompt_of(model)


async def test_schema_only_keeps_values_for_a_model_on_this_machine() -> None:
    local = REMOTE.model_copy(update={"base_url": "http://127.0.0.1:1/v1"})
    model = scripted("SELECT 1")
    await writer(model, "schema_only", local).write(REQUEST)
    assert CANARY in prompt_of(model)


def test_local_only_refuses_a_remote_model() -> None:
    with pytest.raises(ModelMissing):
        writer_for(REMOTE, privacy="local_only")
    assert writer_for(REMOTE.model_copy(update={"base_url": "http://localhost:1/v1"}), privacy="local_only")


@pytest.mark.parametrize("name", prompt_names())
def test_every_prompt_declares_what_it_uses(name: str) -> None:
    prompt = load_prompt(name)
    text = prompt.fill(**{variable: f"<{variable}>" for variable in prompt.variables})
    assert all(f"<{variable}>" in text for variable in prompt.variables)
    assert all(prompt.variables.values())


def test_values_are_not_expanded_again() -> None:
    prompt = load_prompt("general_chat")
    assert "{{ about }}" in prompt.fill(about="nothing", language="en", message="{{ about }}")


def test_a_folder_overrides_a_prompt(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "route_recovery.md").write_text("---\nvariables:\n  question: it\n---\nOnly {{ question }}", "utf-8")
    assert load_prompt("route_recovery", tmp_path).fill(question="x") == "Only x"
    assert load_prompt("write_sql", tmp_path).hash == load_prompt("write_sql").hash


class TooLong(Exception):
    """What a client raises for a prompt that the model cannot read."""

    def __init__(self) -> None:
        self.status_code = 400
        self.body = {"message": "This model's maximum context length is 1500 tokens. However, you requested 9128."}


async def test_a_model_that_can_read_little_is_shown_fewer_tables_and_not_asked_twice() -> None:
    columns = tuple(Column(f"column_{number}", "text", comment="一列中文注释") for number in range(10))
    wide = replace(REQUEST, schema=SchemaView(tuple(Table((f"table_{n}",), columns) for n in range(40))), samples=())
    model = scripted(TooLong(), "SELECT 1", "SELECT 2")
    chat = writer(model, settings=REMOTE.model_copy(update={"max_tokens": 500}))
    assert [c.sql for c in await chat.write(wide)] == ["SELECT 1"]
    first, second = (str(asked[0].content) for asked in model.asked)
    assert count_tokens(second) <= 1500 - 500 < count_tokens(first)
    assert "table_0 " in second
    assert "table_39 " not in second
    await chat.write(wide)
    assert len(model.asked) == 3
    assert len(prompt_of(model)) == len(second)


@pytest.mark.parametrize("most", [2000, 5000, 20_000])
async def test_a_wide_chinese_schema_never_overruns_what_a_model_can_read(most: int) -> None:
    columns = tuple(
        Column(f"字段{number}", "text", comment="一列很长的中文注释，说明其业务含义") for number in range(12)
    )
    wide = replace(REQUEST, schema=SchemaView(tuple(Table((f"表{n}",), columns) for n in range(60))), samples=())
    model = scripted("SELECT 1")
    await writer(model, settings=REMOTE.model_copy(update={"max_tokens": 500, "context_tokens": most})).write(wide)
    prompt = prompt_of(model)
    chinese = sum("\u4e00" <= letter <= "\u9fff" for letter in prompt)
    assert chinese + (len(prompt) - chinese) / 4 <= most - 500  # a token a character, and four letters of the rest
    assert "表0 " in prompt


def test_a_chinese_character_is_about_a_token() -> None:
    assert 600 <= count_tokens("各大区本月销售额同比增长" * 75) <= 1000
    assert 15 <= count_tokens("How many customers ordered more than twice in each region last year?") <= 20


async def test_an_analysts_rules_and_a_reports_headings_reach_the_model() -> None:
    model = scripted("SELECT 1", "SELECT 1")
    told = replace(REQUEST, analyst="Count paid orders only.", surroundings="# 华东大区经营")
    await writer(model).write(told)
    assert "Count paid orders only." in prompt_of(model)
    assert "# 华东大区经营" in prompt_of(model)
    await writer(model).repair(told, FAILED)
    assert "Count paid orders only." in prompt_of(model)


def test_a_prompt_of_ones_own_that_is_broken_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "write_sql.md").write_text("Write {{ nothing }}", "utf-8")
    (tmp_path / "repair_sql.md").write_text("---\nvariables:\n  odd: it\n---\nOnly {{ odd }}", "utf-8")
    with pytest.raises(BadRequest) as caught:
        load_prompt("write_sql", tmp_path)
    assert "write_sql.md" in caught.value.public_message("zh")
    with pytest.raises(BadRequest, match="odd"):
        load_prompt("repair_sql", tmp_path).fill(question="x")
