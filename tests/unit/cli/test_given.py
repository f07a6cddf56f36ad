"""A database is asked by its file or address without being registered, and nothing stays registered."""

import asyncio
import datetime
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("duckdb")

from tests.unit.cli.conftest import Inquery as Command

from inquery import Inquery
from inquery.agents.sources import Sources
from inquery.catalog.stored import forget_unused, load_catalog, save_catalog
from inquery.errors import BadConnectionUrl, MissingFile, NotFound
from inquery.settings import Settings
from inquery.store.given import GIVEN, address_of_files

SALES = '日期,部门,金额\n2024年3月5日,销售,"1,200.50"\n2024年3月6日,市场,￥800\n'


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    file = tmp_path / "销售.csv"
    file.write_text(SALES, "utf-8")
    return file


@pytest.fixture
def sources(own_home: Path) -> Iterator[Sources]:
    made = Sources(Settings(home=own_home))
    yield made
    made.close()


def test_a_statement_on_a_file(inquery: Command, sales: Path) -> None:
    found = inquery("sql", "SELECT sum(金额) AS 合计 FROM 销售", "-c", str(sales), "--json").json
    assert found["rows"] == [[2000.5]]
    assert inquery("connections", "list", "--json").json == []


def test_the_schema_of_a_file_tells_how_it_was_read(inquery: Command, sales: Path) -> None:
    (table,) = inquery("schema", "-c", str(sales), "--json").json["tables"]
    assert any("1,200.50" in text for text in table["notes"])
    shown = inquery("schema", "销售", "-c", str(sales))
    assert "“金额” is read as numbers" in shown.err


def test_registering_a_file_tells_it_too(inquery: Command, sales: Path) -> None:
    made = inquery("connections", "add", "shop", str(sales), "--json").json
    assert any("金额" in text for text in made["warnings"])


def test_a_registered_name_comes_before_a_file(inquery: Command, sales: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = sales.parent / "other.csv"
    other.write_text("n\n7\n")
    inquery("connections", "add", sales.name, str(other))
    monkeypatch.chdir(sales.parent)
    assert inquery("sql", "SELECT n FROM other", "-c", sales.name, "--json").json["rows"] == [[7]]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("nowhere.csv", "missing_file"),
        ("notes.txt", "bad_connection_url"),
        ("shopp", "not_found"),
        ("ftp://x/y", "bad_connection_url"),
    ],
)
def test_what_is_no_database_says_why(
    inquery: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, code: str
) -> None:
    (tmp_path / "notes.txt").write_text("x")
    monkeypatch.chdir(tmp_path)
    ran = inquery("sql", "SELECT 1", "-c", given)
    assert ran.code != 0
    assert code in ran.err


def test_asking_with_a_missing_file_is_a_failed_answer(inquery: Command) -> None:
    ran = inquery("ask", "多少？", "-c", "nowhere.xlsx", "--json")
    assert ran.code == 1
    assert '"missing_file"' in ran.out


def test_chat_names_its_database_once(inquery: Command, sales: Path) -> None:
    ran = inquery("chat", str(sales), "-c", str(sales))
    assert "name the database once" in ran.err


def test_a_changed_file_is_read_anew_at_once(sources: Sources, sales: Path) -> None:
    async def columns() -> list[str]:
        source = await sources.open(await sources.take(str(sales)))
        return [column.name for column in source.catalog.tables[0].columns]

    async def both() -> tuple[list[str], list[str]]:
        first = await columns()
        await asyncio.to_thread(sales.write_text, "日期,部门,金额,备注\n2024-01-01,销售,5,x\n", "utf-8")
        return first, await columns()

    assert asyncio.run(both()) == (["日期", "部门", "金额"], ["日期", "部门", "金额", "备注"])


def test_an_unchanged_file_is_not_read_again(own_home: Path, sales: Path) -> None:
    def opened() -> str:
        made = Sources(Settings(home=own_home))
        try:
            return asyncio.run(_open(made, sales))
        finally:
            made.close()

    known = opened()
    kept = load_catalog(known, home=own_home)
    assert kept is not None
    assert kept.mark
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    save_catalog(known, replace(kept, refreshed_at=long_ago), home=own_home)
    opened()
    again = load_catalog(known, home=own_home)
    assert again is not None
    assert again.refreshed_at == long_ago


async def _open(sources: Sources, file: Path) -> str:
    source = await sources.open(await sources.take(str(file)))
    await sources.finish_tests()
    return source.id


def test_a_request_cannot_open_a_file_by_naming_it(sources: Sources, sales: Path) -> None:
    with pytest.raises(NotFound):
        asyncio.run(sources.open(str(sales)))


def test_several_files_of_a_folder(sources: Sources, sales: Path) -> None:
    (sales.parent / "staff.csv").write_text("id,name\n1,a\n")
    (sales.parent / "unwanted.csv").write_text("x\n1\n")

    async def tables() -> list[str]:
        source = await sources.open(await sources.take(address_of_files([sales, sales.parent / "staff.csv"])))
        return sorted(table.name for table in source.catalog.tables)

    assert asyncio.run(tables()) == ["staff", "销售"]


def test_several_files_must_be_together_and_be_there(sources: Sources, sales: Path, tmp_path: Path) -> None:
    with pytest.raises(BadConnectionUrl):
        address_of_files([sales, tmp_path / "elsewhere" / "b.csv"])
    with pytest.raises(BadConnectionUrl):
        address_of_files([sales, sales.parent / "x.sqlite"])
    with pytest.raises(MissingFile):
        asyncio.run(sources.open(sources.add(address_of_files([sales, sales.parent / "gone.csv"]))))


def test_python_connects_to_a_path_a_folder_and_several_files(own_home: Path, sales: Path) -> None:
    (sales.parent / "staff.csv").write_text("id,name\n1,a\n")
    for given in (sales, str(sales.parent), [sales, sales.parent / "staff.csv"]):
        Inquery.connect(given, settings=Settings(home=own_home)).close()
    with pytest.raises(MissingFile):
        Inquery.connect("nowhere.csv", settings=Settings(home=own_home))


def test_only_the_last_catalogues_of_files_are_kept(own_home: Path, sales: Path) -> None:
    made = Sources(Settings(home=own_home))
    asyncio.run(_open(made, sales))
    made.close()
    assert list((own_home / "catalogs").glob(f"{GIVEN}*"))
    forget_unused(GIVEN, home=own_home, most=0)
    assert not list((own_home / "catalogs").glob(f"{GIVEN}*"))
