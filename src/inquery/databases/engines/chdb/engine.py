"""chdb: ClickHouse over a folder, in one process for all sessions, since chdb locks the folder."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from sqlglot import TokenError, TokenType
from sqlglot.dialects.clickhouse import ClickHouse

from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress
from inquery.databases.engines.chdb import ABOUT
from inquery.databases.engines.chdb.folders import enter, leave
from inquery.databases.engines.clickhouse.catalog import catalogue, estimate
from inquery.databases.engines.clickhouse.errors import classify
from inquery.databases.registry import load_driver
from inquery.databases.sandbox.process import Process
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import check_file
from inquery.errors import InqueryError, NotADatabase, PermissionDenied, QueryCancelled, ReadOnlyViolation, SqlSyntax
from inquery.settings import DatabaseSettings
from inquery.sql import Catalog, CheckedSql

MEMORY_LIMIT = 2 << 30
_STARTS = frozenset({TokenType.SELECT, TokenType.WITH, TokenType.L_PAREN, TokenType.FROM})
# Only to say what is wrong: whatever does not start as a query is refused.
_STATEMENTS = frozenset(
    [
        "alter",
        "attach",
        "backup",
        "begin",
        "check",
        "commit",
        "create",
        "delete",
        "describe",
        "detach",
        "drop",
        "exchange",
        "exists",
        "explain",
        "grant",
        "insert",
        "kill",
        "move",
        "optimize",
        "rename",
        "replace",
        "restore",
        "revoke",
        "rollback",
        "set",
        "show",
        "system",
        "truncate",
        "undrop",
        "update",
        "use",
        "watch",
    ]
)
_OUTSIDE = re.compile(
    r"(file|url|s3|gcs|cosn|oss|hdfs|azureblobstorage|deltalake|iceberg|hudi|paimon|cluster|remote)\w*"
    r"|mysql|postgresql|sqlite|mongodb|redis|odbc|jdbc|bigquery|ytsaurus|executable|python|eval|input|arrowstream|filesystem"
)
_ESCAPES = re.compile(r"[\\$#]|--|/\*|//")


@dataclass
class ChdbSession:
    """One session among those of the process."""

    process: Process
    number: int
    cancelled: bool = False


class ChdbEngine(Engine):
    """The engine of `chdb:///folder`."""

    about = ABOUT
    parameters = frozenset({"database"})
    max_sessions = 16

    def __init__(self, path: str, database: str = "default") -> None:
        self.path = path
        self.database = database

    @classmethod
    def from_address(cls, address: Address, settings: DatabaseSettings) -> Self:
        """Check that the folder is chdb's own: opening any other would write into it."""
        load_driver("chdb", "chdb")
        load_driver("clickhouse_connect", "chdb")
        path = check_file(address.database, settings)
        if not (path / "metadata").is_dir() and not (path.is_dir() and {p.name for p in path.iterdir()} == {"tmp"}):
            raise NotADatabase(f"{path} is no chdb folder", name=path.name)
        return cls(str(path), address.params.get("database", "default"))

    def open(self) -> ChdbSession:
        """A session in the folder's process, which is started when there is none."""
        return ChdbSession(*enter(self.path, self.database, self._options()))

    def close(self, s: ChdbSession) -> None:
        """End the session; the folder's last one ends the process, which frees the folder."""
        leave(self.path, s.process, s.number)

    def introspect(self, progress: Progress) -> Catalog:
        """Tables and columns in two queries."""
        s = self.open()
        try:
            progress("tables", 0, 1)
            rows = s.process.call(s.number, "introspect")
        finally:
            self.close(s)
        progress("tables", 1, 1)
        return catalogue(rows["tables"], rows["columns"], self.database)

    def explain(self, s: ChdbSession, sql: CheckedSql) -> Estimate | None:
        """Rows to be read, where the tables can say."""
        only_query(sql.text)
        return estimate(*s.process.call(s.number, "explain", sql.text))

    def stream(self, s: ChdbSession, sql: CheckedSql, limits: Limits) -> Iterator[Batch]:
        """Batches as the process fetches them; the timeout runs in chdb and in the process."""
        only_query(sql.text)
        s.cancelled = False
        for batch in s.process.run(s.number, sql.text, limits):
            yield batch
            if s.cancelled:
                raise QueryCancelled("cancelled between batches")

    def cancel(self, s: ChdbSession) -> None:
        """KILL QUERY inside, then the process itself if that does not help."""
        s.cancelled = True
        s.process.cancel(s.number)

    def abandon(self, s: ChdbSession) -> None:
        """Kill the process at once; its other sessions are opened again by their next statement."""
        s.process.kill()

    def reset(self, s: ChdbSession) -> None:
        """Drop what was left; a dead process raises ConnectionLost."""
        s.process.call(s.number, "reset")

    def classify(self, error: BaseException) -> InqueryError:
        """Errors come classified out of the process; a driver's own error is mapped by number."""
        return classify(error)

    def check_role(self, s: ChdbSession) -> str | None:
        """A folder has no accounts; sessions are read-only."""
        return None

    def _options(self) -> dict[str, Any]:
        return {"path": self.path, "memory_limit": MEMORY_LIMIT, "threads": min(4, os.cpu_count() or 1)}


def only_query(text: str) -> None:
    """Refuse what `readonly` lets through even without the guard: more statements, KILL, USE, INTO OUTFILE."""
    try:
        tokens = ClickHouse().tokenize(text)
    except TokenError as error:
        raise SqlSyntax(str(error)) from error
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    if not tokens or tokens[0].token_type not in _STARTS:
        known = tokens and tokens[0].text.casefold() in _STATEMENTS
        raise ReadOnlyViolation("only one SELECT runs") if known else SqlSyntax("no SELECT")
    if any(token.token_type is TokenType.SEMICOLON for token in tokens):
        raise ReadOnlyViolation("only one SELECT runs")
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        word = token.text.casefold() if token.token_type is not TokenType.STRING else ""
        called = following is not None and following.token_type is TokenType.L_PAREN
        if word == "outfile" or (called and _OUTSIDE.fullmatch(word)):
            raise PermissionDenied(f"{word} reaches outside the folder")
    if any(word in text.casefold() for word in ("outfile", "sqlite")) and _ESCAPES.search(text):
        # These two write files even under readonly, and a string could hide them from this tokenizer alone.
        raise PermissionDenied("a word that writes files, and escapes that could hide it")
