"""Values by meaning: spans of a question beside listed values, as vectors, where letters and the lexicon found nothing.

Two texts that are the same in two languages, or the same word in another form, lie near each other: 急诊 and emergency,
rejected claims and 已拒赔. What is found so is a hint and never sure.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from cachetools import LRUCache

from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.knowledge.embedders import Array, Embedder
from inquery.knowledge.table_search import quick
from inquery.language.concepts import ASKING_CHINESE, segments
from inquery.language.lexicon import lexicon
from inquery.language.text import COMMON, has_cjk, tokens_of, word_set
from inquery.sql import Catalog

LISTED = 12
"""A column of more distinct values is no list that a question picks from in words of its own."""
REPEATED = 3
"""A list is of values that come so many times each on average; names and codes come once."""
LONGEST_VALUE, MOST_WORDS = 24, 4
MOST_VALUES = 3_000
MOST_SPANS = 48
LONGEST_SPAN = 3
NEAR = 0.74
"""Of the cosine. Of 34 pairs read one by one, all 19 above it mean the same and 4 of 15 below do."""
SCORE = 0.62
"""What such a match scores: below what letters find, and far below what a rule calls sure."""
MOST_FOUND = 2
MEASURES = word_set("share percent percentage ratio rate proportion amount growth change spread")
"""What is asked of values, and so none of them: the share of each area is no Shared room."""
EACH = "每按逐"
KEPT = 8


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the question that may say a value."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Listed:
    """The listed values of an index with their vectors; the index is held, so that its id stays its own."""

    index: ValueIndex
    places: tuple[tuple[str, str, str], ...]
    vectors: Array


_kept: LRUCache[tuple[int, str], _Listed] = LRUCache(KEPT)
_lock = threading.Lock()


async def near_values(
    question: str, catalog: Catalog, index: ValueIndex, embedder: Embedder, known: Sequence[ValueMatch]
) -> list[ValueMatch]:
    """Values that spans of the question mean, beside those that were found by letters; a few, the nearest first."""
    if not quick(embedder):
        return []
    spans = [span for span in spans_of(question) if not _taken(span, known) and not index.names_schema(span.text)]
    if not spans:
        return []
    return await asyncio.to_thread(_found, spans, catalog, index, embedder)


def _found(spans: Sequence[Span], catalog: Catalog, index: ValueIndex, embedder: Embedder) -> list[ValueMatch]:
    listed = _listed(catalog, index, embedder)
    if not listed.places:
        return []
    scores = embedder.embed([span.text for span in spans]) @ listed.vectors.T
    ranked = sorted(zip(*np.where(scores >= NEAR), strict=True), key=lambda at: -float(scores[at]))
    found: list[ValueMatch] = []
    used: list[Span] = []
    for row, column in ranked:
        span = spans[int(row)]
        # The nearest says what is meant; a span that overlaps says the same less well, and a second value is doubt.
        if any(span.start < other.end and other.start < span.end for other in used):
            continue
        if _by_a_name(span, listed.vectors[int(column)], index, embedder):
            continue
        used.append(span)
        found.append(ValueMatch(*listed.places[int(column)], span.text, SCORE, span.start, span.end))
    return found[:MOST_FOUND]


def _by_a_name(span: Span, value: Array, index: ValueIndex, embedder: Embedder) -> bool:
    """Whether a span is near a value by a word alone that names a table or column: contract owners, and contract."""
    words = [word for word in words_of_span(span.text) if index.names_schema(word)]
    return bool(words) and float((embedder.embed(words) @ value).max()) >= NEAR


def words_of_span(text: str) -> list[str]:
    """The words of a span, Chinese ones by the lexicon."""
    return [*segments(text, lexicon())] if has_cjk(text) else [token.text for token in tokens_of(text)]


def _listed(catalog: Catalog, index: ValueIndex, embedder: Embedder) -> _Listed:
    key = (id(index), embedder.name)
    with _lock:
        known = _kept.get(key)
    if known is None:
        said = [
            each
            for each in index.listed_words(LISTED)
            # A list of tables, as that of what an entry is about, is named by every question.
            if _is_category(each[0], *each[1:3], catalog) and not index.names_schema(each[0])
        ][:MOST_VALUES]
        vectors = embedder.embed([word for word, *_ in said])
        known = _Listed(index, tuple((table, column, value) for _, table, column, value in said), vectors)
        with _lock:
            _kept[key] = known
    return known


def _is_category(word: str, table: str, column: str, catalog: Catalog) -> bool:
    """Whether a word is one of a short list that rows share, not a name, a number, an address or a remark."""
    about = catalog.by_name.get(table)
    if about is None or column in about.display or any(not (c.isalpha() or c in " -_'") for c in word):
        return False
    if len(word) > LONGEST_VALUE or len(word.split()) > MOST_WORDS:
        return False
    known = about.column(column)
    shared = about.estimated_rows is None or known is None or about.estimated_rows >= REPEATED * len(known.samples)
    return bool(known) and shared


def _taken(span: Span, known: Sequence[ValueMatch]) -> bool:
    return any(span.start < match.end and match.start < span.end for match in known)


def spans_of(question: str) -> list[Span]:
    """Runs of up to three words that say something: English words, or Chinese words of the lexicon."""
    words = [*_english(question), *_chinese(question)]
    words.sort(key=lambda span: span.start)
    found = []
    for first in range(len(words)):
        for last in range(first, min(first + LONGEST_SPAN, len(words))):
            start, end = words[first].start, words[last].end
            between = question[words[last - 1].end : words[last].start] if last > first else ""
            if last > first and (between.strip() or len(between) > 1):
                break
            found.append(Span(question[start:end], start, end))
    return found[:MOST_SPANS]


def _english(question: str) -> list[Span]:
    return [
        Span(token.text, token.start, token.end)
        for token in tokens_of(question)
        if not token.cjk and token.text not in COMMON | MEASURES and not token.text.isdigit() and len(token.text) > 2
    ]


def _chinese(question: str) -> list[Span]:
    if not has_cjk(question):
        return []
    found, at = [], 0
    for piece in segments(question, lexicon()):
        start = question.find(piece, at)
        if start < 0 or not has_cjk(piece):
            continue
        at = start + len(piece)
        # 每月 asks for one row a month, and was taken for a monthly card.
        if len(piece) > 1 and piece[0] not in EACH and piece not in ASKING_CHINESE and piece in lexicon().english:
            found.append(Span(piece, start, at))
    return found
