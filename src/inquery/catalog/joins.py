"""The join graph: declared references and inferred ones, each with a reason and a confidence."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count

from inquery.catalog.infer import Candidate, candidates
from inquery.catalog.join_verdicts import Ends, Tests, believed, ends_of
from inquery.sql import Catalog, Join

Path = tuple[str, ...]
FAR = 6.5  # a connection that costs more is no connection
VISITED = 2000  # tables looked at for one connection
NEARBY, NEARBY_VISITED = 3.5, 100  # the same when a selection is closed, so that time does not grow with the catalogue


def declared(catalog: Catalog) -> Iterator[Join]:
    """The foreign keys whose two ends are in the catalogue."""
    for table in catalog.tables:
        for key in table.foreign_keys:
            other = catalog.by_path.get(key.table)
            if other is None or not key.columns:
                continue
            ends = key.references or tuple(column.name for column in other.columns if column.primary_key)
            if len(ends) == len(key.columns):
                yield Join(table.path, key.columns, other.path, ends)


def with_joins(catalog: Catalog, tests: Tests | None = None) -> Catalog:
    """The catalogue with its join graph: declared edges first, then those that names tell and `tests` on data bear out."""
    known = [_with_cardinality(join, catalog) for join in dict.fromkeys(declared(catalog))]
    suggested = list(candidates(catalog, known))
    found = believed(_and_by_data(suggested, catalog, known, tests or {}), tests or {})
    return replace(catalog, joins=(*known, *(_with_cardinality(join, catalog) for join in found)))


def by_data(left: Path, left_columns: tuple[str, ...], right: Path, right_columns: tuple[str, ...]) -> Join:
    """An edge that no name suggests."""
    ends = (left, left_columns, right, right_columns)
    return Join(*ends, declared=False, confidence=0.3, reason="its values are keys of the other table", how="data")


def _and_by_data(suggested: list[Candidate], catalog: Catalog, known: list[Join], tests: Tests) -> list[Candidate]:
    """The candidates and those ends that were tested without a name, each beside the others of its column."""
    named = {ends_of(each.join) for each in suggested}
    bound = {(join.left, join.left_columns) for join in known}
    further = [
        Candidate(by_data(*ends[:4]), weak=True)
        for ends, test in tests.items()
        if ends not in named and (test.distinctive or test.fits) and ends[:2] not in bound and _is_there(catalog, ends)
    ]
    at = {(each.join.left, each.join.left_columns): place for place, each in enumerate(suggested)}
    end = len(suggested)
    places = [(place, each) for place, each in enumerate(suggested)]
    places += [(at.get((each.join.left, each.join.left_columns), end), each) for each in further]
    return [each for _, each in sorted(places, key=lambda pair: pair[0])]


def _is_there(catalog: Catalog, ends: Ends) -> bool:
    left, right = catalog.by_path.get(ends[0]), catalog.by_path.get(ends[2])
    if left is None or right is None:
        return False
    return all(left.column(name) for name in ends[1]) and all(right.column(name) for name in ends[3])


def _with_cardinality(join: Join, catalog: Catalog) -> Join:
    """The edge with what keys say of how many rows meet, where data has not said it."""
    if join.cardinality != "unknown":
        return join
    right = tuple(c.name for c in catalog.by_path[join.right].columns if c.primary_key)
    left = tuple(c.name for c in catalog.by_path[join.left].columns if c.primary_key)
    if set(right) != set(join.right_columns) and not join.declared:
        return join
    return replace(join, cardinality="one_to_one" if set(left) == set(join.left_columns) else "many_to_one")


def cost(join: Join) -> float:
    """Declared edges cost one, inferred ones more, the less certain the more."""
    return 1.0 if join.declared else 1.0 + 2.0 * (1.0 - join.confidence)


class JoinGraph:
    """Paths and cheapest trees over a catalogue's joins; deterministic."""

    def __init__(self, joins: Iterable[Join]) -> None:
        self.joins = tuple(joins)
        self._edges: dict[Path, list[tuple[float, int, Path]]] = defaultdict(list)
        for number, join in enumerate(self.joins):
            self._edges[join.left].append((cost(join), number, join.right))
            if join.left != join.right:
                self._edges[join.right].append((cost(join), number, join.left))
        for edges in self._edges.values():
            edges.sort()

    def between(self, a: Path, b: Path) -> list[Join]:
        """Every edge of two tables, cheapest first: two keys to one table are two edges."""
        return [self.joins[number] for _, number, other in self._edges.get(a, ()) if other == b]

    def neighbours(self, table: Path) -> list[Path]:
        """Tables one join away, cheapest first."""
        return list(dict.fromkeys(other for _, _, other in self._edges.get(table, ()) if other != table))

    def steiner(self, tables: Iterable[Path]) -> list[Join]:
        """A cheapest tree that connects the tables; those that cannot be reached stay apart."""
        terminals = list(dict.fromkeys(tables))
        best: tuple[int, float, list[int]] | None = None
        for start in terminals:
            reached, edges = self._grow(start, terminals)
            found = (-reached, sum(cost(self.joins[e]) for e in edges), sorted(edges))
            if best is None or found < best:
                best = found
        if best is None:
            return []
        left = self._apart(terminals, best[2])
        return [self.joins[e] for e in best[2]] + (self.steiner(left) if 1 < len(left) < len(terminals) else [])

    def _grow(
        self, start: Path, terminals: list[Path], *, far: float = FAR, visited: int = VISITED
    ) -> tuple[int, list[int]]:
        """Add the nearest terminal again and again, each by its shortest path to the tree."""
        tree, edges, waiting = {start}, [], set(terminals) - {start}
        while waiting:
            path = self._nearest(tree, waiting, far, visited)
            if path is None:
                break
            for number in path:
                tree |= {self.joins[number].left, self.joins[number].right}
            edges += path
            waiting -= tree
        return len(terminals) - len(waiting), edges

    def _nearest(self, tree: set[Path], targets: set[Path], farthest: float, visited: int) -> list[int] | None:
        """Edges of the shortest path from the tree to a target; ties fall to the smaller edge numbers."""
        heap: list[tuple[float, tuple[int, ...], Path]] = [(0.0, (), node) for node in sorted(tree)]
        done: set[Path] = set()
        known: dict[Path, tuple[float, tuple[int, ...]]] = {}
        while heap:
            far, path, node = heapq.heappop(heap)
            if node in targets:
                return list(path)
            if node in done or far > farthest:
                continue
            done.add(node)
            if len(done) > visited:
                return None
            for step, number, other in self._edges.get(node, ()):
                if other in done or other in tree:
                    continue
                way = (far + step, (*path, number))
                # A hub of a warehouse has hundreds of edges; a table is waited for by its best way alone.
                if other not in known or way < known[other]:
                    known[other] = way
                    heapq.heappush(heap, (*way, other))
        return None

    def _apart(self, terminals: list[Path], edges: list[int]) -> list[Path]:
        joined = {end for e in edges for end in (self.joins[e].left, self.joins[e].right)}
        return [table for table in terminals if table not in joined]

    def closed(self, tables: Iterable[Path]) -> list[Path]:
        """The tables and those nearby that join them to the first, in the order given, connecting ones last."""
        wanted = list(dict.fromkeys(tables))
        if len(wanted) < 2:
            return wanted
        _, edges = self._grow(wanted[0], wanted, far=NEARBY, visited=NEARBY_VISITED)
        ends = [end for e in edges for end in (self.joins[e].left, self.joins[e].right)]
        return list(dict.fromkeys([*wanted, *ends]))

    def paths(self, a: Path, b: Path, *, limit: int = 5, longest: int = 4) -> list[list[Join]]:
        """Ways from one table to another without visiting a table twice, cheapest first."""
        found: list[list[Join]] = []
        ticket = count()
        heap: list[tuple[float, int, int, Path, tuple[int, ...], frozenset[Path]]] = []
        heapq.heappush(heap, (0.0, 0, next(ticket), a, (), frozenset({a})))
        while heap and len(found) < limit:
            far, size, _, node, path, seen = heapq.heappop(heap)
            if node == b and path:
                found.append([self.joins[number] for number in path])
                continue
            for step, number, other in self._edges.get(node, ()) if size < longest else ():
                if other not in seen or (other == b == a and not path):
                    heapq.heappush(heap, (far + step, size + 1, next(ticket), other, (*path, number), seen | {other}))
        return found
