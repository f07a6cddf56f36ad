"""Versions of a conversation: a question that is edited takes the place of the old one, which can be shown again."""

from __future__ import annotations

import asyncio

from inquery.agents.graph import Graph
from inquery.agents.run import Request
from inquery.memory.leases import hold_thread
from inquery.memory.thread_history import branch_thread, rewind_thread
from inquery.store.event_log import EventLog
from inquery.store.paths import Move, Paths, note_move, paths_of
from inquery.store.thread_rows import LONGEST_TITLE, Threads

HELD_S = 30.0


async def make_place(graph: Graph, threads: Threads, request: Request, replaced: str) -> None:
    """Go back to where a run began, so that another takes its place; raises NotFound, ThreadBusy."""
    thread_id, run_id = request.thread_id, request.run_id
    async with hold_thread(threads, thread_id, lease_s=HELD_S):
        paths = await asyncio.to_thread(paths_of, threads.store, thread_id)
        before = paths.before(replaced)
        left = tuple(run for run in paths.shown if run != run_id)  # the new one may be in the log already
        checkpoint = await rewind_thread(graph, thread_id, left[len(before) :])
        move = Move((*before, run_id), left, checkpoint)
        await asyncio.to_thread(note_move, threads.store, thread_id, move)
        if not before:
            await asyncio.to_thread(_retitle, threads, request, replaced)


def _retitle(threads: Threads, request: Request, replaced: str) -> None:
    """A conversation that is called by its first question takes the name of the new one."""
    ends = [event["answer"]["question"] for event in EventLog(threads.store).read(replaced) if event["type"] == "done"]
    if threads.get(request.thread_id, request.user).title in {end[:LONGEST_TITLE] for end in ends}:
        threads.rename(request.thread_id, request.user, request.question)


async def show(graph: Graph, threads: Threads, thread_id: str, run_id: str) -> Paths:
    """Go the way of a run again, to its last turn; raises NotFound, ThreadBusy."""
    async with hold_thread(threads, thread_id, lease_s=HELD_S):
        paths = await asyncio.to_thread(paths_of, threads.store, thread_id)
        if run_id in paths.shown:
            return paths
        left = paths.through(run_id)
        checkpoint = await rewind_thread(graph, thread_id, ())
        if left.checkpoint:
            await branch_thread(graph, thread_id, left.checkpoint)
        await asyncio.to_thread(note_move, threads.store, thread_id, Move(left.left, paths.shown, checkpoint))
        return await asyncio.to_thread(paths_of, threads.store, thread_id)
