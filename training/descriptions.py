"""Descriptions of databases with questions, written by hand: a folder with one a file, or a file with one a line.

A folder (data/business, data/care, …) holds <db_id>.yaml. They are read in the order that order.txt gives, where there is
one, else by name: the order is part of the data, since groups, batches and the tables of a benchmark's warehouse follow it.
`training/business.py` says what a description has and makes its database.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.files import read_yaml

DATA = Path(__file__).parent / "data"
SETS = (
    *("business", "general", "society", "enterprise"),
    *("trade", "industry", "offices", "care", "culture", "warehouse", "finance", "public", "factory", "service"),
)
"""The folders of data/ with descriptions of this kind; the second line was written for round D."""


class BadDescriptions(ValueError):
    """A folder whose files are not those that its order or their contents name."""


def specs(path: Path) -> Iterator[dict[str, Any]]:
    """The descriptions of a folder or of a file with one a line."""
    if path.is_dir():
        yield from map(read_spec, spec_files(path))
    else:
        yield from (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def spec_files(folder: Path) -> list[Path]:
    """The files of a folder in their order; BadDescriptions if its order.txt names others."""
    files = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    order = folder / "order.txt"
    names = order.read_text("utf-8").splitlines() if order.exists() else list(files)
    if sorted(names) != sorted(files):
        odd = sorted(set(names) ^ files.keys()) or ["a name twice"]
        raise BadDescriptions(f"{order}: not the files of its folder: {', '.join(odd[:5])}")
    return [files[name] for name in names]


def read_spec(file: Path) -> dict[str, Any]:
    """One description; BadDescriptions if it is not that of the database its file is named after."""
    spec = read_yaml(file)
    if not isinstance(spec, dict) or spec.get("db_id") != file.stem:
        raise BadDescriptions(f"{file}: not the description of {file.stem}")
    return spec
