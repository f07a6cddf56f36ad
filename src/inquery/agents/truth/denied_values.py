"""Values that a question denies: the rate of those that are not 合格 is not the rate of those that are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.errors import Text
from inquery.language.text import fold, has_cjk
from inquery.sql.statement import Statement

_DENIED = (
    r"(?:\b(?:not|isn't|aren't|wasn't|weren't|never|other than|except(?: for)?|excluding)\s+(?:in |the |a |an |as |marked |been )?['\"“]?"
    r"|\bnon[- ])"
)
_DENIED_ZH = r"(?:不是|不为|不等于|不属于|并非|没有被?|不|未|非|没)\s*['\"“]?"


def denied_value(statement: Statement, claims: Claims) -> Breach | None:
    """A value that the question only denies is not what the rows must have."""
    for node in wrongly_held(statement.tree, statement, claims):
        value = node.find(exp.Literal)
        said = value.name if value else ""
        reason = Text(
            f"the question asks for what is not “{said}”, and the statement takes what is",
            f"问题要的是不属于“{said}”的，语句取的却是属于的",
        )
        return Breach("lost_negation", reason, f"compare with <> '{said}'")
    return None


def wrongly_held(tree: exp.Expr, statement: Statement, claims: Claims) -> Iterator[exp.EQ]:
    """The comparisons with values that the question denies each time it says them, in a statement that denies nothing."""
    if (
        len(statement.scopes) != 1
        or not isinstance(tree, exp.Select)
        or tree.find(exp.Not, exp.NEQ, exp.Sub) is not None
    ):
        return
    if any(join.side for join in tree.args.get("joins") or ()):
        return
    scope = statement.scopes[0]
    for mine, node in zip(statement.tree.find_all(exp.EQ), tree.find_all(exp.EQ), strict=False):
        column, value = mine.this, mine.expression
        place = scope.place(column) if isinstance(column, exp.Column) else None
        if place is None or not isinstance(value, exp.Literal) or not value.is_string or not value.name:
            continue
        kept = claims.stored(place.table.full_name, place.column) if claims.stored else ()
        if _is_only_denied(value.name, claims.question) and not any(
            _is_denial(each, value.name) for each in kept or ()
        ):
            yield node


def _is_only_denied(value: str, question: str) -> bool:
    text, word = fold(question), re.escape(fold(value))
    bounded = word if has_cjk(value) else rf"(?<![a-z0-9_]){word}(?![a-z0-9_])"
    said = len(re.findall(bounded, text))
    denied = len(re.findall(rf"(?:{_DENIED}|{_DENIED_ZH}){bounded}", text))
    return 0 < said == denied


def _is_denial(stored: str, value: str) -> bool:
    """Whether a stored value is the denied one itself: 不合格 beside 合格, non-smoker beside smoker."""
    other, own = fold(stored), fold(value)
    return other != own and own in other and re.search(r"不|未|非|没|无|\bnon|\bnot|\bun", other) is not None


def deny_values(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Take what is not so."""
    found = list(wrongly_held(tree, statement, claims))
    for node in found:
        node.replace(exp.NEQ(this=node.this.copy(), expression=node.expression.copy()))
    return bool(found)
