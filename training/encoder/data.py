"""Training texts as numbers: the vocabulary of features, and each text as rows of the table or signs of a hash."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from inquery.language.text import stem
from inquery.llm.embedded.features import KINDS, Features, features
from training.encoder.prepare import Group, lines

LEAST = {"w": 3, "b": 20, "p": 10, "z": 3, "c": 2}
"""How many texts must hold a feature for a row of its own; numbers and values are always hashed."""
SYNTHETIC_COUNTS = 0.2
"""A text of the engine counts less: its wordings repeat."""


@dataclass
class Vocabulary:
    """Features with a row of their own, in order, and how rare each is."""

    names: list[str]
    rarity: np.ndarray
    place: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.place = {name: number for number, name in enumerate(self.names)}


def count(groups: list[Group], base_words: list[str]) -> Vocabulary:
    """The vocabulary of the groups and of the base's words."""
    counts: Counter[str] = Counter()
    total = 0.0
    for group in groups:
        weight = SYNTHETIC_COUNTS if group["source"] == "synthetic" else 1.0
        for text in group["texts"]:
            total += weight
            for name in {name for name, _ in features(text)}:
                counts[name] += weight  # type: ignore[assignment]
    kept = {name for name, number in counts.items() if number >= LEAST.get(name[0], 1e9)}
    names = sorted(kept | {"w " + stem(word) for word in base_words})
    rarity = np.log(total / (np.array([counts[name] for name in names]) + 3.0))
    return Vocabulary(names, rarity.astype(np.float32))


def base_vectors(vocabulary: Vocabulary, words: list[str], vectors: np.ndarray) -> np.ndarray:
    """The base's vector of each stem, centred; zero where a feature is not a word it knows."""
    centred = vectors.astype(np.float32) - vectors.astype(np.float32).mean(0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    found: dict[int, list[np.ndarray]] = defaultdict(list)
    for word, vector in zip(words, centred, strict=True):
        if (place := vocabulary.place.get("w " + stem(word))) is not None:
            found[place].append(vector)
    made = np.zeros((len(vocabulary.names), centred.shape[1]), dtype=np.float32)
    for place, several in found.items():
        made[place] = np.mean(several, axis=0)
    return made


@dataclass
class Text:
    """One text: rows of the table and their weights, hashed features, their kinds and weights."""

    rows: np.ndarray
    weights: np.ndarray
    hashed: np.ndarray
    hashed_kinds: np.ndarray
    hashed_weights: np.ndarray


class Texts:
    """Texts made into numbers; hashed features are numbered as they come."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.hashed: dict[str, int] = {}

    def make(self, text: str) -> Text:
        """The numbers of one text."""
        return self._make(features(text))

    def _make(self, found: Features) -> Text:
        known = [(self.vocabulary.place[n], w) for n, w in found if n in self.vocabulary.place]
        other = [
            (self.hashed.setdefault(n, len(self.hashed)), KINDS.index(n[0]), w)
            for n, w in found
            if n not in self.vocabulary.place
        ]
        return Text(
            np.array([row for row, _ in known], dtype=np.int64),
            np.array([weight for _, weight in known], dtype=np.float32),
            np.array([number for number, _, _ in other], dtype=np.int64),
            np.array([kind for _, kind, _ in other], dtype=np.int64),
            np.array([weight for _, _, weight in other], dtype=np.float32),
        )


def read_groups(path: Path, most_synthetic: int, seed: int = 0) -> list[Group]:
    """The groups of a file, with a bounded sample of the engine's that have two wordings."""
    found: list[Group] = []
    made: list[Group] = []
    for group in lines(path):
        if group["source"] != "synthetic":
            found.append(group)
        elif len(group["texts"]) > 1:
            made.append(group)
    databases = sorted({group["database"] for group in made})
    random.Random(seed).shuffle(databases)
    by_database: dict[str, list[Any]] = defaultdict(list)
    for group in made:
        by_database[group["database"]].append(group)
    taken = 0
    for database in databases:
        if taken >= most_synthetic:
            break
        found += by_database[database]
        taken += len(by_database[database])
    return found
