"""Budgets: what of a schema, a result and a history is shown to a model."""

from langchain_core.messages import HumanMessage

from inquery.agents.curator import compressed, summarised, too_long
from inquery.llm.context_fit import fitted
from inquery.llm.schema_text import schema_block
from inquery.llm.token_count import count_tokens as tokens
from inquery.llm.writer import SchemaView
from inquery.sql import Column, Table


def wide(name: str, count: int) -> Table:
    return Table((name,), tuple(Column(f"c{number}", "TEXT") for number in range(count)))


def test_a_schema_keeps_whole_tables_within_its_budget():
    view = SchemaView(tuple(wide(f"t{number}", 20) for number in range(50)))
    small = fitted(view, 2000)
    assert tokens(schema_block(small)) <= 2000
    assert small.tables[0] == view.tables[0]
    assert all(len(table.columns) == 20 for table in small.tables)


def test_only_very_wide_tables_lose_columns_and_keep_the_relevant_ones():
    view = SchemaView((wide("t", 300),), relevance=(("t", "c299"),))
    kept = fitted(view, 100_000).tables[0]
    assert len(kept.columns) == 100
    assert kept.column("c299")
    assert len(fitted(SchemaView((wide("t", 100),)), 100_000).tables[0].columns) == 100


def test_long_results_are_sampled_with_statistics():
    rows = [[number, f"n{number}"] for number in range(1000)]
    small = compressed(["v", "name"], rows)
    assert (len(small["rows"]), small["row_count"], small["statistics"]["v"]["max"]) == (10, 1000, 999.0)
    assert compressed(["v"], rows[:50])["rows"] == rows[:50]


def test_histories_are_bounded_by_messages_and_tokens():
    messages = [HumanMessage(f"question {number}") for number in range(30)]
    assert too_long(messages, 20, 8000)
    assert not too_long(messages[:5], 20, 8000)
    assert too_long([HumanMessage("x" * 50_000)], 20, 8000)
    assert "question 3" in summarised("", messages[:10], 2000)
    assert tokens(summarised("x" * 100_000, messages, 200)) <= 210
