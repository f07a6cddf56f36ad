"""The store comes up to date by itself, once, whoever opens it first."""

import multiprocessing
import stat
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import text
from tests.servers import Server

from inquery.errors import BadRequest, HomeUnusable
from inquery.settings import Settings, StoreSettings
from inquery.store import Connections, open_store
from inquery.store.database import MIGRATIONS, Store, current, head
from inquery.store.tables import metadata


def store_at(home: Path, url: str = "") -> Store:
    return open_store(Settings(home=home, store=StoreSettings(url=SecretStr(url))))


def test_a_new_store_has_every_migration_and_matches_the_tables(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    with store.read() as connection:
        assert current(connection) == head()
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    store.close()


def test_file_names_tell_the_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [head()]
    assert all(Path(script.path).name.startswith(script.revision + "_") for script in scripts.walk_revisions())


def test_migrations_can_be_undone(tmp_path: Path) -> None:
    from alembic import command

    store = store_at(tmp_path)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with store.write() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        tables = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
    assert list(tables) == ["alembic_version"]
    store.close()


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    store_at(tmp_path).close()
    assert stat.S_IMODE((tmp_path / "inquery.sqlite").stat().st_mode) == 0o600


def _add_some(home: Path, number: int) -> None:
    known = Connections(store_at(home))
    for index in range(10):
        known.add(f"c{number}-{index}", "sqlite:///some.db")


def test_processes_that_start_together_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_add_some, args=(tmp_path, number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    store = store_at(tmp_path)
    assert len(Connections(store).list()) == 30
    store.close()


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    store = store_at(tmp_path)
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    with pytest.raises(BadRequest) as caught:
        store_at(tmp_path)
    assert "newer" in caught.value.public_message("en")


@pytest.mark.parametrize("url", ["mysql://u:p@localhost/x", "not an address"])
def test_other_kinds_of_store_are_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(BadRequest):
        store_at(tmp_path, url)


def test_a_file_that_is_no_store_is_told(tmp_path: Path) -> None:
    (tmp_path / "inquery.sqlite").write_text("this is a letter, not a database, and it is long enough to be read")
    with pytest.raises(HomeUnusable):
        store_at(tmp_path)


def test_the_same_store_works_in_postgresql(tmp_path: Path, postgres: Server) -> None:
    from urllib.parse import quote

    url = f"postgresql://{postgres.admin}:{quote(postgres.password, safe='')}@127.0.0.1:{postgres.port}/postgres"
    store = store_at(tmp_path, url)
    known = Connections(store)
    known.add("shop", "sqlite:///shop.db")
    assert known.get("shop").name == "shop"
    store.close()
    again = store_at(tmp_path, url)
    assert [c.name for c in Connections(again).list()] == ["shop"]
    with again.write() as connection:
        connection.execute(text("DROP TABLE connections, alembic_version"))
    again.close()
