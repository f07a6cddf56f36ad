"""A result as a pandas data frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from inquery.answers.export import unique_names
from inquery.databases.engine import ResultColumn
from inquery.errors import MissingDriver


def to_frame(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Any:
    """A pandas data frame; names that repeat get a number."""
    try:
        import pandas
    except ImportError as error:
        raise MissingDriver(str(error), engine="pandas", extra="export") from error
    return pandas.DataFrame([list(row) for row in rows], columns=unique_names([ResultColumn(name) for name in columns]))
