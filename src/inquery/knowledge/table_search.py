"""Tables by meaning: their names, comments and columns as vectors, beside the words that catalogue search goes by."""

from __future__ import annotations

import asyncio
import threading

import numpy as np
from cachetools import LRUCache

from inquery.knowledge.embedders import Array, CachedEmbedder, Embedder, embed_one
from inquery.language.text import name_words
from inquery.sql import Catalog, Table

KEPT = 16
# An entry holds its catalogue, so the id cannot be given to another one meanwhile.
_kept: LRUCache[tuple[int, str], tuple[Catalog, Array]] = LRUCache(KEPT)
_lock = threading.Lock()


async def near_tables(question: str, catalog: Catalog, embedder: Embedder, k: int) -> list[str]:
    """The full names of the tables nearest to a question; none where every text would have to be sent to a server."""
    if not quick(embedder) or not catalog.tables or k <= 0:
        return []
    vectors = await _vectors(catalog, embedder)
    wanted = await embed_one(embedder, question)
    # A table is as near as the nearer of its two texts.
    scores = np.einsum("tij,j->ti", vectors, wanted).max(axis=1)
    # Among 10,000 tables sorting them all takes a millisecond.
    best = np.argpartition(-scores, k - 1)[:k] if k < len(scores) else np.arange(len(scores))
    best = best[np.lexsort((best, -scores[best]))]
    return [catalog.tables[int(place)].full_name for place in best if scores[place] > 0]


def quick(embedder: Embedder) -> bool:
    """Whether the encoder is of this process and takes well under a millisecond a text."""
    return bool(getattr(embedder.inner if isinstance(embedder, CachedEmbedder) else embedder, "quick", False))


async def _vectors(catalog: Catalog, embedder: Embedder) -> Array:
    """Two vectors a table, made once for a catalogue: 700 tables take 0.2 s."""
    key = (id(catalog), embedder.name)
    with _lock:
        known = _kept.get(key)
    if known is None:
        texts = [text for table in catalog.tables for text in _texts(table)]
        made = await asyncio.to_thread(embedder.embed, texts)
        known = (catalog, made.reshape(len(catalog.tables), 2, -1))
        with _lock:
            _kept[key] = known
    return known[1]


def _texts(table: Table) -> tuple[str, str]:
    """A table by its name and comment, and by its columns too."""
    name = f"{' '.join(name_words(table.name))} {table.comment}".strip()
    columns = (" ".join(name_words(column.name)) for column in table.columns)
    return name, " ".join([name, *columns])
