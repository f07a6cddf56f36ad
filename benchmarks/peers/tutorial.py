"""The SQL agent of LangGraph's tutorial over the shared model."""

from __future__ import annotations

import time
import uuid
from typing import Any

from benchmarks.clock import Clock
from benchmarks.peers.worker import Asked, System
from benchmarks.tutorial_graph import build_tutorial_graph, database_tools


class Tutorial(System):
    """The graph as documented, with a saver in memory and the library's own limit of steps."""

    def __init__(self, database: str, url: str) -> None:
        from langchain_openai import ChatOpenAI
        from langgraph.checkpoint.memory import InMemorySaver

        model: Any = ChatOpenAI(model="oracle", base_url=url, api_key="none", max_retries=0)
        self.graph = build_tutorial_graph(model, database_tools(database, Clock()), InMemorySaver())

    async def ask(self, question: str) -> Asked:
        """The last statement whose result the model accepted."""
        config: Any = {"configurable": {"thread_id": str(uuid.uuid4())}, "recursion_limit": 25}
        started, first, sql, error = time.perf_counter(), 0.0, "", ""
        try:
            async for update in self.graph.astream({"messages": [{"role": "user", "content": question}]}, config):
                first = first or time.perf_counter() - started
                for changed in update.values():
                    for message in changed.get("messages", ()) if changed else ():
                        for call in getattr(message, "tool_calls", ()):
                            sql = call["args"].get("query", sql)
                        if getattr(message, "type", "") == "tool" and message.status == "error":
                            error = str(message.content)
                        elif getattr(message, "type", "") == "tool":
                            error = ""
        except Exception as failure:  # noqa: BLE001 - whatever a peer raises is its failure to answer
            error = repr(failure)
        return Asked("" if error else sql, error, first)
