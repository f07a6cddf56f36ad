"""The demo's tables, glossary and values as a book of metrics, without a database."""

from functools import cache

from inquery.catalog.joins import with_joins
from inquery.demo.definitions import TABLES
from inquery.demo.knowledge import describe, glossary
from inquery.knowledge.glossary import parse_glossary
from inquery.metrics.metric_book import Book
from inquery.metrics.question_cover import Vocabulary
from inquery.sql.catalog import Catalog, Column, ForeignKey, Table

TYPES = {"int": "INTEGER", "text": "TEXT", "date": "DATE", "datetime": "DATETIME", "money": "REAL", "real": "REAL"}


def demo_catalog() -> Catalog:
    tables = []
    for table in TABLES:
        columns = tuple(
            Column(c.name, TYPES.get(c.type, "REAL"), c.nullable, primary_key=c.name in table.primary_key)
            for c in table.columns
        )
        keys = tuple(
            ForeignKey((c.name,), (c.references.split(".")[0],), (c.references.split(".")[1],))
            for c in table.columns
            if c.references
        )
        tables.append(Table((table.name,), columns, foreign_keys=keys))
    return describe(with_joins(Catalog("sqlite", tuple(tables))))


VALUES = {
    ("stores", "name"): ["杭州西湖店", "苏州园区店", "Beijing Chaoyang Store"],
    ("products", "brand"): ["Zentari", "山岚", "Orbix"],
}


@cache
def demo_vocabulary() -> Vocabulary:
    known = parse_glossary(glossary())
    stored = {tuple(place.rsplit(".", 1)): list(values) for place, values in known.values.items()}
    return Vocabulary(Book(demo_catalog(), known, {**stored, **VALUES}))
