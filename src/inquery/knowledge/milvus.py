"""Vectors in Milvus: a Lite file, a server or a cluster, by its URI."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from inquery.errors import ConnectFailed, MissingDriver, Text
from inquery.home import make_folder
from inquery.knowledge.builtin_vectors import unit_vector
from inquery.knowledge.vectors import Hit, Item, Where, wrong_dimension

T = TypeVar("T")
LONGEST_ID = 512
LONGEST_TEXT = 60_000
BATCH = 1000
COLUMNS = ("scope", "slots", "owner")
"""What L2 looks up by: Lite reads a condition on `meta` row by row, 30 us each, and one on a column at once."""
UNFLUSHED = 500
"""Rows Lite may hold unflushed: each costs every search 20 us there, a flushed one 1 us."""


@dataclass(frozen=True, slots=True)
class _Space:
    dim: int
    columns: tuple[str, ...]


class MilvusVectors:
    """A VectorStore with a collection for each space; calls are made aside, since the client blocks."""

    def __init__(self, uri: str, token: str = "") -> None:
        try:
            from pymilvus import MilvusClient
            from pymilvus.exceptions import MilvusException
        except ImportError as error:
            raise MissingDriver("milvus", engine="Milvus", extra="milvus") from error
        self._failure: type[Exception] = MilvusException
        self._lock = threading.Lock()
        self._spaces: dict[str, _Space] = {}
        self._unflushed: dict[str, int] = {}
        self._uri, self._lite = uri, "://" not in uri
        reason = Text("Milvus does not answer", "Milvus 没有响应")
        try:
            self._client = MilvusClient(uri=uri, token=token)
        except MilvusException as error:
            raise ConnectFailed(str(error), reason=reason) from error

    async def upsert(self, space: str, items: Sequence[Item]) -> None:
        """Add or replace items."""
        if items:
            await self._aside(lambda: self._upsert(space, items))

    def _upsert(self, space: str, items: Sequence[Item]) -> None:
        known = self._open(space) or self._create(space, len(items[0].vector))
        for item in items:
            if len(item.vector) != known.dim:
                raise wrong_dimension(space, known.dim, len(item.vector))
        rows = [_row(item, known.columns) for item in {item.id: item for item in items}.values()]
        for start in range(0, len(rows), BATCH):
            self._client.upsert(collection(space), rows[start : start + BATCH])
        self._flush_many(space, len(rows))

    def _flush_many(self, space: str, added: int) -> None:
        """Make a segment of Lite's new rows once they are many; a server does so by itself."""
        self._unflushed[space] = self._unflushed.get(space, 0) + added
        if self._lite and self._unflushed[space] >= UNFLUSHED:
            self._client.flush(collection(space))
            self._unflushed[space] = 0

    async def search(
        self, space: str, vector: np.ndarray[Any, Any], k: int = 10, where: Where | None = None
    ) -> list[Hit]:
        """The nearest items, best first."""
        return await self._aside(lambda: self._search(space, vector, k, where or {}))

    def _search(self, space: str, vector: np.ndarray[Any, Any], k: int, where: Where) -> list[Hit]:
        known = self._open(space)
        if not known or k <= 0 or () in map(_choices, where.values()):
            return []
        if len(vector) != known.dim:
            raise wrong_dimension(space, known.dim, len(vector))
        found = self._client.search(
            collection(space),
            data=[unit_vector(vector).tolist()],
            limit=k,
            filter=expression(where, known.columns),
            output_fields=["text", "meta"],
            consistency_level="Strong",
        )
        hits = [_hit(each) for each in found[0]]
        return sorted(hits, key=lambda hit: -hit.score)

    async def delete(self, space: str, ids: Iterable[str]) -> None:
        """Forget items."""
        wanted = [_id(each) for each in ids]
        if wanted:
            await self._aside(lambda: self._open(space) and self._client.delete(collection(space), ids=wanted))

    async def count(self, space: str) -> int:
        """How many items a space has."""
        return await self._aside(lambda: self._count(space))

    def _count(self, space: str) -> int:
        if not self._open(space):
            return 0
        rows = self._client.query(collection(space), filter="", output_fields=["count(*)"], consistency_level="Strong")
        return int(rows[0]["count(*)"])

    async def close(self) -> None:
        """Close the client; a Lite file is free for another process then."""
        await self._aside(self._close)

    def _close(self) -> None:
        self._client.close()
        if self._lite:
            # The client leaves Lite's server, and with it the lock on the file, until the process ends.
            from milvus_lite.server_manager import server_manager_instance

            server_manager_instance.release_server(self._uri)

    async def _aside(self, job: Callable[[], T]) -> T:
        def locked() -> T:
            with self._lock:
                return job()

        try:
            return await asyncio.to_thread(locked)
        except self._failure as error:
            raise ConnectFailed.because("Milvus failed", "Milvus 出错", detail=str(error)) from error

    def _open(self, space: str) -> _Space | None:
        """A space that is there; a Lite file that was reopened has to be loaded."""
        if space in self._spaces:
            return self._spaces[space]
        name = collection(space)
        if not self._client.has_collection(name):
            return None
        self._client.load_collection(name)
        if self._lite:
            self._client.flush(name)  # what a process that was killed left in the log
        fields = {field["name"]: field for field in self._client.describe_collection(name)["fields"]}
        # Collections of earlier versions have no columns: conditions are slower there, and still hold.
        columns = tuple(each for each in COLUMNS if each in fields)
        self._spaces[space] = _Space(int(fields["vector"]["params"]["dim"]), columns)
        return self._spaces[space]

    def _create(self, space: str, dim: int) -> _Space:
        from pymilvus import DataType

        schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=LONGEST_ID)
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dim)
        schema.add_field("text", DataType.VARCHAR, max_length=65_535)
        schema.add_field("meta", DataType.JSON)
        for each in COLUMNS:
            schema.add_field(each, DataType.VARCHAR, max_length=32)
        index = self._client.prepare_index_params()
        # FLAT is exact; it is what the contract promises, and L2 and samples stay within what it searches quickly.
        # Vectors are kept at length one, so that IP is their cosine: for COSINE Lite measures all of them each time.
        index.add_index("vector", index_type="FLAT", metric_type="IP")
        self._client.create_collection(collection(space), schema=schema, index_params=index, consistency_level="Strong")
        self._spaces[space] = _Space(dim, COLUMNS)
        return self._spaces[space]


def open_milvus(uri: str, home: Path) -> MilvusVectors:
    """The store behind a URI; `token@` before a host is its token, a relative file lies in the home folder."""
    if "://" not in uri:
        path = Path(uri).expanduser()
        uri = str(path if path.is_absolute() else home / path)
        make_folder(Path(uri).parent)
    return _made(uri)


@lru_cache(maxsize=8)
def _made(uri: str) -> MilvusVectors:
    scheme, separator, rest = uri.partition("://")
    token, at, host = rest.rpartition("@")
    return MilvusVectors(f"{scheme}://{host}", token) if separator and at else MilvusVectors(uri)


def collection(space: str) -> str:
    """A collection's name: letters and digits of the space for people, a hash for difference."""
    readable = re.sub(r"\W+", "_", space, flags=re.ASCII)[:80]
    return f"inquery_{readable}_{hashlib.sha256(space.encode()).hexdigest()[:12]}"


def expression(where: Where, columns: Sequence[str] = ()) -> str:
    """Conditions on meta as Milvus writes them; strings are JSON-quoted, so that none ends its own quotes."""
    parts = []
    for key, wanted in where.items():
        if key in columns:
            parts.append(f"{key} in {json.dumps([_digest(each) for each in _choices(wanted)])}")
            continue
        # Lite knows `in` for plain fields alone, so a choice is written out.
        equal = [f"meta[{json.dumps(key)}] == {json.dumps(each, ensure_ascii=False)}" for each in _choices(wanted)]
        parts.append(f"({' or '.join(equal)})")
    return " and ".join(parts)


def _choices(wanted: str | int | bool | Sequence[str]) -> tuple[str | int | bool, ...]:
    return (wanted,) if isinstance(wanted, str | int | bool) else tuple(sorted(wanted))


def _row(item: Item, columns: Sequence[str]) -> dict[str, Any]:
    text = item.text.encode("utf-8", "replace")[:LONGEST_TEXT].decode("utf-8", "ignore")
    made = {each: _digest(item.meta[each]) if each in item.meta else "" for each in columns}
    meta = {**item.meta, "_id": item.id}
    return {"id": _id(item.id), "vector": unit_vector(item.vector).tolist(), "text": text, "meta": meta, **made}


def _digest(value: Any) -> str:
    """A meta value of any type and length as a column has it; True, 1 and "1" are apart, as they are in JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def _id(given: str) -> str:
    if len(given.encode()) < LONGEST_ID:
        return given
    return "sha256:" + hashlib.sha256(given.encode()).hexdigest()


def _hit(found: Any) -> Hit:
    entity = found["entity"]
    meta = dict(entity["meta"])
    return Hit(str(meta.pop("_id")), float(np.clip(found["distance"], -1, 1)), meta, entity["text"])
