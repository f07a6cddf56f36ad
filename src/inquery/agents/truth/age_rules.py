"""The oldest were born first: which end of the days of birth is meant is told by the word for the age."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.errors import Text
from inquery.language.text import name_words
from inquery.sql.statement import Statement

_OLDEST = re.compile(r"\b(?:oldest|eldest)\b|(?:年纪|年龄|岁数|年岁)最[大高长]|最年长|最老|最大年龄", re.I)
_YOUNGEST = re.compile(r"\byoungest\b|(?:年纪|年龄|岁数|年岁)最[小低轻]|最年轻|最小年龄", re.I)
_BIRTH = frozenset({"birth", "born", "dob", "birthday", "birthdate", "birthyear", "yob"})
_BIRTH_ZH = re.compile(r"出生|生日")


def age_by_birth(statement: Statement, claims: Claims) -> Breach | None:
    """The oldest are those with the earliest day of birth, the youngest those with the latest."""
    if next(turned_ends(statement.tree, claims.question), None) is None:
        return None
    reason = Text(
        "the oldest were born first, and the statement takes the other end", "年龄最大的出生最早，语句却取了另一端"
    )
    return Breach("wrong_order", reason, "take the other end of the days of birth")


def turned_ends(tree: exp.Expr, question: str) -> Iterator[exp.Expr]:
    """The ends of days of birth that are taken and are not meant: MAX or MIN, or the order that rows are chosen by."""
    oldest = bool(_OLDEST.search(question))
    if oldest == bool(_YOUNGEST.search(question)):
        return
    for node in tree.find_all(exp.Max if oldest else exp.Min):
        if _is_birth(node.this):
            yield node
    for select in tree.find_all(exp.Select):
        order = select.args.get("order")
        first = order.expressions[0] if order and order.expressions and select.args.get("limit") else None
        if isinstance(first, exp.Ordered) and _is_birth(first.this) and bool(first.args.get("desc")) == oldest:
            yield first


def turn_ends(tree: exp.Expr, question: str) -> bool:
    """Take the ends that are meant."""
    found = list(turned_ends(tree, question))
    for node in found:
        if isinstance(node, exp.Ordered):
            node.set("desc", not node.args.get("desc"))
            node.set("nulls_first", False)  # whose day of birth nobody knows is neither
        else:
            node.replace((exp.Min if isinstance(node, exp.Max) else exp.Max)(this=node.this.copy()))
    return bool(found)


def _is_birth(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and (
        not _BIRTH.isdisjoint(name_words(node.name)) or _BIRTH_ZH.search(node.name) is not None
    )
