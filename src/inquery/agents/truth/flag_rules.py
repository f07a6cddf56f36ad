"""Rows that are marked: “valid orders” are those whose flag says so.

A flag's word right before the word for its table's rows says which of them are meant. Anywhere else it may be said of
something else, and is only a sign (`marked_as_said`).
"""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.spoken_names import brief
from inquery.catalog.meant_words import flag_values
from inquery.catalog.value_index import ValueMatch
from inquery.errors import Text
from inquery.language.lexicon import lexicon, stem_term
from inquery.language.text import fold, has_cjk, name_words, stem
from inquery.sql import Table
from inquery.sql.statement import Statement

MARKED = 0.8
"""Of the score of a word that says what a flag marks."""
_HELD_AGAINST = re.compile(
    r"\b(?:share|percent\w*|proportion|ratio|rate|vs|versus|compared?|whether|or|un\w+|invalid|without|not|non|no|never"
    r"|exclud\w+|except|other than|regardless|all|both)\b"
    r"|n't\b|占|比例|比率|率|相比|对比|是否|还是|或|除|不|没|未|无|非|百分|其中|全部|所有",
    re.I,
)
"""Questions in which marked rows need not be the only ones."""
_NOUN = re.compile(r"\s*([a-z]+)(?:\s+([a-z]+))?", re.I)


def marked_rows(statement: Statement, claims: Claims) -> Breach | None:
    """Of rows that the question calls marked, only those are taken."""
    for match in rows_marked(statement, claims):
        reason = Text(
            f"the question is about “{match.phrase}” rows, and the statement takes all of them",
            f"问题问的是“{match.phrase}”的记录，语句却包括了全部记录",
        )
        return Breach("missing_filter", reason, f"filter by {match.table}.{match.column} = '{match.value}'")
    return None


def rows_marked(statement: Statement, claims: Claims) -> list[ValueMatch]:
    """The flags of tables that a statement of one block reads and does not look at, though the question says them of their rows."""
    if (
        len(statement.scopes) != 1
        or not isinstance(statement.tree, exp.Select)
        or _HELD_AGAINST.search(claims.question)
    ):
        return []
    scope = statement.scopes[0]
    read = {table.full_name: table for table in scope.tables.values()}
    if len(read) != len(scope.tables) or any(join.side for join in scope.select.args.get("joins") or ()):
        return []
    used, literals = statement.places(), " ".join(statement.literals()).casefold()
    looked_at = {match.phrase for match in claims.matches if f"{match.table}.{match.column}" in used}
    found: dict[str, list[ValueMatch]] = {}
    for match in claims.matches:
        table = read.get(match.table)
        column = table.column(match.column) if table else None
        if table is None or column is None or flag_values(column) is None or match.start < 0:
            continue
        if match.phrase in looked_at or match.phrase.casefold() in literals:
            continue
        if match.score >= MARKED and len(match.phrase) > 1 and _is_said_of(table, claims.question[match.end :]):
            found.setdefault(match.phrase, []).append(match)
    return [each[0] for each in found.values() if len(each) == 1]


def _is_said_of(table: Table, rest: str) -> bool:
    """Whether what follows in the question is the word for a table's rows: orders, 的订单."""
    following = fold(rest)
    if has_cjk(following[:2]):
        following = following.removeprefix("的")
        return any(following.startswith(word) for word in _chinese_names(table))
    hit = _NOUN.match(following)
    words = [stem(word) for word in (hit.groups() if hit else ()) if word]
    # of `tbl_order` the last word, so that a list of orders is one of orders
    own = [stem(word) for word in name_words(table.name)][-1:]
    return bool(own) and own[0] in words[:1]


def _chinese_names(table: Table) -> list[str]:
    words = lexicon()
    names = [fold(table.name)] if has_cjk(table.name) else []
    names += [fold(brief(table.comment))] if has_cjk(table.comment) else []
    spoken = name_words(table.name)
    for term in (" ".join(spoken), " ".join(spoken[1:]), spoken[-1] if spoken else ""):
        names += [fold(word) for word in words.chinese.get(stem_term(term), ())] if term else []
    return [name.removesuffix("表") for name in names if len(name) > 1]
