"""Which tables and columns a question is about: BM25 over names, comments, samples, values and sources, closed by joins."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache, cached

from inquery.aside import LARGE_CATALOG
from inquery.catalog.families import families, without_codes
from inquery.catalog.joins import JoinGraph
from inquery.catalog.key_names import common_prefix, entity_of
from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.language.concepts import KIN, concepts_in, made_of
from inquery.language.foreign_names import FOREIGN
from inquery.language.wording import Terms, merge, name_terms, question_terms, text_terms
from inquery.lasting import make_lasting
from inquery.sql import Catalog, Table

Scores = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int32]

IN_NAME, IN_COLUMN, IN_COMMENT, IN_SAMPLE = 3.0, 1.5, 1.2, 0.6
SATURATION = 1.2
DENSE = 8  # a term in one of so many tables is kept for all: comparing whole arrays is faster
LENGTH = 0.15  # how much wide tables are held back
RANKED_TABLES = 40
COLUMNS_OF = 10  # tables whose columns are ranked
SPREADING, SPREAD, NEAR = 12, 0.3, 24  # best tables, share of their score, and neighbours that get it
STRONG = 0.5  # of the best score: tables the join graph connects first
MOST_STRONG = 5
TELLING = 48  # things a question speaks of that are scored
SOURCE = (
    1.0  # what a table gains of how well its source covers the question: ten `customers` are told apart by the rest
)
ALSO = 0.8  # weight of a definition's words beside the question's own


@dataclass(frozen=True, slots=True)
class Ranking:
    """Tables by full name and (table, column) pairs, best first, each with a score above zero."""

    tables: tuple[tuple[str, float], ...]
    columns: tuple[tuple[tuple[str, str], float], ...]
    values: tuple[ValueMatch, ...] = ()


class SearchIndex:
    """The inverted index of one catalogue; built once per version."""

    def __init__(self, catalog: Catalog) -> None:
        self.tables = catalog.tables
        self.names = [table.full_name for table in catalog.tables]
        self.place = {name: number for number, name in enumerate(self.names)}
        self._held_by: dict[tuple[str, ...], dict[str, list[tuple[int, float]]]] = {}
        self.number = {table.path: number for number, table in enumerate(self.tables)}
        self.graph = JoinGraph(catalog.joins)
        bare = without_codes(self.tables)
        self.families = families(bare)
        gathered: dict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
        named: dict[str, list[int]] = defaultdict(list)
        sizes = np.ones(len(self.tables), np.float32)
        common = common_prefix([table.name for table in bare])
        for number, table in enumerate(bare):
            for term, weight in table_terms(table).items():
                gathered[term][0].append(number)
                gathered[term][1].append(weight)
            own = table_name_terms(table, common)
            sizes[number] = max(1.0, sum(own.values()))
            for term in own:
                named[term].append(number)
        width = np.array([len(table.columns) for table in self.tables], np.float32)
        self._held = 1 + LENGTH * (width / max(1.0, float(width.mean() if len(width) else 1)) - 1)
        self._sizes = sizes
        self._named = {term: np.array(ids, np.int32) for term, ids in named.items()}
        self._idf = {term: self._rarity(len(ids)) for term, (ids, _) in gathered.items()}
        self._postings = {t: self._counts(np.array(ids, np.int32), weights) for t, (ids, weights) in gathered.items()}

    def _rarity(self, tables: float) -> float:
        return math.log(1 + (max(1, len(self.tables)) - tables + 0.5) / (tables + 0.5))

    def _counts(self, ids: Numbers, weights: list[float]) -> tuple[Numbers | None, Scores]:
        """The tables that hold a term and how much; a term of many tables as one number for every table."""
        counts = np.array(weights, np.float32) / self._held[ids]
        held = (counts * (SATURATION + 1) / (counts + SATURATION)).astype(np.float32)
        if len(ids) * DENSE < len(self.tables):
            return ids, held
        everywhere = np.zeros(len(self.tables), np.float32)
        everywhere[ids] = held
        return None, everywhere

    def score(
        self, things: Sequence[Terms], values: Mapping[int, float] | None = None, *, alone: bool = False
    ) -> Scores:
        """BM25 of every table over the things asked for, raised by its name's coverage, its values and its source.

        `alone` leaves out what a table gets from its neighbours.
        """
        scores = np.zeros(len(self.tables), np.float32)
        covered = np.zeros(len(self.tables), np.float32)
        source = np.zeros(len(self.families.starts), np.float32)
        for thing in self._telling(things):
            gains = self._gains(thing)
            scores += gains
            covered += self._naming(thing)
            if self.families.several:
                source += self.families.best(gains)
        # Squared: `orders` doubles where the question says orders, `order_items`, covered by half, gains a quarter.
        share = np.minimum(1.0, covered / self._sizes)
        scores *= 1 + share * share
        for number, gain in (values or {}).items():
            scores[number] += gain
        return scores if alone else self._with_source(scores, source, values or {})

    def _gains(self, thing: Terms) -> Scores:
        """What one thing adds to each table: its best form there, by how few tables hold any form of it."""
        held = np.zeros(len(self.tables), np.float32)
        for term in thing.keys() & self._postings.keys():
            ids, counts = self._postings[term]
            weight = np.float32(thing[term])
            if ids is None:
                np.maximum(held, weight * counts, out=held)
            else:
                held[ids] = np.maximum(held[ids], weight * counts)
        # Tables that hold the thing weakly count as parts of one, and all its forms count together: else
        # `names` looks rare, and tells more than `donors`, where a single table calls its column 名称.
        best = float(held.max(initial=0.0))
        return held * np.float32(self._rarity(float(held.sum()) / best)) if best else held

    def _naming(self, thing: Terms) -> Scores:
        """How much of each table's own name one thing covers."""
        covered = np.zeros(len(self.tables), np.float32)
        for term in thing.keys() & self._named.keys():
            ids = self._named[term]
            covered[ids] = np.maximum(covered[ids], np.float32(thing[term] * name_weight(term)))
        return covered

    def _with_source(self, scores: Scores, source: Scores, values: Mapping[int, float]) -> Scores:
        """Tables share what their source covers; where there is one source, nothing is to be told apart."""
        spread = self.spread(scores)
        if not self.families.several:
            return spread
        found: dict[int, float] = {}
        for number, gain in values.items():
            family = int(self.families.of[number])
            found[family] = max(found.get(family, 0.0), gain)
        for family, gain in found.items():
            source[family] += gain
        return spread + np.float32(SOURCE) * source[self.families.of]

    def _telling(self, things: Sequence[Terms]) -> list[Terms]:
        """The things that tables hold and that are rarest; the rest of a long question is left out."""
        present = [thing for thing in things if not self._postings.keys().isdisjoint(thing)]
        if len(present) <= TELLING:
            return present
        return heapq.nlargest(TELLING, present, key=self._weight)

    def _weight(self, thing: Terms) -> float:
        return max(weight * self._idf.get(term, 0.0) for term, weight in thing.items())

    def spread(self, scores: Scores) -> Scores:
        """Raise the neighbours of the best tables a little: what a question needs is usually joined together."""
        raised = scores.copy()
        for number in top(scores, SPREADING):
            near = self.graph.neighbours(self.tables[number].path)
            # To be joined to a table that many are joined to says little.
            gain = SPREAD * float(scores[number]) / math.sqrt(max(4, len(near)) / 4)
            for path in near[:NEAR]:
                raised[self.number[path]] += gain
        return raised

    def columns(self, table: Table, terms: Terms) -> list[tuple[str, float]]:
        """The columns of one table that the terms speak of, best first."""
        held = self._held_by.get(table.path) or self._held_by.setdefault(table.path, columns_by_term(table))
        hits: dict[int, float] = defaultdict(float)
        said: dict[int, float] = defaultdict(float)
        for term in held.keys() & terms.keys():
            weight, rare = min(1.0, terms[term]), self._idf.get(term, 1.0)
            for place, share in held[term]:
                hits[place] += share * terms[term] * rare
                said[place] += share * weight
        scored = [
            (
                place,
                hit * (0.5 + 0.5 * said[place] / column_size(table.columns[place].name, table.columns[place].comment)),
            )
            for place, hit in hits.items()
        ]
        return [(table.columns[place].name, score) for place, score in sorted(scored, key=lambda p: (-p[1], p[0]))]


@lru_cache(maxsize=131072)
def column_size(name: str, comment: str) -> float:
    """The weight of all terms of a column."""
    return max(0.01, sum(weight for _, weight in column_terms(name, comment)))


def columns_by_term(table: Table) -> dict[str, list[tuple[int, float]]]:
    """The places of a table's columns by the terms of their names and comments."""
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for place, column in enumerate(table.columns):
        for term, weight in column_terms(column.name, column.comment):
            found[term].append((place, weight))
    return dict(found)


def top(scores: Scores, count: int) -> list[int]:
    """The numbers of the highest scores above zero, in no order."""
    count = min(count, len(scores))
    best = np.argpartition(-scores, count - 1)[:count] if count else ()
    return [int(number) for number in best if scores[number] > 0]


def name_weight(term: str) -> float:
    """One Chinese character says less than a word."""
    return 0.25 if len(term) == 1 and term > "\u3000" else 1.0


def table_name_terms(table: Table, common: str = "") -> Terms:
    """The terms of the entity a table stores, weighted for coverage; a prefix that all tables share tells nothing."""
    return {
        term: name_weight(term)
        for entity in entity_of(table.name, common)
        for word in FOREIGN.get(entity, (entity,))[:1]
        for term, weight in name_terms(word)
        if weight == 1.0 or name_weight(term) < 1
    }


def table_terms(table: Table) -> Terms:
    """Everything a table may be found by; the best place of a term counts."""
    found: Terms = {}
    for part in table.path[:-1]:
        merge(found, {t: 0.5 * w for t, w in name_terms(part)})
    for column in table.columns:
        merge(found, {t: IN_COLUMN * w for t, w in name_terms(column.name)})
        merge(found, {t: IN_COMMENT * w for t, w in text_terms(column.comment).items()} if column.comment else {})
        for sample in column.samples[:5]:
            merge(found, {t: IN_SAMPLE * w for t, w in text_terms(sample).items()})
    merge(found, {t: IN_NAME * 0.8 * w for t, w in text_terms(table.comment).items()} if table.comment else {})
    merge(found, {t: IN_NAME * w for t, w in name_terms(table.name)})
    merge(found, {base: KIN * w for t, w in found.items() if (base := made_of(t))})
    return found


@lru_cache(maxsize=131072)
def column_terms(name: str, comment: str) -> tuple[tuple[str, float], ...]:
    """The terms of a column: its name, and its comment at half weight."""
    found: Terms = dict(name_terms(name))
    merge(found, {t: 0.6 * w for t, w in text_terms(comment).items()} if comment else {})
    return tuple(found.items())


def _index_key(catalog: Catalog) -> tuple[str, int]:
    return catalog.version, len(catalog.tables)


@cached(LRUCache[tuple[str, int], SearchIndex](16), key=_index_key, lock=Lock())
def index_of(catalog: Catalog) -> SearchIndex:
    """The search index of a catalogue, made on first use and kept for the last few versions."""
    with make_lasting(len(catalog.tables) > LARGE_CATALOG):
        return SearchIndex(catalog)


def rank_tables(
    question: str,
    catalog: Catalog,
    values: ValueIndex | Sequence[ValueMatch] | None = None,
    *,
    also: Sequence[str] = (),
) -> Ranking:
    """Tables and columns by how well they fit the question.

    `values` may be an index or matches found already; `also` are texts that say more of what is meant, such as the
    glossary's definition of a metric.
    """
    index = index_of(catalog)
    matches = values.match(question) if isinstance(values, ValueIndex) else list(values or ())
    terms = question_terms(question)
    for text in also:
        merge(terms, {term: ALSO * weight for term, weight in question_terms(text.replace("_", " ")).items()})
    things = [*concepts_in(question), *weaker(thing for text in also for thing in concepts_in(text.replace("_", " ")))]
    scores = index.score(things, value_scores(index, matches))
    order = sorted(top(scores, RANKED_TABLES), key=lambda n: (-float(scores[n]), index.names[n]))
    return Ranking(
        tuple((index.names[n], round(float(scores[n]), 4)) for n in order),
        ranked_columns(index, [(index.tables[n], float(scores[n])) for n in order[:COLUMNS_OF]], terms, matches),
        tuple(matches),
    )


def weaker(things: Iterable[Terms]) -> list[Terms]:
    """Things that are meant beside those the question says."""
    return [{term: ALSO * weight for term, weight in thing.items()} for thing in things]


def value_scores(index: SearchIndex, matches: Sequence[ValueMatch]) -> dict[int, float]:
    """What stored values add to their tables; a value found in many tables adds little to each."""
    homes: dict[str, set[str]] = defaultdict(set)
    for match in matches:
        homes[match.phrase].add(match.table)
    found: dict[int, float] = {}
    for match in matches:
        number = index.place.get(match.table)
        if number is not None:
            gain = 4.0 * match.score / math.sqrt(len(homes[match.phrase]))
            found[number] = max(found.get(number, 0.0), gain)
    return found


def ranked_columns(
    index: SearchIndex, tables: Sequence[tuple[Table, float]], terms: Terms, matches: Sequence[ValueMatch]
) -> tuple[tuple[tuple[str, str], float], ...]:
    """Columns of the ranked tables; those of better tables and those that hold a matched value come first."""
    top = max((score for _, score in tables), default=1.0) or 1.0
    found: dict[tuple[str, str], float] = {}
    for table, score in tables:
        for name, hit in index.columns(table, terms):
            found[table.full_name, name] = hit * (0.4 + 0.6 * score / top)
    for match in matches:
        place = (match.table, match.column)
        found[place] = found.get(place, 0.0) + 4.0 * match.score
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple((place, round(score, 4)) for place, score in ordered)


def link_tables(
    question: str,
    catalog: Catalog,
    values: ValueIndex | Sequence[ValueMatch] | None = None,
    *,
    limit: int = 10,
    also: Sequence[str] = (),
    ranking: Ranking | None = None,
) -> list[Table]:
    """At most `limit` tables for a question, best first, with the tables that join the best ones."""
    ranked = ranking or rank_tables(question, catalog, values, also=also)
    index = index_of(catalog)
    order = [index.place[name] for name, _ in ranked.tables]
    best = ranked.tables[0][1] if ranked.tables else 0.0
    strong = [n for n, (_, score) in zip(order, ranked.tables, strict=True) if score >= STRONG * best][:MOST_STRONG]
    # The tables between the best ones come before the rest: `limit` cuts the end, and orders cannot be summed up by
    # category without order_items and products.
    chosen = dict.fromkeys(index.graph.closed(index.tables[n].path for n in strong))
    chosen |= dict.fromkeys(index.tables[n].path for n in order)
    if len(catalog.tables) <= limit:
        chosen |= dict.fromkeys(table.path for table in catalog.tables)
    return [catalog.by_path[path] for path in list(chosen)[:limit]]
