"""Inquery as its Python door opens it, with a chat model."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.peers.worker import Asked, System


class Ours(System):
    """Every node, store and cache as shipped; caches cannot help, since no question comes twice."""

    def __init__(self, database: str, url: str) -> None:
        from inquery.client import Inquery
        from inquery.settings import Settings

        self.home = tempfile.TemporaryDirectory(prefix="inquery-peers-", ignore_cleanup_errors=True)
        # An address of its own for each database: clients of one address are shared in a process, and with them the
        # event loop of the Inquery that was closed before.
        own = f"{url}/{Path(database).stem}"
        llm = {
            "provider": "openai", "model": "oracle", "base_url": own, "api_key": "none",
            "requests_per_minute": 1_000_000, "breaker_failures": 1_000_000,
        }  # fmt: skip
        settings = Settings(home=Path(self.home.name), llm=llm, limits={"rows": 1_000_000})
        self.inquery = Inquery.connect(f"sqlite:///{database}", settings=settings)

    async def ask(self, question: str) -> Asked:
        """The statement of the answer."""
        started, first, answer = time.perf_counter(), 0.0, None
        async for event in self.inquery.astream(question, can_ask=False):
            first = first or time.perf_counter() - started
            if event.type == "done":
                answer = event.answer
        nodes: dict[str, float] = {}
        for step in answer.steps if answer else ():
            nodes[step.name] = nodes.get(step.name, 0.0) + step.ms
        if answer is None or answer.status != "answered":
            failed = "" if answer is None or answer.error is None else str(answer.error)
            return Asked("", failed or "no answer", first, nodes)
        return Asked(answer.sql or "", "", first, nodes)

    def close(self) -> None:
        """Give everything back."""
        self.inquery.close()
        self.home.cleanup()
