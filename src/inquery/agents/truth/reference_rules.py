"""Which of two keys: a batch has the inspector who checked it and one who reviewed it, and a question means one of them.

The key that bears a mark (reviewer_id) is meant where the question says so. Where it does not, and another key to the same
table is the plain one (insp_id) or the one whose mark it says, that one is.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.agents.truth.coverage import meant_terms
from inquery.agents.truth.spoken_names import brief, stems
from inquery.catalog.key_names import KEY_WORDS
from inquery.errors import Text
from inquery.language.text import fold, has_cjk, name_words, singular, stem
from inquery.sql import Table
from inquery.sql.catalog import references_of
from inquery.sql.statement import Statement

SHORTEST = 3
"""Letters of a mark that is a word or the beginning of one."""
_GENERIC = frozenset("人员者号名编码")
"""What words for whoever does something end on, and says nothing of what they do."""


def meant_reference(statement: Statement, claims: Claims) -> Breach | None:
    """Of several keys to one table, the one that the question means is followed."""
    for table, wrong, right in wrong_references(statement, claims):
        reason = Text(
            "one of several references was followed that the question does not speak of", "使用了问题没有提到的那个引用"
        )
        return Breach("odd_join", reason, f"use {table.full_name}.{right} instead of {wrong}")
    return None


def wrong_references(statement: Statement, claims: Claims) -> Iterator[tuple[Table, str, str]]:
    """Keys of tables that are followed though the question means another: the table, the key's name and the other's."""
    used = {place.casefold() for place in statement.places()}
    tables = {table.path: table for scope in statement.scopes for table in scope.tables.values()}
    for table in tables.values():
        alike: dict[tuple[str, ...], set[str]] = {}
        for each in references_of(table, claims.catalog.joins_of([table.path])):
            if len(each.columns) == 1 and each.table != table.path:
                alike.setdefault(each.table, set()).add(each.columns[0])
        for path, keys in alike.items():
            followed = {key for key in keys if f"{table.full_name}.{key}".casefold() in used}
            target = next((each for each in claims.catalog.tables if each.path == path), None)
            if len(keys) < 2 or len(followed) != 1 or target is None or path not in tables:
                continue
            wrong = followed.pop()
            if (right := _meant_instead(wrong, keys - followed - {wrong}, table, target, claims)) is not None:
                yield table, wrong, right


def _meant_instead(wrong: str, others: set[str], table: Table, target: Table, claims: Claims) -> str | None:
    marks = _marks(wrong, target)
    column = table.column(wrong)
    if not marks or column is None or _may_be_said(marks, brief(column.comment), claims.question):
        return None
    said = [
        key for key in others if (own := _marks(key, target)) and all(_is_said(mark, claims.question) for mark in own)
    ]
    plain = [key for key in others if not _marks(key, target)]
    found = said or plain
    return found[0] if len(found) == 1 else None


def _marks(key: str, target: Table) -> tuple[str, ...]:
    """What a key's name says beyond the table that it refers to: reviewer of reviewer_id, 复核 of 复核医师."""
    own = [column.name for column in target.columns if column.primary_key]
    if has_cjk(key):
        rest = _without_common(fold(key), [fold(name) for name in (target.name, brief(target.comment), *own)])
        return (rest,) if rest else ()
    about = {singular(word) for name in (target.name, *own) for word in name_words(name)}
    return tuple(
        word
        for word in map(singular, name_words(key))
        if word not in KEY_WORDS and not any(word == name or name.startswith(word) for name in about)
    )


def _without_common(key: str, names: list[str]) -> str:
    """A key's characters but for the longest run that it shares with a name: 审核 of 审核医师 beside 影像医师."""
    for size in range(len(key), 1, -1):
        for at in range(len(key) - size + 1):
            if any(key[at : at + size] in name for name in names):
                return key[:at] + key[at + size :]
    return key


def _is_said(mark: str, question: str) -> bool:
    """Whether the question has the word, in either language."""
    if has_cjk(mark):
        return mark in fold(question)
    asked = stems(question) | {term for term in meant_terms(question) if not has_cjk(term)}
    if {stem(mark), *(term for term in meant_terms(mark) if not has_cjk(term))} & asked:
        return True
    if any(len(term) > 1 and has_cjk(term) and term in question for term in meant_terms(mark)):
        return True
    return len(mark) >= SHORTEST and any(term.startswith(mark) for term in asked)


def _may_be_said(marks: tuple[str, ...], comment: str, question: str) -> bool:
    """Whether anything in the question may be the word: one character of it is enough to leave a key as it is."""
    characters = {letter for letter in fold(question) if has_cjk(letter)} - _GENERIC
    for mark in marks:
        terms = [mark, *meant_terms(mark)]
        if _is_said(mark, question) or any(set(term) & characters for term in terms if has_cjk(term)):
            return True
        if any(word.startswith(mark[:4]) or mark.startswith(word) for word in stems(question) if len(word) >= SHORTEST):
            return True
    return (
        bool(set(comment) & characters - set("编号的")) if has_cjk(comment) else bool(stems(comment) & stems(question))
    )


def follow_meant(tree: exp.Expr, statement: Statement, claims: Claims) -> bool:
    """Follow the keys that are meant; a table that was called after the other key is called after its own."""
    swapped = {(table.path, wrong.casefold()): right for table, wrong, right in wrong_references(statement, claims)}
    written = list(statement.tree.find_all(exp.Column))
    copies = list(tree.find_all(exp.Column))
    places = {id(column): scope.place(column) for scope in statement.scopes for column in scope.columns()}
    mended = False
    for node, copy in zip(written, copies, strict=True):
        place = places.get(id(node))
        right = swapped.get((place.table.path, place.column.casefold())) if place else None
        if right is not None:
            copy.set("this", exp.to_identifier(right, quoted=True))
            mended = True
    called = {wrong: right for (_, wrong), right in swapped.items()}
    for name in list(tree.find_all(exp.Identifier)) if mended else ():
        is_alias = isinstance(name.parent, exp.TableAlias) or (
            isinstance(name.parent, exp.Column) and name.arg_key == "table"
        )
        if is_alias and (right := called.get(name.name.casefold())):
            name.replace(exp.to_identifier(right, quoted=name.args.get("quoted")))
    return mended
