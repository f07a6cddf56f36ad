"""The one place that runs SQL on users' databases; it takes CheckedSql and nothing else."""

from __future__ import annotations

import asyncio
import datetime
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from inquery.databases.engine import Batch, Engine, Estimate, Limits, Progress, Result, Session, no_progress
from inquery.databases.executor.fetched import Caps, ResultCache, collect
from inquery.databases.executor.flights import Flights
from inquery.databases.executor.one_run import StatementRun
from inquery.databases.executor.session_pool import SessionPool
from inquery.errors import (
    AggregationError,
    AmbiguousColumn,
    CostTooHigh,
    FilteredFailed,
    InqueryError,
    NotFound,
    SqlFixable,
    SqlSyntax,
    Text,
    UnknownColumn,
    UnknownTable,
)
from inquery.settings import DatabaseSettings, QuerySettings, get_settings
from inquery.sql import Catalog, CheckedSql
from inquery.tracing import note_on_span, span, statement_digest

T = TypeVar("T")
EXPLAIN_S = 5.0
_attached: dict[str, Attached] = {}
_lock = threading.Lock()


class Attached:
    """A connection that is ready: its engine, sessions, flights and recent results."""

    def __init__(self, engine: Engine, settings: DatabaseSettings) -> None:
        self.engine = engine
        self.pool = SessionPool(engine, settings)
        self.flights = Flights()
        query = get_settings().query
        self.cache = ResultCache(query.cache_entries, query.cache_ttl_s)
        self.streams: set[StatementRun] = set()

    def cancel(self, run: str | None = None) -> bool:
        """Stop one execution, or all of them and every stream; says whether there was anything."""
        streams = list(self.streams) if run is None else []
        for each in streams:
            each.stop("cancelled")
        return self.flights.cancel(run) or bool(streams)

    def close(self) -> None:
        """Stop what runs and close the sessions."""
        self.cancel()
        self.pool.close()


def attach(connection_id: str, engine: Engine, *, settings: DatabaseSettings | None = None) -> None:
    """Make a connection usable under an id; an earlier one of that id is detached."""
    made = Attached(engine, settings or get_settings().database)
    with _lock:
        before = _attached.get(connection_id)
        _attached[connection_id] = made
    # Outside the lock: closing tells the server to stop what runs, and waits for it.
    if before is not None:
        before.close()


def detach(connection_id: str) -> None:
    """Stop a connection's runs and close its sessions; unknown ids are ignored."""
    with _lock:
        gone = _attached.pop(connection_id, None)
    if gone is not None:
        gone.close()


def attached_ids() -> tuple[str, ...]:
    """The ids that can be executed on."""
    return tuple(_attached)


def _connection(connection_id: str) -> Attached:
    found = _attached.get(connection_id)
    if found is None:
        raise NotFound(connection_id, what=Text("connection", "连接"), name=connection_id)
    return found


def _accept(connection_id: str, sql: CheckedSql) -> Attached:
    # Type and dialect are checked here because this is the last gate before a driver.
    if not isinstance(sql, CheckedSql):
        raise TypeError("only CheckedSql can be executed: pass the statement through inquery.sql.check")
    connection = _connection(connection_id)
    if sql.dialect != connection.engine.dialect:
        raise TypeError(f"a statement checked as {sql.dialect} cannot run on {connection.engine.dialect}")
    return connection


async def execute(
    connection_id: str,
    sql: CheckedSql,
    *,
    limits: Limits | None = None,
    page: tuple[int, int] | None = None,
    fresh: bool = False,
    run: str | None = None,
) -> Result:
    """Run a checked statement within limits; `page` is (number from 1, size), `run` a name for `cancel`.

    Equal statements at one time are one run; a recent result is served unless `fresh`.
    """
    connection = _accept(connection_id, sql)
    query = get_settings().query
    bounds = limits or Limits.of(query)
    key = _key(connection.engine, sql, bounds, page)
    if not fresh and (kept := connection.cache.get(key)) is not None:
        return _handed_out(kept)
    job = _job(connection, sql, bounds, page, query)
    tables = [".".join(path) for path in sql.tables]
    with span("query", dialect=sql.dialect, sql_hash=statement_digest(sql.text), tables=tables) as seen:
        flight = connection.flights.board((key, fresh), connection.pool, bounds.timeout_s, job)
        result, size = await connection.flights.wait(flight, run)
        note_on_span(seen, rows=result.row_count, truncated=result.truncated)
    # Said with it when it is served again: it may be served while the database is down.
    read_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    connection.cache.put(key, replace(result, as_of=read_at), size)
    return _handed_out(result)


def _key(engine: Engine, sql: CheckedSql, limits: Limits, page: tuple[int, int] | None) -> tuple[object, ...]:
    # Files say when they changed, so that a kept result is never older than the file.
    return sql.text, sql.row_cap, engine.timezone, limits, page, engine.fingerprint()


def _handed_out(result: Result) -> Result:
    # Each caller owns its id and its list: the store checks owners, and lists can be changed.
    return replace(result, result_id=secrets.token_urlsafe(16), rows=list(result.rows))


def _job(
    connection: Attached, sql: CheckedSql, limits: Limits, page: tuple[int, int] | None, query: QuerySettings
) -> Callable[[StatementRun], tuple[Result, int]]:
    engine = connection.engine

    def on_session(session: Session, run: StatementRun) -> tuple[Result, int]:
        _check_cost(engine, session, sql, query.max_cost_rows)
        started = time.perf_counter()
        caps, skip = _caps(limits, sql, page)
        columns, rows = collect(run.watched(engine.stream(session, sql, caps.limits)), caps)
        ms = (time.perf_counter() - started) * 1000
        # The guard wrote its cap into the statement, so a result of just that many rows may have had more.
        capped = "rows" if sql.row_cap is not None and len(rows) >= sql.row_cap else None
        rows = rows[skip:]
        return Result("", columns, rows, len(rows), caps.truncated or capped or caps.verdict, ms), caps.bytes

    def job(run: StatementRun) -> tuple[Result, int]:
        with _hushed(sql):
            return run.carry_out(lambda session: on_session(session, run))

    return job


# What a database says of these, it says of the statement alone.
_OF_THE_STATEMENT = (SqlSyntax, UnknownTable, UnknownColumn, AmbiguousColumn, AggregationError)


@contextmanager
def _hushed(sql: CheckedSql) -> Iterator[None]:
    """Keep a database's words from user, log and model alike where they may quote a row that a filter hides."""
    try:
        yield
    except SqlFixable as error:
        if not sql.silent or isinstance(error, _OF_THE_STATEMENT):
            raise
        # Not `from error`: a log would write both.
        raise FilteredFailed from None


def _caps(limits: Limits, sql: CheckedSql, page: tuple[int, int] | None) -> tuple[Caps, int]:
    bounds = [bound for bound in (limits.rows, sql.row_cap) if bound is not None]
    most, skip = min(bounds, default=None), 0
    if page is not None:
        number, size = page
        skip = (max(1, number) - 1) * size
        most = skip + (size if most is None else min(size, most))
    return Caps(replace(limits, rows=most)), skip


def _check_cost(engine: Engine, session: Session, sql: CheckedSql, most: int | None) -> None:
    if most is None:
        return
    estimate = engine.explain(session, sql)
    if estimate is not None and estimate.rows is not None and estimate.rows > most:
        raise CostTooHigh(f"{estimate.rows} rows are estimated, {most} allowed")


async def explain(connection_id: str, sql: CheckedSql) -> Estimate | None:
    """The engine's estimate without running, or None where there is none."""
    connection = _accept(connection_id, sql)
    engine = connection.engine
    with _hushed(sql):
        flight = connection.flights.board(
            ("explain", sql.text),
            connection.pool,
            EXPLAIN_S,
            lambda run: run.carry_out(lambda s: engine.explain(s, sql)),
        )
        return await connection.flights.wait(flight, None)


async def introspect(connection_id: str, progress: Progress = no_progress) -> Catalog:
    """Read the catalogue in bulk; `progress` is called from another thread."""
    connection = _connection(connection_id)
    engine = connection.engine
    return await asyncio.to_thread(_mapped, engine, lambda: engine.introspect(progress))


def file_mark(connection_id: str) -> tuple[int, ...]:
    """What changes with every write to a database that is a file; empty where only the clock says how old a reading is."""
    return _connection(connection_id).engine.fingerprint() or ()


def _mapped(engine: Engine, job: Callable[[], T]) -> T:
    try:
        return job()
    except InqueryError:
        raise
    except Exception as error:
        raise engine.classify(error) from error


def stream(connection_id: str, sql: CheckedSql, limits: Limits | None = None) -> Iterator[Batch]:
    """Batches of a statement for export, in flat memory; bounds of None are no bounds."""
    connection = _accept(connection_id, sql)
    limits = limits or Limits(rows=None, bytes=None, cell=None)
    caps, _ = _caps(limits, sql, None)
    return _batches(connection, sql, caps, StatementRun(connection.pool, limits.timeout_s))


def _batches(connection: Attached, sql: CheckedSql, caps: Caps, run: StatementRun) -> Iterator[Batch]:
    connection.streams.add(run)
    try:
        with _hushed(sql), run.session() as (session, _):
            yield from caps.apply(run.watched(connection.engine.stream(session, sql, caps.limits)))
    finally:
        connection.streams.discard(run)


def cancel(connection_id: str, run: str | None = None) -> bool:
    """Cancel the execution called `run`, or all of a connection, on the server; False when there was none."""
    connection = _attached.get(connection_id)
    return connection is not None and connection.cancel(run)
