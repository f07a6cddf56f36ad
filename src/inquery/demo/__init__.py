"""The demo database: one retail business, three years of data ending today."""

from inquery.demo.build import build, ensure_demo
from inquery.demo.connection import choose_connection, demo_connection
from inquery.demo.fill import fill
from inquery.demo.knowledge import comments, describe, glossary, mappings, samples, value_mappings

__all__ = [
    "build",
    "choose_connection",
    "comments",
    "demo_connection",
    "describe",
    "ensure_demo",
    "fill",
    "glossary",
    "mappings",
    "samples",
    "value_mappings",
]
