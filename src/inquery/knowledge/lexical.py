"""BM25 over short texts, and reciprocal rank fusion of several rankings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from inquery.knowledge.grams import terms

K1, B = 1.2, 0.75
RRF = 60


class LexicalIndex:
    """Texts by their terms; built once, searched often."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._ids = list(texts)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._lengths: list[int] = []
        for place, text in enumerate(texts.values()):
            counts = Counter(terms(text))
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._postings.setdefault(term, []).append((place, count))
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0

    def search(self, text: str, k: int, keep: Callable[[str], bool] | None = None) -> list[tuple[str, float]]:
        """The ids of the best texts with their scores, best first; only those to keep."""
        scores: dict[int, float] = {}
        for term in set(terms(text)):
            postings = self._postings.get(term, ())
            rarity = math.log(1 + (len(self._ids) - len(postings) + 0.5) / (len(postings) + 0.5))
            for place, count in postings:
                length = 1 - B + B * self._lengths[place] / (self._mean or 1)
                scores[place] = scores.get(place, 0.0) + rarity * count * (K1 + 1) / (count + K1 * length)
        best = sorted(scores.items(), key=lambda each: (-each[1], each[0]))
        named = ((self._ids[place], score) for place, score in best)
        return list(islice((each for each in named if keep is None or keep(each[0])), k))


def fused(rankings: Iterable[Sequence[str]]) -> list[str]:
    """One ranking of several, by the sum of 1 / (60 + rank)."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, each in enumerate(ranking, 1):
            scores[each] = scores.get(each, 0.0) + 1 / (RRF + rank)
    return sorted(scores, key=lambda each: -scores[each])
