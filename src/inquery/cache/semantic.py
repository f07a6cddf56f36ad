"""L2: statements of near questions that state the same literals; a template that is checked and run anew."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inquery.cache.answer_key import CacheKey, normal
from inquery.cache.entry import CacheEntry, Stats
from inquery.cache.slots import slots
from inquery.knowledge.embedders import Embedder, embed_one
from inquery.knowledge.vectors import Item, VectorStore

NEAREST = 8
MANY = 200
"""Templates that are forgotten at a time."""


@dataclass(frozen=True, slots=True)
class SimilarStatement:
    """A statement for a question that means the same; never an answer."""

    sql: str
    question: str
    score: float
    as_of: str
    id: str
    p: float | None = None
    """How likely it was right when it was written; nothing it is asked again for makes it surer."""


class SemanticCache:
    """Templates by the meaning of their question, each its user's own."""

    def __init__(self, vectors: VectorStore, embedder: Embedder, threshold: float = 0.95) -> None:
        self.vectors = vectors
        self.embedder = embedder
        self.threshold = threshold
        self._stats = Stats()

    async def get(self, key: CacheKey, *, user: str = "", names: Iterable[str] = ()) -> SimilarStatement | None:
        """The nearest template within the key's scope whose literals are all the same."""
        wanted = _slots(key.question, names)
        vector = await embed_one(self.embedder, key.question)
        # Slots are part of what is searched for: else nearer questions with other numbers would crowd it out.
        where = {"scope": key.scope, "slots": wanted, "owner": ["", user]}
        for hit in await self.vectors.search(self._space(key), vector, NEAREST, where):
            if hit.score < self.threshold and normal(hit.text) != normal(key.question):
                break
            self._stats.hits += 1
            meta = hit.meta
            return SimilarStatement(
                str(meta["sql"]), hit.text, hit.score, str(meta.get("as_of", "")), hit.id, meta.get("p")
            )
        self._stats.misses += 1
        return None

    async def put(self, key: CacheKey, entry: CacheEntry, *, user: str = "", names: Iterable[str] = ()) -> None:
        """Keep the statement of an answered question, for this user alone."""
        vector = await embed_one(self.embedder, key.question)
        meta = {
            "scope": key.scope,
            "slots": _slots(key.question, names),
            "owner": user,
            "sql": entry["sql"],
            "as_of": entry.get("as_of", ""),
            "p": entry.get("answer", {}).get("judged", {}).get("p"),
        }
        await self.vectors.upsert(self._space(key), [Item(_id(key, user), vector, key.question, meta)])
        self._stats.puts += 1

    async def evict(self, key: CacheKey, *, user: str = "", template_id: str = "") -> None:
        """Forget the templates of a question, those that would serve it next, and the one that an answer came from."""
        vector = await embed_one(self.embedder, key.question)
        where = {"scope": key.scope, "owner": ["", user]}
        near = await self.vectors.search(self._space(key), vector, NEAREST, where)
        gone = {_id(key, user), _id(key, ""), template_id} - {""}
        gone |= {hit.id for hit in near if hit.score >= self.threshold}
        await self.vectors.delete(self._space(key), gone)
        self._stats.evictions += 1

    async def forget_user(self, user: str, *, tenant: str, connections: Iterable[str]) -> None:
        """Forget every template of a user, on these databases."""
        vector = await embed_one(self.embedder, user)  # any: all that meet the condition are wanted
        for connection_id in connections:
            space = self._space_of(tenant, connection_id)
            while hits := await self.vectors.search(space, vector, MANY, {"owner": [user]}):
                await self.vectors.delete(space, [hit.id for hit in hits])

    def stats(self) -> dict[str, Any]:
        """How it is used."""
        return {"kind": "semantic", "threshold": self.threshold, **self._stats.to_dict()}

    def _space(self, key: CacheKey) -> str:
        return self._space_of(key.tenant, key.connection_id)

    def _space_of(self, tenant: str, connection_id: str) -> str:
        return f"l2/{self.embedder.name}/{tenant}/{connection_id}"


def _slots(question: str, names: Iterable[str]) -> str:
    return json.dumps(slots(question, names), ensure_ascii=False)


def _id(key: CacheKey, owner: str) -> str:
    return f"{key.digest}/{owner}"
