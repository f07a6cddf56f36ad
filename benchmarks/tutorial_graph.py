"""The SQL agent of LangGraph's tutorial, written from its documentation: what Inquery's graph is measured against.

list tables, have the model ask for schemas, have it write a query, have it check the query, run it, have it answer:
four model calls, no guard, no limits, no cache, no chart. Its tools do what the tutorial's toolkit does.
"""

from __future__ import annotations

from typing import Any, Literal

from benchmarks.clock import Clock, TimedModel
from langchain_core.messages import AIMessage, SystemMessage
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from sqlalchemy import MetaData, create_engine, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

SAMPLE_ROWS = 3
WRITE = (
    "You are an agent designed to interact with a SQL database. Given an input question, create a syntactically correct "
    "sqlite query to run, then look at the results of the query and return the answer. Limit your query to at most 5 "
    "results unless the user says otherwise. Query only the relevant columns. Do not make any DML statements."
)
CHECK = (
    "You are a SQL expert with a strong attention to detail. Double check the sqlite query for common mistakes: NOT IN "
    "with NULL values, UNION instead of UNION ALL, BETWEEN for exclusive ranges, data type mismatches, quoting, the "
    "number of arguments, casts, and the columns of joins. Rewrite the query if there are any, else reproduce it."
)


def database_tools(path: str, clock: Clock) -> dict[str, BaseTool]:
    """List tables, describe some with three rows each, run a query; the schema is reflected once, as there."""
    engine = create_engine(f"sqlite:///{path}")
    known = MetaData()
    known.reflect(engine)

    def rows(statement: Any) -> list[Any]:
        with clock.away(), engine.begin() as connection:  # the toolkit commits what it runs
            found = connection.execute(statement)
            return list(found) if found.returns_rows else []

    @tool
    def sql_db_list_tables(tool_input: str = "") -> str:
        """Output is a comma-separated list of tables in the database."""
        return ", ".join(sorted(known.tables))

    @tool
    def sql_db_schema(table_names: str) -> str:
        """The schema and sample rows of a comma-separated list of tables."""
        by_name = {name.casefold(): table for name, table in known.tables.items()}
        try:
            return "\n\n".join(_described(by_name[name.strip().casefold()], rows) for name in table_names.split(","))
        except ValueError as error:  # a date that SQLAlchemy cannot read; the toolkit's tool returns it too
            return f"Error: {error}"

    @tool
    def sql_db_query(query: str) -> str:
        """Input is a correct SQL query, output is a result from the database, or an error message."""
        try:
            found = [tuple(row) for row in rows(text(query))]
            return str(found) if found else ""
        except SQLAlchemyError as error:  # the toolkit's tool returns the error too
            return f"Error: {error}"

    return {made.name: made for made in (sql_db_list_tables, sql_db_schema, sql_db_query)}


def _described(table: Any, rows: Any) -> str:
    found = rows(select(table).limit(SAMPLE_ROWS))
    lines = ["\t".join(str(cell)[:100] for cell in row) for row in found]
    head = "\t".join(column.name for column in table.columns)
    return (
        f"{CreateTable(table)}\n/*\n{SAMPLE_ROWS} rows from {table.name} table:\n{head}\n" + "\n".join(lines) + "\n*/"
    )


def build_tutorial_graph(
    model: TimedModel, tools: dict[str, BaseTool], saver: BaseCheckpointSaver[Any] | None
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The tutorial's graph over some tools."""
    listing, schema, query = tools["sql_db_list_tables"], tools["sql_db_schema"], tools["sql_db_query"]

    async def list_tables(state: MessagesState) -> dict[str, Any]:
        call = {"name": listing.name, "args": {}, "id": "list", "type": "tool_call"}
        listed = await listing.ainvoke(call)
        return {
            "messages": [AIMessage("", tool_calls=[call]), listed, AIMessage(f"Available tables: {listed.content}")]
        }

    async def call_get_schema(state: MessagesState) -> dict[str, Any]:
        bound = model.bind_tools([schema], tool_choice="any")
        return {"messages": [await bound.ainvoke(state["messages"])]}

    async def generate_query(state: MessagesState) -> dict[str, Any]:
        bound = model.bind_tools([query])
        return {"messages": [await bound.ainvoke([SystemMessage(WRITE), *state["messages"]])]}

    async def check_query(state: MessagesState) -> dict[str, Any]:
        last = state["messages"][-1]
        assert isinstance(last, AIMessage)
        bound = model.bind_tools([query], tool_choice="any")
        checked = await bound.ainvoke(
            [SystemMessage(CHECK), {"role": "user", "content": last.tool_calls[0]["args"]["query"]}]
        )
        checked.id = last.id
        return {"messages": [checked]}

    def should_continue(state: MessagesState) -> Literal["check_query", "__end__"]:
        last = state["messages"][-1]
        return "check_query" if isinstance(last, AIMessage) and last.tool_calls else "__end__"

    graph = StateGraph(MessagesState)
    for node in (list_tables, call_get_schema, generate_query, check_query):
        graph.add_node(node.__name__, node)
    graph.add_node("get_schema", ToolNode([schema], name="get_schema"))
    graph.add_node("run_query", ToolNode([query], name="run_query"))
    graph.add_edge(START, "list_tables")
    graph.add_edge("list_tables", "call_get_schema")
    graph.add_edge("call_get_schema", "get_schema")
    graph.add_edge("get_schema", "generate_query")
    graph.add_conditional_edges("generate_query", should_continue)
    graph.add_edge("check_query", "run_query")
    graph.add_edge("run_query", "generate_query")
    return graph.compile(checkpointer=saver)
