"""chdb inside its process: one data folder, a read-only client a session."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver.exceptions import Error

from inquery.databases.clickhouse_errors import classify
from inquery.databases.clickhouse_sql import EXPLAINS, INTROSPECTION, describe
from inquery.databases.clickhouse_values import FORMATS, columns_of, rows_of
from inquery.databases.serve import Deadline
from inquery.databases.values import BatchSize
from inquery.errors import ConnectFailed, InqueryError, QueryTimeout, Text


class ChdbFolder:
    """The engine of one folder; chdb allows one folder a process."""

    errors = (Error, RuntimeError)

    def __init__(self, path: str, database: str, memory_limit: int, threads: int) -> None:
        self.path, self.database = path, database
        self.limits = {"max_memory_usage": memory_limit, "max_threads": threads}

    def open(self) -> ChdbSession:
        """A session; its client is made by its first statement."""
        session = ChdbSession(self)
        session.use(None)
        return session

    def client(self, timeout_s: float | None) -> Any:
        """A client whose statements can only read; the limits come before readonly, after which nothing can be set."""
        settings: dict[str, Any] = {**self.limits, "readonly": 1}
        if timeout_s is not None:
            settings = {"max_execution_time": timeout_s, "timeout_overflow_mode": "throw", **settings}
        return clickhouse_connect.get_client(
            interface="chdb", path=self.path, database=self.database, settings=settings, tz_mode="naive_utc"
        )

    def classify(self, error: BaseException) -> InqueryError:
        """By ClickHouse's number; a folder that is in use says so."""
        text = str(error)
        if "Cannot lock file" in text or "CANNOT_OPEN_FILE" in text:
            reason = Text("another program has the folder open", "文件夹正被其他程序使用")
            return ConnectFailed(text, reason=reason)
        return classify(error)


class ChdbSession:
    """A client, replaced when the time limit differs: under readonly no setting can be changed."""

    def __init__(self, folder: ChdbFolder) -> None:
        self._folder = folder
        self._client: Any = None
        self._timeout: float | None = None
        self._tag = ""

    def use(self, timeout_s: float | None) -> Any:
        """The client with that time limit."""
        if self._client is None or self._timeout != timeout_s:
            self.close()
            self._client, self._timeout = self._folder.client(timeout_s), timeout_s
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
            threading.Thread(target=self._kill, args=(tag,), daemon=True).start()

    def close(self) -> None:
        """Free the client."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _kill(self, tag: str) -> None:
        client = self._folder.client(None)
        try:
            client.command(f"KILL QUERY WHERE startsWith(query, '/* {tag} */') ASYNC")
        finally:
            client.close()


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
