"""Columns inside a value that a method is called on.

sqlglot reads `x.f()` as the function f of a schema x and turns every column of the left side into plain names, also
those of `(a || b).f()` or `(SELECT t.a FROM t).f()`. Names that nobody resolves would not be checked.
"""

from __future__ import annotations

from sqlglot import exp

# Arguments that hold a name rather than a value, whatever the class.
_NAMES = frozenset({"alias", "using", "except_", "rename", "to", "unit", "kind", "db", "catalog", "table", "indexed"})
# Classes that name something in these arguments.
_NAMED: dict[type[exp.Expr], tuple[str, ...]] = {
    exp.Table: ("this",),
    exp.Column: ("this",),
    exp.TableAlias: ("this", "columns"),
    exp.Lambda: ("expressions",),
    exp.Kwarg: ("this",),
    exp.PropertyEQ: ("this",),
    exp.ColumnDef: ("this",),
    exp.JSONColumnDef: ("this",),
    exp.Aliases: ("expressions",),
    exp.PivotAlias: ("alias",),
    exp.XMLElement: ("this",),
    exp.Collate: ("expression",),
    exp.DataType: ("this", "expressions"),
    exp.Comprehension: ("expression", "position"),
}


def restore_columns(tree: exp.Expr) -> exp.Expr:
    """Make the names below a called value columns again; the name of a schema or of the value itself stays a name."""
    for call in list(tree.find_all(exp.Dot)):
        if isinstance(call.expression, exp.Func) and chain(call.this) is None:
            for node in list(call.this.find_all(exp.Identifier)):
                _restore(node, call.this)
    return tree


def chain(node: exp.Expr) -> list[exp.Identifier] | None:
    """The names of a.b.c; None when something else is in it."""
    if isinstance(node, exp.Identifier):
        return [node]
    if not isinstance(node, exp.Dot) or not isinstance(node.expression, exp.Identifier):
        return None
    left = chain(node.this)
    return None if left is None or len(left) > 3 else [*left, node.expression]


def _restore(node: exp.Identifier, root: exp.Expr) -> None:
    whole: exp.Expr = node
    while isinstance(whole.parent, exp.Dot) and chain(whole.parent) is not None:
        whole = whole.parent
    names = chain(whole)
    parent = whole.parent
    if names is None or names[0] is not node or parent is None or whole is root:
        return
    if isinstance(parent, exp.Dot) or whole.arg_key in _NAMES or whole.arg_key in _NAMED.get(type(parent), ()):
        return
    parts = dict(zip(("this", "table", "db", "catalog"), reversed(names), strict=False))
    whole.replace(exp.Column(**{key: name.copy() for key, name in parts.items()}))
