"""The contract between the executor and one database engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from inquery.databases.engine_info import EngineInfo
from inquery.errors import InqueryError
from inquery.settings import DatabaseSettings, QuerySettings
from inquery.sql import Catalog, CheckedSql

if TYPE_CHECKING:
    from inquery.databases.transport.address import Address

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
    """Rows of one execution; `truncated` names the bound that cut them: rows, bytes or cell.

    `as_of` is when rows were read that were kept from an earlier execution; empty where they were read just now.
    """

    result_id: str
    columns: tuple[ResultColumn, ...]
    rows: list[tuple[Any, ...]]
    row_count: int
    truncated: str | None
    ms: float
    as_of: str = ""


class Engine(ABC):
    """One database: opens read-only sessions and streams checked statements.

    What not every engine can do has a default here, so that the executor never asks whether an engine has it.
    """

    about: ClassVar[EngineInfo]
    """The record in the engine's folder; a plugin's class brings its own."""
    dialect: ClassVar[str]
    """The record's, unless the class says another."""
    parameters: ClassVar[frozenset[str]] = frozenset()
    """What may stand after the question mark of an address; anything else is refused."""
    max_sessions: ClassVar[int | None] = None
    """How many sessions are worth having; None leaves that to the settings."""
    timezone: str = ""
    """The timezone of its sessions: results of one are not served to another."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "about" in cls.__dict__ and "dialect" not in cls.__dict__:
            cls.dialect = cls.about.dialect

    @classmethod
    @abstractmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Make the engine; nothing is connected yet. Raises MissingDriver, and BadConnectionUrl for parameters."""

    @abstractmethod
    def open(self) -> Session:
        """Connect and make the session read-only; raises DatabaseUnavailable."""

    @abstractmethod
    def close(self, s: Session) -> None:
        """Close a session; never raises."""

    @abstractmethod
    def introspect(self, progress: Progress) -> Catalog:
        """Read tables, columns, comments, keys and estimates in bulk queries."""

    @abstractmethod
    def stream(self, s: Session, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Run and yield batches from a server-side cursor; the timeout is set in the server too."""

    @abstractmethod
    def cancel(self, s: Session) -> None:
        """Stop what the session runs, from another thread, on the server."""

    @abstractmethod
    def reset(self, s: Session) -> None:
        """Undo whatever a statement may have changed, before the session is used again."""

    @abstractmethod
    def classify(self, error: BaseException) -> InqueryError:
        """The error of the tree for a driver's error, by its code first and its text last."""

    @abstractmethod
    def check_role(self, s: Session) -> str | None:
        """Why the account may do more than read, or None."""

    def explain(self, s: Session, sql: CheckedSql) -> Estimate | None:
        """The engine's estimate, or None where it costs or is not to be had."""
        return None

    def fingerprint(self) -> tuple[int, ...] | None:
        """What changes with every write, for files; None where only the clock says how old a result is."""
        return None

    def abandon(self, s: Session) -> None:
        """Wake the thread that waits on a session which a cancel did not stop."""
        self.cancel(s)

    def shutdown(self) -> None:  # noqa: B027
        """End what is held beside sessions, such as a tunnel; called when the connection is detached."""
