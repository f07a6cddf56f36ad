"""Tax: an amount with it and one without it are two columns, and a question that says which wants that one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from inquery.agents.truth.claims import Breach, Claims
from inquery.errors import Text
from inquery.language.foreign_names import FRENCH_TAX
from inquery.language.text import name_words
from inquery.sql import Column, Table
from inquery.sql.statement import Statement

WITHOUT, WITH = "without", "with"

_ASKED = {
    WITHOUT: re.compile(
        r"\b(?:excluding|excl\.?|exclusive of|without|before|net of|not (?:including|counting)|ex|less)\s+(?:the\s+|any\s+|sales\s+)?"
        r"(?:tax(?:es)?|vat|gst)\b|\b(?:untaxed|pre-?tax|ex-?vat)\b|不含税|未税|不含(?:增值|消费)税|不带税|去税|除税",
        re.I,
    ),
    WITH: re.compile(
        r"\b(?:including|incl\.?|inclusive of|with|plus)\s+(?:the\s+|all\s+|sales\s+)?(?:tax(?:es)?|vat|gst)\b|\btax[- ]inclusive\b"
        r"|(?<!不)含(?:增值|消费)?税|价税合计|连税|带税(?<!不带税)",
        re.I,
    ),
}
_SAID = {
    WITHOUT: re.compile(
        r"\b(?:excl(?:uding|usive|\.)?|without|before|net of|ex)\s*(?:of\s+)?(?:tax|vat|gst)|\buntaxed\b|\bpre-?tax\b|\bnet amount\b"
        r"|\bhors taxes?\b|\btax[- ]exclusive\b|不含税|未税|税前",
        re.I,
    ),
    WITH: re.compile(
        r"\b(?:incl(?:uding|usive|\.)?|with|after)\s*(?:of\s+)?(?:tax|vat|gst)|\btaxed\b|\bgross amount\b|\btoutes taxes\b"
        r"|\btax[- ]inclusive\b|(?<!不)含税|价税合计|税后",
        re.I,
    ),
}
_IN_NAMES = {
    WITHOUT: frozenset({"ht", "untaxed", "pretax", "net", "excl", "excluding", "exclusive", "ex", "without"}),
    WITH: frozenset({"ttc", "taxed", "gross", "incl", "including", "inclusive", "inc", "with"}),
}
_OF_TAX = frozenset({"tax", "vat", "gst", "tva", "of"})
_THE_TAX = frozenset({"tax", "taxes", "vat", "gst", "tva"})


def tax_as_asked(statement: Statement, claims: Claims) -> Breach | None:
    """An amount is with tax or without, as the question says, where the table keeps both."""
    for wrong, right, _ in tax_sides(statement, claims):
        side = side_asked(claims.question)
        reason = (
            Text("the question asks for amounts without tax, and the statement has them with it", "问题要不含税的金额，语句用的却是含税的")
            if side == WITHOUT
            else Text("the question asks for amounts with tax, and the statement has them without it", "问题要含税的金额，语句用的却是不含税的")
        )  # fmt: skip
        return Breach("wrong_measure", reason, f"use {right} and not {wrong}")
    return None


def tax_sides(statement: Statement, claims: Claims) -> Iterator[tuple[str, str, exp.Column]]:
    """Columns of the side that was not asked for, each with the one that was, and where it stands in the statement."""
    asked = side_asked(claims.question)
    if not asked:
        return
    used = statement.places()
    for scope in statement.scopes:
        for column in scope.columns():
            place = scope.place(column)
            right = _other_side(place.table, place.column, asked) if place else None
            if place and right and f"{place.table.full_name}.{right}" not in used and not _worked_out(column):
                yield place.column, right, column


def side_asked(question: str) -> str:
    """Which side a question asks for; none where it speaks of both."""
    sides = [side for side, words in _ASKED.items() if words.search(question)]
    return sides[0] if len(sides) == 1 else ""


def _other_side(table: Table, name: str, asked: str) -> str | None:
    """The column that is as the question says, where the named one is the other and there is one such."""
    column = table.column(name)
    if column is None or not _keeps_both(table):
        return None
    side, about = _side_of(column, table)
    if side in ("", asked):
        return None
    found = [each.name for each in table.columns if each is not column and _side_of(each, table) == (asked, about)]
    return found[0] if len(found) == 1 else None


def _keeps_both(table: Table) -> bool:
    sides = {_side_of(column, table)[0] for column in table.columns}
    return {WITHOUT, WITH} <= sides


def _side_of(column: Column, table: Table) -> tuple[str, str]:
    """With tax or without, and what it is apart from that, by a column's name or what is said of it."""
    words = name_words(column.name)
    french = any(not FRENCH_TAX.isdisjoint(name_words(each.name)) for each in table.columns)
    for side, own in _IN_NAMES.items():
        found = own.intersection(words) - (set() if french else {"ht", "ttc"})
        if found and (
            found & {"ht", "ttc", "untaxed", "pretax", "taxed", "net", "gross"} or _OF_TAX.intersection(words)
        ):
            return side, " ".join(word for word in words if word not in own | _OF_TAX)
    for side, said in _SAID.items():
        if said.search(column.comment) or said.search(column.name):
            return side, said.sub("", column.comment or column.name).strip()
    return "", ""


def _worked_out(column: exp.Column) -> bool:
    """Whether the tax is taken off, or put on, where the column stands: total_ttc - tva."""
    around = column.find_ancestor(exp.Binary, exp.Select)
    return isinstance(around, exp.Add | exp.Sub | exp.Mul | exp.Div) and any(
        not _THE_TAX.isdisjoint(name_words(each.name)) for each in around.find_all(exp.Column) if each is not column
    )


def is_no_tax(condition: exp.Expr) -> bool:
    """Whether a condition says that the tax is nothing: tva = 0."""
    sides = [condition.this, condition.expression] if isinstance(condition, exp.EQ) else []
    column = next((side for side in sides if isinstance(side, exp.Column)), None)
    number = next((side for side in sides if isinstance(side, exp.Literal)), None)
    return bool(column and number and number.name == "0" and not _THE_TAX.isdisjoint(name_words(column.name)))
