"""What ships with the demo: descriptions, metrics, value mappings and verified samples."""

from __future__ import annotations

import dataclasses
from functools import cache
from importlib import resources
from typing import Any

from inquery.sql import Catalog, Table


@cache
def glossary() -> dict[str, Any]:
    """The glossary as plain data: settings, tables, metrics, values."""
    loaded: dict[str, Any] = _read("glossary.yaml")
    return loaded


@cache
def samples() -> list[dict[str, str]]:
    """Verified questions with their language and SQLite statement."""
    loaded: list[dict[str, str]] = _read("samples.yaml")
    return loaded


def _read(name: str) -> Any:
    import yaml

    text = resources.files("inquery.demo").joinpath(name).read_text("utf-8")
    # The loader in C is as safe, and there in all of PyYAML's wheels: 5 ms instead of 60 for every process that asks.
    # Codes such as `no` or `on` never appear, so the safe loader's booleans cannot bite.
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def comments() -> dict[tuple[str, str | None], str]:
    """Comments of tables (column None) and columns, Chinese first, then English."""
    found: dict[tuple[str, str | None], str] = {}
    for table, about in glossary()["tables"].items():
        found[table, None] = _both(about["description"])
        found |= {(table, column): _both(texts) for column, texts in about["columns"].items()}
    return found


def _both(texts: list[str]) -> str:
    return f"{texts[1]} / {texts[0]}"


def mappings() -> dict[str, list[tuple[str, str, str]]]:
    """Phrases and the (table, column, value) each may mean: 手机 → categories.code = mobile_phone."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for place, values in glossary()["values"].items():
        table, column = place.split(".")
        for value, phrases in values.items():
            for phrase in phrases:
                found.setdefault(phrase, []).append((table, column, str(value)))
    return found


def value_mappings() -> dict[str, tuple[str, str, str]]:
    """The mappings as `ValueIndex.with_mappings` takes them: one target a key, so further ones get a longer key.

    The index reads phrases by their words, so that trailing spaces make a key distinct and nothing else.
    """
    found: dict[str, tuple[str, str, str]] = {}
    for phrase, targets in mappings().items():
        for number, target in enumerate(targets):
            found[phrase + " " * number] = target
    return found


def describe(catalog: Catalog) -> Catalog:
    """The catalogue with the demo's comments where the database has none: SQLite keeps no comments."""
    known = comments()
    return dataclasses.replace(catalog, tables=tuple(_described(table, known) for table in catalog.tables))


def _described(table: Table, known: dict[tuple[str, str | None], str]) -> Table:
    columns = tuple(
        dataclasses.replace(c, comment=c.comment or known.get((table.name, c.name), "")) for c in table.columns
    )
    return dataclasses.replace(table, columns=columns, comment=table.comment or known.get((table.name, None), ""))
