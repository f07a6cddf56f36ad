"""One run at a time on a thread: a lease in the store, renewed while the run lasts."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial

from inquery.errors import ThreadBusy
from inquery.store.thread_rows import Threads

LEASE_S = 60.0
Take = Callable[[str, float], bool]


@asynccontextmanager
async def hold_thread(
    threads: Threads, thread_id: str, *, lease_s: float = LEASE_S, take: Take | None = None
) -> AsyncIterator[str]:
    """Hold a thread for one run; raises ThreadBusy while another run does.

    `take` may take it in another way, such as making it first. A process that dies leaves its lease, which ends by
    itself after `lease_s` seconds.
    """
    holder = secrets.token_hex(16)
    way = take or partial(threads.take, thread_id)
    taken = await asyncio.to_thread(way, holder, lease_s)
    if not taken:
        raise ThreadBusy(thread_id)
    renewing = asyncio.create_task(_renew(threads, thread_id, holder, lease_s))
    try:
        yield holder
    finally:
        renewing.cancel()
        with suppress(asyncio.CancelledError):
            await renewing
        await asyncio.shield(asyncio.to_thread(threads.release, thread_id, holder))


async def _renew(threads: Threads, thread_id: str, holder: str, lease_s: float) -> None:
    while True:
        await asyncio.sleep(lease_s / 3)
        await asyncio.to_thread(threads.take, thread_id, holder, lease_s)
