"""Spans of a question find listed values that mean the same, by the packaged encoder."""

from inquery.catalog.value_index import ValueIndex
from inquery.knowledge.value_search import NEAR, SCORE, near_values, spans_of
from inquery.llm.embedded.encoder import QuestionEncoder
from inquery.sql import Catalog, Column, Table
from inquery.sql.catalog import Meaning

VALUES = {
    ("visits", "kind"): ["emergency", "wellness", "inpatient"],
    ("staff", "degree"): ["博士", "硕士", "本科"],
    ("deals", "stage"): ["closed won", "closed lost", "open"],
    ("claims", "state"): ["已拒赔", "已赔付", "待审核"],
    ("people", "name"): [f"Person {n}" for n in range(60)],
}


CATALOG = Catalog(
    "sqlite",
    tuple(
        Table(
            (table,), (Column("id", "INTEGER"), Column(column, "TEXT", samples=tuple(values[:8]))), estimated_rows=500
        )
        for (table, column), values in VALUES.items()
    ),
)


async def found(question: str, index: ValueIndex) -> list[tuple[str, str, str]]:
    known = index.match(question)
    return [
        (m.phrase, m.column, m.value) for m in await near_values(question, CATALOG, index, QuestionEncoder(), known)
    ]


async def test_words_that_mean_a_listed_value_find_it_in_both_languages() -> None:
    index = ValueIndex.of(VALUES)
    assert [value for *_, value in await found("Show the rejected claims", index)] == ["已拒赔"]
    assert [value for *_, value in await found("赢单的商机有几个", index)] == ["closed won"]
    assert await found("How many people are there?", index) == []
    assert (
        await found("Who are the claims handlers, and their share?", index) == []
    )  # a table's name, and what is asked
    assert await found("一共有多少人", index) == []


async def test_what_letters_found_already_is_left_alone() -> None:
    index = ValueIndex.of(VALUES)
    assert [m.value for m in index.match("emergency visits")] == ["emergency"]
    assert all(value != "emergency" for _, _, value in await found("emergency visits", index))


async def test_the_meanings_of_codes_are_among_the_listed_and_a_find_is_never_sure() -> None:
    column = Column("state", "INTEGER", samples=("1", "2"), meanings=(Meaning("1", ("离职",)), Meaning("2", ("在职",))))
    catalog = Catalog("sqlite", (Table(("t",), (column,)),))
    index = ValueIndex().with_meanings(catalog)
    (match,) = await near_values("who quitted, I mean resigned people", catalog, index, QuestionEncoder(), [])
    assert (match.column, match.value, match.score) == ("state", "1", SCORE)
    assert SCORE < NEAR < 0.9


async def test_an_encoder_on_a_server_is_sent_nothing() -> None:
    class Remote(QuestionEncoder):
        quick = False

    assert await near_values("How many hold a doctorate?", CATALOG, ValueIndex.of(VALUES), Remote(), []) == []


def test_spans_are_runs_of_words_that_say_something() -> None:
    texts = [span.text for span in spans_of("How many rejected claims were there in 2024?")]
    assert "rejected claims" in texts
    assert not {"how", "many", "2024"} & set(texts)
    spans = spans_of("急诊病人有多少")
    assert all("急诊病人有多少"[span.start : span.end] == span.text for span in spans)
    assert "急诊" in [span.text for span in spans]


def test_what_asks_for_one_row_each_is_no_value() -> None:
    assert "每月" not in {span.text for span in spans_of("每月有多少会员到店")}
