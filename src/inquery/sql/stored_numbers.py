"""Figures that a column keeps as text: '$1,200.00', '￥3,000', '85%', '1,024'.

Exports and scraped tables keep them so, and their engines would add up nothing of them. What a column keeps is told by its
samples, so the same is found at run time and in training. A bare '90210' is no figure: codes look like that too.
"""

from __future__ import annotations

import re

from sqlglot import exp

from inquery.sql.catalog import Column

_TEXT = re.compile(r"char|text|string|clob", re.I)
_FIGURE = re.compile(r"[-+]?[$€£¥￥₹]?\s?[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?\s?[$€£¥￥₹元%]?")
_SIGNS = "$€£¥￥₹元%,"
_NONE = frozenset(["", "-", "N/A", "n/a", "NULL", "null"])
_KEEPS = "figures with "
FEWEST = 3
"""Samples that tell; the half of them has a sign that no code has."""


def stored_number(column: Column) -> str:
    """The signs to take out of a column's texts to have figures; nothing where it keeps none."""
    if column.keeps.startswith(_KEEPS):
        return column.keeps.removeprefix(_KEEPS)
    if column.primary_key or not _TEXT.search(column.type):
        return ""
    samples = [sample.strip() for sample in column.samples if sample.strip() not in _NONE]
    if len(samples) < FEWEST or not all(map(_FIGURE.fullmatch, samples)):
        return ""
    signed = sum(any(sign in sample for sign in _SIGNS) for sample in samples)
    found = "".join(sign for sign in _SIGNS if any(sign in sample for sample in samples))
    # Thousands are parted in the larger ones alone, which the samples need not show.
    return found + ("," if found and "," not in found else "") if 2 * signed >= len(samples) else ""


def keeps_numbers(column: Column) -> str:
    """The signs of a column's figures, for those who may not see its samples."""
    signs = stored_number(column)
    return f"{_KEEPS}{signs}" if signs else ""


def as_number(node: exp.Expr, signs: str) -> exp.Expr:
    """A text without its signs, as a figure; one that is empty is unknown and not zero."""
    for sign in signs:
        node = exp.func("REPLACE", node, exp.Literal.string(sign), exp.Literal.string(""))
    known = exp.Nullif(this=exp.Trim(this=node), expression=exp.Literal.string(""))
    return exp.cast(known, exp.DataType.Type.DOUBLE)


def bare(node: exp.Expr) -> exp.Expr:
    """What stands within REPLACE, TRIM and NULLIF, where these only take signs away."""
    while True:
        removed = isinstance(node, exp.Replace) and node.args.get("replacement", exp.Null()).name == ""
        unknown = isinstance(node, exp.Nullif) and not node.expression.name
        if not (removed or unknown or isinstance(node, exp.Trim | exp.Paren)):
            return node
        node = node.this
