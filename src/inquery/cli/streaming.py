"""Streams that Ctrl-C can stop: a driver may sit in C code where Python sees no signal."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait

from inquery.databases.engine import Batch
from inquery.databases.executor.execute import cancel

AGAIN_S = 0.3


def cancellable(connection_id: str, batches: Iterator[Batch]) -> Generator[Batch, None, None]:
    """The batches, read in another thread one ahead; leaving early cancels the statement on the server."""
    finished = False
    with ThreadPoolExecutor(1, thread_name_prefix="inquery-stream") as reader:
        pending: Future[Batch | None] = reader.submit(next, batches, None)
        try:
            while (batch := pending.result()) is not None:
                pending = reader.submit(next, batches, None)
                yield batch
            finished = True
        finally:
            # A cancel that strikes between two commands of a cursor is lost, so it is repeated until it took.
            while not finished and not pending.done():
                cancel(connection_id)
                wait([pending], AGAIN_S)


class Bounded:
    """At most `rows` rows of some batches; `cut` says afterwards whether there were more."""

    def __init__(self, batches: Iterable[Batch], rows: int | None) -> None:
        self.batches = batches
        self.rows = rows
        self.cut = False

    def __iter__(self) -> Iterator[Batch]:
        left = self.rows
        for batch in self.batches:
            if left is None or len(batch.rows) <= left:
                yield batch
            else:
                self.cut = True
                yield Batch(batch.columns, batch.rows[:left])
                return
            left = None if left is None else left - len(batch.rows)
