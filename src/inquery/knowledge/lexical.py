"""BM25 over short texts, and reciprocal rank fusion of several rankings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from inquery.language.grams import terms_of

K1, B = 1.2, 0.75
RRF = 60
Places = np.ndarray[Any, np.dtype[np.int64]]
Weights = np.ndarray[Any, np.dtype[np.float64]]


class LexicalIndex:
    """Texts by their terms; built once, searched often."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._ids = list(texts)
        postings: dict[str, list[tuple[int, int]]] = {}
        lengths: list[int] = []
        for place, text in enumerate(texts.values()):
            counts = Counter(terms_of(text))
            lengths.append(sum(counts.values()))
            for term, count in counts.items():
                postings.setdefault(term, []).append((place, count))
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        norms = K1 * (1 - B + B * np.array(lengths, dtype=np.float64) / (mean or 1))
        self._postings = {term: self._weighed(found, norms) for term, found in postings.items()}

    def _weighed(self, found: list[tuple[int, int]], norms: Weights) -> tuple[Places, Weights]:
        """The texts with a term, and what the term adds to the score of each: no query changes that."""
        places, counts = (np.array(column) for column in zip(*found, strict=True))
        rarity = math.log(1 + (len(self._ids) - len(found) + 0.5) / (len(found) + 0.5))
        return places, rarity * counts * (K1 + 1) / (counts + norms[places])

    def search(self, text: str, k: int, keep: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """The ids of the best texts with their scores, best first; only those to keep."""
        found = [self._postings[term] for term in set(terms_of(text)) if term in self._postings]
        if not found:
            return []
        scores = np.zeros(len(self._ids))
        for places, weights in found:
            scores[places] += weights
        matching = np.flatnonzero(scores)
        best = matching[np.argsort(-scores[matching], kind="stable")]
        named = ((self._ids[place], float(scores[place])) for place in best)
        return list(islice((each for each in named if keep is None or keep(each[0])), k))


def fused(rankings: Iterable[Sequence[str]]) -> list[str]:
    """One ranking of several, by the sum of 1 / (60 + rank)."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, each in enumerate(ranking, 1):
            scores[each] = scores.get(each, 0.0) + 1 / (RRF + rank)
    return sorted(scores, key=lambda each: -scores[each])
