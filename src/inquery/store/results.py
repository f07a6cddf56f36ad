"""Results of runs: rows kept outside the state, durable, for their owner alone, and gone with their thread."""

from __future__ import annotations

import datetime
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, delete, insert, select, update

from inquery.errors import BadRequest, NotFound, Text
from inquery.store.cells import pack, unpack
from inquery.store.database import Store
from inquery.store.moments import utc_now
from inquery.store.tables import results

LARGEST_PAGE = 1000
_WHAT = Text("result", "结果")
# Every answer is kept or read; building a statement anew costs as much as running it.
_SAVE = insert(results)
_EXPIRED = delete(results).where(results.c.expires < bindparam("now"))
_NAME = (
    update(results)
    .where(results.c.id == bindparam("wanted"), results.c.owner == bindparam("whose"))
    .values(columns=bindparam("named", type_=results.c.columns.type))
)
_LOAD = select(results).where(
    results.c.id == bindparam("wanted"), results.c.owner == bindparam("whose"), results.c.expires >= bindparam("now")
)


@dataclass(frozen=True, slots=True)
class KeptResult:
    """A result with all its rows."""

    id: str
    thread_id: str
    columns: tuple[dict[str, Any], ...]
    rows: list[tuple[Any, ...]]
    sql: str
    truncated: str | None
    created: datetime.datetime
    connection_id: str = ""


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of a kept result; pages count from 1."""

    columns: tuple[dict[str, Any], ...]
    rows: list[tuple[Any, ...]]
    page: int
    page_size: int
    total_count: int
    truncated: str | None

    @property
    def total_pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total_count // self.page_size))

    @property
    def has_next(self) -> bool:
        """Whether a page follows."""
        return self.page < self.total_pages

    @property
    def has_prev(self) -> bool:
        """Whether a page comes before."""
        return self.page > 1


class ResultStore:
    """Results by id; another owner's are as if they were not there."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def save(
        self,
        owner: str,
        thread_id: str,
        columns: Sequence[dict[str, Any]],
        rows: Sequence[Sequence[Any]],
        sql: str,
        ttl: float,
        *,
        truncated: str | None = None,
        connection_id: str = "",
    ) -> str:
        """Keep a result for `ttl` seconds, which should not be less than L1's, and return its id."""
        made, now = secrets.token_hex(16), utc_now()
        row = {
            "id": made,
            "owner": owner,
            "thread_id": thread_id,
            "sql": sql,
            "columns": list(columns),
            "rows": pack(rows),
            "row_count": len(rows),
            "truncated": truncated,
            "connection_id": connection_id,
            "created": now,
            "expires": now + datetime.timedelta(seconds=ttl),
        }
        with self.store.write() as connection:
            connection.execute(_EXPIRED, {"now": now})
            connection.execute(_SAVE, row)
        return made

    def name_columns(self, result_id: str, owner: str, columns: Sequence[dict[str, Any]]) -> None:
        """Keep what the owner calls the columns, which is known once the answer is."""
        with self.store.write() as connection:
            connection.execute(_NAME, {"wanted": result_id, "whose": owner, "named": list(columns)})

    def load(self, result_id: str, owner: str) -> KeptResult | None:
        """The result, None when it expired, was deleted or is another owner's."""
        row = self._row(result_id, owner)
        if row is None:
            return None
        rows = unpack(row.rows)
        columns = tuple(row.columns)
        return KeptResult(row.id, row.thread_id, columns, rows, row.sql, row.truncated, row.created, row.connection_id)

    def page(self, result_id: str, owner: str, page: int = 1, page_size: int = 100) -> ResultPage:
        """One page of it; raises NotFound where `load` gives None, and BadRequest for a page that cannot be."""
        if page < 1 or not 1 <= page_size <= LARGEST_PAGE:
            raise BadRequest.because(
                f"pages count from 1 and hold 1 to {LARGEST_PAGE} rows", f"页码从 1 开始，每页 1 到 {LARGEST_PAGE} 行"
            )
        row = self._row(result_id, owner)
        if row is None:
            raise NotFound(result_id, what=_WHAT, name=result_id)
        start = (page - 1) * page_size
        rows = unpack(row.rows)[start : start + page_size]
        return ResultPage(tuple(row.columns), rows, page, page_size, row.row_count, row.truncated)

    def delete_thread(self, thread_id: str) -> int:
        """Forget every result of a thread; returns how many there were."""
        with self.store.write() as connection:
            return connection.execute(delete(results).where(results.c.thread_id == thread_id)).rowcount

    def _row(self, result_id: str, owner: str) -> Row[Any] | None:
        with self.store.read() as connection:
            return connection.execute(_LOAD, {"wanted": result_id, "whose": owner, "now": utc_now()}).one_or_none()
