"""What most commands begin with: settings, the chosen connection, and its catalogue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from inquery.cli.language import say
from inquery.cli.output import note, working
from inquery.databases.engine import Progress
from inquery.errors import BadRequest
from inquery.settings import Settings
from inquery.sql import Catalog
from inquery.store import Connection

if TYPE_CHECKING:
    from inquery.agents.sources import Sources

T = TypeVar("T")
AUTO = "auto"
"""In place of a name: the registered database that fits a question best (`agents.nodes.load_profile`)."""


@dataclass(frozen=True)
class Opened:
    """A connection that statements can be run on."""

    connection: Connection
    catalog: Catalog
    settings: Settings

    @property
    def id(self) -> str:
        """What `execute` calls it."""
        return self.connection.id


def load_settings() -> Settings:
    """The settings; a bad one is named instead of shown as a stack of validation errors."""
    import yaml
    from pydantic import ValidationError

    from inquery.settings import get_settings

    try:
        return get_settings()
    except ValidationError as error:
        names = ", ".join(".".join(str(part) for part in problem["loc"]) for problem in error.errors())
        raise BadRequest.because(f"bad value of the setting {names}", f"设置 {names} 的值无效", detail=names) from error
    except yaml.YAMLError as error:
        raise BadRequest.because("inquery.yaml cannot be read", "无法读取 inquery.yaml", detail=str(error)) from error


def open_connection(name: str | None) -> Opened:
    """Choose, attach and read the catalogue of a connection."""
    from inquery.store import attach_connection

    settings = load_settings()
    with working(say("Preparing the database …", "正在准备数据库……")):
        connection = chosen_connection(name)
        attach_connection(connection, settings)
    with working(say("Reading the catalogue …", "正在读取目录……")) as progress:
        catalog = run_async(read_catalog(connection, settings, progress))
    return Opened(connection, catalog, settings)


def chosen_connection(name: str | None) -> Connection:
    """The database a command means; an address that is not registered is held to the same rules as one that will be."""
    from inquery.store import find_connection
    from inquery.store.given import GIVEN

    settings = load_settings()
    found = find_connection(name, settings=settings)
    if found.id.startswith(GIVEN):
        check_given(found, settings)
    return found


def check_given(connection: Connection, settings: Settings) -> None:
    """Refuse an administrator's account, as registering does; raises what is wrong with the address or the file."""
    from inquery.databases.registry import open_engine
    from inquery.store.probe import check_account

    address = connection.address
    engine = open_engine(address, settings=settings.database)
    if not address.is_file:
        for warning in check_account(engine, address, settings.database.allow_superuser, settings.database):
            note(say(*warning))


async def take_database(sources: Sources, name: str | None) -> str:
    """The id under which a run finds the database a command means; empty for the default."""
    if not name or name == AUTO:
        return name or ""
    await asyncio.to_thread(chosen_connection, name)
    return await sources.take(name)


async def read_catalog(connection: Connection, settings: Settings, progress: Progress) -> Catalog:
    """The catalogue with its joins, meanings and display names, as far as data was read and tested before."""
    from inquery.catalog.joins import with_joins
    from inquery.catalog.refresh import with_words
    from inquery.catalog.stored import load_catalog
    from inquery.databases.executor.execute import introspect
    from inquery.knowledge.data_dictionary import description_of

    catalog = await introspect(connection.id, progress)
    described = description_of(connection.id, settings)
    kept = load_catalog(connection.id, home=settings.home, searchable=False)
    joined = with_joins(described(catalog) if described else catalog, kept.tests if kept else None)
    return with_words(joined, kept.catalog if kept else None)


def run_async(work: Awaitable[T]) -> T:
    """Run to the end; Ctrl-C cancels the task, and with it the statement on the server."""

    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())
