"""The join graph of a schema, the cheapest way to connect the sources of a block, and to tie a nested block to it."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from inquery.form.ast import ColumnRef, Source
from inquery.form.name_words import FormError, spell_name, table_names
from inquery.sql.catalog import Catalog, Join, Table

# A declared edge costs 1, one that the catalogue inferred up to 2. A name that is a primary key elsewhere is dearer
# than two declared edges through a table that the form lists, and cheaper than two through one that it does not; a name
# that is a key of neither table is dearer than those too.
_GUESS_PRIMARY, _GUESS_NAME = 3.0, 6.0
GUESSED = 2.5
"""Edges that cost more were guessed from equal names here, and give no roles."""
# Paid for each table passed that the form does not list: a way through tables it names is taken before a shorter one
# through others, since the writer named them for a reason.
_UNLISTED = 2.0
_OPTIONAL = 0.001
"""Of two ways as cheap, the one whose keys must be filled: a device always has its type, and with it a manufacturer; a
platform, which has one too, it has seldom, and rows without it were lost."""
_COMMON_NAMES = frozenset(
    ["id", "name", "type", "code", "status", "date", "year", "title", "description", "details", "no", "key", "value"]
)


@dataclass(frozen=True, slots=True)
class Edge:
    """`child`.`child_columns` refer to `parent`.`parent_columns`."""

    child: str
    child_columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    cost: float = 1.0

    def other(self, table: str) -> str:
        """The table at the far end."""
        return self.parent if table == self.child else self.child


@dataclass(frozen=True, slots=True)
class Hop:
    """An edge walked from one table to the next."""

    near: str
    edge: Edge
    far: str


@dataclass(frozen=True, slots=True)
class Link:
    """An edge between two sources of a block, by name: `child` holds the key."""

    edge: Edge
    child: str
    parent: str


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A column of a nested block that equals one of the block around it."""

    inner: ColumnRef
    outer: ColumnRef


class FormSchema:
    """The tables of a prompt with their join graph; made once, used for every question.

    Where nobody says what is joined (`joins` is None), as for the schemas that the model was trained on, columns of one
    name are taken to be; a catalogue's own joins are all there are. `display` tells the columns that name a row of a
    table to people.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        joins: Iterable[Join] | None = None,
        display: Callable[[Table], tuple[str, ...]] | None = None,
    ) -> None:
        self.tables: dict[str, Table] = table_names(tables)
        self._display = {name: display(table) for name, table in self.tables.items()} if display else {}
        self._paths = {table.path: name for name, table in self.tables.items()}
        self.edges: dict[str, list[Edge]] = {name: [] for name in self.tables}
        self._seen: set[tuple[frozenset[tuple[str, tuple[str, ...]]], ...]] = set()
        self._add_declared()
        if joins is None:
            self._add_guesses()
        else:
            self._add_joins(joins)

    @classmethod
    def of(cls, catalog: Catalog) -> FormSchema:
        """The schema of a whole catalogue."""
        return cls(catalog.tables, catalog.joins)

    def primary_key(self, name: str) -> tuple[str, ...]:
        """The primary key columns of a table, possibly none."""
        return tuple(column.name for column in self.tables[name].columns if column.primary_key)

    def display(self, name: str) -> tuple[str, ...]:
        """The columns that name a row of a table to people; its primary key, or first column, where none do."""
        found = self._display.get(name) or self.primary_key(name)
        return found or (self.tables[name].columns[0].name,)

    def has_display(self, name: str) -> bool:
        """Whether it is known which one column names a row of a table to people."""
        return len(self._display.get(name, ())) == 1

    def _add(self, edge: Edge) -> None:
        ends = ((edge.child, edge.child_columns), (edge.parent, edge.parent_columns))
        key = (frozenset(ends),)
        if key in self._seen:
            return
        self._seen.add(key)
        self.edges[edge.child].append(edge)
        if edge.parent != edge.child:
            self.edges[edge.parent].append(edge)

    def _add_declared(self) -> None:
        for name, table in self.tables.items():
            for key in table.foreign_keys:
                parent = self._paths.get(key.table)
                if parent is None:
                    continue
                references = key.references or self.primary_key(parent)
                if len(references) == len(key.columns):
                    self._add(self._spell_exactly(Edge(name, key.columns, parent, references)))

    def _add_joins(self, joins: Iterable[Join]) -> None:
        for join in joins:
            child, parent = self._paths.get(join.left), self._paths.get(join.right)
            # A reference that holds for some rows only cannot be joined without saying for which; the form has no word for it.
            if child is not None and parent is not None and join.condition is None:
                cost = 1.0 if join.declared else 2.0 - join.confidence
                self._add(self._spell_exactly(Edge(child, join.left_columns, parent, join.right_columns, cost)))

    def _spell_exactly(self, edge: Edge) -> Edge:
        """The edge with columns as the tables spell them, since declarations may differ in case."""
        child, parent = self.tables[edge.child], self.tables[edge.parent]
        own = tuple(found.name if (found := child.column(c)) else c for c in edge.child_columns)
        far = tuple(found.name if (found := parent.column(c)) else c for c in edge.parent_columns)
        return Edge(edge.child, own, edge.parent, far, edge.cost)

    def _add_guesses(self) -> None:
        """Edges between equally named columns of tables that no declared edge joins."""
        homes: dict[str, list[tuple[str, str]]] = {}
        for name, table in self.tables.items():
            for column in table.columns:
                homes.setdefault(column.name.casefold(), []).append((name, column.name))
        joined = {frozenset((e.child, e.parent)) for edges in self.edges.values() for e in edges}
        for folded, places in homes.items():
            # A name in more than a dozen tables says nothing about which of them belong together.
            if folded in _COMMON_NAMES or not 1 < len(places) <= 12:
                continue
            for i, (left, own) in enumerate(places):
                for right, far in places[i + 1 :]:
                    if left != right and frozenset((left, right)) not in joined:
                        self._add_guess(left, own, right, far)

    def _add_guess(self, left: str, own: str, right: str, far: str) -> None:
        if self.primary_key(right) == (far,):
            self._add(Edge(left, (own,), right, (far,), _GUESS_PRIMARY))
        elif self.primary_key(left) == (own,):
            self._add(Edge(right, (far,), left, (own,), _GUESS_PRIMARY))
        else:
            self._add(Edge(left, (own,), right, (far,), _GUESS_NAME))

    def connected(self, table: str, others: Iterable[str]) -> bool:
        """Whether a table can be joined to one of the others at all."""
        return table in others or self.path([table], set(others)) is not None

    def path(self, starts: Iterable[str], goals: set[str], listed: Iterable[str] = ()) -> list[Hop] | None:
        """The cheapest way from a start table to a goal table, of one hop at least; listed tables are free to pass."""
        # Dijkstra. Ways that cost the same are told apart by the count of pushes, so the edge declared first wins and
        # the same form gives the same SQL every time.
        free = {*goals, *listed}
        queue: list[tuple[float, int, str, tuple[Hop, ...]]] = []
        for table in starts:
            heapq.heappush(queue, (0.0, len(queue), table, ()))
        done: set[str] = set()
        pushed = len(queue)
        while queue:
            cost, _, table, hops = heapq.heappop(queue)
            if hops and table in goals:
                return list(hops)
            if table in done:
                continue
            done.add(table)
            for edge in self.edges[table]:
                far = edge.other(table)
                # A table may be start and goal at once (a role of itself); then it is reached again, by an edge.
                if far not in done or far in goals:
                    pushed += 1
                    step = edge.cost + (0.0 if far in free else _UNLISTED) + _OPTIONAL * self._is_optional(edge)
                    heapq.heappush(queue, (cost + step, pushed, far, (*hops, Hop(table, edge, far))))
        return None

    def _is_optional(self, edge: Edge) -> bool:
        """Whether a row may refer to nothing by this key."""
        columns = (self.tables[edge.child].column(name) for name in edge.child_columns)
        return any(column is None or (column.nullable and not column.primary_key) for column in columns)


class JoinPlan:
    """How the sources of one block are joined: the links, and the tables added to make them meet."""

    def __init__(self, schema: FormSchema, sources: Sequence[Source]) -> None:
        self.schema = schema
        self.sources: dict[str, Source] = {source.name: source for source in sources}
        self.links: list[Link] = []
        self.also = [pair for source in sources for pair in source.also]
        """What else is equal, as written, besides the links."""
        self._group = {name: name for name in self.sources}
        for source in sources:
            self._link_as_written(source)
        # Those that must have rows first: a table between two of them is then joined inside, and an optional source
        # that leads through it finds it there instead of making it optional.
        for optional in (False, True):
            for source in sources[1:]:
                if source.optional == optional:
                    self._connect(source, sources)

    def _root(self, name: str) -> str:
        """The name that stands for the group of sources linked so far (a union-find without ranks: seven at most)."""
        while self._group[name] != name:
            name = self._group[name]
        return name

    def _link(self, edge: Edge, child: str, parent: str) -> None:
        self.links.append(Link(edge, child, parent))
        self._group[self._root(child)] = self._root(parent)

    def _link_as_written(self, source: Source) -> None:
        """Link by `via`, or by the key that the role names."""
        if source.via:
            own, other = source.via
            named = {ref.source for pair in source.also for ref in pair}
            if not named <= set(self.sources):
                raise FormError(f"via of {source.name} names a table that is not in from")
            if other.source not in self.sources or own.source != source.name:
                raise FormError(f"via of {source.name} names a table that is not in from")
            edge = Edge(self.sources[other.source].table, (other.column,), source.table, (own.column,))
            self._link(edge, other.source, source.name)
        elif source.role:
            found = self._find_role_edge(source)
            if found:
                self._link(found[0], found[1], source.name)

    def _find_role_edge(self, source: Source) -> tuple[Edge, str] | None:
        """The edge whose key column is the role, from a source that has it (or from its own table, joined in)."""
        if source.of and source.of not in self.sources:
            raise FormError(f"{source.of} is not in from")
        role = spell_name(source.role or "").casefold()
        keys = [
            edge
            for edge in self.schema.edges[source.table]
            if edge.parent == source.table and role in {spell_name(column).casefold() for column in edge.child_columns}
        ]
        for edge in keys:
            for name, other in self.sources.items():
                if name != source.name and other.table == edge.child and source.of in (None, name):
                    return edge, name
        if source.of:
            raise FormError(f"{source.of} has no key {source.role} to {source.table}")
        for edge in keys:
            if edge.child != source.table:
                return edge, self._add_bridge(edge.child, source.optional)
        return None

    def _add_bridge(self, table: str, optional: bool) -> str:
        """A table that the form left out, because it only connects others."""
        name = table
        while name in self.sources:
            name += "_"
        self.sources[name] = Source(table, None if name == table else name, None, optional)
        self._group[name] = name
        return name

    def _connect(self, source: Source, sources: Sequence[Source]) -> None:
        """Connect a source to the first one by the cheapest path, through tables added where needed."""
        first = sources[0].name
        if self._root(source.name) == self._root(first):
            return
        home = self._root(first)
        near = {name: s for name, s in self.sources.items() if self._root(name) == self._root(source.name)}
        far = {name: s for name, s in self.sources.items() if self._root(name) == home}
        starts = {s.table: name for name, s in reversed(near.items())}
        goals = {s.table: name for name, s in reversed(far.items())}
        hops = self.schema.path(starts, set(goals), {s.table for s in self.sources.values()})
        # Two of one table are a row and its parent where the table has a key to itself; the cheapest path may be a
        # detour to a neighbour and back, which would make them siblings.
        if hops is None or any(table in goals for table in starts):
            hops = self._find_loop(starts, goals) or hops
        if hops is None:
            raise FormError(f"{source.name} cannot be joined to {first}")
        self._link_path(hops, starts, goals, source.optional)

    def _find_loop(self, starts: Mapping[str, str], goals: Mapping[str, str]) -> list[Hop] | None:
        """The key of a table that points to the table itself."""
        for table in starts:
            for edge in self.schema.edges[table]:
                if edge.child == edge.parent and table in goals:
                    return [Hop(table, edge, table)]
        return None

    def _link_path(self, hops: list[Hop], starts: Mapping[str, str], goals: Mapping[str, str], optional: bool) -> None:
        name = starts[hops[0].near]
        for i, hop in enumerate(hops):
            last = i == len(hops) - 1
            target = goals[hop.far] if last else self._find_or_add_bridge(hop.far, optional)
            if hop.edge.child == hop.near and hop.near != hop.far:
                self._link(hop.edge, name, target)
            else:
                self._link(hop.edge, target, name)
            name = target

    def _find_or_add_bridge(self, table: str, optional: bool) -> str:
        """A listed source that is not joined yet serves as the bridge; else the table is added."""
        for name, source in self.sources.items():
            if source.table == table and source.role is None and self._root(name) == name:
                return name
        return self._add_bridge(table, optional)


def related_keys(
    schema: FormSchema, inner: tuple[Source, ...], outer: Mapping[str, Source]
) -> tuple[tuple[Source, ...], list[KeyPair]]:
    """The sources of a nested block with those that lead out of it, and the columns that tie it to the block around.

    The tie is the primary key of a table that both have, else an edge of the join graph; no pairs if there is neither.
    """
    for source in inner:
        shared = [name for name, other in outer.items() if other.table == source.table]
        if shared and (key := schema.primary_key(source.table)):
            name = source.name if source.name in shared else shared[0]
            return inner, [KeyPair(ColumnRef(source.name, column), ColumnRef(name, column)) for column in key]
    starts = {source.table: source.name for source in reversed(inner)}
    goals = {source.table: name for name, source in reversed([*outer.items()])}
    hops = _find_way_out(schema, starts, goals)
    if not hops:
        return inner, []
    name, table, added = starts[hops[0].near], hops[0].near, list(inner)
    for hop in hops[:-1]:
        name, table = starts.get(hop.far, hop.far), hop.far
        added += [] if hop.far in starts else [Source(hop.far)]
    edge, around = hops[-1].edge, goals[hops[-1].far]
    own, far = edge.child_columns, edge.parent_columns
    # A key to the table itself is read downwards: the nested rows are those that the row around points to.
    if edge.child != table or edge.child == edge.parent:
        own, far = far, own
    pairs = zip(own, far, strict=True)
    return tuple(added), [KeyPair(ColumnRef(name, a), ColumnRef(around, b)) for a, b in pairs]


def _find_way_out(schema: FormSchema, starts: Mapping[str, str], goals: Mapping[str, str]) -> list[Hop] | None:
    """The path from the tables of a nested block to those around it; a table that both have goes by its own key."""
    shared = next((table for table in starts if table in goals), None)
    if shared is not None:
        loop = next((edge for edge in schema.edges[shared] if edge.child == edge.parent), None)
        if loop:
            return [Hop(shared, loop, shared)]
    return schema.path(starts, set(goals), starts)
