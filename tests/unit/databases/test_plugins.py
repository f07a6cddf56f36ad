"""A package brings an engine with a dialect of its own: it is installed as any other, and nothing here is patched."""

import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlglot
from tests.stubs.openai_server import Reply, openai_server

from inquery import Inquery
from inquery.databases.executor import execute as executor
from inquery.databases.registry import engine_class, engine_info, every_engine, load_driver, open_engine
from inquery.databases.transport.address import parse_address
from inquery.errors import BadConnectionUrl, ConnectFailed, SqlRefused
from inquery.form.date_units import bucket
from inquery.llm.schema_text import dialect_notes
from inquery.settings import Settings
from inquery.sql import Catalog, Policy, check
from inquery.sql.dialects import DIALECTS
from inquery.sql.native import write_natively
from inquery.sql.quoting import quote_name
from inquery.store import probe

PACKAGE = Path(__file__).parents[2] / "plugins" / "shelf"
CATALOG = Catalog.of({"order": ["id", "title", "read on"], "secret": ["id"]}, dialect="shelf")


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The wheel of the package, unpacked where Python looks: its metadata is what an installation leaves."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=PACKAGE, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield


@pytest.fixture
def books(tmp_path: Path) -> Path:
    path = tmp_path / "books.shelf"
    with closing(sqlite3.connect(path)) as db:
        db.execute('CREATE TABLE "order" (id INTEGER PRIMARY KEY, title TEXT, "read on" DATE)')
        rows = [(1, "Emma", "2026-01-05"), (2, "红楼梦", "2026-02-07"), (3, "Walden", "2026-02-09")]
        db.executemany('INSERT INTO "order" VALUES (?, ?, ?)', rows)
        db.commit()
    return path


def test_the_engine_is_found_by_its_scheme_and_by_the_ending_of_a_file(books: Path) -> None:
    assert engine_class("shelf").dialect == "shelf"
    assert [about.scheme for about in every_engine()][-1] == "shelf"
    for text in (f"shelf:///{books}", str(books)):
        address = parse_address(text)
        assert (address.scheme, address.database, address.is_file) == ("shelf", str(books), True)
        assert parse_address(address.url) == address


def test_it_is_tried_as_any_other_before_it_is_kept(books: Path) -> None:
    found = probe(parse_address(str(books)))
    assert (found.dialect, found.tables, found.columns) == ("shelf", 1, 3)


def test_its_statements_are_read_and_written_in_its_own_quotes() -> None:
    checked = check("SELECT `read on` FROM `order`", dialect="shelf", catalog=CATALOG)
    assert checked.text == "SELECT `read on` FROM `order` LIMIT 1000"
    assert quote_name("order", "shelf") == "`order`"
    assert sqlglot.transpile('SELECT "a b" FROM t', read="postgres", write="shelf") == ["SELECT `a b` FROM t"]
    assert write_natively("SELECT id::text FROM `order`", "shelf") == "SELECT CAST(id AS TEXT) FROM `order`"


@pytest.mark.parametrize(
    ("sql", "rule"),
    [
        ('SELECT "title" FROM `order`', "syntax"),
        ("SELECT printf('%s', title) FROM `order`", "forbidden_function"),
        ("SELECT title FROM `order` WHERE id IN secret", "unknown_table"),
        ("DELETE FROM `order`", "not_a_query"),
        ("SELECT nothing FROM `order`", "unknown_column"),
    ],
)
def test_the_guard_judges_it_by_its_record(sql: str, rule: str) -> None:
    with pytest.raises(SqlRefused) as refused:
        check(sql, dialect="shelf", catalog=CATALOG)
    assert refused.value.rule == rule


def test_rows_are_filtered_and_dates_cut_in_it() -> None:
    policy = Policy(row_filters={"order": "id > 1"})
    filtered = check("SELECT title FROM `order`", dialect="shelf", catalog=CATALOG, policy=policy)
    assert "WHERE (id > 1)" in filtered.text
    month = bucket("month", sqlglot.column("read on", quoted=True), "shelf")
    assert month.sql("shelf") == "STRFTIME('%Y-%m', `read on`)"


async def test_a_checked_statement_runs(books: Path) -> None:
    engine = open_engine(parse_address(str(books)))
    executor.attach("books", engine)
    try:
        catalog = await executor.introspect("books")
        assert catalog.dialect == "shelf"
        sql = "SELECT strftime('%Y-%m', `read on`) AS `month`, COUNT(*) FROM `order` GROUP BY 1 ORDER BY 1"
        found = await executor.execute("books", check(sql, dialect="shelf", catalog=catalog))
        assert found.rows == [("2026-01", 1), ("2026-02", 2)]
        with pytest.raises(TypeError, match="cannot run on shelf"):
            await executor.execute("books", check("SELECT 1", dialect="sqlite", catalog=catalog))
    finally:
        executor.detach("books")


def test_a_model_is_told_of_it_and_its_statement_answers(books: Path, tmp_path: Path) -> None:
    sql = "SELECT COUNT(*) AS books FROM `order`"
    answer = {"candidates": [{"sql": sql, "why": ""}], "unanswerable": None, "question": None}
    with openai_server(Reply(arguments=answer)) as stub:
        llm = {"provider": "openai", "model": "m", "base_url": stub.url, "api_key": "k"}
        settings = Settings(home=tmp_path / "home", llm=llm)  # type: ignore[arg-type]
        with Inquery.connect(f"shelf:///{books}", settings=settings) as shelf:
            found = shelf.ask("How many books are there?")
    assert (found.status, found.rows) == ("answered", [[3]])
    assert DIALECTS["shelf"].notes in str(stub.asked[0])
    assert dialect_notes("shelf") == DIALECTS["shelf"].notes


def test_the_command_line_runs_it(books: Path, tmp_path: Path) -> None:
    def inquery(*arguments: str) -> str:
        start = f"import sys; sys.path = {sys.path!r}; from inquery.cli import main; main()"
        command = [sys.executable, "-c", start, *arguments]
        run = subprocess.run(command, env={"INQUERY_HOME": str(tmp_path)}, capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        return run.stdout

    inquery("connections", "add", "books", str(books))
    assert "红楼梦" in inquery("sql", "-c", "books", "SELECT title FROM `order` WHERE id = 2", "--json")


def test_a_driver_that_it_lacks_is_named_and_no_extra_of_ours(books: Path) -> None:
    with pytest.raises(ConnectFailed) as failed:
        load_driver("no_such_driver", "shelf")
    assert "no_such_driver" in failed.value.public_message("zh")
    assert "inquery[" not in failed.value.public_message("en")


def test_what_nobody_brings_is_still_unknown() -> None:
    assert engine_info("nowhere") is None
    assert "nowhere" not in DIALECTS
    with pytest.raises(BadConnectionUrl):
        parse_address("nowhere://h/d")
    with pytest.raises(SqlRefused):
        check("SELECT 1", dialect="nowhere", catalog=CATALOG)
