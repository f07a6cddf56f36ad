"""chdb beyond the contract: folders that are not its own, and what readonly would let through."""

import subprocess
import sys
from pathlib import Path
from subprocess import PIPE

import pytest

pytest.importorskip("chdb")

from inquery.databases.engine import no_progress
from inquery.databases.engines.chdb import folders as chdb_folders
from inquery.databases.engines.chdb.engine import only_query
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import ConnectFailed, NotADatabase, PermissionDenied, ReadOnlyViolation, SqlSyntax


def test_a_folder_of_other_things_is_never_opened(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(NotADatabase):
        open_engine(parse_address(f"chdb:///{tmp_path}"))
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "SELECT 1;",
        "WITH 1 AS a SELECT a",
        "(SELECT 1) UNION ALL (SELECT 2)",
        "SELECT 'into outfile' AS s, file, url FROM t",
        "SELECT count() FROM s3_files",
        "SELECT 'a;b'",
    ],
)
def test_queries_pass(text: str) -> None:
    only_query(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("USE system", ReadOnlyViolation),
        ("KILL QUERY WHERE 1", ReadOnlyViolation),
        ("SELECT 1; SELECT 2", ReadOnlyViolation),
        ("SELEC 1", SqlSyntax),
        ("", SqlSyntax),
        ("SELECT 1 INTO OUTFILE 'x'", PermissionDenied),
        ("SELECT '\\' INTO OUTFILE 'x' -- '", PermissionDenied),
        ("SELECT $a$'$a$ INTO OUTFILE 'x' -- '", PermissionDenied),
        ("SELECT * FROM sqlite('x', 't')", PermissionDenied),
        ("SELECT * FROM `sqlite` ('x', 't')", PermissionDenied),
        ("SELECT file('/etc/passwd')", PermissionDenied),
        ("SELECT * FROM Python(x)", PermissionDenied),
        ("SELECT * FROM s3Cluster('a', 'b')", PermissionDenied),
    ],
)
def test_what_readonly_lets_through_is_refused(text: str, expected: type[Exception]) -> None:
    with pytest.raises(expected):
        only_query(text)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A chdb folder with one table."""
    path = tmp_path / "data"
    make = f"import chdb; c = chdb.connect({str(path)!r}); c.query('CREATE TABLE t (a Int8) ENGINE = MergeTree ORDER BY a'); c.close()"
    subprocess.run([sys.executable, "-c", make], check=True)
    return f"chdb:///{path}"


def test_two_connections_to_one_folder_are_open_at_once(folder: str) -> None:
    first, second = (open_engine(parse_address(folder)) for _ in range(2))
    one, other = first.open(), second.open()
    first.close(one)
    assert [table.name for table in second.introspect(no_progress).tables] == ["t"]
    second.reset(other)
    second.close(other)
    first.close(first.open())


def test_a_folder_that_another_program_has_open_says_so_and_opens_once_it_is_free(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_engine(parse_address(folder))
    path = folder.removeprefix("chdb:///")
    hold = f"import chdb, sys; c = chdb.connect({path!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=PIPE, stdout=PIPE) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"open\n"
        monkeypatch.setattr(chdb_folders, "WAIT_S", 0.0)
        with pytest.raises(ConnectFailed) as caught:
            engine.open()
        assert "another program" in caught.value.public_message("en")
        assert "其他程序" in caught.value.public_message("zh")
        monkeypatch.setattr(chdb_folders, "WAIT_S", 60.0)
        other.stdin.close()
        other.wait(60)
        engine.close(engine.open())
