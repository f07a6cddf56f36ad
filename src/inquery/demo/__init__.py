"""The demo database: one retail business, three years of data ending today."""

from inquery.demo.build import build_demo, ensure_demo
from inquery.demo.connection import DEMO, demo_connection
from inquery.demo.fill import fill_demo
from inquery.demo.knowledge import comments, describe, glossary, mappings, samples, value_mappings

__all__ = [
    "DEMO",
    "build_demo",
    "comments",
    "demo_connection",
    "describe",
    "ensure_demo",
    "fill_demo",
    "glossary",
    "mappings",
    "samples",
    "value_mappings",
]
