"""Writes down what was done: every request that changes something, every sign-in, every run, every export."""

from __future__ import annotations

import asyncio
import datetime
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from inquery.agents.events import DoneEvent, ErrorEvent, Event
from inquery.api.error_answers import LOG
from inquery.api.identity import SAFE_METHODS, User
from inquery.store.audit import Audit, Deed

PRUNE_S = 3600.0
NOT_HERE = frozenset({"query", "sql"})
"""Tags whose routes write down for themselves what ran, with its statement."""
READS = frozenset({"results.export", "audit.export", "auth.callback"})
PREVIEWS = frozenset({"reports.sketch"})
"""Sent at every pause of the typing, and they keep and ask nothing: no deeds."""


async def prune_audit(audit: Audit, days: float) -> None:
    """Remove entries that are older than so many days; 0 keeps them all."""
    if not days:
        return
    before = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=days)
    try:
        gone = await asyncio.to_thread(audit.prune, before)
    except SQLAlchemyError as error:
        LOG.error("the audit log was not pruned", exc_info=error)
        return
    if gone:
        LOG.warning("%d entries of the audit log were older than %s days and are gone", gone, days)


@asynccontextmanager
async def pruning(audit: Audit, days: float) -> AsyncIterator[None]:
    """Prune at the start and from time to time, for the life of a server."""

    async def forever() -> None:
        while True:
            await prune_audit(audit, days)
            await asyncio.sleep(PRUNE_S)

    task = asyncio.create_task(forever(), name="audit")
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


def deed(request: Request, **details: Any) -> None:
    """Add to what is written down of a request: target, connection_id, sql, rows."""
    request.state.deed = {**getattr(request.state, "deed", {}), **details}


class Trail:
    """Around the routes: writes an entry when a request is over, without letting the caller wait for it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 500

        async def heard(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        scope.setdefault("state", {})
        try:
            await self.app(scope, receive, heard)
        finally:
            entry = entry_of(scope, status, (time.perf_counter() - started) * 1000)
            shared = getattr(scope["app"].state, "shared", None) if entry and "app" in scope else None
            if entry is not None and shared is not None:
                await write_audit(shared.audit, entry)


def is_deed(action: str, method: str) -> bool:
    """Whether a request of this action is written down here."""
    if action.partition(".")[0] in NOT_HERE or action in PREVIEWS:
        return False
    return method not in SAFE_METHODS or action in READS


def entry_of(scope: Scope, status: int, ms: float) -> Deed | None:
    """What is written down of a request; nothing of strangers, whose knocking would fill the log."""
    state, route = scope["state"], scope.get("route")
    tag = (getattr(route, "tags", None) or [""])[0]
    action = f"{tag}.{getattr(route, 'name', '')}"
    user: User | None = state.get("user")
    details = dict(state.get("deed") or {})
    if not tag or not is_deed(action, scope["method"]):
        return None
    if user is None and not details:
        return None
    named = dict(scope.get("path_params") or {})
    details.setdefault("connection_id", str(named.pop("connection_id", "")))
    details.setdefault("target", " ".join(str(value) for value in named.values()))
    outcome = str(state.get("outcome") or ("ok" if status < 400 else status))
    who = {"user_id": user.id, "user_name": user.name, "address": user.address} if user else {}
    return Deed(action, outcome=outcome, ms=round(ms, 1), **{**who, **details})


def entry_of_run(user: User, connection_id: str, thread_id: str, events: list[Event]) -> Deed:
    """What is written down of a run that has ended."""
    last = events[-1] if events else None
    fields: dict[str, Any] = {"outcome": last.code if isinstance(last, ErrorEvent) else "cancelled"}
    if isinstance(last, DoneEvent):
        answer = last.answer
        fields = {"outcome": answer.status, "sql": answer.sql, "rows": answer.row_count, "ms": answer.usage.ms}
        if answer.error and answer.status in {"failed", "refused"}:
            fields["outcome"] = answer.error["code"]
    return Deed("query.ask", user.id, user.name, user.address, target=thread_id, connection_id=connection_id, **fields)


async def write_audit(audit: Audit, entry: Deed) -> None:
    """Write an entry; a store that is down is logged, since the deed was done."""
    try:
        await asyncio.to_thread(audit.append, [entry])
    except SQLAlchemyError as error:
        LOG.error("audit %s of %s was not written", entry.action, entry.user_id, exc_info=error)
