"""L0: the last answers of one thread, as plain data that travels in its state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from inquery.cache.answer_key import CacheKey
from inquery.cache.entry import CacheEntry, age_s

MOST = 20


class ThreadCache:
    """Reads and changes a thread's `kept` entries; the caller puts `kept` back into the state."""

    def __init__(self, kept: dict[str, Any] | None = None, *, ttl_s: float = 300, most: int = MOST) -> None:
        self.kept: dict[str, CacheEntry] = dict(kept or {})
        self._ttl_s = ttl_s
        self._most = most

    async def get(self, key: CacheKey, proof: str = "") -> CacheEntry | None:
        """The entry while it is young, or as long as an equal proof says that the data has not changed."""
        entry = self.kept.get(key.digest)
        if entry is not None:
            unchanged = bool(proof) and entry.get("proof") == proof
            changed = bool(proof) and bool(entry.get("proof")) and not unchanged
            if unchanged or (not changed and age_s(entry) <= self._ttl_s):
                return entry
        return None

    async def put(self, key: CacheKey, entry: CacheEntry, proof: str = "") -> None:
        """Keep an entry; the oldest goes when there are too many."""
        self.kept.pop(key.digest, None)
        self.kept[key.digest] = {**entry, "proof": proof} if proof else entry
        for digest in list(self.kept)[: max(0, len(self.kept) - self._most)]:
            del self.kept[digest]

    async def evict(self, key: CacheKey | str) -> None:
        """Forget an entry by its key or digest."""
        self.kept.pop(key if isinstance(key, str) else key.digest, None)


def file_proof(*paths: Path) -> str:
    """The time and size of database files: equal proofs mean that nothing was written; empty when one is missing."""
    parts = []
    for path in paths:
        try:
            found = path.stat()
        except OSError:
            return ""
        # SQLite writes into the journal beside the file first.
        journal = path.with_name(path.name + "-wal")
        beside = journal.stat() if journal.exists() else None
        parts.append(f"{found.st_mtime_ns}:{found.st_size}:{(beside.st_mtime_ns, beside.st_size) if beside else ''}")
    return "|".join(parts)
