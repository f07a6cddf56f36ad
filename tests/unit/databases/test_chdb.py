"""chdb beyond the contract: folders that are not its own, and what readonly would let through."""

from pathlib import Path

import pytest

pytest.importorskip("chdb")

from inquery.databases.address import parse_address
from inquery.databases.chdb import only_query
from inquery.databases.registry import open_engine
from inquery.errors import NotADatabase, PermissionDenied, ReadOnlyViolation, SqlSyntax


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
