"""The resource pool, its light memory, gating, and the curator's budgets."""

from langchain_core.messages import HumanMessage

from inquery.agents.curator import compressed, summarised, too_long
from inquery.agents.resource_pool import ResourcePool
from inquery.llm.context_fit import fitted
from inquery.llm.schema_text import schema_block
from inquery.llm.token_count import count_tokens as tokens
from inquery.llm.writer import SchemaView
from inquery.sql import Column, Table


def test_details_are_merged_and_never_overwritten():
    pool = ResourcePool()
    pool.merge("column_details", {"orders": {"id": "int"}})
    pool.merge("column_details", {"orders": {"amount": "real"}, "stores": {"id": "int"}})
    assert pool.get("column_details") == {"orders": {"id": "int", "amount": "real"}, "stores": {"id": "int"}}


def test_what_is_handed_out_is_a_copy():
    pool = ResourcePool()
    pool.merge("column_details", {"orders": {}})
    pool.get("column_details")["orders"]["x"] = 1
    assert pool.get("column_details") == {"orders": {}}


def test_a_step_says_what_it_still_needs():
    pool = ResourcePool()
    assert pool.missing("sql_generation") == ("question", "column_details")
    pool.merge("question", "q")
    pool.merge("column_details", {"orders": {}})
    assert pool.missing("sql_generation") == ()
    assert pool.missing("sql_refinement") == ("current_sql", "last_error")


def test_the_light_memory_does_not_grow_with_repairs():
    pool = ResourcePool()
    pool.merge("question", "q")
    pool.merge("column_details", {"orders": {"id": "int"}})
    sizes = []
    for number in range(6):
        pool.merge("current_sql", f"SELECT {number} FROM orders")
        pool.merge("last_error", {"class": "unknown_column", "message": f"no column {number}"})
        pool.append("validation_history", {"ok": False})
        sizes.append(len(str(pool.memory())))
    assert max(sizes) == min(sizes)
    assert len(pool.get("sql_history")) == 5
    memory = pool.memory()
    assert (memory.has_sql, memory.schema_available, memory.fix_attempts, memory.tables) == (True, True, 5, ("orders",))


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
