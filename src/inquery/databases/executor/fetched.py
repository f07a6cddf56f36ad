"""Bounds on what is fetched, and the results kept for a while."""

from __future__ import annotations

import threading
from collections.abc import Generator, Hashable, Iterable, Iterator, Sequence
from typing import Any

from cachetools import TTLCache

from inquery.databases.engine import Batch, Limits, Result, ResultColumn
from inquery.databases.values import cut_cell, size_of
from inquery.errors import ResultTooLarge

_KEPT_BYTES = 2 << 20  # a larger result is not kept: a hundred of them would be the memory of a small server


class Caps:
    """Applies row, byte and cell bounds to a stream, and remembers which one cut it."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.rows = 0
        self.bytes = 0
        self.truncated: str | None = None
        self.cells_cut = False

    def apply(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """The batches within bounds; stops asking for more as soon as one is reached."""
        try:
            for batch in batches:
                yield Batch(batch.columns, self._within(batch.rows))
                if self.truncated:
                    return
        finally:
            # Now, not when it is collected: the engine's cursor holds a transaction open.
            if isinstance(batches, Generator):
                batches.close()

    @property
    def verdict(self) -> str | None:
        """What `Result.truncated` says: rows or bytes when rows are missing, else cell."""
        return self.truncated or ("cell" if self.cells_cut else None)

    def _within(self, rows: Sequence[tuple[Any, ...]]) -> Sequence[tuple[Any, ...]]:
        bounds = self.limits
        if bounds.rows is None and bounds.bytes is None and bounds.cell is None:
            self.rows += len(rows)  # an export: nothing to look at in ten million rows
            return rows
        return self._bounded(rows)

    def _bounded(self, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        kept = []
        for row in rows:
            if self.limits.rows is not None and self.rows >= self.limits.rows:
                self.truncated = "rows"
                break
            row = self._cut(row)
            if self.limits.bytes is not None:
                size = sum(map(size_of, row))
                if self.bytes + size > self.limits.bytes:
                    self.truncated = "bytes"
                    if not self.rows:
                        raise ResultTooLarge("the first row is larger than the bound")
                    break
                self.bytes += size
            self.rows += 1
            kept.append(row)
        return kept

    def _cut(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        limit = self.limits.cell
        if limit is None:
            return row
        cut = tuple(cut_cell(cell, limit) for cell in row)
        if any(a is not b for a, b in zip(row, cut, strict=True)):
            self.cells_cut = True
            return cut
        return row


def collect(batches: Iterable[Batch], caps: Caps) -> tuple[tuple[ResultColumn, ...], list[tuple[Any, ...]]]:
    """All rows of a capped stream, with the columns of its last batch."""
    columns: tuple[ResultColumn, ...] = ()
    rows: list[tuple[Any, ...]] = []
    for batch in caps.apply(batches):
        columns = columns or batch.columns
        rows.extend(batch.rows)
    return columns, rows


class ResultCache:
    """Least recently used results of identical statements, for a short while."""

    def __init__(self, entries: int, ttl_s: float) -> None:
        self._kept: TTLCache[Hashable, Result] = TTLCache(entries, ttl_s)
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Result | None:
        """The result, unless it is too old."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: Hashable, result: Result, size: int) -> None:
        """Keep a result of `size` bytes, unless it is too large or none are kept."""
        if size > _KEPT_BYTES or not self._kept.maxsize:
            return
        with self._lock:
            self._kept[key] = result

    def clear(self) -> None:
        """Forget all results."""
        with self._lock:
            self._kept.clear()
