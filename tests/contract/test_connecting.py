"""What goes wrong on the way to a database is told apart, in both languages, without hosts or passwords."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.servers import Server, free_port

from inquery.databases.executor import execute as executor
from inquery.databases.executor.session_pool import SessionPool
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import (
    AuthFailed,
    BadConnectionUrl,
    ConnectFailed,
    HostNotAllowed,
    InqueryError,
    MissingFile,
    NotADatabase,
)
from inquery.settings import DatabaseSettings
from inquery.sql.policy import _mint

SCHEMES = {"postgresql": "postgres", "mysql": "mariadb"}


def attempt(url: str, **settings: object) -> InqueryError | None:
    """Open a session and close it; the error it ended with."""
    options = DatabaseSettings(**settings)  # type: ignore[arg-type]
    try:
        pool = SessionPool(open_engine(parse_address(url), settings=options), options)
        with contextlib.closing(pool):
            pool.give_back(pool.take(), broken=True)
    except InqueryError as error:
        return error
    return None


@pytest.fixture(params=list(SCHEMES))
def url(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Make URLs of a private server, with some part of it replaced."""
    server: Server = request.getfixturevalue(SCHEMES[request.param])

    def make(**parts: object) -> str:
        given = {
            "user": server.reader, "password": server.reader_password, "host": "127.0.0.1", "port": server.port,
            "database": "postgres" if request.param == "postgresql" else "information_schema", "params": "",
        } | parts  # fmt: skip
        password = quote(str(given["password"]), safe="")
        where = f"{given['user']}:{password}@{given['host']}:{given['port']}/{given['database']}"
        return f"{request.param}://{where}{given['params']}"

    make.certificate = server.certificate  # type: ignore[attr-defined]
    return make


def test_the_server_is_reached(url: Callable[..., str]) -> None:
    assert attempt(url()) is None
    assert attempt(url(host="localhost")) is None


def test_a_wrong_password(url: Callable[..., str]) -> None:
    assert isinstance(attempt(url(password="wrong")), AuthFailed)


def test_a_wrong_user(url: Callable[..., str]) -> None:
    assert isinstance(attempt(url(user="nobody_such")), AuthFailed)


def test_a_missing_database(url: Callable[..., str]) -> None:
    # MariaDB tells an account without rights that it may not see the database, existing or not.
    assert type(attempt(url(database="nothing_such"))).__name__ in {"ConnectFailed", "PermissionDenied"}


def test_nothing_listens(url: Callable[..., str]) -> None:
    error = attempt(url(port=free_port()))
    assert isinstance(error, ConnectFailed)
    assert error.retryable


def test_an_unknown_host(url: Callable[..., str]) -> None:
    assert isinstance(attempt(url(host="no-such-host.invalid")), ConnectFailed)


def test_messages_name_no_host_and_no_password(url: Callable[..., str]) -> None:
    for error in (attempt(url(password="s3cret")), attempt(url(host="no-such-host.invalid", password="s3cret"))):
        assert error is not None
        for language in ("en", "zh"):
            message = error.public_message(language)
            assert "s3cret" not in message
            assert "no-such-host" not in message
            assert "…" not in message


def test_private_networks_can_be_forbidden(url: Callable[..., str]) -> None:
    assert isinstance(attempt(url(), private_networks=False), HostNotAllowed)
    assert isinstance(attempt(url(), allowed_hosts=["db.example.com"]), HostNotAllowed)
    assert attempt(url(), private_networks=False, allowed_hosts=["127.0.0.0/8"]) is None


def test_unknown_parameters_are_refused(url: Callable[..., str]) -> None:
    for params in (
        "?options=-c%20x",
        "?init_command=SET%20x",
        "?passfile=/etc/passwd",
        "?service=x",
        "?local_infile=1",
    ):
        assert isinstance(attempt(url(params=params)), BadConnectionUrl)


async def test_the_timezone_of_a_session_can_be_set(url: Callable[..., str]) -> None:
    address = parse_address(url(params="?timezone=%2B08:00"))
    midnight = "to_char(timestamptz '2024-01-01 00:00+00', 'HH24')"
    probe = f"SELECT {midnight if address.scheme == 'postgresql' else 'hour(from_unixtime(0))'}"
    engine = open_engine(address)
    executor.attach("zoned", engine)
    try:
        result = await executor.execute("zoned", _mint(probe, dialect=engine.dialect))
    finally:
        executor.detach("zoned")
    assert int(result.rows[0][0]) == 8
    assert isinstance(attempt(url(params="?timezone=Mars/Olympus")), BadConnectionUrl)


def test_tls_is_verified_when_asked(url: Callable[..., str]) -> None:
    certificate = url.certificate  # type: ignore[attr-defined]
    mode, ca = ("sslmode", "sslrootcert") if url().startswith("postgres") else ("ssl_mode", "ssl_ca")
    full = "verify-full" if mode == "sslmode" else "verify_identity"
    params = f"?{mode}={full}&{ca}={certificate}"
    assert attempt(url(host="localhost", params=params)) is None
    wrong_name = attempt(url(host="127.0.0.1", params=params))
    assert isinstance(wrong_name, ConnectFailed)
    assert "encrypted" in wrong_name.public_message("en")


@pytest.mark.parametrize("name", ["postgres", "mariadb"])
def test_an_administrator_is_found_too_strong(request: pytest.FixtureRequest, name: str) -> None:
    server: Server = request.getfixturevalue(name)
    scheme, database = ("postgresql", "postgres") if name == "postgres" else ("mysql", "mysql")
    password = quote(server.password, safe="")
    engine = open_engine(parse_address(f"{scheme}://{server.admin}:{password}@127.0.0.1:{server.port}/{database}"))
    session = engine.open()
    try:
        why = engine.check_role(session)
    finally:
        engine.close(session)
    assert why is not None
    assert "super" in why.lower()


def test_a_missing_file(tmp_path: Path) -> None:
    error = attempt(f"sqlite:///{tmp_path}/missing.sqlite")
    assert isinstance(error, MissingFile)
    assert "missing.sqlite" in error.public_message("zh")
    assert str(tmp_path) not in error.public_message("en")


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = tmp_path / "notes.db"
    file.write_bytes(b"not a database at all, " * 500)
    error = attempt(str(file))
    assert isinstance(error, NotADatabase)
    assert error.public_message("en") == "notes.db is not a database or data file that Inquery can read."


def test_a_folder_is_no_sqlite_file(tmp_path: Path) -> None:
    assert isinstance(attempt(f"sqlite:///{tmp_path}"), NotADatabase)


def test_files_outside_the_allowed_folders_do_not_exist(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
        sqlite3.connect(folder / "x.db").close()
    (inside / "link.db").symlink_to(outside / "x.db")
    assert attempt(str(inside / "x.db"), allowed_folders=[str(inside)]) is None
    for path in (outside / "x.db", inside / "link.db", inside / ".." / "outside" / "x.db"):
        assert isinstance(attempt(str(path), allowed_folders=[str(inside)]), NotADatabase)
