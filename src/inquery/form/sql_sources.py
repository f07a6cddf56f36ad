"""The sources of a SELECT as the form names them: aliases resolved, roles given, joins matched against the join graph.

The form writes no ON and leaves out tables that only connect others, so the way back looks for the shortest list of
sources that the join graph connects as the SQL did. Whether it does is asked of the graph itself: the sources are
planned as `to_sql` would plan them, and the columns that come out equal are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from sqlglot import exp

from inquery.form.ast import Block, ColumnRef, Expr, Predicate, Related, Sort, Source, walk_tree
from inquery.form.join_paths import GUESSED, Edge, FormSchema, JoinPlan, KeyPair, related_keys
from inquery.form.name_words import FormError

Place = tuple[str, str]
"""A source, by its alias in the SQL or its name in the form, and a column."""
Equality = tuple[Place, Place]


class Unsupported(FormError):
    """A query the form cannot say; the message is the reason, equal for equal causes."""


@dataclass
class ReadTable:
    """One table of a FROM clause: its alias, its table, the name it gets in the form, what a left join's ON filters."""

    alias: str
    table: str
    optional: bool = False
    role: str | None = None
    via: Equality | None = None
    filters: list[exp.Expr] = field(default_factory=list)
    of: str | None = None
    also: list[Equality] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.of}.{self.role}" if self.of else self.role or self.table


@dataclass(frozen=True)
class ReadWindow:
    """A window of a SELECT: what it goes apart by and in which order, or what it ranks."""

    keys: tuple[Expr, ...] = ()
    order: tuple[Expr, ...] = ()
    ranked: tuple[tuple[Expr, ...], tuple[Sort, ...]] | None = None


@dataclass
class SelectNames:
    """What names of one SELECT may refer to: its tables, the items it shows under an alias, the SELECT around it."""

    schema: FormSchema
    reads: list[ReadTable] = field(default_factory=list)
    equalities: list[Equality] = field(default_factory=list)
    aliases: dict[str, Expr] = field(default_factory=dict)
    windows: list[ReadWindow] = field(default_factory=list)
    outer: SelectNames | None = None

    def by_alias(self, alias: str) -> ReadTable | None:
        folded = alias.casefold()
        return next((read for read in self.reads if read.alias.casefold() == folded), None)

    def by_name(self, name: str | None) -> ReadTable | None:
        return next((read for read in self.reads if read.name == name), None)

    def resolve(self, column: exp.Column) -> Expr | None:
        """What a name stands for, as SQLite looks it up: a column, else an item shown under it, else further out."""
        found = self.own_place(column)
        if found:
            return ColumnRef(found[0].name, found[1])
        if not column.table and column.name.casefold() in self.aliases:
            return self.aliases[column.name.casefold()]
        return self.outer.resolve(column) if self.outer else None

    def place(self, column: exp.Column) -> tuple[ReadTable, str] | None:
        """The table and exact name of a column, of this SELECT or of one around it."""
        return self.own_place(column) or (self.outer.place(column) if self.outer else None)

    def own_place(self, column: exp.Column) -> tuple[ReadTable, str] | None:
        for read in self.reads:
            if column.table and read.alias.casefold() != column.table.casefold():
                continue
            known = self.schema.tables[read.table].column(column.name)
            if known:
                return read, known.name
        return None

    def is_own(self, column: exp.Column) -> bool:
        """Whether a column belongs to this SELECT and not to one around it."""
        return self.own_place(column) is not None

    def equal_columns(self) -> set[frozenset[Place]]:
        """The classes of columns that the joins make equal, by names of the form."""
        return equality_classes((self.rename(left), self.rename(right)) for left, right in self.equalities)

    def rename(self, place: Place) -> Place:
        """A place by the form's name of its source instead of the alias."""
        read = self.by_alias(place[0])
        assert read is not None
        return read.name, place[1]

    def count_pieces(self) -> int:
        """How many groups of sources the joins leave apart."""
        groups = [{read.alias} for read in self.reads]
        for (left, _), (right, _) in self.equalities:
            touching = [group for group in groups if left in group or right in group]
            groups = [group for group in groups if group not in touching] + [set().union(*touching)]
        return len(groups)


def find_table(schema: FormSchema, name: str) -> str:
    """The schema's own spelling of a table name."""
    if name in schema.tables:
        return name
    for known in schema.tables:
        if known.casefold() == name.casefold():
            return known
    raise Unsupported("unknown table")


def equality_classes(equalities: Iterable[Equality]) -> set[frozenset[Place]]:
    """The classes of columns that are equal to each other: a = b, b = c and a = b, a = c are the same join."""
    classes: list[set[Place]] = []
    for left, right in equalities:
        touching = [c for c in classes if left in c or right in c]
        merged = {left, right}.union(*touching)
        classes = [c for c in classes if c not in touching] + [merged]
    return {frozenset(c) for c in classes if len(c) > 1}


def name_sources(names: SelectNames, *, chained: bool = False) -> None:
    """Give a role to every read that its table name does not tell apart, and to keys that are one of several.

    Where two would have one role they are `chained` to the source that has the key: home.city_id, away.city_id.
    """
    tables = [read.table for read in names.reads]
    for edge, child, parent in _match_edges(names):
        twice = tables.count(parent.table) > 1
        if parent.role is None and (twice or _is_one_of_several_keys(names.schema, edge)):
            parent.role = edge.child_columns[0]
            # The parent of a parent cannot be called parent_id as well.
            if child.table == parent.table and child.role == parent.role and not chained:
                parent.role = None
    if chained:
        _chain_roles(names)
    taken: set[str] = set()
    for read in names.reads:
        if read.name.casefold() in taken:
            _number_role(read, names, taken)
        taken.add(read.name.casefold())


def _chain_roles(names: SelectNames) -> None:
    """Tell roles of one name apart by the source that has the key."""
    counts = Counter(read.role for read in names.reads if read.role)
    # A chain is as long as the sources it goes through, each of which is named before the next.
    for _ in names.reads:
        for edge, child, parent in _match_edges(names):
            if parent.role == edge.child_columns[0] and counts[parent.role] > 1 and child.role and child is not parent:
                parent.of = child.name


def _number_role(read: ReadTable, names: SelectNames, taken: set[str]) -> None:
    """A second of a table that no key tells apart is numbered, and its join written."""
    number = 2
    while f"{read.table}_{number}".casefold() in taken:
        number += 1
    read.role, read.of = f"{read.table}_{number}", None
    for (left, own), (right, far) in names.equalities:
        if left == read.alias:
            read.via = ((left, own), (right, far))
        elif right == read.alias:
            read.via = ((right, far), (left, own))


def _match_edges(names: SelectNames) -> Iterator[tuple[Edge, ReadTable, ReadTable]]:
    """The edges of the graph that the SQL joins by, with the child and the parent each of them ties."""
    by_alias = {read.alias: read for read in names.reads}
    for left, right in names.equalities:
        for (child, own), (parent, far) in ((left, right), (right, left)):
            ends = (by_alias[child].table, (own,), by_alias[parent].table, (far,))
            for edge in names.schema.edges[by_alias[child].table]:
                found = (edge.child, edge.child_columns, edge.parent, edge.parent_columns)
                # The grammar gives no roles by guessed edges either.
                if edge.cost < GUESSED and found == ends:
                    yield edge, by_alias[child], by_alias[parent]


def _is_one_of_several_keys(schema: FormSchema, edge: Edge) -> bool:
    rivals = (e for e in schema.edges[edge.child] if e.cost < GUESSED)
    return sum(e.child == edge.child and e.parent == edge.parent for e in rivals) > 1


def choose_sources(names: SelectNames, used: Sequence[str], *, several: bool = False) -> tuple[Source, ...]:
    """The shortest list of sources that joins as the SQL does; `used` are the names that must stay, in order.

    `several`: a written join may have more than one equality.
    """
    wanted = names.equal_columns()
    reads = {read.name: read for read in names.reads}
    order = _with_chains([name for name in dict.fromkeys(used) if name in reads], reads)
    # A table at the end of a chain that nothing names still drops rows without a match; only those between may go.
    order += [read.name for read in names.reads if read.name not in order and _count_joins(read, names) < 2]
    order = _with_chains(order, reads)
    between = [read.name for read in names.reads if read.name not in order]
    # All combinations, fewest first: a query joins seven tables at most, and few of them lie between others.
    for number in range(len(between) + 1):
        for added in combinations(between, number):
            sources = _list_sources(names, reads, [*order, *added])
            if _joins_as(names.schema, sources, wanted, reads):
                return sources
    return _write_joins(names, reads, [*order, *between], wanted, several=several)


def _with_chains(order: Sequence[str], reads: Mapping[str, ReadTable]) -> list[str]:
    """The names with the sources that their roles are chained to, each of these before what is called by it."""
    found: list[str] = []
    for name in order:
        chain = [name]
        while (around := reads[chain[0]].of) is not None:
            chain.insert(0, around)
        found += chain
    return list(dict.fromkeys(found))


def _write_joins(
    names: SelectNames,
    reads: dict[str, ReadTable],
    order: Sequence[str],
    wanted: set[frozenset[Place]],
    *,
    several: bool,
) -> tuple[Source, ...]:
    """All sources in an order in which each joins one before it, with the joins written that are not implied."""
    listed: list[str] = []
    while len(listed) < len(order):
        near = [name for name in order if name not in listed and (not listed or _via(names, reads[name], set(listed)))]
        near = [name for name in near if reads[name].of in (None, *listed)]
        if not near:
            raise Unsupported("join that the form cannot name")
        listed.append(next((name for name in near if not reads[name].optional), near[0]))
    vias = {name: reads[name].via or _via(names, reads[name], set(listed[:i])) for i, name in enumerate(listed)}
    if several:
        _add_equalities(names, reads, listed, vias)
    if not _joins_as(names.schema, _list_sources(names, reads, listed, vias), wanted, reads):
        raise Unsupported("join that the form cannot name")
    # All joins are written; now those go, one by one, that the graph gives without.
    for name in listed:
        if reads[name].via or reads[name].also:
            continue
        fewer = {**vias, name: None}
        if _joins_as(names.schema, _list_sources(names, reads, listed, fewer), wanted, reads):
            vias = fewer
    return _list_sources(names, reads, listed, vias)


def _add_equalities(
    names: SelectNames, reads: dict[str, ReadTable], listed: Sequence[str], vias: Mapping[str, Equality | None]
) -> None:
    """Give each equality that the written joins leave out to the later of its two sources."""
    done = [(names.rename(via[0]), names.rename(via[1])) for via in vias.values() if via]
    for left, right in names.equalities:
        pair = (names.rename(left), names.rename(right))
        if any(set(pair) <= found for found in equality_classes(done)):
            continue
        own, far = (left, right) if listed.index(pair[0][0]) > listed.index(pair[1][0]) else (right, left)
        reads[names.rename(own)[0]].also.append((own, far))
        done.append(pair)


def _list_sources(
    names: SelectNames,
    reads: dict[str, ReadTable],
    listed: Sequence[str],
    vias: Mapping[str, Equality | None] | None = None,
) -> tuple[Source, ...]:
    """The sources by name with the joins given, else in an order in which those that must be written can be."""
    if vias is None:
        vias = {name: reads[name].via for name in listed}
        listed = sorted(listed, key=lambda name: (reads[name].optional, reads[name].via is not None))
        listed = _with_chains(listed, reads)
    made: list[Source] = []
    for name in listed:
        via = vias[name]
        pair = (ColumnRef(*names.rename(via[0])), ColumnRef(*names.rename(via[1]))) if via else None
        also = [(ColumnRef(*names.rename(a)), ColumnRef(*names.rename(b))) for a, b in reads[name].also] if pair else []
        made.append(
            Source(reads[name].table, reads[name].role, pair, reads[name].optional, reads[name].of, tuple(also))
        )
    return tuple(made)


def _via(names: SelectNames, read: ReadTable, before: set[str]) -> Equality | None:
    """The equality that joins a read to one listed before it."""
    for left, right in names.equalities:
        for own, far in ((left, right), (right, left)):
            if own[0] == read.alias and names.rename(far)[0] in before:
                return own, far
    return None


def _count_joins(read: ReadTable, names: SelectNames) -> int:
    return len({frozenset((a[0], b[0])) for a, b in names.equalities if read.alias in (a[0], b[0])})


def _joins_as(
    schema: FormSchema, sources: Sequence[Source], wanted: set[frozenset[Place]], reads: dict[str, ReadTable]
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
    return _planned_classes(plan) == wanted


def _planned_classes(plan: JoinPlan) -> set[frozenset[Place]]:
    linked = [
        ((link.child, own), (link.parent, far))
        for link in plan.links
        for own, far in zip(link.edge.child_columns, link.edge.parent_columns, strict=True)
    ]
    return equality_classes([*linked, *(((a.source, a.column), (b.source, b.column)) for a, b in plan.also)])


def as_related(test: Predicate, names: SelectNames) -> Related | None:
    """`key in (query)` as `any ( … )` or `no ( … )`, if compiling that would compare the same two columns.

    The model then need not name the keys, and the form is the same as for EXISTS.
    """
    if test.op not in ("in", "not in") or not isinstance(test.right, Block) or not isinstance(test.left, ColumnRef):
        return None
    inner = test.right
    if not inner.sources or inner.by or inner.having or inner.top or inner.same:
        return None
    if len(inner.show) != 1 or not isinstance(inner.show[0], ColumnRef):
        return None
    outer = {read.name: Source(read.table, read.role, None, read.optional, read.of) for read in names.reads}
    wanted = [KeyPair(inner.show[0], test.left)]
    for sources in _shorter_sources(inner):
        grown, pairs = related_keys(names.schema, sources, outer)
        if pairs != wanted or _is_one_of_several(names.schema, pairs[0], sources, outer):
            continue
        if _join_alike(names.schema, grown, inner.sources):
            return Related(Block(sources, where=inner.where), test.op == "not in")
    return None


def _shorter_sources(block: Block) -> list[tuple[Source, ...]]:
    """Fewer sources first: those that tests need, those that do not give the key, then all of them."""
    used = {node.source for node in walk_tree(block.where) if isinstance(node, ColumnRef)}
    shown = {node.source for node in walk_tree(block.show) if isinstance(node, ColumnRef)} - used
    needed = tuple(source for source in block.sources if source.name in used)
    others = tuple(source for source in block.sources if source.name not in shown)
    return [kept for kept in dict.fromkeys((needed, others, block.sources)) if kept]


def _is_one_of_several(
    schema: FormSchema, pair: KeyPair, sources: tuple[Source, ...], outer: Mapping[str, Source]
) -> bool:
    """Whether another key joins the same two tables, so that the key must be written."""
    table = outer[pair.outer.source].table
    inner = next((source.table for source in sources if source.name == pair.inner.source), pair.inner.source)
    return inner != table and sum({e.child, e.parent} == {inner, table} for e in schema.edges[table]) > 1


def _join_alike(schema: FormSchema, some: tuple[Source, ...], others: tuple[Source, ...]) -> bool:
    try:
        plan, other = JoinPlan(schema, some), JoinPlan(schema, others)
    except FormError:
        return False
    return set(plan.sources) == set(other.sources) and _planned_classes(plan) == _planned_classes(other)
