"""The sources of a SELECT read back: aliases resolved, joins matched against the join graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sqlglot import exp

from inquery.form.ast import ColumnRef, Source
from inquery.form.join_paths import GUESSED, Edge, FormSchema, JoinPlan
from inquery.form.name_words import FormError

Place = tuple[str, str]
Equality = tuple[Place, Place]


class Unsupported(FormError):
    """A query the form cannot say; the message is the reason, equal for equal causes."""


@dataclass
class Read:
    """One table of a FROM clause: its alias, its table, and the name it gets in the form."""

    alias: str
    table: str
    optional: bool = False
    role: str | None = None
    via: tuple[Place, Place] | None = None

    @property
    def name(self) -> str:
        return self.role or self.table


@dataclass
class SelectNames:
    """What the columns of one SELECT may refer to."""

    schema: FormSchema
    reads: list[Read] = field(default_factory=list)
    equalities: list[Equality] = field(default_factory=list)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    outer: SelectNames | None = None

    def by_alias(self, alias: str) -> Read | None:
        folded = alias.casefold()
        return next((read for read in self.reads if read.alias.casefold() == folded), None)

    def column(self, column: exp.Column) -> ColumnRef | None:
        """The source and exact name of a column, of this SELECT or of one around it."""
        found = self.place(column)
        if found is None:
            return None
        read, name = found
        return ColumnRef(read.name, name)

    def place(self, column: exp.Column) -> tuple[Read, str] | None:
        for read in self.reads:
            if column.table and read.alias.casefold() != column.table.casefold():
                continue
            known = self.schema.tables[read.table].column(column.name)
            if known:
                return read, known.name
        return self.outer.place(column) if self.outer else None

    def is_own(self, column: exp.Column) -> bool:
        """Whether a column belongs to this SELECT and not to one around it."""
        found = self.place(column)
        return found is not None and any(read is found[0] for read in self.reads)


def find_table(schema: FormSchema, name: str) -> str:
    """The schema's own spelling of a table name."""
    if name in schema.tables:
        return name
    for known in schema.tables:
        if known.casefold() == name.casefold():
            return known
    raise Unsupported("unknown table")


def name_sources(names: SelectNames) -> None:
    """Give a role to every read that its table name does not tell apart, and to keys that are one of several."""
    by_alias = {read.alias: read for read in names.reads}
    tables = [read.table for read in names.reads]
    for edge, child, parent in _matched_edges(names, by_alias):
        several = tables.count(parent.table) > 1 or _several_keys(names.schema, edge)
        if several and parent.role is None and (tables.count(parent.table) > 1 or len(edge.child_columns) == 1):
            parent.role = edge.child_columns[0]
            if child.table == parent.table and child.role == parent.role:
                parent.role = None
    taken: set[str] = set()
    for read in names.reads:
        if read.name.casefold() in taken:
            _distinguish(read, names, taken)
        taken.add(read.name.casefold())


def _distinguish(read: Read, names: SelectNames, taken: set[str]) -> None:
    number = 2
    while f"{read.table}_{number}".casefold() in taken:
        number += 1
    read.role = f"{read.table}_{number}"
    for (left, own), (right, far) in names.equalities:
        if left == read.alias:
            read.via = ((left, own), (right, far))
        elif right == read.alias:
            read.via = ((right, far), (left, own))


def _matched_edges(names: SelectNames, by_alias: dict[str, Read]) -> Iterable[tuple[Edge, Read, Read]]:
    for left, right in names.equalities:
        for (child, own), (parent, far) in ((left, right), (right, left)):
            for edge in names.schema.edges[by_alias[child].table]:
                if edge.cost < GUESSED and (edge.child, edge.child_columns, edge.parent, edge.parent_columns) == (
                    by_alias[child].table, (own,), by_alias[parent].table, (far,),
                ):  # fmt: skip
                    yield edge, by_alias[child], by_alias[parent]


def _several_keys(schema: FormSchema, edge: Edge) -> bool:
    rivals = (e for e in schema.edges[edge.child] if e.cost < GUESSED)
    return sum(e.child == edge.child and e.parent == edge.parent for e in rivals) > 1


def choose_sources(names: SelectNames, used: Sequence[str]) -> tuple[Source, ...]:
    """The shortest list of sources that joins as the SQL does; `used` are the names that must stay, in order."""
    wanted = closure([(_rename(names, a), _rename(names, b)) for a, b in names.equalities])
    reads = {read.name: read for read in names.reads}
    order = [name for name in dict.fromkeys(used) if name in reads]
    order += [read.name for read in names.reads if read.name not in order and _degree(read, names) < 2]
    between = [read.name for read in names.reads if read.name not in order]
    for number in range(len(between) + 1):
        for added in combinations(between, number):
            sources = _sources(names, reads, [*order, *added])
            if joins_as(names.schema, sources, wanted, reads):
                return sources
    return _explicit(names, reads, [*order, *between], wanted)


def _explicit(
    names: SelectNames, reads: dict[str, Read], order: Sequence[str], wanted: set[frozenset[Place]]
) -> tuple[Source, ...]:
    """All sources in an order in which each joins one before it, with the joins written that are not implied."""
    listed: list[str] = []
    while len(listed) < len(order):
        near = [name for name in order if name not in listed and (not listed or _via(names, reads[name], set(listed)))]
        if not near:
            raise Unsupported("join that the form cannot name")
        listed.append(next((name for name in near if not reads[name].optional), near[0]))
    vias = {name: reads[name].via or _via(names, reads[name], set(listed[:i])) for i, name in enumerate(listed)}
    if not joins_as(names.schema, _sources(names, reads, listed, vias), wanted, reads):
        raise Unsupported("join that the form cannot name")
    for name in listed:
        if reads[name].via:
            continue
        fewer = {**vias, name: None}
        if joins_as(names.schema, _sources(names, reads, listed, fewer), wanted, reads):
            vias = fewer
    return _sources(names, reads, listed, vias)


def _sources(
    names: SelectNames,
    reads: dict[str, Read],
    listed: Sequence[str],
    vias: Mapping[str, tuple[Place, Place] | None] | None = None,
) -> tuple[Source, ...]:
    made: list[Source] = []
    late = (
        sorted(listed, key=lambda name: (reads[name].optional, reads[name].via is not None)) if vias is None else listed
    )
    for name in late:
        via = reads[name].via if vias is None else vias[name]
        pair = None
        if via:
            pair = (ColumnRef(*_rename(names, via[0])), ColumnRef(*_rename(names, via[1])))
        made.append(Source(reads[name].table, reads[name].role, pair, reads[name].optional))
    return tuple(made)


def _via(names: SelectNames, read: Read, before: set[str]) -> tuple[Place, Place] | None:
    """The equality that joins a read to one listed before it."""
    for left, right in names.equalities:
        for own, far in ((left, right), (right, left)):
            if own[0] == read.alias and _rename(names, far)[0] in before:
                return own, far
    return None


def _rename(names: SelectNames, place: Place) -> Place:
    read = names.by_alias(place[0])
    assert read is not None
    return read.name, place[1]


def _degree(read: Read, names: SelectNames) -> int:
    return len({frozenset((a[0], b[0])) for a, b in names.equalities if read.alias in (a[0], b[0])})


def joins_as(
    schema: FormSchema, sources: Sequence[Source], wanted: set[frozenset[Place]], reads: dict[str, Read]
) -> bool:
    """Whether the join plan of the sources ties together the same columns, with the same optional tables."""
    try:
        plan = JoinPlan(schema, sources)
    except FormError:
        return False
    if set(plan.sources) != set(reads):
        return False
    if any(plan.sources[name].optional != read.optional for name, read in reads.items()):
        return False
    made: list[Equality] = []
    for link in plan.links:
        pairs = zip(link.edge.child_columns, link.edge.parent_columns, strict=True)
        made += [((link.child, own), (link.parent, far)) for own, far in pairs]
    return closure(made) == wanted


def closure(equalities: Iterable[Equality]) -> set[frozenset[Place]]:
    """The classes of columns that are equal to each other."""
    classes: list[set[Place]] = []
    for left, right in equalities:
        touching = [c for c in classes if left in c or right in c]
        merged = {left, right}.union(*touching)
        classes = [c for c in classes if c not in touching] + [merged]
    return {frozenset(c) for c in classes if len(c) > 1}
