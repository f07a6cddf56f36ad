"""ClickHouse's own tables as a catalogue, on a server and in chdb."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from inquery.databases.assemble import Raw, assemble_catalog
from inquery.databases.engine import Estimate
from inquery.sql import Catalog

# The last three read the rows of other tables too, and a policy has to know.
_VIEWS = frozenset({"View", "MaterializedView", "LiveView", "WindowView", "Merge", "Buffer", "Alias"})


def catalogue(tables: Sequence[Sequence[Any]], columns: Sequence[Sequence[Any]], database: str) -> Catalog:
    """Every database but the system's; a table's path is database and name."""
    raw = Raw(
        tables=[((db, name), _kind(engine), comment, rows) for db, name, engine, comment, rows in tables],
        columns=[((db, table), name, kind, _nullable(kind), comment) for db, table, name, kind, comment, _ in columns],
        keys=[((db, table), name) for db, table, name, _, _, key in columns if key],
    )
    return assemble_catalog(raw, dialect="clickhouse", default_schema=(database,))


def _kind(engine: str) -> str:
    return "view" if engine in _VIEWS else "table"


def _nullable(type_name: str) -> bool:
    return type_name.startswith(("Nullable(", "LowCardinality(Nullable(", "Variant(", "Dynamic"))


def estimate(reads: Sequence[Sequence[Any]], plan: Sequence[Sequence[Any]]) -> Estimate:
    """Rows to be read (database, table, parts, rows, marks), and tables read without using an index."""
    scans: dict[str, None] = {}
    for row in plan:
        _find_scans(json.loads(row[0]), scans)
    text = "\n".join(f"{row[0]}.{row[1]}: {row[3]} rows in {row[2]} parts" for row in reads)
    return Estimate(rows=sum(int(row[3]) for row in reads) if reads else None, full_scans=tuple(scans), plan=text)


def _find_scans(node: Any, scans: dict[str, None]) -> None:
    if isinstance(node, list):
        for item in node:
            _find_scans(item, scans)
    elif isinstance(node, dict):
        if node.get("Node Type") == "ReadFromMergeTree":
            conditions = {index.get("Condition", "true") for index in node.get("Indexes") or ()}
            if conditions <= {"true"}:
                scans[str(node.get("Description", ""))] = None
        for key in ("Plan", "Plans"):
            _find_scans(node.get(key), scans)
