"""The history of a thread: what was said, every state it passed through, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from inquery.errors import NotFound, Text
from inquery.store.thread_rows import Threads

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
    from langgraph.graph.state import CompiledStateGraph

MOST = 200
RUN = "inquery_run"
"""What checkpoints call the run that made them."""


@dataclass(frozen=True, slots=True)
class Message:
    """One line of a conversation."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A checkpoint of a thread: where it was, what came next and what it knew."""

    checkpoint_id: str
    step: int
    next: tuple[str, ...]
    created: str
    values: dict[str, Any] = field(repr=False)


def thread_config(thread_id: str, checkpoint_id: str = "") -> RunnableConfig:
    """What langgraph calls a thread, or one moment of it."""
    place: dict[str, Any] = {"thread_id": thread_id}
    if checkpoint_id:
        place |= {"checkpoint_id": checkpoint_id, "checkpoint_ns": ""}
    return {"configurable": place}


async def messages_of(saver: BaseCheckpointSaver[Any], thread_id: str) -> list[Message]:
    """What was said in a thread, oldest first; none where it is unknown."""
    found = await saver.aget_tuple(thread_config(thread_id))
    said = found.checkpoint["channel_values"].get("messages", []) if found else []
    roles = {"human": "user", "ai": "assistant"}
    return [Message(roles[m.type], str(m.content)) for m in said if m.type in roles]


async def history(graph: CompiledStateGraph[Any, Any, Any, Any], thread_id: str, *, limit: int = MOST) -> list[Moment]:
    """Every moment of a thread, newest first: time travel starts from one of them."""
    found = []
    async for snapshot in graph.aget_state_history(thread_config(thread_id), limit=limit):
        place = snapshot.config["configurable"]["checkpoint_id"]
        step = int((snapshot.metadata or {}).get("step", 0))
        found.append(Moment(place, step, tuple(snapshot.next), snapshot.created_at or "", dict(snapshot.values)))
    return found


async def branch_thread(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    thread_id: str,
    checkpoint_id: str,
    changes: dict[str, Any] | None = None,
) -> RunnableConfig:
    """A branch that begins at an earlier moment, with changes; run the graph with None on the returned config to go on.

    The moment is copied even without changes: langgraph would answer its interrupt again as it was answered then.
    """
    place = thread_config(thread_id, checkpoint_id)
    if not (await graph.aget_state(place)).values:
        raise NotFound(checkpoint_id, what=Text("checkpoint", "检查点"), name=checkpoint_id)
    if changes:
        return await graph.aupdate_state(place, changes)
    return await graph.aupdate_state(place, None, as_node="__copy__")


async def rewind_thread(graph: CompiledStateGraph[Any, Any, Any, Any], thread_id: str, runs: Sequence[str]) -> str:
    """Make the moment before the first of these runs, the last of the thread, its newest; returns the one that was."""
    saver = cast("BaseCheckpointSaver[Any]", graph.checkpointer)
    newest = await saver.aget_tuple(thread_config(thread_id))
    first = await _first_of(saver, thread_id, runs)
    if first is not None and first.parent_config is not None:
        await graph.aupdate_state(first.parent_config, None, as_node="__copy__")
    elif first is not None:
        await graph.aupdate_state(thread_config(thread_id), _nothing_said(), as_node="remember")
    return str(newest.config["configurable"]["checkpoint_id"]) if newest else ""


async def _first_of(saver: BaseCheckpointSaver[Any], thread_id: str, runs: Sequence[str]) -> CheckpointTuple | None:
    """The oldest checkpoint that the runs made; one that failed early has none."""
    for run in runs:
        made = [found async for found in saver.alist(thread_config(thread_id), filter={RUN: run})]
        if made:
            return made[-1]
    return None


def _nothing_said() -> dict[str, Any]:
    from langchain_core.messages import RemoveMessage
    from langgraph.graph.message import REMOVE_ALL_MESSAGES

    gone = {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES)], "turns": [], "summary": ""}
    return gone | {"last_answer": {}, "thread_cache": {}, "pagination": {}}


async def delete_thread(saver: BaseCheckpointSaver[Any], threads: Threads, thread_id: str, owner: str) -> None:
    """Forget a thread wholly: checkpoints, results, events and its entry; raises NotFound for another's."""
    await asyncio.to_thread(threads.get, thread_id, owner)
    await saver.adelete_thread(thread_id)
    await asyncio.to_thread(threads.delete, thread_id, owner)
