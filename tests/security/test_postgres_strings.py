"""PostgreSQL reads a string as the guard reads it, whatever the database or the role was told."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from urllib.parse import urlsplit

import pytest
from psycopg import sql
from tests.contract.case import ColumnSpec, TableSpec
from tests.contract.cases_postgres import PostgresCase
from tests.contract.conftest import connect
from tests.servers import Server

from inquery.databases.engine import Limits
from inquery.databases.executor import execute as executor
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import ConnectFailed
from inquery.sql import Policy, check

SECRET = TableSpec("secret", [ColumnSpec("token", "text")], [("TOPSECRET-1",)])
ORDERS = TableSpec("orders", [ColumnSpec("id"), ColumnSpec("note", "text")], [(1, "a")])
POLICY = Policy(tables=frozenset({"public.orders"}))
# Where a backslash escapes, the first string ends at the second quote of AS ", and the rest is read as SQL.
ESCAPING = (
    "SELECT 'a\\' AS \"x\", ' , (select token from public.secret limit 1) as y -- ' AS w",
    "SELECT 'a\\\\' AS x, 'b\\' AS y, ' || (SELECT token FROM public.secret) -- ' AS z",
    "SELECT note FROM orders WHERE note = 'x\\' OR note = ' OR 1 = (SELECT count(*) FROM public.secret) -- '",
)
SHOWN = "SELECT note, 'a\\b' AS kept, length('\\') AS one FROM orders"


@pytest.fixture
def case(postgres: Server) -> PostgresCase:
    return PostgresCase(postgres)


@contextmanager
def told(case: PostgresCase, level: str) -> Iterator[str]:
    """A database whose sessions begin with backslashes that escape."""
    url = case.make_database([SECRET, ORDERS])
    name = sql.Identifier(parse_address(url).database)
    setting = sql.SQL("{} standard_conforming_strings")
    target = {
        "database": sql.SQL("ALTER DATABASE {}").format(name),
        "role": sql.SQL("ALTER ROLE {}").format(sql.Identifier(case.server.reader)),
        "role in database": sql.SQL("ALTER ROLE {} IN DATABASE {}").format(sql.Identifier(case.server.reader), name),
    }[level]
    with case.admin("postgres") as db:
        db.execute(target + sql.SQL(" ") + setting.format(sql.SQL("SET")) + sql.SQL(" = off"))
        db.execute(target + sql.SQL(" SET backslash_quote = on"))
        try:
            yield url
        finally:
            db.execute(target + sql.SQL(" RESET ALL"))


@pytest.mark.parametrize("level", ["database", "role", "role in database"])
async def test_a_backslash_is_a_backslash_in_every_session(case: PostgresCase, level: str) -> None:
    with told(case, level) as url, ExitStack() as stack:
        connection = connect(stack, url, pool_size=1, pool_overflow=0)
        catalog = await executor.introspect(connection)
        for text in (*ESCAPING, SHOWN, *ESCAPING):  # a session that is used again is set up again
            checked = check(text, dialect="postgres", catalog=catalog, policy=POLICY)
            result = await executor.execute(connection, checked, fresh=True)
            assert "TOPSECRET-1" not in repr(result.rows), text
            assert (result.rows, "note = " in text) != ([("a",)], True), "the rest was read as a condition"
        shown = check(SHOWN, dialect="postgres", catalog=catalog, policy=POLICY)
        assert (await executor.execute(connection, shown, fresh=True)).rows == [("a", "a\\b", 1)]
        assert await executor.explain(connection, shown) is not None


def test_the_setting_holds_after_a_session_was_reset(case: PostgresCase) -> None:
    with told(case, "database") as url:
        engine = open_engine(parse_address(url))
        session = engine.open()
        try:
            for _ in range(2):
                shown = session.connection.execute(  # type: ignore[attr-defined]
                    "SELECT current_setting('standard_conforming_strings'), current_setting('default_transaction_read_only')"
                )
                assert shown.fetchone() == ("on", "on")
                session.connection.execute("SET standard_conforming_strings = off")  # type: ignore[attr-defined]
                engine.reset(session)
        finally:
            engine.close(session)


def test_a_session_that_changed_behind_our_back_is_mended_for_the_statement(case: PostgresCase) -> None:
    """As behind a pooler that gives each transaction another server's session."""
    with told(case, "database") as url, ExitStack() as stack:
        engine = open_engine(parse_address(url))
        catalog = engine.introspect(lambda *_: None)
        checked = check(ESCAPING[0], dialect="postgres", catalog=catalog, policy=POLICY)
        session = engine.open()
        stack.callback(engine.close, session)
        session.connection.execute("SET standard_conforming_strings = off")  # type: ignore[attr-defined]
        (batch,) = engine.stream(session, checked, Limits(timeout_s=10, rows=10))
        assert [column.name for column in batch.columns] == ["x", "w"]
        assert engine.explain(session, checked) is not None


def test_a_server_that_does_not_take_the_setting_is_refused(case: PostgresCase) -> None:
    url = case.make_database([ORDERS])
    port = urlsplit(url).port
    assert port is not None
    with disobeying(port) as elsewhere:
        engine = open_engine(parse_address(url.replace(f":{port}/", f":{elsewhere}/") + "?sslmode=disable"))
        with pytest.raises(ConnectFailed) as caught:
            engine.open()
    assert "standard_conforming_strings" in caught.value.public_message("en")
    assert "standard_conforming_strings" in caught.value.public_message("zh")


@contextmanager
def disobeying(port: int) -> Iterator[int]:
    """A pooler that turns the setting off where it is asked to turn it on."""
    changed = [
        (b"SET \"standard_conforming_strings\" = 'on'", b'SET "standard_conforming_strings" =  off'),
        (b"SET LOCAL standard_conforming_strings = on;", b"SET LOCAL standard_conforming_strings=off;"),
    ]
    listening = socket.create_server(("127.0.0.1", 0))
    threads: list[threading.Thread] = []
    ends: list[socket.socket] = []

    def forward(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                for asked, done in changed:
                    data = data.replace(asked, done)
                sink.sendall(data)
        with suppress(OSError):
            sink.shutdown(socket.SHUT_WR)

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", port))
                ends.extend((client, server))
                for pair in ((client, server), (server, client)):
                    threads.append(threading.Thread(target=forward, args=pair, daemon=True))
                    threads[-1].start()

    threads.append(threading.Thread(target=accept, daemon=True))
    threads[0].start()
    with closing(listening):
        try:
            yield listening.getsockname()[1]
        finally:
            for end in (listening, *ends):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join(10)
            for end in ends:
                end.close()
