"""Answers questions about the data's shape from the catalogue; no SQL is written or run."""

from __future__ import annotations

from langgraph.runtime import Runtime

from inquery.agents.bilingual import say
from inquery.agents.context import Context
from inquery.agents.outcomes.turns import close_turn
from inquery.agents.questions.connection_glossary import short_names, uses_word
from inquery.agents.state import State, Update
from inquery.aside import run_aside
from inquery.catalog.search import Ranking
from inquery.catalog.time_columns import time_columns
from inquery.sql import Catalog, Table

MOST_TABLES, MOST_COLUMNS = 40, 60


async def describe_data(state: State, runtime: Runtime[Context]) -> Update:
    """The tables, a table's columns, or the dates there are."""
    context, language = runtime.context, state["language"]
    catalog = context.here.seen(context.rules)
    what = state["query_analysis"].get("what", "")
    meant = mentioned(state["question"], context, catalog)
    if what == "dates":
        text = dates(meant or list(catalog.tables), language)
    elif what == "columns" and meant:
        text = "\n".join(columns(table, language) for table in meant[:3])
    elif what == "columns" and (ranked := (await _ranked(state["question"], context)).tables):
        best = ranked[0][0]
        text = columns(next(table for table in catalog.tables if table.full_name == best), language)
    else:
        text = tables(catalog, context, language)
    named = [table.full_name for table in (meant or catalog.tables)]
    return close_turn(
        state, outcome="chat", text=text, provenance={"tables": named[:MOST_TABLES], "source": "catalogue"}
    )


async def _ranked(question: str, context: Context) -> Ranking:
    return await run_aside(context.is_long(question), context.here.ranking, question, context.rules)


def mentioned(question: str, context: Context, catalog: Catalog) -> list[Table]:
    """The tables a question names, in either language."""
    chinese = short_names(context.here.glossary, "zh")
    found = []
    for table in catalog.tables:
        names = {table.name, table.name.replace("_", " "), table.name.rstrip("s"), chinese.get(table.full_name, "")}
        if any(name and uses_word(name, question) for name in names):
            found.append(table)
    longest = max((len(table.name) for table in found), default=0)
    return [
        table
        for table in found
        if len(table.name) == longest or not any(table.name in o.name for o in found if o is not table)
    ]


def _rows(table: Table, language: str) -> str:
    """How many rows there are; an estimate says so."""
    if not table.estimated_rows:
        return say(language, ", empty", "，无数据") if table.is_empty else ""
    en, zh = ("", "") if table.counted else ("about ", "约 ")
    return say(language, f", {en}{table.estimated_rows:,} rows", f"，{zh}{table.estimated_rows:,} 行")


def tables(catalog: Catalog, context: Context, language: str) -> str:
    """All tables with what they hold."""
    lines = [
        f"- {table.full_name}{_about(table, language)}{_rows(table, language)}"
        for table in catalog.tables[:MOST_TABLES]
    ]
    count, more = len(catalog.tables), len(catalog.tables) - len(lines)
    head = say(language, f"There are {count} tables:", f"共有 {count} 张表：")
    tail = [say(language, f"… and {more} more", f"……另有 {more} 张表")] if more > 0 else []
    return "\n".join([head, *lines, *tail])


def columns(table: Table, language: str) -> str:
    """One table's columns with types and comments."""
    lines = [f"- {c.name} ({c.type or '?'}){_comment(c.comment, language)}" for c in table.columns[:MOST_COLUMNS]]
    head = say(
        language,
        f"{table.full_name} has {len(table.columns)} columns:",
        f"{table.full_name} 有 {len(table.columns)} 列：",
    )
    return "\n".join([head, *lines])


def dates(found: list[Table], language: str) -> str:
    """The time columns, with the values known of each."""
    lines = []
    for table in found[:MOST_TABLES]:
        for each in time_columns(table)[:2]:
            column = table.column(each.name)
            samples = sorted(column.samples) if column else []
            known = f": {samples[0][:10]} … {samples[-1][:10]}" if len(samples) > 1 else ""
            lines.append(f"- {table.full_name}.{each.name}{known}")
    if not lines:
        return say(language, "No table has a date or time column.", "没有表包含日期或时间列。")
    head = say(
        language,
        "These columns say when; the values are examples, not the whole range:",
        "以下列记录时间（所列值为示例，并非完整范围）：",
    )
    return "\n".join([head, *lines])


def _about(table: Table, language: str) -> str:
    return _comment(table.comment, language)


def _comment(comment: str, language: str) -> str:
    """A comment, the half in the user's language where it is written in both."""
    halves = comment.split(" / ")
    text = halves[0] if language == "zh" or len(halves) == 1 else halves[1]
    return say(language, f": {text}", f"：{text}") if text else ""
