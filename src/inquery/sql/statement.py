"""The one reader of statements: what each name means, and what is filtered, measured, grouped, ranked and repeated.

Whoever asks what a statement says asks here: spelling, empty results, warnings of joins, claims of questions. sqlglot
finds the scopes (which SELECT a name is looked up in); this file adds what the catalogue knows. The guard keeps a
resolver of its own, and must: it refuses what it does not understand, while a reader passes over it and says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import sqlglot
from sqlglot import exp
from sqlglot.optimizer import scope as sqlglot_scope
from sqlglot.optimizer.scope import ScopeType, find_all_in_scope, traverse_scope

from inquery.sql.catalog import Catalog, Table
from inquery.sql.guard.sqlite_texts import read_texts
from inquery.sql.repair import UNREADABLE

COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like, exp.ILike, exp.Is)
ADDING = (exp.Sum, exp.Avg, exp.Count)
"""Aggregates that a repeated row changes; the highest and the lowest stay what they are."""
_DATES = (exp.Date, exp.Datetime, exp.Timestamp, exp.TsOrDsToDate, exp.StrToDate, exp.StrToTime)
_AROUND_VALUES = (exp.Paren, exp.Neg, exp.Cast, *_DATES)
"""What may stand around a literal without making it another: DATE '2026-01-01', date('2026-01-01'), -5."""
_SUMMARIES = (exp.Rollup, exp.Cube, exp.GroupingSets)
LIKELY = 0.5
"""A guessed join of a higher confidence has one row on its right side; below, two tables only share a column."""

Key = frozenset[str]
"""Case-folded columns that together tell the rows of a source apart; the empty one means that there is one row."""


@dataclass(frozen=True, slots=True)
class Place:
    """A stored column."""

    table: Table
    column: str

    @property
    def name(self) -> str:
        """table.column."""
        return f"{self.table.full_name}.{self.column}"

    @property
    def is_key(self) -> bool:
        """Whether the column alone tells the rows of its table apart."""
        return _primary_key(self.table) == {self.column.casefold()}


@dataclass(frozen=True, slots=True)
class Filter:
    """A column beside a literal.

    `operator` is sqlglot's class of the comparison: EQ, In, GTE, Like, Is (of NULL) and so on. `bare` says that the
    column is compared as it is stored, not through a function; `negated` that it stands under NOT, as in NOT IN;
    `last` that the literal is the upper end of BETWEEN; `span` is where the literal stands in the text.
    """

    place: Place | None
    operator: str
    literal: str
    is_text: bool
    bare: bool = True
    negated: bool = False
    last: bool = False
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """An aggregate with the columns it is over; none where it counts rows."""

    call: exp.AggFunc
    columns: tuple[exp.Column, ...]

    @property
    def counts_rows(self) -> bool:
        """Whether it is COUNT(*)."""
        return isinstance(self.call, exp.Count) and isinstance(self.call.this, exp.Star)

    @property
    def is_distinct(self) -> bool:
        """Whether equal values are taken once."""
        return self.call.find(exp.Distinct) is not None

    def text(self, dialect: str) -> str:
        """The aggregate as it is written."""
        try:
            return self.call.sql(dialect=dialect)
        except UNREADABLE:
            return f"{self.call.sql_name()}(…)"


@dataclass(frozen=True, slots=True)
class Ranking:
    """How the rows that are shown are ordered, and how many there are at most; an empty text means all."""

    by: tuple[exp.Ordered, ...]
    most: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A column that a query gives: its case-folded name, which column of a source it is, and the stored one behind."""

    name: str
    origin: tuple[str, str] | None = None
    place: Place | None = None


@dataclass(slots=True, eq=False)
class Source:
    """What a name of a FROM stands for: a stored table, a query (a UNION has several SELECTs), or neither."""

    name: str
    table: Table | None = None
    selects: tuple[Scope, ...] = ()
    columns: tuple[str, ...] = ()
    repeats: bool = True
    catalog_keys: tuple[Key, ...] = ()

    @property
    def label(self) -> str:
        """What a person knows it by."""
        return self.table.full_name if self.table else self.name

    @property
    def keys(self) -> tuple[Key, ...]:
        """What is known to tell its rows apart; nothing of a UNION, of a function, of a table without a key."""
        if len(self.selects) != 1:
            return self.catalog_keys
        names = {shown.name: name for shown, name in zip(self.selects[0].shown, self.columns, strict=False)}
        return tuple(frozenset(names.get(column, column) for column in key) for key in self.selects[0].keys)

    def given(self) -> Iterator[Shown]:
        """Its columns, as far as they are known."""
        if self.table is not None:
            for column in self.table.columns:
                yield self._shown(column.name, Place(self.table, column.name))
        elif self.selects:
            for at, shown in enumerate(self.selects[0].shown):
                yield self._shown(self.columns[at] if at < len(self.columns) else shown.name, self._common_place(at))
        else:
            yield from (self._shown(name) for name in self.columns)

    def column(self, name: str) -> Shown | None:
        """The column of a name; None where it has none, or nobody knows."""
        if self.table is not None:
            known = self.table.column(name)
            return self._shown(known.name, Place(self.table, known.name)) if known else None
        return next((shown for shown in self.given() if shown.name == name.casefold()), None)

    def _shown(self, name: str, place: Place | None = None) -> Shown:
        return Shown(name.casefold(), (self.name, name.casefold()), place)

    def _common_place(self, at: int) -> Place | None:
        """The stored column behind one of a query's; of a UNION only where all its SELECTs give the same."""
        places = {select.shown[at].place if at < len(select.shown) else None for select in self.selects}
        return places.pop() if len(places) == 1 else None


@dataclass(frozen=True, slots=True)
class Repeated:
    """An aggregate over rows that a join repeats: what it is over, and the source with several rows for each."""

    measure: Measure
    place: Place
    by: Source


_End = tuple[str, str]
"""A source and its column, at one side of an equality."""


@dataclass(eq=False)
class Scope:
    """One SELECT with its sources by their case-folded names; `outer` is where a correlated name is looked up."""

    select: exp.Select
    sources: dict[str, Source] = field(default_factory=dict)
    outer: Scope | None = None
    shown: tuple[Shown, ...] = ()
    keys: tuple[Key, ...] = ()

    @property
    def tables(self) -> dict[str, Table]:
        """The stored tables of its FROM, by their names there."""
        return {name: source.table for name, source in self.sources.items() if source.table is not None}

    def find(self, *kinds: type[exp.Expr]) -> Iterator[exp.Expr]:
        """Nodes of this SELECT that are not of one inside it, in the order of the text."""
        return find_all_in_scope(self.select, *kinds)

    def columns(self) -> Iterator[exp.Column]:
        """Every column that this SELECT itself names."""
        return _columns_of(self.select)

    def owner(self, column: exp.Column) -> Source | None:
        """The source of this FROM that a column is of; the first, where a name without one fits several."""
        if column.table:
            return self.sources.get(column.table.casefold())
        return next((source for source in self.sources.values() if source.column(column.name)), None)

    def place(self, column: exp.Column) -> Place | None:
        """The stored column that a name means: through queries that give it as it is, and from the SELECTs around."""
        scope: Scope | None = self
        while scope is not None:
            owner = scope.owner(column)
            if owner is not None:
                found = owner.column(column.name)
                return found.place if found else None
            scope = scope.outer
        return None

    def filters(self) -> Iterator[Filter]:
        """Every comparison of a column with a literal, also through a function, also in CASE and HAVING."""
        negated: set[int] = set()
        for under in self.find(exp.Not):
            # Under NOT twice is not under it.
            negated ^= {id(node) for node in find_all_in_scope(under, *COMPARISONS)}
        for node in self.find(*COMPARISONS):
            sides = _sides(node)
            values = [(side, literal) for side in sides if (literal := _literal(side, node)) is not None]
            others = [side for side in sides if all(side is not taken for taken, _ in values)]
            column = next(chain.from_iterable(_columns_of(side) for side in others), None)
            for side, literal in values:
                yield Filter(
                    place=self.place(column) if column is not None else None,
                    operator=type(node).__name__,
                    literal="NULL" if isinstance(literal, exp.Null) else str(literal.this),
                    is_text=isinstance(literal, exp.Literal) and literal.is_string,
                    bare=column is not None and any(_unwrapped(other) is column for other in others),
                    negated=(id(node) in negated) != bool(node.args.get("negate")),  # NOT LIKE is one node
                    last=isinstance(node, exp.Between) and side is node.args.get("high"),
                    span=_span(literal),
                )

    def measures(self) -> Iterator[Measure]:
        """The aggregates of this SELECT, those of its HAVING and ORDER BY too."""
        for call in find_all_in_scope(self.select, exp.AggFunc):
            yield Measure(call, tuple(_columns_of(call)))

    @property
    def is_grouped(self) -> bool:
        """Whether there is a GROUP BY."""
        return self.select.args.get("group") is not None

    def grouping(self) -> list[exp.Expr]:
        """What is grouped by; numbers and names of what is shown are read as that."""
        group, shown = self.select.args.get("group"), self.select.expressions
        if group is None:
            return []
        if group.args.get("all"):
            return [item.unalias() for item in shown if item.find(exp.AggFunc) is None]
        aliases = {item.alias.casefold(): item.unalias() for item in shown if item.alias}
        found: list[exp.Expr] = []
        lists = (each.expressions if isinstance(each, _SUMMARIES) else [each] for each in group.expressions)
        for item in chain.from_iterable(lists):
            if isinstance(item, exp.Literal) and item.is_int and 0 < int(item.name) <= len(shown):
                item = shown[int(item.name) - 1].unalias()
            elif isinstance(item, exp.Column) and not item.table and self.owner(item) is None:
                item = aliases.get(item.name.casefold(), item)
            found.append(item)
        return found

    def plain_columns(self, *, grouped: bool = True) -> Iterator[exp.Column]:
        """Columns that are shown, or grouped by, outside of aggregates."""
        for item in [*self.select.expressions, *(self.grouping() if grouped else ())]:
            for column in _columns_of(item):
                if not isinstance(column.find_ancestor(exp.AggFunc, exp.Select), exp.AggFunc):
                    yield column

    def repeated(self) -> Iterator[Repeated]:
        """Sums, averages and counts that take rows more than once, because a join has several others for each.

        COUNT(*) is over no table's rows in particular and is never among them, nor is a product with a column of the
        table that repeats: it is worked out for each of those rows.
        """
        for measure in self.measures() if len(self.sources) > 1 else ():
            owners = [self._only_owner(column) for column in measure.columns]
            place = next((place for column in measure.columns if (place := self.place(column))), None)
            if not isinstance(measure.call, ADDING) or measure.is_distinct or place is None:
                continue
            known = [owner for owner in dict.fromkeys(owners) if owner is not None]
            by = [found for owner in known if (found := self.repeating(owner.name)) is not None]
            if None not in owners and len(by) == len(known):
                yield Repeated(measure, place, by[0])

    def repeating(self, name: str) -> Source | None:
        """The nearest source of which several rows may be joined to one row of this, within a group; None without one.

        A row of `name` is held still, and with it every source whose key the joins then determine. What cannot be held
        so may come several times.
        """
        held, moving = {name}, {each for each, source in self.sources.items() if each != name and source.repeats}
        while found := {each for each in moving if self._is_determined(each, held)}:
            held |= found
            moving -= found
        nearest = [each for each in self.sources if each in moving and self._partners(each, held)]
        return next((self.sources[each] for each in [*nearest, *self.sources] if each in moving), None)

    def _is_determined(self, name: str, held: set[str]) -> bool:
        """Whether one row at most of a source goes with those that are held."""
        partners = self._partners(name, held)
        bound = {column for column, _ in partners} | {column for end, column in self._pinned if end == name}
        if keys := self.sources[name].keys:
            return any(key <= bound for key in keys)
        # Nothing tells its rows apart, as of a view: joined to a key it likely refers there, else it is referred to.
        ends = [end for _, end in partners]
        refers = any(key and key <= {c for s, c in ends if s == at} for at in held for key in self.sources[at].keys)
        return bool(partners) and not refers

    def _partners(self, name: str, held: set[str]) -> list[tuple[str, _End]]:
        """Columns of a source that equal one of a held source, with that one."""
        pairs = [*self._equal, *((right, left) for left, right in self._equal)]
        return [(mine[1], other) for mine, other in pairs if mine[0] == name and other[0] in held]

    @cached_property
    def _equal(self) -> list[tuple[_End, _End]]:
        """Columns of two sources that are equal in every row."""
        return [(ends[0], ends[1]) for ends in self._equalities if len(ends) == 2 and ends[0][0] != ends[1][0]]

    @cached_property
    def _pinned(self) -> set[_End]:
        """Columns with one value in every row of a group: compared with a literal or from outside, or grouped by."""
        grouped = (self._end(item) for item in self.grouping() if isinstance(item, exp.Column))
        return {ends[0] for ends in self._equalities if len(ends) == 1} | {end for end in grouped if end}

    @cached_property
    def _equalities(self) -> list[tuple[_End, ...]]:
        """What must hold for each row: one end where a column equals something that is of no source here."""
        found: list[tuple[_End, ...]] = []
        joins = list(find_all_in_scope(self.select, exp.Join))
        where = self.select.args.get("where")
        for condition in [where.this if where else None, *(join.args.get("on") for join in joins)]:
            for node in _conjuncts(condition):
                if isinstance(node, exp.EQ):
                    ends = [self._ends(node.this), self._ends(node.expression)]
                    if all(len(each) < 2 for each in ends) and any(ends):
                        found.append(tuple(end for each in ends for end in each))
        return found + [ends for join in joins for ends in self._merged(join)]

    def _ends(self, side: exp.Expr) -> list[_End]:
        """The columns of this FROM in one side of an equality."""
        return list(dict.fromkeys(end for column in _columns_of(side) if (end := self._end(column)) is not None))

    def _end(self, column: exp.Column) -> _End | None:
        owner = self.owner(column)
        found = owner.column(column.name) if owner else None
        return (owner.name, found.name if found else column.name.casefold()) if owner else None

    def _merged(self, join: exp.Join) -> Iterator[tuple[_End, ...]]:
        """The equalities of JOIN … USING and NATURAL JOIN."""
        joined = self.sources.get(join.alias_or_name.casefold())
        if joined is None:
            return
        natural = [shown.name for shown in joined.given()] if join.method == "NATURAL" else []
        names = [item.name for item in join.args.get("using") or ()] or natural
        before = list(self.sources.values())[: list(self.sources).index(joined.name)]
        for name in names:
            other = next((source for source in before if source.column(name)), None)
            if other is not None:
                yield (joined.name, name.casefold()), (other.name, name.casefold())

    def _only_owner(self, column: exp.Column) -> Source | None:
        """The source of a column where it is the only one, or the name is one that a join merged."""
        if column.table or column.name.casefold() in self._using:
            return self.owner(column)
        holders = [source for source in self.sources.values() if source.column(column.name)]
        return holders[0] if len(holders) == 1 else None

    @cached_property
    def _using(self) -> set[str]:
        return {item.name.casefold() for join in self.find(exp.Join) for item in join.args.get("using") or ()}

    def read_shown(self) -> Iterator[Shown]:
        """What this SELECT gives, with stars written out."""
        for item in self.select.expressions:
            inner = _unwrapped(item.unalias())
            if item.is_star:
                yield from self._starred(item)
            elif isinstance(inner, exp.Column):
                yield Shown(item.alias_or_name.casefold(), self._end(inner), self.place(inner))
            else:
                yield Shown(item.alias_or_name.casefold())

    def _starred(self, item: exp.Expr) -> Iterator[Shown]:
        star = item.this if isinstance(item, exp.Column) else item
        changed = [node for key in ("except_", "replace", "rename") for node in star.args.get(key) or ()]
        dropped = {node.alias_or_name.casefold() for node in changed}
        of = item.table.casefold() if isinstance(item, exp.Column) else ""
        for name, source in self.sources.items():
            if of in {"", name}:
                yield from (shown for shown in source.given() if shown.name not in dropped)

    def read_keys(self) -> Iterator[Key]:
        """Columns shown that tell the rows of this SELECT apart."""
        group, limit = self.select.args.get("group"), self.select.args.get("limit")
        if _count_of(limit) == "1":
            yield frozenset()
        distinct = self.select.args.get("distinct")
        if distinct is not None and not distinct.args.get("on"):
            yield frozenset(shown.name for shown in self.shown)
        if group is not None:
            names = [self._name_of(item) for item in self.grouping()]
            if all(names) and group.find(*_SUMMARIES) is None:
                yield frozenset(filter(None, names))
        elif any(not isinstance(each.call.parent, exp.Window) for each in self.measures()):
            yield frozenset()
        else:
            given = {shown.origin: shown.name for shown in self.shown if shown.origin}
            for name, source in self.sources.items():
                keys = [[given.get((name, column)) for column in key] for key in source.keys]
                if any(map(all, keys)) and self.repeating(name) is None:
                    yield from (frozenset(filter(None, key)) for key in keys if all(key))

    def _name_of(self, grouped: exp.Expr) -> str | None:
        """The name under which something grouped by is shown."""
        for item, shown in zip(self.select.expressions, self.shown, strict=False):
            if item.unalias() == grouped:
                return shown.name
        end = self._end(grouped) if isinstance(grouped, exp.Column) else None
        return next((shown.name for shown in self.shown if end and shown.origin == end), None)


@dataclass(eq=False)
class Statement:
    """A statement that was read; `scopes` has the outermost SELECT first, of a UNION its first one."""

    text: str
    tree: exp.Query
    catalog: Catalog
    scopes: list[Scope]

    @property
    def top(self) -> Scope | None:
        """The SELECT whose rows are shown."""
        return self.scopes[0] if self.scopes else None

    @property
    def ranking(self) -> Ranking:
        """The order and the number of the rows that are shown; of a UNION those of the whole."""
        query: exp.Expr = self.tree
        while isinstance(query, exp.Subquery) and not (query.args.get("order") or query.args.get("limit")):
            query = query.this
        order = query.args.get("order")
        return Ranking(tuple(order.expressions) if order else (), _count_of(query.args.get("limit")))

    @property
    def has_windows(self) -> bool:
        """Whether anything is worked out over neighbouring rows."""
        return self.tree.find(exp.Window) is not None

    def written(self) -> str:
        """The statement in sqlglot's words, so that spaces do not matter; as it came where sqlglot cannot write it."""
        try:
            return self.tree.sql(dialect=self.catalog.dialect)
        except UNREADABLE:
            return self.text

    def aggregates(self) -> set[str]:
        """The aggregate functions used anywhere, by sqlglot's class names."""
        return {type(node).__name__ for node in self.tree.find_all(exp.AggFunc)}

    def places(self) -> set[str]:
        """Every stored column that is named, as table.column."""
        return {place.name for scope in self.scopes for column in scope.columns() if (place := scope.place(column))}

    def tables(self) -> set[str]:
        """Every stored table that is read."""
        return {table.full_name for scope in self.scopes for table in scope.tables.values()}

    def literals(self) -> set[str]:
        """Every literal, folded."""
        return {str(node.this).casefold() for node in self.tree.find_all(exp.Literal)}

    def filters(self) -> Iterator[Filter]:
        """Every comparison of a column with a literal."""
        return chain.from_iterable(scope.filters() for scope in self.scopes)

    def repeated(self) -> Iterator[Repeated]:
        """Aggregates over rows that a join repeats."""
        return chain.from_iterable(scope.repeated() for scope in self.scopes)


def read_statement(sql: str, catalog: Catalog, *, whole: Catalog | None = None) -> Statement | None:
    """The parts of a query over the tables of a catalogue; None where it is none or cannot be read.

    `whole` is the catalogue with what the user may not see, by which SQLite tells texts in double quotes from names.
    """
    try:
        tree = sqlglot.parse_one(sql, dialect=catalog.dialect)
        if not isinstance(tree, exp.Query):
            return None
        if catalog.dialect == "sqlite":
            _read_quoted_texts(tree, sql, whole or catalog)
        return Statement(sql, tree, catalog, _read_scopes(tree, catalog))
    except (*UNREADABLE, AssertionError):  # sqlglot asserts what it expects of a source
        return None


def _read_quoted_texts(tree: exp.Expr, sql: str, catalog: Catalog) -> None:
    """Write "Paris" as the text it is to SQLite, and keep where it stands: what is misspelt is corrected there."""
    quoted = [node for node in tree.find_all(exp.Column) if '"' in sql and not node.table]
    places = [(node.parent, node.arg_key, node.index, node.this.meta) for node in quoted]
    read_texts(tree, sql, catalog)
    for parent, key, index, meta in places:
        now = parent.args[key] if parent is not None and key is not None else None
        now = now[index] if isinstance(now, list) and index is not None else now
        if isinstance(now, exp.Literal):
            now.meta.update(meta)


def _read_scopes(tree: exp.Query, catalog: Catalog) -> list[Scope]:
    """The SELECTs of a tree, outermost first."""
    # sqlglot gives a query before those that read it, so that nothing here has to recurse.
    found = {id(each.expression): each for each in traverse_scope(tree)}
    selects = [each.expression for each in found.values() if isinstance(each.expression, exp.Select)]
    scopes = {id(select): Scope(select) for select in selects}
    for key, scope in scopes.items():
        outer = _outer(found[key])
        scope.outer = scopes.get(id(outer.expression)) if outer else None
        scope.sources = _sources(found[key], found, scopes, catalog)
    sources = [source for scope in scopes.values() for source in scope.sources.values()]
    read_from = {id(select) for source in sources for select in source.selects}
    for scope in scopes.values():
        if id(scope) in read_from:  # of others nobody asks
            scope.shown = tuple(scope.read_shown())
            scope.keys = tuple(dict.fromkeys(scope.read_keys()))
    return [scopes[id(select)] for select in tree.find_all(exp.Select) if id(select) in scopes]


def _outer(scope: sqlglot_scope.Scope) -> sqlglot_scope.Scope | None:
    """The SELECT whose sources a scope may name: a subquery and LATERAL may, a CTE and a derived table may not."""
    sees = False
    while scope.parent is not None:
        sees = sees or scope.scope_type in (ScopeType.SUBQUERY, ScopeType.UDTF)
        scope = scope.parent
        if sees and isinstance(scope.expression, exp.Select):
            return scope
    return None


def _sources(
    scope: sqlglot_scope.Scope,
    found: Mapping[int, sqlglot_scope.Scope],
    scopes: Mapping[int, Scope],
    catalog: Catalog,
) -> dict[str, Source]:
    """What a SELECT reads, by its names, in the order of the text."""
    ctes = {name.casefold(): cte for name, cte in scope.cte_sources.items() if isinstance(cte, sqlglot_scope.Scope)}
    sources: dict[str, Source] = {}
    for alias, node in scope.references:
        name = alias.casefold() or f"#{len(sources) + 1}"
        made = sources.setdefault(name, Source(name))
        made.repeats = alias not in scope.semi_or_anti_join_tables
        made.columns = tuple(column.casefold() for column in _renamed(node))
        if node.args.get("pivots"):
            continue  # other columns come out than go in
        cte = ctes.get(node.name.casefold()) if isinstance(node, exp.Table) and not node.db else None
        if cte is not None:
            named = cte.expression.find_ancestor(exp.CTE)
            made.columns = made.columns or tuple(
                each.casefold() for each in (named.alias_column_names if named else ())
            )
        elif isinstance(node, exp.Table):
            made.table = find_table(node, catalog)
            made.catalog_keys = tuple(_keys_of(made.table, catalog)) if made.table else ()
        # Of a recursive CTE, what it reads of itself is its first SELECT, which has another scope of sqlglot's.
        query = found.get(id(cte.expression if cte is not None else node))
        made.selects = tuple(_selects(query, found, scopes)) if query is not None else ()
    return sources


def _renamed(node: exp.Expr) -> list[str]:
    """The names that AS t(a, b) gives the columns of a source."""
    holder = node.parent if isinstance(node.parent, exp.Subquery) and not isinstance(node, exp.Table) else node
    alias = holder.args.get("alias")
    return [column.name for column in alias.columns] if isinstance(alias, exp.TableAlias) else []


def _selects(
    query: sqlglot_scope.Scope, found: Mapping[int, sqlglot_scope.Scope], scopes: Mapping[int, Scope]
) -> Iterator[Scope]:
    """The SELECTs whose rows a query gives, in the order of the text."""
    waiting = [query]
    while waiting:
        each = waiting.pop()
        if id(each.expression) in scopes:
            yield scopes[id(each.expression)]
        elif isinstance(each.expression, exp.UDTF):  # LATERAL (SELECT …)
            waiting += reversed(each.subquery_scopes)
        else:
            waiting += reversed([found.get(id(part.expression), part) for part in each.set_operation_scopes])


def find_table(node: exp.Table, catalog: Catalog) -> Table | None:
    """The stored table that a name means: the one that ends so, among several the one that is spelled so or is near."""
    parts = tuple(part.name for part in node.parts)
    folded = tuple(part.casefold() for part in parts)
    fits = []
    for table in catalog.by_last_name.get(folded[-1], []):
        path = tuple(part.casefold() for part in table.path)
        shorter = min(len(path), len(folded))
        if path[-shorter:] == folded[-shorter:]:
            fits.append(table)
    if len(fits) > 1:
        spelled = [table for table in fits if table.path[-len(parts) :] == parts]
        near = [table for table in spelled or fits if table.path[:-1] == catalog.default_schema]
        fits = near or spelled or fits
    return fits[0] if len(fits) == 1 else None


def _primary_key(table: Table) -> Key:
    return frozenset(column.name.casefold() for column in table.columns if column.primary_key)


def _keys_of(table: Table, catalog: Catalog) -> Iterable[Key]:
    """The primary key, and what other tables refer to: by declaration, and by a good guess where there is no key."""
    primary = _primary_key(table)
    if primary:
        yield primary
    for join in catalog.joins_of([table.path]):
        if join.right == table.path and (join.declared or (not primary and join.confidence > LIKELY)):
            yield frozenset(column.casefold() for column in join.right_columns)


def _columns_of(node: exp.Expr) -> Iterator[exp.Column]:
    """The columns that a node names in its own SELECT; `t.*` is none."""
    for column in find_all_in_scope(node, exp.Column):
        if not isinstance(column.this, exp.Star):
            yield column


def _conjuncts(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    """The conditions that must all hold."""
    waiting = [condition] if condition is not None else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, exp.And | exp.Paren):
            waiting += [each for each in (node.args.get("expression"), node.this) if each is not None]
        else:
            yield node


def _sides(node: exp.Expr) -> list[exp.Expr]:
    """What a comparison is between."""
    sides = [node.this, node.args.get("expression"), node.args.get("low"), node.args.get("high"), *node.expressions]
    return [side for side in sides if isinstance(side, exp.Expr)]


def _literal(side: exp.Expr, node: exp.Expr) -> exp.Expr | None:
    """The literal that one side of a comparison is; arguments of functions, such as formats, are none."""
    while isinstance(side, _AROUND_VALUES) and not side.expressions:  # date('2026-01-31', '+1 day') is another day
        side = side.this
    if isinstance(side, exp.Literal) or (isinstance(side, exp.Null) and isinstance(node, exp.Is)):
        return side
    return None


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def _span(literal: exp.Expr) -> tuple[int, int] | None:
    """Where a literal stands in the text, with its quotes."""
    start, end = literal.meta.get("start"), literal.meta.get("end")
    return (start, end + 1) if isinstance(start, int) and isinstance(end, int) else None


def _count_of(limit: exp.Expr | None) -> str:
    """The number of LIMIT, TOP or FETCH FIRST; empty without one."""
    count = limit.args.get("expression") or limit.args.get("count") if limit is not None else None
    return str(count) if count is not None else ""
