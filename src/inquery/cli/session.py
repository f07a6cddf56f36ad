"""What most commands begin with: settings, the chosen connection, and its catalogue."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from inquery.cli.language import say
from inquery.cli.output import working
from inquery.databases.engine import Progress
from inquery.errors import BadRequest
from inquery.settings import Settings
from inquery.sql import Catalog
from inquery.store import Connection

T = TypeVar("T")


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
    from inquery.store import attach_connection, choose_connection

    settings = load_settings()
    with working(say("Preparing the database …", "正在准备数据库……")):
        connection = choose_connection(name, settings=settings)
        attach_connection(connection, settings)
    with working(say("Reading the catalogue …", "正在读取目录……")) as progress:
        catalog = run_async(read_catalog(connection, progress))
    return Opened(connection, catalog, settings)


async def read_catalog(connection: Connection, progress: Progress) -> Catalog:
    """The catalogue with its joins, as far as they were tested before; with the comments that ship with it."""
    from inquery.catalog.joins import with_joins
    from inquery.catalog.stored import load_catalog
    from inquery.databases.executor.execute import introspect
    from inquery.store import shipped_with

    catalog = await introspect(connection.id, progress)
    shipped = shipped_with(connection.id)
    kept = load_catalog(connection.id, home=load_settings().home, searchable=False)
    return with_joins(shipped.describe(catalog) if shipped else catalog, kept.tests if kept else None)


def run_async(work: Awaitable[T]) -> T:
    """Run to the end; Ctrl-C cancels the task, and with it the statement on the server."""

    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())
