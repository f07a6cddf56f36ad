"""A database of many tables can be asked before all of it is read; what was read is kept, also when it is cut short."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from inquery.agents import sources as opened
from inquery.agents.sources import Sources
from inquery.catalog.stored import load_catalog
from inquery.settings import Settings

TABLES = 40


@pytest.fixture
def warehouse(tmp_path: Path) -> str:
    path = tmp_path / "warehouse.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        for number in range(TABLES):
            connection.execute(f"CREATE TABLE things_{number:02} (id INTEGER PRIMARY KEY, colour TEXT)")
            connection.execute(f"INSERT INTO things_{number:02} VALUES (1, 'shade {number}')")
    return str(path)


@pytest.fixture
async def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Sources]:
    monkeypatch.setattr(opened, "MANY_TABLES", 20)
    monkeypatch.setattr(opened, "FIRST_TABLES", 5)
    monkeypatch.setattr(opened, "NEXT_TABLES", 3)
    made = Sources(Settings(home=tmp_path / "home", knowledge={"join_tests": "off"}))
    yield made
    await made.finish_tests()
    await asyncio.to_thread(made.close)


async def test_the_first_question_has_every_name_and_some_values(sources: Sources, warehouse: str) -> None:
    name = sources.add(warehouse)
    source = await sources.open(name)
    assert len(source.catalog.tables) == TABLES
    assert len(source._values.places) == 5
    under_way = sources.progress_of(source.id)
    assert under_way is not None
    assert 5 <= under_way[0] < under_way[1] == TABLES
    await sources.finish_tests()
    assert sources.progress_of(source.id) is None
    whole = await sources.open(name)
    assert len(whole._values.places) == TABLES
    assert [column.samples for column in whole.catalog.tables[-1].columns][1] == ("shade 39",)


async def test_what_was_read_beside_is_there_without_reading_the_disk(
    sources: Sources, warehouse: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question after a part was read waited for seconds while the file of 5,000 tables was read."""
    name = sources.add(warehouse)
    await sources.open(name)

    def read(*args: object, **kwargs: object) -> None:
        raise AssertionError("the kept file was read")

    monkeypatch.setattr(opened, "load_catalog", read)
    await sources.finish_tests()
    assert len((await sources.open(name))._values.places) == TABLES


async def test_what_was_cut_short_is_gone_on_with(sources: Sources, warehouse: str, tmp_path: Path) -> None:
    source = await sources.open(sources.add(warehouse))
    sources._reading[source.id].cancel()
    await sources.finish_tests()
    kept = load_catalog(source.id, home=tmp_path / "home")
    assert kept is not None
    assert kept.unread
    again = Sources(sources.settings)
    await again.open(again.add(warehouse))
    await again.finish_tests()
    kept = load_catalog(source.id, home=tmp_path / "home")
    assert kept is not None
    assert (kept.unread, len(kept.values.places)) == (frozenset(), TABLES)


async def test_a_small_database_is_read_at_once(warehouse: str, tmp_path: Path) -> None:
    made = Sources(Settings(home=tmp_path / "home", knowledge={"join_tests": "off"}))
    source = await made.open(made.add(warehouse))
    assert (len(source._values.places), made.progress_of(source.id)) == (TABLES, None)
    await asyncio.to_thread(made.close)
