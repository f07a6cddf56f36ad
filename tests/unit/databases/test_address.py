"""Addresses: every spelling is read, secrets never shown, nonsense refused in both languages."""

from pathlib import Path

import pytest

from inquery.databases.transport.address import parse_address
from inquery.errors import BadConnectionUrl


@pytest.mark.parametrize(
    ("text", "scheme", "database"),
    [
        ("sqlite:///rel.db", "sqlite", "rel.db"),
        ("sqlite:///folder/rel.db", "sqlite", "folder/rel.db"),
        ("sqlite:////abs/file.db", "sqlite", "/abs/file.db"),
        ("sqlite:////abs/with%20space%3F.db", "sqlite", "/abs/with space?.db"),
        ("sqlite:///C:/data/shop.db", "sqlite", "C:/data/shop.db"),
        (r"sqlite:///C:\data\shop.db", "sqlite", r"C:\data\shop.db"),
        ("sqlite:////C:/data/shop.db", "sqlite", "C:/data/shop.db"),
        ("duckdb:///f.duckdb", "duckdb", "f.duckdb"),
        ("chdb:////var/data", "chdb", "/var/data"),
        ("shop.sqlite", "sqlite", "shop.sqlite"),
        ("资料/店铺.db", "sqlite", "资料/店铺.db"),
        (r"C:\data\shop.sqlite3", "sqlite", r"C:\data\shop.sqlite3"),
        ("a.duckdb", "duckdb", "a.duckdb"),
        ("sales.CSV", "files", "sales.CSV"),
        ("sales.parquet", "files", "sales.parquet"),
        ("sales.xlsx", "files", "sales.xlsx"),
    ],
)
def test_files_are_addressed_by_url_or_path(text: str, scheme: str, database: str) -> None:
    address = parse_address(text)
    assert (address.scheme, address.database, address.is_file) == (scheme, database, True)


def test_a_folder_is_opened_as_files(tmp_path: Path) -> None:
    assert parse_address(str(tmp_path)).scheme == "files"


def test_a_db_file_of_duckdb_is_known_by_its_content(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"\0" * 8 + b"DUCK" + b"\0" * 8)
    assert parse_address(str(tmp_path / "x.db")).scheme == "duckdb"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgresql://u:p@h:5/d", ("postgresql", "h", 5, "u", "p", "d")),
        ("postgres://h/d", ("postgresql", "h", None, None, None, "d")),
        ("postgresql+psycopg://h/d", ("postgresql", "h", None, None, None, "d")),
        ("mariadb://u@h/d", ("mysql", "h", None, "u", None, "d")),
        ("mysql://u:p%40s%2Fs%3A@h/d", ("mysql", "h", None, "u", "p@s/s:", "d")),
        ("mysql://u:a@b@h/d", ("mysql", "h", None, "u", "a@b", "d")),
        ("postgresql://u@[2001:db8::1]:5432/d", ("postgresql", "2001:db8::1", 5432, "u", None, "d")),
        ("postgresql://u@%2Fvar%2FRun/d", ("postgresql", "/var/Run", None, "u", None, "d")),
        ("postgresql://h/%E5%BA%97%E9%93%BA", ("postgresql", "h", None, None, None, "店铺")),
        ("bigquery://project/dataset", ("bigquery", "project", None, None, None, "dataset")),
        ("sqlserver://sa:x@h/d", ("mssql", "h", None, "sa", "x", "d")),
        ("clickhouse://h", ("clickhouse", "h", None, None, None, "")),
        ("POSTGRESQL://h/d", ("postgresql", "h", None, None, None, "d")),
    ],
)
def test_servers_are_addressed_by_url(text: str, expected: tuple[object, ...]) -> None:
    a = parse_address(text)
    assert (a.scheme, a.host, a.port, a.user, a.secret, a.database) == expected


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://u:p%40ss@[::1]:5432/d?sslmode=require&timezone=Asia%2FShanghai",
        "mysql://u:%25%2F%3F@h:3306/my%20db",
        "sqlite:////abs/a%20b%25.db",
        "postgresql://u@%2Fvar%2FRun/d",
    ],
)
def test_an_address_survives_being_written_and_read(text: str) -> None:
    address = parse_address(text)
    assert parse_address(address.url) == address


def test_secrets_are_not_shown() -> None:
    address = parse_address("postgresql://u:s3cret@h/d?ssh_host=b&ssh_password=s3cret")
    assert "s3cret" not in address.redacted
    assert "s3cret" not in repr(address).replace("ssh_password': 's3cret'", "")
    assert address.redacted == "postgresql://u:***@h/d?ssh_host=b&ssh_password=***"


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "hello", "foo://h/d", "sqlite://rel.db", "sqlite://", "sqlite:///", "sqlite:///:memory:",
        "postgresql://h:port/d", "postgresql://h:99999/d", "postgresql://[::1/d", "mysql://h/d?a=1&a=2",
        "postgresql://u:p#x@h/d", "bigquery:///dataset", "postgresql://h/d\n?x=1", "sqlite:///a%00b.db",
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_both_languages(text: str) -> None:
    with pytest.raises(BadConnectionUrl) as caught:
        parse_address(text)
    english, chinese = caught.value.public_message("en"), caught.value.public_message("zh")
    assert english != chinese
    assert "…" not in english + chinese
