"""Vanna 2, set up as its documentation does for SQLite and an OpenAI model; runs in an environment of its own."""

from __future__ import annotations

import tempfile
import time
from typing import Any

from benchmarks.peers.worker import Asked, System


class Vanna(System):
    """An agent with the SQL tool and memory in the process."""

    def __init__(self, database: str, url: str) -> None:
        from vanna import Agent
        from vanna.core.registry import ToolRegistry
        from vanna.core.user import RequestContext, User, UserResolver
        from vanna.integrations.local import LocalFileSystem
        from vanna.integrations.local.agent_memory import DemoAgentMemory
        from vanna.integrations.openai import OpenAILlmService
        from vanna.integrations.sqlite import SqliteRunner
        from vanna.tools import RunSqlTool

        class Everyone(UserResolver):
            async def resolve_user(self, request_context: RequestContext) -> User:
                return User(id="user", group_memberships=["user"])

        self.ran: list[tuple[str, str]] = []
        ran = self.ran

        class Runner(SqliteRunner):
            async def run_sql(self, args: Any, context: Any) -> Any:
                try:
                    made = await super().run_sql(args, context)
                except Exception as error:
                    ran.append((args.sql, repr(error)))
                    raise
                ran.append((args.sql, ""))
                return made

        self.folder = tempfile.TemporaryDirectory(prefix="vanna-")
        tools = ToolRegistry()
        files = LocalFileSystem(self.folder.name)
        tools.register_local_tool(RunSqlTool(sql_runner=Runner(database), file_system=files), access_groups=["user"])
        self.agent = Agent(
            llm_service=OpenAILlmService(model="oracle", base_url=url, api_key="none"),
            tool_registry=tools,
            user_resolver=Everyone(),
            agent_memory=DemoAgentMemory(),
        )
        self.context = RequestContext()

    async def ask(self, question: str) -> Asked:
        """The last statement that ran after the schema was read."""
        self.ran.clear()
        started, first, error = time.perf_counter(), 0.0, ""
        try:
            async for _ in self.agent.send_message(request_context=self.context, message=question):
                first = first or time.perf_counter() - started
        except Exception as failure:  # noqa: BLE001 - whatever a peer raises is its failure to answer
            error = repr(failure)
        wrote = [(sql, problem) for sql, problem in self.ran if "sqlite_master" not in sql]
        if not error and wrote and not wrote[-1][1]:
            return Asked(wrote[-1][0], "", first)
        return Asked("", error or (wrote[-1][1] if wrote else "no statement"), first)

    def close(self) -> None:
        """Give the folder back."""
        self.folder.cleanup()
