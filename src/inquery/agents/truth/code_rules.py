"""Codes: what `status = 3` stands for is told somewhere, or it was guessed."""

from __future__ import annotations

import re

from inquery.agents.truth.claims import Breach, Claims
from inquery.catalog.meant_words import flag_name
from inquery.errors import Text
from inquery.language.numbers import numbers_in
from inquery.language.text import fold, has_cjk, name_words, word_set
from inquery.sql.statement import Filter, Place, Statement

_CODED = word_set(
    "status state stat sts zt stage phase type typ kind category cat class mode method channel source result level lvl grade flag "
    "sex gender reason priority severity direction"
)
"""Last words of columns whose numbers and letters stand for something."""
_CODED_ZH = re.compile(r"(?:状态|类型|类别|种类|方式|渠道|来源|结果|级别|等级|性别|阶段|原因|标志|标识)$")
_CODE = re.compile(r"-?\d{1,3}|[a-z]", re.I)
_IN_A_COMMENT = re.compile(r"-?\d+|\b[a-z]\b")


def guessed_code(statement: Statement, claims: Claims) -> Breach | None:
    """A code that rows are chosen by is said by the question, or something tells what it stands for."""
    for each in statement.filters():
        if each.place is None or each.operator not in {"EQ", "In", "NEQ"} or not _CODE.fullmatch(each.literal):
            continue
        if is_coded(each.place) and not _is_said(each, claims) and not _is_told(each, each.place, claims):
            called = claims.called(each.place)
            reason = Text(
                f"nothing tells what “{each.literal}” stands for in {called.en}",
                f"没有任何说明能确定{called.zh}中的“{each.literal}”代表什么",
            )
            return Breach(
                "guessed_code", reason, f"take a value of {each.place.name} that the question means", sure=False
            )
    return None


def is_coded(place: Place) -> bool:
    """Whether what a column holds stands for something, by its name; a flag says by its name what it marks."""
    words, column = name_words(place.column), place.table.column(place.column)
    if not words or column is None or place.is_key or flag_name(column):
        return False
    return words[-1] in _CODED or bool(has_cjk(place.column) and _CODED_ZH.search(place.column))


def _is_said(each: Filter, claims: Claims) -> bool:
    """Whether the question has the code itself, or a word that begins with its letter: F is female."""
    said = fold(each.literal)
    if said.lstrip("-").isdigit():
        return said in {f"{hit.value:g}" for hit in numbers_in(claims.question)}
    return re.search(rf"(?<![a-z]){said}", fold(claims.question)) is not None


def _is_told(each: Filter, place: Place, claims: Claims) -> bool:
    """Whether a comment, a table of codes, a definition or data tells what a code stands for."""
    column, said = place.table.column(place.column), fold(each.literal)
    if column is None:
        return True
    known = {meaning.value for meaning in column.meanings}
    known |= {m.value for m in claims.matches if (m.table, m.column) == (place.table.full_name, place.column)}
    known |= {*claims.given, *claims.glossary.values.get(place.name, {})}
    if said in {*map(fold, known), *_IN_A_COMMENT.findall(fold(column.comment))}:
        return True
    defined = (metric.filter for metric in claims.glossary.metrics.values())
    refers = any(join.left == place.table.path and place.column in join.left_columns for join in claims.catalog.joins)
    return refers or any(place.column in each for each in defined)
