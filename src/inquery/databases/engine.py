"""The contract between the executor and one database engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from inquery.errors import InqueryError
from inquery.settings import QuerySettings
from inquery.sql import Catalog, CheckedSql

Session = Any
"""Whatever an engine's `open` returns; only that engine looks inside."""

Progress = Callable[[str, int, int], None]
"""Called as progress(stage, done, total) while the catalogue is read."""


def no_progress(stage: str, done: int, total: int) -> None:
    """The progress callback of callers that show none."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one execution; None means no bound of that kind."""

    timeout_s: float = 30
    rows: int | None = 1000
    bytes: int | None = 16 << 20
    cell: int | None = 1 << 20

    @classmethod
    def of(cls, query: QuerySettings) -> Limits:
        """The bounds that the settings set."""
        return cls(query.timeout_s, query.rows, query.bytes, query.cell)


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A column of a result; `kind` is one of number, text, date, datetime, boolean, binary, json, other."""

    name: str
    type: str = ""
    kind: str = "other"


@dataclass(frozen=True, slots=True)
class Batch:
    """Some rows of a stream; every batch carries the columns, so an empty result still has them."""

    columns: tuple[ResultColumn, ...]
    rows: Sequence[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What EXPLAIN says without running: rows and cost where the engine gives them, full scans by table."""

    rows: int | None = None
    cost: float | None = None
    full_scans: tuple[str, ...] = ()
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of one execution; `truncated` names the bound that cut them: rows, bytes or cell."""

    result_id: str
    columns: tuple[ResultColumn, ...]
    rows: list[tuple[Any, ...]]
    row_count: int
    truncated: str | None
    ms: float


class Engine(Protocol):
    """One database: opens read-only sessions and streams checked statements.

    The executor also uses, where an engine has them: `max_sessions`, `timezone` (part of the result cache's key),
    `fingerprint()` (changes when a file does), `abandon(s)` (wake a thread that a cancel did not), `shutdown()`
    (called when the connection is detached) and `advise_role(s)` (rights a more careful account would not have).
    """

    dialect: str

    def open(self) -> Session:
        """Connect and make the session read-only; raises DatabaseUnavailable."""

    def close(self, s: Session) -> None:
        """Close a session; never raises."""

    def introspect(self, progress: Progress) -> Catalog:
        """Read tables, columns, comments, keys and estimates in bulk queries."""

    def explain(self, s: Session, sql: CheckedSql) -> Estimate | None:
        """The engine's estimate, or None where it costs or is not to be had."""

    def stream(self, s: Session, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Run and yield batches from a server-side cursor; the timeout is set in the server too."""

    def cancel(self, s: Session) -> None:
        """Stop what the session runs, from another thread, on the server."""

    def reset(self, s: Session) -> None:
        """Undo whatever a statement may have changed, before the session is used again."""

    def classify(self, error: BaseException) -> InqueryError:
        """The error of the tree for a driver's error, by its code first and its text last."""
