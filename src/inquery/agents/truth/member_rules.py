"""Members of a list of rows: customers who ordered are those whose key the orders refer to.

A column that is looked for among the values of a column that has nothing to do with it (the kind of a customer among the
customers of orders) finds what happens to be equal. Of 32 conditions of this kind that a model wrote over databases it did
not know, each of the four without a reference between them was wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import stems
from inquery.errors import Text
from inquery.language.text import has_cjk, name_stems
from inquery.sql import Join, Table
from inquery.sql.statement import Place, Statement

_ALIKE = re.compile(
    r"\b(?:same|also|too|as well|another|others?|shared?|sharing|together|alike|identical|elsewhere|again|both)\b"
    r"|相同|同[一个样名类时类款]|一样|也|都|共同|其他|另|又|还",
    re.I,
)
"""Questions that may mean rows by what they have in common with others."""


@dataclass(frozen=True, slots=True)
class Member:
    """A condition `left IN (SELECT right …)`: its node, the places of both columns and what the inner query reads."""

    node: exp.In
    left: Place
    right: Place
    inside: tuple[Table, ...]
    inner: exp.Select

    @property
    def is_denied(self) -> bool:
        """Whether it is NOT IN."""
        return isinstance(self.node.parent, exp.Not) or isinstance(
            self.node.parent and self.node.parent.parent, exp.Not
        )


def linked_members(statement: Statement, claims: Claims) -> Breach | None:
    """What is looked for among the values of a column is what that column refers to."""
    for member in members(statement):
        if is_linked(member, claims) and not is_roundabout(member, claims):
            continue
        left, right = claims.called(member.left), claims.called(member.right)
        reason = Text(
            f"{left.en} is looked for among the values of {right.en}, which has nothing to do with it",
            f"在{right.zh}中查找{left.zh}，但两者没有关系",
        )
        return Breach("odd_join", reason, f"do not compare {member.left.name} with {member.right.name}")
    return None


def members(statement: Statement) -> Iterator[Member]:
    """The conditions of membership in plain lists: those of groups, ranks or single rows say more than which rows there are."""
    scopes = {id(scope.select): scope for scope in statement.scopes}
    for scope in statement.scopes:
        for node in scope.select.find_all(exp.In):
            if node.find_ancestor(exp.Select) is not scope.select or not isinstance(node.this, exp.Column):
                continue
            query = node.args.get("query")
            inner = query.unnest() if isinstance(query, exp.Subquery) else query
            found = scopes.get(id(inner))
            if not isinstance(inner, exp.Select) or found is None or not _is_plain(inner):
                continue
            shown = inner.expressions[0].unalias()
            left, right = scope.place(node.this), found.place(shown) if isinstance(shown, exp.Column) else None
            if left is not None and right is not None:
                yield Member(node, left, right, tuple(found.tables.values()), inner)


def _is_plain(select: exp.Select) -> bool:
    if len(select.expressions) != 1 or select.find(exp.AggFunc, exp.Window, exp.SetOperation) is not None:
        return False
    return not any(select.args.get(part) for part in ("group", "having", "limit", "order", "qualify"))


def is_linked(member: Member, claims: Claims) -> bool:
    """Whether the two columns hold the same things: by a reference, or by what they are called."""
    left, right = member.left, member.right
    if left.table.path == right.table.path:
        return True
    if _named_alike(left.column, right.column):
        return True
    ends = {_end(left), _end(right)}
    joins = claims.catalog.joins_of([left.table.path, right.table.path])
    for join in joins:
        for here, there in zip(join.left_columns, join.right_columns, strict=False):
            if {(join.left, here.casefold()), (join.right, there.casefold())} == ends:
                return True
    # Of what refers to nothing known anything may be: an asset is assigned to a person, a place or another asset.
    for key, other in ((left, right), (right, left)):
        if key.is_key and not _targets(other, joins):
            return True
    return bool(_targets(left, joins) & _targets(right, joins))


def is_roundabout(member: Member, claims: Claims) -> bool:
    """Whether rows are looked for by what they refer to among the rows of their own table: paid invoices by the authors of some."""
    left, right = member.left, member.right
    joins = claims.catalog.joins_of([left.table.path])
    return (
        left.table.path == right.table.path
        and left.column.casefold() == right.column.casefold()
        and [table.path for table in member.inside] == [left.table.path]
        and member.inner.args.get("where") is not None
        and not left.is_key
        and not member.is_denied
        and any(join.left == left.table.path and left.column in join.left_columns for join in joins)
        and not _ALIKE.search(claims.question)
    )


def own_link(member: Member, claims: Claims) -> tuple[str, str] | None:
    """The one pair of columns by which the two tables refer to each other: of the table around, of the one inside."""
    outer, inner = member.left.table, member.right.table
    found = set()
    for join in claims.catalog.joins_of([outer.path]):
        if join.condition is not None or len(join.left_columns) != 1:
            continue
        if (join.left, join.right) == (outer.path, inner.path):
            found.add((join.left_columns[0], join.right_columns[0]))
        if (join.left, join.right) == (inner.path, outer.path):
            found.add((join.right_columns[0], join.left_columns[0]))
    return next(iter(found)) if len(found) == 1 and outer.path != inner.path else None


def _named_alike(left: str, right: str) -> bool:
    if has_cjk(left) or has_cjk(right):
        return bool(set(left) & set(right))
    return bool(set(name_stems(left)) & set(name_stems(right))) or bool(stems(left) & stems(right))


def _end(place: Place) -> tuple[tuple[str, ...], str]:
    return place.table.path, place.column.casefold()


def _targets(place: Place, joins: list[Join]) -> set[tuple[tuple[str, ...], tuple[str, ...]]]:
    found = {
        (join.right, join.right_columns)
        for join in joins
        if join.left == place.table.path and place.column in join.left_columns
    }
    return found | ({(place.table.path, (place.column,))} if place.is_key else set())


def link_members(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Look for keys among what refers to them, where the tables refer to each other in one way; `tree` is a copy of the statement's."""
    nodes = {id(node): at for at, node in enumerate(statement.tree.find_all(exp.In))}
    copies = list(tree.find_all(exp.In))
    mended = False
    for member in members(statement):
        if (at := nodes.get(id(member.node))) is None:
            continue
        copy = copies[at]
        if not is_linked(member, claims):
            mended |= (link := own_link(member, claims)) is not None and _linked(copy, member, link)
        elif is_roundabout(member, claims):
            mended |= _flattened(copy, member)
    return mended


def _linked(copy: exp.In, member: Member, link: tuple[str, str]) -> bool:
    inner = copy.args["query"].unnest()
    shown = inner.expressions[0].unalias()
    key = exp.column(exp.to_identifier(link[1], quoted=True), table=shown.args.get("table"))
    shown.replace(key)
    copy.this.set("this", exp.to_identifier(link[0], quoted=True))
    about = member.right.table.column(link[1])
    where = inner.args.get("where")
    for unknown in list(where.find_all(exp.Is)) if where is not None else ():
        if isinstance(unknown.this, exp.Column) and unknown.this.name.casefold() == member.right.column.casefold():
            unknown.this.replace(key.copy())
            return True
    # NOT IN finds nothing where one of the values is unknown.
    if member.is_denied and (about is None or not about.primary_key):
        inner.where(exp.not_(exp.Is(this=key.copy(), expression=exp.Null())), copy=False)
    return True


def _flattened(copy: exp.In, member: Member) -> bool:
    """The conditions of the rows inside as those of the rows themselves."""
    where = copy.args["query"].unnest().args["where"].this.copy()
    for column in where.find_all(exp.Column):
        column.set("table", copy.this.args.get("table"))
    copy.replace(exp.paren(where, copy=False) if isinstance(where, exp.Or) else where)
    return True
