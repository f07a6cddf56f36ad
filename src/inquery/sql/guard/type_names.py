"""Which types and which operators with a schema may be named: allow-lists, as for functions.

A type is a way in like a function. PostgreSQL's regclass and its like turn a number into the name of any table or role,
a table's own name is the type of its rows and gives away its columns, and a type of a person's making brings the code
that reads it.
"""

from __future__ import annotations

import re
from functools import cache

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.sql.dialects import DIALECTS, guard_list
from inquery.sql.guard.functions import call_name, read_names
from inquery.sql.names import PolicyView

_OWN_SCHEMA = "pg_catalog."
_INNER_STATE = re.compile(r"(?<!simple)aggregatefunction", re.IGNORECASE)
_CASTS = frozenset({"accuratecast", "accuratecastordefault", "accuratecastornull"})


@cache
def _types(dialect: str) -> frozenset[str]:
    facts = DIALECTS[dialect]
    own = read_names(*facts.functions)["type"]
    # Where tables are types, a name that only another dialect knows may be a table's: NULL::map, NULL::file.
    return own if facts.tables_are_types else own | read_names(guard_list("types"))["type"]


@cache
def _operators(dialect: str) -> frozenset[str]:
    return read_names(*DIALECTS[dialect].functions)["operator"]


def refuse_type(node: exp.DataType, view: PolicyView) -> None:
    """Raise SqlRefused unless the type is on the list, or is that of a column the user sees and not of a table's rows."""
    name = _name(node)
    known = _types(view.grammar.name)
    if name in known or name.removeprefix(_OWN_SCHEMA) in known or name in view.column_types:
        return
    raise SqlRefused("forbidden_type", f"the type {name} is not on the list", name=name)


def refuse_operator(node: exp.Expr, dialect: str) -> None:
    """OPERATOR(schema.sign) calls whatever function stands behind it there: only the engine's own."""
    name = node.text("operator") or str(node.args.get("operator"))
    if name.removeprefix(_OWN_SCHEMA) not in _operators(dialect):
        raise SqlRefused("forbidden_operator", f"the operator {name} is not on the list", name=name)


def refuse_type_text(node: exp.Expr, dialect: str) -> None:
    """ClickHouse's CAST(x, 'type'): the type is a text, which has to be there to be read, and is no aggregate's inner state."""
    if isinstance(node, exp.CastToStrType):
        text = node.args.get("to")
    elif call_name(node) in _CASTS and len(node.expressions) > 1:
        text = node.expressions[1]
    else:
        return
    if not isinstance(text, exp.Literal) or not text.is_string or _INNER_STATE.search(text.name):
        raise SqlRefused("forbidden_type", "a type that is worked out or not on the list", name="cast")


def _name(node: exp.DataType) -> str:
    kind = node.this
    if isinstance(kind, exp.Expr):
        return "interval"  # INTERVAL YEAR TO MONTH and the like
    if kind is exp.DType.USERDEFINED:
        return str(node.args.get("kind") or "").casefold()
    return str(kind.name).casefold()
