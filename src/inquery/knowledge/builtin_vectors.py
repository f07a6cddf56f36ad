"""The built-in vector store: exact search over a matrix in memory, kept in a SQLite file that processes share."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inquery.home import explained, is_damaged, make_file
from inquery.knowledge.vectors import Hit, Item, Where, wrong_dimension

Array = np.ndarray[Any, np.dtype[np.float32]]
LOG = logging.getLogger("inquery.knowledge")
BUSY_S = 30
_TABLES = """
CREATE TABLE IF NOT EXISTS spaces (
    name TEXT PRIMARY KEY, dim INTEGER NOT NULL, revision INTEGER NOT NULL, deletions INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS items (
    space TEXT NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL, vector BLOB NOT NULL, text TEXT NOT NULL,
    meta TEXT NOT NULL, PRIMARY KEY (space, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_by_revision ON items (space, revision);
"""


class _Space:
    """The rows of one space in memory; the matrix doubles when it is full, so that adding stays cheap."""

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.revision = 0
        self.deletions = 0
        self.ids: list[str] = []
        self.texts: list[str] = []
        self.metas: list[Mapping[str, Any]] = []
        self.places: dict[str, int] = {}
        self._by_value: dict[str, dict[Any, set[int]]] = {}
        self._matrix: Array = np.zeros((16, dim), dtype=np.float32)

    def put(self, item_id: str, vector: Array, text: str, meta: Mapping[str, Any]) -> None:
        place = self.places.get(item_id)
        if place is None:
            place = self.places[item_id] = len(self.ids)
            self.ids.append(item_id)
            self.texts.append(text)
            self.metas.append(meta)
            if place >= len(self._matrix):
                self._matrix = np.concatenate([self._matrix, np.zeros_like(self._matrix)])
        else:
            self._unlist(place)
        self.texts[place], self.metas[place] = text, meta
        self._matrix[place] = vector
        for key, places in self._by_value.items():
            places.setdefault(_plain(meta.get(key)), set()).add(place)

    def _unlist(self, place: int) -> None:
        for key, places in self._by_value.items():
            places[_plain(self.metas[place].get(key))].discard(place)

    def _meeting(self, where: Where) -> list[int]:
        """The places that meet all conditions, by an index of each key that was ever asked for."""
        found: set[int] | None = None
        for key, wanted in where.items():
            if key not in self._by_value:
                index: dict[Any, set[int]] = {}
                for place, meta in enumerate(self.metas):
                    index.setdefault(_plain(meta.get(key)), set()).add(place)
                self._by_value[key] = index
            choices = wanted if isinstance(wanted, list | tuple | set | frozenset) else [wanted]
            places = [self._by_value[key].get(_plain(choice), set()) for choice in choices]
            met = places[0] if len(places) == 1 else set().union(*places)
            found = met if found is None else found & met
        return sorted(found or ())

    def search(self, vector: Array, k: int, where: Where) -> list[Hit]:
        places = np.array(self._meeting(where), dtype=np.int64) if where else None
        matrix = self._matrix[: len(self.ids)] if places is None else self._matrix[places]
        if not len(matrix) or k <= 0:
            return []
        # Not `@`: BLAS splits it over threads that wait for each other, 15 ms on a busy machine against 0.2 alone.
        scores = np.clip(np.einsum("ij,j->i", matrix, vector), -1, 1)
        nearest = np.argpartition(-scores, k - 1)[:k] if k < len(scores) else np.arange(len(scores))
        found = []
        for each in nearest[np.argsort(-scores[nearest], kind="stable")]:
            place = int(each if places is None else places[each])
            found.append(Hit(self.ids[place], float(scores[each]), self.metas[place], self.texts[place]))
        return found


class BuiltinVectors:
    """A VectorStore in one file; what other processes write is seen at the next call."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._spaces: dict[str, _Space] = {}
        self._current: dict[str, tuple[int, int]] = {}
        self._own_writes = 0
        with explained(path.name):
            self._file = _opened(path)

    async def upsert(self, space: str, items: Sequence[Item]) -> None:
        """Add or replace items."""
        if items:
            await asyncio.to_thread(self._upsert, space, items)

    async def search(
        self, space: str, vector: np.ndarray[Any, Any], k: int = 10, where: Where | None = None
    ) -> list[Hit]:
        """The nearest items, best first; under a millisecond at 10,000, so no thread is used once they are loaded."""
        if not self._loaded(space):
            await asyncio.to_thread(self._load, space)
        with self._lock:
            known = self._spaces.get(space)
            if known is None:
                return []
            if len(vector) != known.dim:
                raise wrong_dimension(space, known.dim, len(vector))
            return known.search(unit_vector(vector), k, where or {})

    async def delete(self, space: str, ids: Iterable[str]) -> None:
        """Forget items."""
        wanted = list(ids)
        if wanted:
            await asyncio.to_thread(self._delete, space, wanted)

    async def count(self, space: str) -> int:
        """How many items a space has."""
        with self._lock:
            found: int = self._file.execute("SELECT count(*) FROM items WHERE space = ?", (space,)).fetchone()[0]
        return found

    async def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._file.close()

    def _upsert(self, space: str, items: Sequence[Item]) -> None:
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            current = self._current.get(space) == self._file_version()
            try:
                row = self._file.execute("SELECT dim, revision FROM spaces WHERE name = ?", (space,)).fetchone()
                dim, revision = row or (len(items[0].vector), 0)
                for item in items:
                    if len(item.vector) != dim:
                        raise wrong_dimension(space, dim, len(item.vector))
                self._file.execute(
                    "INSERT INTO spaces VALUES (?, ?, ?, 0) ON CONFLICT (name) DO UPDATE SET revision = excluded.revision",
                    (space, dim, revision + 1),
                )
                self._file.executemany(
                    "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?)",
                    [_row(space, revision + 1, item) for item in items],
                )
            except BaseException:
                self._file.execute("ROLLBACK")
                raise
            self._file.execute("COMMIT")
            self._own_writes += 1
            if current:
                self._put(space, revision + 1, items)

    def _put(self, space: str, revision: int, items: Sequence[Item]) -> None:
        """What was just written, into a space that memory has whole, so that it need not be read back."""
        known = self._spaces[space]
        for item in items:
            known.put(item.id, unit_vector(item.vector), item.text, json.loads(json.dumps(dict(item.meta))))
        known.revision = revision
        self._current[space] = self._file_version()

    def _delete(self, space: str, ids: list[str]) -> None:
        with self._lock:
            self._file.execute("BEGIN IMMEDIATE")
            self._file.executemany("DELETE FROM items WHERE space = ? AND id = ?", [(space, each) for each in ids])
            self._file.execute("UPDATE spaces SET deletions = deletions + 1 WHERE name = ?", (space,))
            self._file.execute("COMMIT")
            self._own_writes += 1

    def _loaded(self, space: str) -> bool:
        """Whether memory has what the file has: SQLite's data_version changes when another process writes."""
        with self._lock:
            version = self._file_version()
            if self._current.get(space) == version:
                return True
            # Most writes are to other spaces: one row tells, in less time than a change of threads.
            row = self._file.execute("SELECT dim, revision, deletions FROM spaces WHERE name = ?", (space,)).fetchone()
            known = self._spaces.get(space)
            if known is None or row is None or row != (known.dim, known.revision, known.deletions):
                return False
            self._current[space] = version
            return True

    def _file_version(self) -> tuple[int, int]:
        other_writers: int = self._file.execute("PRAGMA data_version").fetchone()[0]
        return other_writers, self._own_writes

    def _load(self, space: str) -> None:
        """Read what is new; a deletion reads the space again."""
        with self._lock:
            version = self._file_version()
            row = self._file.execute("SELECT dim, revision, deletions FROM spaces WHERE name = ?", (space,)).fetchone()
            if row is None:
                return
            dim, revision, deletions = row
            known = self._spaces.get(space)
            if known is None or known.deletions != deletions or known.dim != dim:
                known = _Space(dim)
            wanted = "SELECT id, vector, text, meta FROM items WHERE space = ? AND revision > ? AND revision <= ?"
            for item_id, vector, text, meta in self._file.execute(wanted, (space, known.revision, revision)):
                known.put(item_id, np.frombuffer(vector, dtype=np.float32), text, json.loads(meta))
            known.revision, known.deletions = revision, deletions
            self._spaces[space] = known
            self._current[space] = version


def _opened(path: Path) -> sqlite3.Connection:
    """The file; a damaged one is put aside and made anew, since all it holds is made of what the store has."""
    try:
        return _connected(path)
    except sqlite3.DatabaseError as error:
        if not is_damaged(error):
            raise
        LOG.warning("%s was damaged and is made anew: %s", path.name, error)
        for file in path.parent.glob(f"{path.name}*"):
            if file.name in {path.name, f"{path.name}-wal", f"{path.name}-shm"}:
                os.replace(file, file.with_name(file.name.replace(path.name, f"{path.name}.damaged", 1)))
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    made = sqlite3.connect(make_file(path), timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("PRAGMA synchronous = NORMAL")
        made.executescript(_TABLES)
        made.execute("SELECT name, dim, revision, deletions FROM spaces").fetchall()
    except BaseException:
        made.close()
        raise
    return made


def _plain(value: Any) -> Any:
    """A meta value as a key; True and 1 are apart, as they are in JSON."""
    return (type(value).__name__, value if isinstance(value, str | int | float | bool | None) else json.dumps(value))


def unit_vector(vector: np.ndarray[Any, Any]) -> Array:
    """The vector at length one, as cosines need it; a zero vector stays zero."""
    given = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(given))
    return given / np.float32(length) if length > 0 else given


def _row(space: str, revision: int, item: Item) -> tuple[str, str, int, bytes, str, str]:
    meta = json.dumps(dict(item.meta), ensure_ascii=False)
    return space, item.id, revision, unit_vector(item.vector).tobytes(), item.text, meta
