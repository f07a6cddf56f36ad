"""Names for keys: a statement that shows a bare key shows the display name of the thing beside it.

Nobody who asks which customer bought most wants to read 4711. The name is put before the key, which stays: it tells two
customers of one name apart. The same where rows are things one by one, grouped by their key, and nothing of them is shown,
or only a kind that nobody asked for: “which agent” is not answered by three rows of “Sales Support Agent”. What has no
name, as an order, is shown with what people know it by: when it was, who and what it refers to, its state and its amount.
Only where nothing can go wrong: the key is a primary key, or refers to one by a join that is declared, stated or was found
true on data, so that no row is repeated and none is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.answers.column_words import is_money
from inquery.catalog.main_things import thing_of
from inquery.catalog.suitable import private
from inquery.language.concepts import concepts_in
from inquery.language.person_names import name_part
from inquery.language.text import has_cjk, name_stems
from inquery.sql import Catalog, Join, Table
from inquery.sql.statement import Place, Scope, Statement

MOST_SHOWN = 4
"""Of a statement's items: who shows more lists rows with their keys, and names would only make it wider."""
MOST_NAMES = 2
"""Of what a row without a name refers to: an order's customer and store, not its addresses and promotion too."""
PROVED = 0.95
"""Of the sampled values of a key, those that were found on the other side."""
SAID = 0.4
"""Of a term's weight: what a word of the question means."""
_ASKS_KEY = re.compile(
    r"(?<!phone )(?<!fax )\b(?:ids?|identifiers?|codes?|keys?|numbers?|no\.|uuids?)\b"
    r"|编号|编码|代码|标识|主键|号码|[工学单订账]号|(?<![a-z])id(?![a-z])",
    re.IGNORECASE,
)
_ASKS_PART = re.compile(r"\b(?:first|last|given|family|sur|fore)[ -]?names?\b|姓氏|名[和与]姓", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Naming:
    """An item of the statement that is a key, and the table whose rows it stands for; `join` where that is another."""

    item: exp.Expression
    column: exp.Column
    target: Table
    key: str
    join: Join | None


@dataclass(frozen=True, slots=True)
class _Half:
    """Where in the items the other part of a person's name belongs, and of which source it is."""

    at: int
    source: str
    other: str


@dataclass(frozen=True, slots=True)
class _Detail:
    """A column that tells of a row without a name; `join` where another table has it."""

    name: str
    target: Table
    join: Join | None = None


_NAMES = re.compile(r"(?i)(?:name|title|label)(?:_|$)|名称|姓名|名字|标题")


def show_names(statement: Statement, question: str, catalog: Catalog) -> str:
    """The text of the statement with names beside bare keys, details beside a key that has none, or as it was."""
    if len(statement.scopes) != 1:
        return statement.text
    scope = statement.scopes[0]
    # What the engine will call ambiguous is for the writer to mend, not to be settled here by chance.
    if any(_is_ambiguous(column, scope) for column in scope.columns()):
        return statement.text
    if not _is_plain(scope.select):
        return statement.text
    if halves := list(_half_names(scope, question)):
        return _with_whole_names(statement, scope, halves, catalog.dialect)
    if _ASKS_KEY.search(question):
        return statement.text
    if found := (
        list(_bare_keys(scope, catalog)) or list(_bare_kinds(scope, question)) or list(_unshown_keys(scope, catalog))
    ):
        return _with_names(statement, scope, found, catalog.dialect) or statement.text
    if place := _nameless(scope):
        return _with_details(statement, scope, _details(place.table, question, catalog), catalog.dialect)
    return statement.text


def _is_plain(select: exp.Select) -> bool:
    """Whether items can be added: no star, not many items, no places given as numbers, nothing that needs one shape."""
    if len(select.expressions) > MOST_SHOWN or any(item.is_star for item in select.expressions):
        return False
    if any(select.args.get(part) for part in ("windows", "qualify", "pivots", "connect", "laterals")):
        return False
    group = select.args.get("group")
    if group is not None and (set(group.args) - {"expressions"}) & {key for key, value in group.args.items() if value}:
        return False
    order = select.args.get("order")
    listed = [*(group.expressions if group else ()), *(each.this for each in (order.expressions if order else ()))]
    return not any(isinstance(each, exp.Literal) for each in listed)


def _is_ambiguous(column: exp.Column, scope: Scope) -> bool:
    return not column.table and sum(source.column(column.name) is not None for source in scope.sources.values()) > 1


def _bare_keys(scope: Scope, catalog: Catalog) -> Iterator[_Naming]:
    shown = {place.name for column in scope.plain_columns(grouped=False) if (place := scope.place(column))}
    for item in scope.select.expressions:
        column = item.unalias()
        owner = scope.owner(column) if isinstance(column, exp.Column) else None
        place = scope.place(column) if isinstance(column, exp.Column) else None
        if place is None or owner is None or owner.table is None or not isinstance(column, exp.Column):
            continue
        for target, key, join in _things(place, catalog):
            if target.display and not {f"{target.full_name}.{name}" for name in target.display} & shown:
                yield _Naming(item, column, target, key, join)
                break


def _bare_kinds(scope: Scope, question: str) -> Iterator[_Naming]:
    """The one attribute of things that the statement groups by their key, where the question does not say its name."""
    places = {id(item): scope.place(item) for item in scope.grouping() if isinstance(item, exp.Column)}
    keys = [place for place in places.values() if place and place.is_key]
    shown = [(item, item.unalias()) for item in scope.select.expressions if isinstance(item.unalias(), exp.Column)]
    if len(keys) != 1 or len(shown) != 1:
        return
    (item, column), table = shown[0], keys[0].table
    place = scope.place(column)
    if place is None or place.table.path != table.path or place.is_key or not table.display:
        return
    about = table.column(place.column)
    spoken = {term for thing in concepts_in(question) for term, weight in thing.items() if weight >= SAID}
    named = {*name_stems(place.column), *name_stems(about.comment if about else "")}
    # A name in one of two languages is a name, whatever else the rows are called by.
    if place.column not in table.display and not spoken & named and not _NAMES.search(place.column):
        yield _Naming(item, column, table, keys[0].column, None)


def _unshown_keys(scope: Scope, catalog: Catalog) -> Iterator[_Naming]:
    """Keys that a statement groups by and does not show: 21, 20 and 18 customers by support rep are of nobody.

    Where one row is wanted its figure was asked for, and who has it may not have been.
    """
    select = scope.select
    limit = select.args.get("limit")
    if select.args.get("distinct") or (limit is not None and limit.expression.name == "1"):
        return
    shown = {place.table.path for column in scope.plain_columns(grouped=False) if (place := scope.place(column))}
    for column in scope.grouping():
        place = scope.place(column) if isinstance(column, exp.Column) else None
        owner = scope.owner(column) if isinstance(column, exp.Column) else None
        if place is None or owner is None or owner.table is None or not isinstance(column, exp.Column):
            continue
        target, key, join = next(_things(place, catalog), (place.table, "", None))
        if key and target.display and target.path not in shown:
            yield _Naming(select.expressions[0], column, target, key, join)


def _half_names(scope: Scope, question: str) -> Iterator[_Half]:
    """First names without last names, or the other way round, of people who are asked for by neither."""
    if _ASKS_PART.search(question):
        return
    shown = {place.name for column in scope.plain_columns(grouped=False) if (place := scope.place(column))}
    for at, item in enumerate(scope.select.expressions):
        column = item.unalias()
        place = scope.place(column) if isinstance(column, exp.Column) else None
        owner = scope.owner(column) if isinstance(column, exp.Column) else None
        if place is None or owner is None or owner.table is None or len(place.table.display) != 2:
            continue
        first, last = place.table.display
        other = {first: last, last: first}.get(place.column, "")
        if name_part(place.column) and other and f"{place.table.full_name}.{other}" not in shown:
            yield _Half(at + (place.column == first), owner.name, other)


def _with_whole_names(statement: Statement, scope: Scope, halves: list[_Half], dialect: str) -> str:
    try:
        tree = sqlglot.parse_one(statement.text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return statement.text
    if not isinstance(tree, exp.Select):
        return statement.text
    items, group = list(tree.expressions), tree.args.get("group")
    for half in reversed(halves):
        column = _column(half.other, _written(tree, half.source))
        items.insert(half.at, column)
        if group is not None:
            group.append("expressions", column.copy())
    tree.set("expressions", items)
    return tree.sql(dialect=dialect)


def _nameless(scope: Scope) -> Place | None:
    """The key that is all a statement shows, of rows that nothing else is known to name."""
    if len(scope.select.expressions) != 1 or scope.grouping() or scope.select.args.get("having"):
        return None
    column = scope.select.expressions[0].unalias()
    place = scope.place(column) if isinstance(column, exp.Column) else None
    owner = scope.owner(column) if isinstance(column, exp.Column) else None
    is_stored = owner is not None and owner.table is not None
    return place if place and is_stored and place.is_key and not place.table.display else None


def _details(table: Table, question: str, catalog: Catalog) -> list[_Detail]:
    """When, who and what, in which state, how much: in this order, as far as the table has it."""
    if own := _called(table, question):
        return [_Detail(name, table) for name in own]
    thing = thing_of(table)
    names: list[_Detail] = []
    for column in table.columns:
        for target, _, join in _things(Place(table, column.name), catalog):
            if join and len(names) < MOST_NAMES and target.path not in {each.target.path for each in names}:
                names += [_Detail(name, target, join) for name in _called(target, question)]
    kinds = [column.name for column in thing.groups if not private(column.name)][:1]
    sums = sorted(thing.sums, key=lambda column: not is_money(column.name))[:1]
    when = [thing.time] if thing.time else []
    return [
        *(_Detail(name, table) for name in when),
        *names,
        *(_Detail(name, table) for name in (*kinds, *(column.name for column in sums))),
    ]


def _called(table: Table, question: str) -> tuple[str, ...]:
    """What the rows of a table are called by; of names in two languages, that of the question."""
    language = "zh" if has_cjk(question) else "en"
    own = table.column(f"name_{language}")
    return (own.name,) if own is not None else table.display


def _things(place: Place, catalog: Catalog) -> Iterator[tuple[Table, str, Join | None]]:
    """The table whose rows a key stands for: its own, or the one it surely refers to."""
    for join in catalog.joins_of([place.table.path]):
        if join.left != place.table.path or join.left_columns != (place.column,) or not _is_sure(join):
            continue
        target = catalog.by_path.get(join.right)
        if target is not None and len(join.right_columns) == 1 and Place(target, join.right_columns[0]).is_key:
            yield target, join.right_columns[0], join
    if place.is_key:
        yield place.table, place.column, None


def _is_sure(join: Join) -> bool:
    if join.condition is not None:
        return False
    tested = join.sampled > 0 and join.found >= PROVED * join.sampled
    return join.how in {"declared", "stated"} or tested


def _with_names(statement: Statement, scope: Scope, found: list[_Naming], dialect: str) -> str | None:
    try:
        tree = sqlglot.parse_one(statement.text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return None
    if not isinstance(tree, exp.Select):
        return None
    if any(naming.join for naming in found):
        _qualify(tree, scope)  # what is joined may have a column of the same name
    items = list(tree.expressions)
    where = {id(item): at for at, item in enumerate(scope.select.expressions)}
    for naming in sorted(found, key=lambda each: where[id(each.item)], reverse=True):
        at = where[id(naming.item)]
        source = _source_of(naming, scope, tree)
        names = [_column(name, source) for name in naming.target.display]
        items[at:at] = names
        group = tree.args.get("group")
        if group is not None:
            group.set("expressions", [*group.expressions, *(name.copy() for name in names)])
    tree.set("expressions", items)
    return tree.sql(dialect=dialect)


def _with_details(statement: Statement, scope: Scope, details: list[_Detail], dialect: str) -> str:
    try:
        tree = sqlglot.parse_one(statement.text, dialect=dialect)
    except (SqlglotError, RecursionError):
        return statement.text
    key = scope.select.expressions[0].unalias()
    if not isinstance(tree, exp.Select) or not isinstance(key, exp.Column) or not details:
        return statement.text
    if any(detail.join for detail in details):
        _qualify(tree, scope)
    sources: dict[Join | None, exp.Identifier] = {}
    for detail in details:
        if detail.join not in sources:
            referred = detail.join.right_columns[0] if detail.join else key.name
            sources[detail.join] = _source_of(_Naming(key, key, detail.target, referred, detail.join), scope, tree)
        tree.select(_column(detail.name, sources[detail.join]), copy=False)
    return tree.sql(dialect=dialect)


def _qualify(tree: exp.Select, scope: Scope) -> None:
    """Every bare name of a column with its source; a name that stands for an item stays."""
    aliases = {item.alias.casefold() for item in tree.expressions if item.alias}
    for column in list(tree.find_all(exp.Column)):
        owner = None if column.table else scope.owner(column)
        if owner is not None and (
            column.name.casefold() not in aliases or column.find_ancestor(exp.Where, exp.AggFunc)
        ):
            column.set("table", _written(tree, owner.name))


def _source_of(naming: _Naming, scope: Scope, tree: exp.Select) -> exp.Identifier:
    """The name of the thing's table in this FROM; it is joined where it is not there yet."""
    owner = scope.owner(naming.column)
    assert owner is not None
    if naming.join is None:
        return _written(tree, owner.name)
    taken = set(scope.sources) | {alias.name.casefold() for alias in _names(tree)}
    alias = next(name for n in range(1, 99) if (name := _alias(naming.target, n)).casefold() not in taken)
    key = exp.EQ(
        this=_column(naming.join.left_columns[0], _written(tree, owner.name)),
        expression=_column(naming.key, exp.to_identifier(alias)),
    )
    tree.join(exp.alias_(_table(naming.target), alias, table=True), on=key, join_type="left", copy=False)
    return exp.to_identifier(alias)


def _column(name: str, source: exp.Identifier) -> exp.Column:
    """A column of the catalogue, quoted because it is spelt as the database spells it."""
    return exp.Column(this=exp.to_identifier(name, quoted=True), table=source.copy())


def _names(tree: exp.Select) -> list[exp.Identifier]:
    """What the sources of a statement are called, as it writes them."""
    found = []
    for table in tree.find_all(exp.Table):
        alias = table.args.get("alias")
        found.append(alias.this if alias is not None and alias.this is not None else table.this)
    return [name for name in found if isinstance(name, exp.Identifier)]


def _written(tree: exp.Select, name: str) -> exp.Identifier:
    """A source's name as the statement writes it."""
    return next(
        (each.copy() for each in _names(tree) if each.name.casefold() == name.casefold()), exp.to_identifier(name)
    )


def _alias(table: Table, number: int) -> str:
    base = "thing" if has_cjk(table.name) else re.sub(r"\W+", "_", table.name)
    return f"{base}_named_{number}" if number > 1 else f"{base}_named"


def _table(table: Table) -> exp.Table:
    parts = [exp.to_identifier(part, quoted=True) for part in reversed(table.path)]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))
