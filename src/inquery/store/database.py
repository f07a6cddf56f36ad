"""Opens the metadata store, a SQLite file by default, and brings its tables up to date."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from inquery.errors import BadRequest, ConnectFailed
from inquery.home import close_home, explain_failure, explained, make_file
from inquery.settings import Settings, get_settings
from inquery.store.secret_key import Keyring

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_S = 30
SESSIONS, MORE_SESSIONS = 10, 5
_LOCK = 0x1A9E  # any number, the same in every process that migrates one PostgreSQL store


class Store:
    """Inquery's own database: `read` and `write` are transactions on it."""

    def __init__(self, engine: Engine, keyring: Keyring) -> None:
        self.engine = engine
        self.keyring = keyring

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that changes nothing."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that changes something; on SQLite it waits for other writers before it begins."""
        with self.engine.connect() as connection:
            writing = connection.execution_options(inquery_write=True)
            with writing.begin():
                yield writing

    def close(self) -> None:
        """Give back every session; whoever opens the store again looks at its tables anew."""
        for place in [place for place, engine in _engines.items() if engine is self.engine]:
            _engines.pop(place, None)
        self.engine.dispose()


def open_store(settings: Settings | None = None) -> Store:
    """The store of the settings, with every migration applied."""
    settings = settings or get_settings()
    url = _url(settings)
    with explained("secret.key"):
        close_home(settings.home)
        keyring = Keyring.of(settings)
    with explained("inquery.sqlite"):
        return _open(url.render_as_string(hide_password=False), keyring)


def _url(settings: Settings) -> URL:
    given = settings.store.url.get_secret_value()
    if not given:
        return URL.create("sqlite", database=str(settings.home / "inquery.sqlite"))
    try:
        url = make_url(given)
    except SQLAlchemyError as error:
        raise _bad_url() from error
    name = url.drivername.partition("+")[0]
    if name in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if name != "sqlite":
        raise _bad_url()
    return url


def _bad_url() -> BadRequest:
    return BadRequest.because(
        "store.url must be a sqlite or postgresql address",
        "store.url 必须是 sqlite 或 postgresql 地址",
        detail="store.url",
    )


def _open(url: str, keyring: Keyring) -> Store:
    with _opening:
        known = _engines.get(_identity(url))
        if known is not None:
            return Store(known, keyring)
        store = Store(_engine(url), keyring)
        try:
            migrate(store)
        except DBAPIError as error:
            store.close()
            if url.startswith("sqlite") and (told := explain_failure(error, "inquery.sqlite")):
                raise told from error
            raise ConnectFailed.because(
                "Inquery's own store cannot be opened", "无法打开 Inquery 自身的存储", detail=str(error.orig)
            ) from error
        if (place := _identity(url)) is not None:
            _engines[place] = store.engine
        return store


_opening = threading.Lock()
_engines: dict[tuple[object, ...] | None, Engine] = {}
"""One engine a process and store: runs open the store many times, and a server has only so many sessions to give."""


def _identity(url: str) -> tuple[object, ...] | None:
    """What tells stores apart: the process, the address, and for a file the file; None where nothing may be shared."""
    if not url.startswith("sqlite"):
        return os.getpid(), url
    try:
        found = os.stat(make_url(url).database or "")
    except OSError:
        return None
    # By the file and not its name: one that was deleted and made anew is another store. By the process, since
    # sessions do not survive a fork.
    return os.getpid(), url, found.st_dev, found.st_ino


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(
            url, pool_pre_ping=True, pool_size=SESSIONS, max_overflow=MORE_SESSIONS, pool_timeout=BUSY_S
        )
    path = make_url(url).database
    if path and path != ":memory:":
        make_file(Path(path))  # before SQLite does, which would let others read it
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _record: object) -> None:
    # The driver's own transactions would leave DDL outside; `_on_begin` begins them instead.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _on_begin(connection: Connection) -> None:
    # SQLite lets a transaction that has read begin to write only if nobody wrote meanwhile, and does not wait for
    # that: who means to write takes the lock at the start, where `timeout` holds.
    write = connection.get_execution_options().get("inquery_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


@lru_cache(maxsize=1)
def head() -> str:
    """The newest revision: versions are files named 0001_subject.py, so alembic need not be imported to know."""
    return max(path.name[:4] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def current(connection: Connection) -> str | None:
    """The revision the store has."""
    known = connection.dialect.has_table(connection, "alembic_version")
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar() if known else None


def migrate(store: Store) -> None:
    """Apply the migrations that are missing; of several processes one does it and the others wait."""
    with store.read() as connection:
        if current(connection) == head():
            return
    with store.write() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = current(connection)
        if found is not None and found > head():
            raise BadRequest.because(
                "the store was made by a newer version of Inquery", "该存储由更新版本的 Inquery 创建", detail=found
            )
        if found != head():
            _upgrade(connection)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
