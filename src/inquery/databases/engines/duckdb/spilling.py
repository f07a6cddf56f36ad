"""Where DuckDB's processes spill; apart from `served`, whose DuckDB this side of the process does not load."""

from __future__ import annotations

import tempfile
from pathlib import Path


def spill_folder(pid: int) -> Path:
    """Where the process of that id spills; never next to the user's file, as DuckDB would."""
    return Path(tempfile.gettempdir()) / f"inquery-duckdb-{pid}"
