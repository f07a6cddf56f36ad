"""chdb inside its process: one data folder, a read-only client a session."""

from __future__ import annotations

import fcntl
import threading
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.exceptions import Error

from inquery.databases.engines.clickhouse.errors import IN_USE, classify
from inquery.databases.engines.clickhouse.statements import EXPLAINS, INTROSPECTION, READ, READING, UNTRUSTED, describe
from inquery.databases.engines.clickhouse.values import FORMATS, columns_of, rows_of
from inquery.databases.engines.pinned import refuse_other_reading
from inquery.databases.sandbox.child import Deadline
from inquery.databases.values import BatchSize
from inquery.errors import ConnectFailed, InqueryError, QueryTimeout, Text

_NOT_STARTED = Text("chdb cannot read the folder", "chdb 无法读取该文件夹")


class ChdbFolder:
    """The engine of one folder; chdb allows one folder a process."""

    errors = (Error, RuntimeError)

    def __init__(self, path: str, memory_limit: int, threads: int) -> None:
        self.path = path
        self.limits = {"max_memory_usage": memory_limit, "max_threads": threads}
        self._kept: Any = None
        self._lock = threading.Lock()

    def open(self) -> ChdbSession:
        """A session; a client of the folder's own is kept, for without any chdb ends its server and frees the folder."""
        with self._lock:
            if self._kept is None:
                self._kept = self.client("default", None)
                # The folder's own profile, if it has one: under readonly nothing can be set otherwise.
                found = dict(self._kept.query(READ).result_rows)
                refuse_other_reading({name: value for name, value in READING.items() if name in found}, found)
        return ChdbSession(self)

    def client(self, database: str, timeout_s: float | None) -> Any:
        """A client whose statements can only read; the limits come before readonly, after which nothing can be set."""
        settings: dict[str, Any] = {**self.limits, **UNTRUSTED, "readonly": 1}
        if timeout_s is not None:
            settings = {"max_execution_time": timeout_s, "timeout_overflow_mode": "throw", **settings}
        return clickhouse_connect.get_client(
            interface="chdb", path=self.path, database=database, settings=settings, tz_mode="naive_utc"
        )

    def kill(self, tag: str) -> None:
        """End the statement that begins with this tag; by the folder's own client, for a new one takes its time."""
        self._kept.command(f"KILL QUERY WHERE startsWith(query, '/* {tag} */') ASYNC")

    def classify(self, error: BaseException) -> InqueryError:
        """By ClickHouse's number; chdb prints why its server did not start and raises an error that does not say it."""
        if "EmbeddedServer" in str(error):
            locked = is_locked(Path(self.path) / "status")
            return ConnectFailed(str(error), reason=IN_USE if locked else _NOT_STARTED)
        return classify(error)


def is_locked(status: Path) -> bool:
    """Whether a ClickHouse runs on the folder of this file; it locks the file for as long as it runs."""
    try:
        with status.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


class ChdbSession:
    """A client, replaced when the time limit differs: under readonly no setting can be changed."""

    def __init__(self, folder: ChdbFolder) -> None:
        self._folder = folder
        self._database = "default"
        self._client: Any = None
        self._timeout: float | None = None
        self._tag = ""

    def choose(self, database: str) -> None:
        """Take the database that names without one are looked for in."""
        self._database = database
        self.use(None)

    def use(self, timeout_s: float | None) -> Any:
        """The client with that time limit."""
        if self._client is None or self._timeout != timeout_s:
            self.close()
            self._client, self._timeout = self._folder.client(self._database, timeout_s), timeout_s
        return self._client

    def stream(
        self, text: str, timeout_s: float, rows: int | None, cell: int | None
    ) -> Iterator[tuple[list[tuple[str, str]], list[Sequence[Any]]]]:
        """Columns and rows in batches, one row past the cap at most; leaving early ends the query."""
        self._tag = uuid.uuid4().hex
        deadline = Deadline(timeout_s, self.interrupt)
        try:
            with deadline:
                client = self.use(timeout_s)
                blocks = client.query_column_block_stream(f"/* {self._tag} */ {text}", query_formats=FORMATS)
            with blocks:
                columns = columns_of(blocks.source)
                empty = True
                for batch in _batches(_guarded(blocks, deadline), columns, rows, cell):
                    empty = False
                    yield columns, batch
            if empty:
                yield columns or [row[:2] for row in client.query(describe(text)).result_rows], []
        except Error as error:
            if deadline.passed:
                raise QueryTimeout(str(error), seconds=f"{timeout_s:g}") from error
            raise
        finally:
            self._tag = ""

    def explain(self, text: str) -> list[list[Sequence[Any]]]:
        """Rows of the statements that explain it."""
        client = self.use(self._timeout)
        return [client.query(prefix + text).result_rows for prefix in EXPLAINS]

    def introspect(self) -> dict[str, list[Sequence[Any]]]:
        """Rows of the system tables."""
        client = self.use(self._timeout)
        return {name: client.query(sql).result_rows for name, sql in INTROSPECTION.items()}

    def reset(self) -> None:
        """Nothing to undo: under readonly a session cannot be changed."""

    def interrupt(self) -> None:
        """Kill the statement by its tag; asynchronously, since a stream nobody reads never confirms."""
        tag = self._tag
        if tag:
            threading.Thread(target=self._folder.kill, args=(tag,), daemon=True).start()

    def close(self) -> None:
        """Free the client."""
        if self._client is not None:
            self._client.close()
            self._client = None


def _guarded(blocks: Any, deadline: Deadline) -> Iterator[Any]:
    iterator = iter(blocks)
    while True:
        with deadline:
            block = next(iterator, None)
        if block is None:
            return
        yield block


def _batches(
    blocks: Iterator[Any], columns: Sequence[tuple[str, str]], rows: int | None, cell: int | None
) -> Iterator[list[Sequence[Any]]]:
    size = BatchSize(rows)
    for block in blocks:
        whole = rows_of(block, columns)
        start = 0
        while start < len(whole) and size.next:
            batch = [_cut(row, cell) for row in whole[start : start + size.next]]
            start += len(batch)
            size.saw(batch)
            yield batch
        if not size.next:
            return


def _cut(row: Sequence[Any], cell: int | None) -> Sequence[Any]:
    # One past the bound stays, so that the reader sees the cell was too long.
    if cell is not None and any(isinstance(value, (str, bytes)) and len(value) > cell for value in row):
        return tuple(value[: cell + 1] if isinstance(value, (str, bytes)) else value for value in row)
    return row
