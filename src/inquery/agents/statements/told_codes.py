"""Words for codes: who asks by which channel people came is shown 窗口 and APP, not 1 and 5.

Only what a table of codes or people told of a column is written, for all of its values, and only where a code is shown as it
is; what a comment says of it stands beside the answer already. Where the words stand in the same row, as payment_method_title
beside payment_method and DESCRIPTION beside CODE, that column is shown. A question that asks for the code gets the code.
"""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.catalog.meanings import written_meanings
from inquery.language.text import fold, name_words
from inquery.sql import Column, Table
from inquery.sql.statement import Statement

MOST = 12
"""Codes of one column that are written out: more make a statement that nobody reads."""
_CODE = re.compile(r"-?\d{1,4}|[a-z]{1,2}\d{0,2}", re.I)
_ASKS_NAME = re.compile(r"\b(?:names?|titles?|called|descriptions?|labels?)\b|名称|名字|叫什么|说明", re.I)
_OF_A_CODE = frozenset({"code", "cd"})
_OF_WORDS = frozenset({"name", "title", "label", "description", "desc", "text", "nm"})
"""Last words of a column of codes, and of one that says in words what they are."""
_ASKS_CODE = re.compile(r"\b(?:codes?|ids?|keys?|raw)\b|代码|编码|编号|[状态类型]码|原始值", re.I)


def tell_codes(statement: Statement, question: str) -> str:
    """The text of the statement with the words of codes in their place, or as it was."""
    top = statement.top
    if top is None or not isinstance(statement.tree, exp.Select) or _ASKS_CODE.search(question):
        return statement.text
    tree, changed = statement.tree.copy(), False
    for mine, item in zip(statement.tree.expressions, list(tree.expressions), strict=True):
        column = mine.unalias()
        place = top.place(column) if isinstance(column, exp.Column) else None
        known = place.table.column(place.column) if place else None
        if known is None or place is None or place.is_key:
            continue
        if words := named_beside(place.table, known, question):
            changed = _takes_the_place(words, column, tree) or changed
            continue
        if not is_told(known):
            continue
        # ClickHouse takes a name in a SELECT for what the SELECT calls so, and would define it by itself.
        alias = mine.alias_or_name + ("_label" if statement.catalog.dialect == "clickhouse" else "")
        item.replace(exp.alias_(_worded(item.unalias(), known), alias, quoted=True))
        changed = True
    return tree.sql(dialect=statement.catalog.dialect) if changed else statement.text


def named_beside(table: Table, column: Column, question: str) -> str:
    """The column of the same row that has the words of a code; empty where none has, or the column holds words itself."""
    said = tuple(name_words(column.name))
    bare = said[:-1] if said and said[-1] in _OF_A_CODE else said
    is_code = bare != said
    if not is_code and not _ASKS_NAME.search(question):
        return ""
    for other in table.columns:
        words = tuple(name_words(other.name))
        if words[:-1] == bare and words[-1:] and words[-1] in _OF_WORDS and not other.primary_key:
            return other.name
    return ""


def _takes_the_place(words: str, column: exp.Column, tree: exp.Select) -> bool:
    """Put a column in the place of another in what is shown, grouped and ordered by; conditions stay as they are."""
    wanted, found = column.sql(), False
    parts = [*tree.expressions, tree.args.get("group"), tree.args.get("order")]
    for node in [
        node for part in parts if part is not None for node in part.find_all(exp.Column) if node.sql() == wanted
    ]:
        if node.find_ancestor(exp.AggFunc, exp.Subquery) is None:
            node.set("this", exp.to_identifier(words, quoted=True))
            found = True
    return found


def is_told(column: Column) -> bool:
    """Whether every value of a column is a code, and something beside its comment tells the word of each."""
    words = {fold(meaning.value): meaning.words[0] for meaning in column.meanings if meaning.words}
    held = {fold(sample) for sample in column.samples if sample}
    if not held or len(words) > MOST or not held <= words.keys() or not all(map(_CODE.fullmatch, held)):
        return False
    return len(written_meanings(column)) < len(column.meanings) and len(set(words.values())) == len(words)


def _worded(column: exp.Expr, known: Column) -> exp.Case:
    case = exp.Case(this=column.copy(), ifs=[])
    number = not any(kind in known.type.lower() for kind in ("char", "text", "string", "enum", "clob"))
    for meaning in known.meanings:
        code = exp.Literal.number(meaning.value) if number and meaning.value.lstrip("-").isdigit() else None
        case.append(
            "ifs", exp.If(this=code or exp.Literal.string(meaning.value), true=exp.Literal.string(meaning.words[0]))
        )
    case.set("default", exp.cast(column.copy(), "TEXT"))
    return case
