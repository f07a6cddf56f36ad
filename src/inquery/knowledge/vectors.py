"""One contract for vector stores, and the store a set of settings means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from inquery.errors import BadRequest
from inquery.settings import Settings, get_settings

if TYPE_CHECKING:
    import numpy as np

    from inquery.knowledge.builtin_vectors import BuiltinVectors

Where = Mapping[str, str | int | bool | Sequence[str]]
"""Conditions on an item's meta, all of which hold: equal to a value, or to one of several."""


@dataclass(frozen=True, slots=True)
class Item:
    """A text with its vector; `meta` is plain JSON data."""

    id: str
    vector: np.ndarray[Any, Any]
    text: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A found item; `score` is the cosine, from -1 to 1."""

    id: str
    score: float
    meta: Mapping[str, Any]
    text: str = ""


class VectorStore(Protocol):
    """Vectors in named spaces; a space has one dimension, that of its first item."""

    async def upsert(self, space: str, items: Sequence[Item]) -> None:
        """Add items, or replace those of the same id; raises BadRequest for a vector of another dimension."""

    async def search(
        self, space: str, vector: np.ndarray[Any, Any], k: int = 10, where: Where | None = None
    ) -> list[Hit]:
        """The nearest items that meet the conditions, best first; none where the space is unknown."""

    async def delete(self, space: str, ids: Iterable[str]) -> None:
        """Forget items; ids that are not there are no error."""

    async def count(self, space: str) -> int:
        """How many items a space has."""

    async def close(self) -> None:
        """Give files and connections back."""


def wrong_dimension(space: str, wanted: int, given: int) -> BadRequest:
    """The error of a vector that does not fit its space."""
    return BadRequest.because(
        f"the vectors of {space} have {wanted} numbers, not {given}", f"{space} 的向量为 {wanted} 维，而不是 {given} 维"
    )


def open_vectors(settings: Settings | None = None) -> VectorStore:
    """The store of the settings; within a process one for each file or server."""
    settings = settings or get_settings()
    given = settings.knowledge.vector_store
    if given in ("", "builtin"):
        return _builtin(settings.home / "vectors.sqlite")
    from inquery.knowledge.milvus import open_milvus

    return open_milvus(given, settings.home)


@lru_cache(maxsize=16)
def _builtin(path: Path) -> BuiltinVectors:
    from inquery.knowledge.builtin_vectors import BuiltinVectors

    return BuiltinVectors(path)
