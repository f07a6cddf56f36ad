"""Packs several questions behind one schema, and several schemas into one row."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Pair = tuple[Array, Array]
"""A question and its form, as token ids."""


@dataclass
class Group:
    """One schema and its questions, as token ids: (question, form) pairs."""

    source: str
    schema: Array
    pairs: list[Pair]


@dataclass
class Rows:
    """A batch of packed rows; `target` is -1 where no loss is taken."""

    tokens: Array
    positions: Array
    doc: Array
    segment: Array
    target: Array

    @classmethod
    def blank(cls, rows: int, length: int) -> Rows:
        """Rows without content."""
        tokens, positions, doc, segment, target = (
            np.full((rows, length), fill, np.int32) for fill in (0, 0, -1, 0, -1)
        )
        return cls(tokens, positions, doc, segment, target)


class Stream:
    """Endless shuffled pieces of one source: a schema with as many of its questions as fit."""

    def __init__(self, groups: list[Group], length: int, rng: random.Random, most: int = 24) -> None:
        if not any(len(g.schema) + len(q) + len(f) <= length for g in groups for q, f in g.pairs):
            raise ValueError(f"no question fits into {length} tokens together with its schema")
        self.groups, self.length, self.rng, self.most = groups, length, rng, most
        self.pieces = self._endless()

    def _endless(self) -> Iterator[tuple[Array, list[Pair]]]:
        while True:
            self.rng.shuffle(self.groups)
            for group in self.groups:
                yield from self._pieces_of(group)

    def _pieces_of(self, group: Group) -> Iterator[tuple[Array, list[Pair]]]:
        pairs = list(group.pairs)
        self.rng.shuffle(pairs)
        chosen: list[Pair] = []
        size = len(group.schema)
        for pair in pairs:
            cost = len(pair[0]) + len(pair[1])
            if len(group.schema) + cost > self.length:
                continue
            if size + cost > self.length or len(chosen) >= self.most:
                yield group.schema, chosen
                chosen, size = [], len(group.schema)
            chosen.append(pair)
            size += cost
        if chosen:
            yield group.schema, chosen


def fill_row(out: Rows, row: int, start: int, doc: int, schema: Array, pairs: list[Pair]) -> int:
    """Write one piece at `start` of a row; returns the position behind it."""
    base = len(schema)
    end = start + base
    out.tokens[row, start:end] = schema
    out.positions[row, start:end] = np.arange(base)
    out.doc[row, start:end] = doc
    for number, (question, form) in enumerate(pairs, 1):
        first, size = end, len(question) + len(form)
        end = first + size
        out.tokens[row, first:end] = np.concatenate((question, form))
        out.positions[row, first:end] = np.arange(base, base + size)
        out.doc[row, first:end] = doc
        out.segment[row, first:end] = number
        out.target[row, first + len(question) - 1 : end - 1] = form
    return end


def pack(streams: dict[str, Stream], weights: dict[str, float], rows: int, length: int, rng: random.Random) -> Rows:
    """One batch: rows filled first-fit with pieces drawn by the sources' weights (by tokens, roughly)."""
    out = Rows.blank(rows, length)
    ends, docs = [0] * rows, [0] * rows
    names = [name for name in streams if weights.get(name, 0) > 0]
    misses = 0
    while misses < 8:
        name = rng.choices(names, [weights[n] for n in names])[0]
        schema, pairs = next(streams[name].pieces)
        size = len(schema) + sum(len(q) + len(f) for q, f in pairs)
        row = next((r for r in range(rows) if ends[r] + size <= length), None)
        if row is None:
            row, pairs = trim_to_fit(ends, length, schema, pairs)
        if row is None:
            misses += 1
            continue
        ends[row] = fill_row(out, row, ends[row], docs[row], schema, pairs)
        docs[row] += 1
    return out


def trim_to_fit(ends: list[int], length: int, schema: Array, pairs: list[Pair]) -> tuple[int | None, list[Pair]]:
    """The emptiest row and as many pairs as fit into it, or None when not even one does."""
    row = min(range(len(ends)), key=ends.__getitem__)
    room = length - ends[row] - len(schema)
    kept: list[Pair] = []
    for pair in pairs:
        cost = len(pair[0]) + len(pair[1])
        if cost <= room:
            kept.append(pair)
            room -= cost
    return (row, kept) if kept else (None, [])
