"""Work for a caller who may go away: it stops with them."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from inquery.errors import QueryCancelled

T = TypeVar("T")
GONE_S = 0.25


async def while_there(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, unless the caller goes away first; then it is cancelled."""
    task = asyncio.create_task(work)
    try:
        while True:
            done, _ = await asyncio.wait({task}, timeout=GONE_S)
            if done:
                return task.result()
            if await request.is_disconnected():
                raise QueryCancelled()
    finally:
        task.cancel()
