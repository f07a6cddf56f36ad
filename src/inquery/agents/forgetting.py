"""A user goes, and all that is only theirs goes along: conversations, results, memories, samples, reports, cached answers."""

from __future__ import annotations

import asyncio
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from inquery.agents.context import Services
from inquery.errors import NotFound
from inquery.memory.thread_history import delete_thread
from inquery.store import Connections, Store
from inquery.store.connections import RESERVED
from inquery.store.leavings import find_leavings, forget_rows


async def forget_user(services: Services, saver: BaseCheckpointSaver[Any], user: str, *, tenant: str = "local") -> None:
    """Forget a user who has no way in any more; done again, it goes on where it was cut short."""
    assert services.threads is not None
    store = services.threads.store
    left = await asyncio.to_thread(find_leavings, store, user)
    for thread_id in left.threads:
        await delete_thread(saver, services.threads, thread_id, user)
    for sample_id in left.samples if services.samples is not None else ():
        try:
            await services.samples.remove(sample_id)  # type: ignore[union-attr]
        except NotFound:  # an administrator was quicker
            continue
    await services.memory.forget_user(user, tenant=tenant)
    places = left.connections | {RESERVED} | await asyncio.to_thread(_registered, store)
    if services.semantic is not None:
        await services.semantic.forget_user(user, tenant=tenant, connections=places)
    if services.exact is not None:
        # Its entries are no user's: whoever has equal rights shares them. So all of what the user asked go.
        for connection_id in left.connections:
            await services.exact.evict_connection(tenant, connection_id)
    await asyncio.to_thread(forget_rows, store, user)


def _registered(store: Store) -> set[str]:
    return {connection.id for connection in Connections(store).list()}
