"""What the routes share: made when the server starts, closed when it stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request

from inquery.agents.context import Services
from inquery.agents.run import Runner
from inquery.api.error_answers import preferred_language
from inquery.api.gate import Gate
from inquery.api.looking import FirstLooks
from inquery.api.metrics import Metrics
from inquery.api.request_limits import RequestLimits
from inquery.api.runs import Runs
from inquery.settings import Settings
from inquery.store import Store
from inquery.store.audit import Audit
from inquery.store.thread_rows import Threads


@dataclass(frozen=True, slots=True)
class Shared:
    """The runner with its stores, and the runs of this worker."""

    settings: Settings
    runner: Runner
    runs: Runs
    gate: Gate
    metrics: Metrics
    limits: RequestLimits
    audit: Audit
    files: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Which files Inquery's own databases were when the server began."""
    looks: FirstLooks = field(default_factory=FirstLooks)

    @property
    def services(self) -> Services:
        """What runs share."""
        return self.runner.services

    @property
    def threads(self) -> Threads:
        """Conversations."""
        return self.runs.threads

    @property
    def store(self) -> Store:
        """Inquery's own metadata."""
        return self.threads.store

    @property
    def saver(self) -> Any:
        """Where checkpoints are."""
        return self.runner.graph.checkpointer


async def _shared(request: Request) -> Shared:
    found: Shared = request.app.state.shared
    return found


async def _language(request: Request) -> str:
    return preferred_language(request.headers.get("accept-language"))


Here = Annotated[Shared, Depends(_shared)]
Language = Annotated[str, Depends(_language)]
