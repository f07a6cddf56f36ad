"""Which functions a dialect may call: allow-lists of raw names, kept as data in lists/."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.dialects import DIALECTS, FunctionList, guard_list

# Calls that keep their raw name in `this`.
NAMED_CALLS = (
    exp.Anonymous,
    exp.AnonymousAggFunc,
    exp.CombinedAggFunc,
    exp.CombinedParameterizedAgg,
    exp.ParameterizedAgg,
)

# Columns of table functions, so that a wrong name is still found out; the others give unknown columns.
_JSON_EACH = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path", "json", "root", "rowid")
TABLE_FUNCTION_COLUMNS = {
    "json_tree": _JSON_EACH,
    "flatten": ("SEQ", "KEY", "PATH", "INDEX", "VALUE", "THIS"),
    "string_split": ("value", "ordinal"),
    "numbers": ("number",),
    "numbers_mt": ("number",),
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """The names of one dialect: `calls` anywhere in an expression, `tables` in FROM."""

    calls: frozenset[str]
    tables: frozenset[str]


def read_names(*lists: FunctionList) -> dict[str, frozenset[str]]:
    """The names in files, by the section they stand in: calls, `table`, `type`, `operator`."""
    sections: dict[str, set[str]] = {"": set(), "table": set(), "type": set(), "operator": set()}
    for each in lists:
        current = ""
        for line in each.read_text().splitlines():
            line = line.strip()
            if line.startswith("[") and line.endswith("]"):
                current = line.strip("[]")
            elif not line.startswith("#"):
                sections[current].update(line.split())
    return {key: frozenset(names) for key, names in sections.items()}


@cache
def allowed(dialect: str) -> Allowed:
    """The allow-list of a dialect, with what all dialects share."""
    own, common = read_names(*DIALECTS[dialect].functions), read_names(guard_list("common"))
    return Allowed(own[""] | common[""], own["table"])


@cache
def node_names() -> frozenset[str]:
    """Names of the sqlglot classes that may stand in a tree."""
    return read_names(guard_list("nodes"))[""]


def call_name(node: exp.Expr) -> str | None:
    """The raw name of a call in lower case; None for a node that is no named call."""
    if isinstance(node, NAMED_CALLS):
        name = node.this
        return (name if isinstance(name, str) else name.name).lower()
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
        return call_name(node.expression)
    return None


def table_function_columns(name: str) -> tuple[str, ...]:
    """The columns of a table function where they are known."""
    return TABLE_FUNCTION_COLUMNS.get(name, ())


def without_suffixes(name: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    """The name, and those left when a dialect's suffixes of aggregates are taken off its end, one after another."""
    queue, seen = [name], {name}
    while queue:
        current = queue.pop()
        yield current
        for suffix in suffixes:
            rest = current.removesuffix(suffix)
            if rest and rest not in seen:
                seen.add(rest)
                queue.append(rest)


def named_lambdas(tree: exp.Expr) -> frozenset[str]:
    """ClickHouse: WITH x -> x + 1 AS f makes a function f, whose body is checked where it stands."""
    with_ = tree.args.get("with_")
    ctes = with_.expressions if with_ is not None else []
    return frozenset(cte.alias.lower() for cte in ctes if isinstance(cte.this, exp.Lambda))


def is_table_call(node: exp.Expr) -> bool:
    """Whether a call stands where a table would."""
    parent = node.parent
    while isinstance(parent, exp.Dot | exp.Alias):
        node, parent = parent, parent.parent
    if isinstance(parent, exp.Anonymous) and call_name(parent) == "table":
        return True
    if isinstance(parent, exp.Table | exp.Lateral):
        return parent.this is node
    return isinstance(parent, exp.From | exp.Join) and parent.this is node


def refuse_call(node: exp.Expr, dialect: str, extra: frozenset[str]) -> None:
    """Raise SqlRefused unless the call is on the list."""
    name = call_name(node)
    if name is None or isinstance(node, exp.Dot):
        return
    lists = allowed(dialect)
    qualified = _qualified(node, name)
    if name != qualified and not _is_method(node, dialect):
        if qualified not in lists.calls and qualified not in extra:
            raise SqlRefused("forbidden_function", f"{qualified} is not on the list", name=qualified)
        return
    if name in extra:
        return
    if name == "table" and not all(call_name(argument) for argument in node.expressions):
        raise SqlRefused("forbidden_function", "TABLE of a name", name=name)
    names_allowed = lists.tables if is_table_call(node) else lists.calls
    suffixes = DIALECTS[dialect].aggregate_suffixes
    if not any(candidate in names_allowed for candidate in without_suffixes(name, suffixes)):
        raise SqlRefused("forbidden_function", f"{name} is not on the list", name=name)


def _qualified(node: exp.Expr, name: str) -> str:
    """The dotted name when the call is that of a schema or package."""
    parent = node.parent
    if isinstance(parent, exp.Dot) and parent.expression is node:
        return f"{parent.this.sql().lower()}.{name}"
    if isinstance(parent, exp.Table) and parent.args.get("db"):
        return f"{parent.args['db'].name.lower()}.{name}"
    return name


def _is_method(node: exp.Expr, dialect: str) -> bool:
    """DuckDB chains calls on values, SQL Server and Oracle have methods of XML.

    In the first two the resolver proves that a plain name on the left is a column; in Oracle it could be a package,
    so only the result of another call has methods.
    """
    if not isinstance(node.parent, exp.Dot):
        return False
    methods = DIALECTS[dialect].methods
    return methods == "of columns" or (methods == "of results" and isinstance(node.parent.this, exp.Func))
