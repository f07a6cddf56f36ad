"""The ways a conversation went: an edited question begins another way, and the old one can be gone again."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, insert, select

from inquery.errors import NotFound, Text
from inquery.store.database import Store
from inquery.store.event_log import MOVED
from inquery.store.moments import utc_now
from inquery.store.tables import events

Way = tuple[str, ...]
"""The runs of a conversation, from its first to its last."""


@dataclass(frozen=True, slots=True)
class Move:
    """A conversation left one way for another; `checkpoint` is where the one that was left can be taken up."""

    path: Way
    left: Way
    checkpoint: str


@dataclass(frozen=True, slots=True)
class Paths:
    """The way that is shown, those that were left, and all runs by their time."""

    shown: Way
    moves: tuple[Move, ...] = ()
    runs: Way = field(default=(), repr=False)

    def before(self, run_id: str) -> Way:
        """What is shown before a run; raises NotFound for a run that is not shown."""
        if run_id not in self.shown:
            raise _unknown(run_id)
        return self.shown[: self.shown.index(run_id)]

    def versions(self) -> dict[str, list[str]]:
        """For every run that is shown and has others in its place: all of them, oldest first."""
        found = {run: self._beside(place) for place, run in enumerate(self.shown)}
        return {run: beside for run, beside in found.items() if len(beside) > 1}

    def through(self, run_id: str) -> Move:
        """How the way through a run was left last; raises NotFound when there was none."""
        for move in reversed(self.moves):
            if run_id in move.left:
                return move
        raise _unknown(run_id)

    def _beside(self, place: int) -> list[str]:
        ways = [self.shown, *(move.left for move in self.moves)]
        known = {way[place] for way in ways if len(way) > place and way[:place] == self.shown[:place]}
        return [run for run in self.runs if run in known]


def note_move(store: Store, thread_id: str, move: Move) -> None:
    """Keep a move in the thread's log, with which it is deleted."""
    content = {"path": list(move.path), "left": list(move.left), "checkpoint": move.checkpoint}
    row = {"run_id": f"{MOVED}-{secrets.token_urlsafe(16)}", "seq": 0, "thread_id": thread_id, "type": MOVED}
    with store.write() as connection:
        connection.execute(insert(events).values(row | {"content": content, "at": utc_now()}))


def paths_of(store: Store, thread_id: str) -> Paths:
    """The ways of a thread, from its runs and moves in their order."""
    here = events.c.thread_id == thread_id
    began = select(events.c.run_id, func.min(events.c.at)).where(here, events.c.type != MOVED).group_by(events.c.run_id)
    with store.read() as connection:
        runs = [(at, run) for run, at in connection.execute(began)]
        told = connection.execute(select(events.c.at, events.c.content).where(here, events.c.type == MOVED))
        moves = [(at, _move(content)) for at, content in told]
    runs, moves = sorted(runs, key=lambda each: each[0]), sorted(moves, key=lambda each: each[0])
    steps: list[tuple[Any, str | Move]] = sorted([*runs, *moves], key=lambda each: each[0])
    return Paths(_walked([step for _, step in steps]), tuple(move for _, move in moves), tuple(run for _, run in runs))


def _walked(steps: list[str | Move]) -> Way:
    """Every run goes on with the way before it; a move names its new run itself, which may be logged before or after."""
    path: Way = ()
    for step in steps:
        if isinstance(step, Move):
            path = step.path
        elif step not in path:
            path = (*path, step)
    return path


def _move(content: dict[str, Any]) -> Move:
    return Move(tuple(content["path"]), tuple(content["left"]), content["checkpoint"])


def _unknown(run_id: str) -> NotFound:
    return NotFound(run_id, what=Text("run", "运行"), name=run_id)
