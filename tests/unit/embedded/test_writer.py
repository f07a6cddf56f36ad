"""The embedded writer over a tiny model with random weights: whatever it writes is in the schema and passes the guard."""

import datetime
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from inquery.catalog.value_index import ValueIndex
from inquery.form.form_grammar import FormGrammar
from inquery.llm.embedded.decode import Written
from inquery.llm.embedded.form_writer import EmbeddedWriter, is_sure
from inquery.llm.embedded.runtime import Model, PromptState
from inquery.llm.embedded.tokens import Tokens
from inquery.llm.writer import Example, SchemaView, WriteRequest
from inquery.sql import Catalog, Column, ForeignKey, Table, check


def table(name: str, columns: Sequence[str], **keys: str) -> Table:
    made = tuple(Column(column, "INTEGER" if column.endswith("id") else "TEXT") for column in columns)
    return Table((name,), made, foreign_keys=tuple(ForeignKey((c,), (t,), (c,)) for c, t in keys.items()))


SHOP = (
    table("customers", ["customer_id", "name", "city"]),
    table("orders", ["order_id", "customer_id", "status"], customer_id="customers"),
    table("products", ["product_id", "title"]),
    table("order_items", ["order_id", "product_id"], order_id="orders", product_id="products"),
)
QUESTION = "How many customers live in Berlin?"
ASKED = [QUESTION, "Products?", "Orders by status", "Names of customers", "订单数", "客户最多的城市"]


def request(**changes: object) -> WriteRequest:
    values = tuple(ValueIndex.of({("customers", "city"): ["Berlin", "Paris"]}).match(QUESTION))
    given: dict[str, object] = {
        "question": QUESTION, "language": "en", "dialect": "sqlite", "schema": SchemaView(SHOP), "values": values,
        "today": datetime.date(2026, 11, 15), "n": 4,
    }  # fmt: skip
    return WriteRequest(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture
def writer(model: Model, tokens: Tokens) -> EmbeddedWriter:
    return EmbeddedWriter("tiny", model, tokens)


async def test_every_candidate_uses_only_names_of_the_schema(writer: EmbeddedWriter) -> None:
    catalog = Catalog.of({t.name: [c.name for c in t.columns] for t in SHOP}, dialect="sqlite")
    written = [await writer.write(request(question=question)) for question in ASKED]
    assert any(written)
    for found in written:
        assert len({candidate.sql for candidate in found}) == len(found)
        for candidate in found:
            check(candidate.sql, dialect="sqlite", catalog=catalog)


async def test_a_sheet_with_any_headings_is_written_by_its_real_names(writer: EmbeddedWriter) -> None:
    sheets = (
        table(
            "2024 sales",
            ["2024", "% of total", "a.b", "⭐", "", "order", "Which team are you in?", "销售额(万元)", "store id"],
        ),
        table("show", ["store id", "Größe", "from", "1月"]),
    )
    catalog = Catalog("sqlite", sheets)
    written = [
        await writer.write(request(question=question, schema=SchemaView(sheets), values=()))
        for question in ["Show all of 2024", "How many shows?", "Total by team", "每月销售额", "平均值"]
    ]
    assert any(written)
    for candidate in (candidate for found in written for candidate in found):
        check(candidate.sql, dialect="sqlite", catalog=catalog)


async def test_a_sample_that_asks_the_same_is_taken_as_it_is(writer: EmbeddedWriter) -> None:
    near = Example("How many customers live in Paris?", "SELECT 1", 0.99)
    same = Example(
        "Number of customers living in Berlin?", "SELECT COUNT(*) FROM customers WHERE city = 'Berlin'", 0.97, same=True
    )
    assert [c.sql for c in await writer.write(request(samples=(near, same)))] == [same.sql]
    assert "SELECT 1" not in {c.sql for c in await writer.write(request(samples=(near,)))}


async def test_a_template_of_the_cache_is_taken_as_it_is(writer: EmbeddedWriter) -> None:
    found = await writer.write(request(template="SELECT COUNT(*) FROM customers"))
    assert [c.why for c in found] == ["template"]


def test_what_is_chosen_of_a_large_schema_is_chosen_for_each_question(writer: EmbeddedWriter) -> None:
    names = ("harbours", "lighthouses", "ferries")
    wide = tuple(table(name, [f"{name}_fact_{n}" for n in range(200)]) for name in names)
    shown = [
        {
            column.name
            for each in writer.view(request(question=question, schema=SchemaView(wide))).tables
            for column in each.columns
        }
        for question in ("What is ferries fact 150?", "What is lighthouses fact 150?")
    ]
    assert [{name for name in names if f"{name}_fact_150" in found} for found in shown] == [
        {"ferries"},
        {"lighthouses"},
    ]


def test_a_text_far_ahead_of_the_others_is_sure() -> None:
    assert is_sure([Written(("a",), -3.0, 1.0)])
    assert is_sure([Written(("a",), -3.0, 1.0), Written(("b",), -8.0, 1.0)])
    assert not is_sure([Written(("a",), -3.0, 1.0), Written(("b",), -4.0, 1.0)])


def test_close_texts_are_weighed_by_two_readings_and_the_second_adds_its_own(writer: EmbeddedWriter) -> None:
    view = writer.view(request(schema=SchemaView(SHOP)))
    prompt = writer._tokens.encode("? What is the total of each order?\n=")
    grammar = FormGrammar(view.shown, view.names, edition=writer._edition)
    close = [Written(("from", name, "show", "count"), -5.0, 1.0) for name in ("customers", "orders", "products")]
    with writer._model.prefill([*view.tokens, *prompt], keep=len(view.tokens)) as state:
        weighed = writer._read_again(view, prompt, state, grammar, close)
    words = [text.words for text in weighed]
    assert len(set(words)) == len(words) > len(close)
    assert {text.words for text in close} < set(words)
    assert [text.logprob for text in weighed] == sorted((text.logprob for text in weighed), reverse=True)
    found = [text for text in weighed if text.words not in {each.words for each in close}]
    assert all(text.again is not None and text.again != text.logprob for text in found)


@pytest.mark.parametrize("question", ["How many orders?", "How many orders of 客户 Ann?", "有多少订单"])
async def test_a_chinese_schema_keeps_its_names_whatever_language_is_asked_and_answered_in(
    writer: EmbeddedWriter, question: str
) -> None:
    shop = (table("客户", ["客户_id", "姓名"]), table("订单", ["订单_id", "客户_id", "状态"], 客户_id="客户"))
    catalog = Catalog.of({t.name: [c.name for c in t.columns] for t in shop}, dialect="sqlite")
    for language in ("en", "zh"):
        found = await writer.write(request(question=question, schema=SchemaView(shop), values=(), language=language))
        assert found
        for candidate in found:
            check(candidate.sql, dialect="sqlite", catalog=catalog)
            tables = candidate.why.split(" show ")[0]
            unknown = ("order", "customer") if question == "有多少订单" else ("订单", "客户")
            assert not any(name in tables for name in unknown)


@pytest.mark.parametrize("found_likely", [0.9, 0.01])
async def test_weights_of_round_e_say_how_likely_it_is_that_there_is_no_answer(
    model: Model, tokens: Tokens, monkeypatch: pytest.MonkeyPatch, found_likely: float
) -> None:
    word = tokens.word("none")[0]
    plain = Model.prefill

    @contextmanager
    def prefill(self: Model, *args: Any, **options: Any) -> Iterator[PromptState]:
        with plain(self, *args, **options) as state:
            others = np.delete(state.logits, word)
            most = others.max()
            log_sum = most + np.log(np.exp(others - most).sum())
            state.logits[word] = log_sum + np.log(found_likely / (1 - found_likely))
            yield state

    monkeypatch.setattr(Model, "prefill", prefill)
    writer = EmbeddedWriter("tiny", model, tokens, edition="E")
    found = [made for question in ASKED for made in await writer.write(request(question=question))]
    assert {round(math.exp(made.signs.nothing), 3) for made in found if made.signs} == {found_likely}
    # Weights that name no edition are of round D, whose grammar has no such word.
    await EmbeddedWriter("tiny", model, tokens).write(request())
