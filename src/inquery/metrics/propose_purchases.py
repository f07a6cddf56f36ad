"""What a business buys, where nobody defined it: of a purchase order that keeps its worth with and without tax, which is meant.

Both are called purchases; `tax and freight included` and 不含税 choose between them, and without such words none is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from inquery.language.text import name_words, singular, word_set
from inquery.metrics.metric_types import Metric
from inquery.metrics.question_cover import key_of
from inquery.sql.catalog import Catalog, Table

PURCHASES = (
    "purchases", "purchase value", "purchase amount", "purchase total", "total purchases", "purchasing", "purchase volume",
    "purchase spend", "采购额", "采购总额", "采购金额", "采购总金额",
)  # fmt: skip
_BOUGHT = word_set("purchase purchasing procurement 采购")
_WHOLE, _NET = word_set("total due grand payable gross"), word_set("subtotal sub net")


def name_purchases(metrics: Sequence[Metric], catalog: Catalog) -> list[Metric]:
    """The proposals, of which the two worths of a purchase are called purchases."""
    found = list(metrics)
    for table in catalog.tables:
        if not {singular(word) for word in name_words(table.name)} & _BOUGHT:
            continue
        whole, net = _one(table, found, _WHOLE), _one(table, found, _NET)
        taken = {key_of(word) for m in found for word in (m.label.en, m.label.zh, *m.synonyms)}
        words = tuple(word for word in PURCHASES if key_of(word) not in taken)
        if whole is None or net is None or whole is net or not words:
            continue
        for each in (whole, net):
            found[found.index(each)] = replace(each, synonyms=(*each.synonyms, *words))
        return found
    return found


def _one(table: Table, metrics: Sequence[Metric], kind: frozenset[str]) -> Metric | None:
    own = [
        m for m in metrics if m.entity == table.full_name and m.format == "money" and m.expression.startswith("SUM(")
    ]
    found = [
        m
        for m in own
        if column_words(m, table.name) & kind and (kind is _NET or not column_words(m, table.name) & _NET)
    ]
    return found[0] if len(found) == 1 else None


def column_words(metric: Metric, table: str) -> set[str]:
    """The words of the column that a proposal adds up."""
    return {singular(word) for word in name_words(metric.name.removeprefix(f"total_{table}_"))}


def is_net(metric: Metric) -> bool:
    """Whether it is the worth before tax."""
    return re.search(r"sub_?total|(?:^|_)net", metric.name, re.I) is not None
