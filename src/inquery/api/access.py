"""Databases as a user may reach them; one that is not granted looks as if it did not exist."""

from __future__ import annotations

import asyncio

from inquery.agents.sources import Source
from inquery.api.identity import User
from inquery.api.shared import Shared
from inquery.errors import Forbidden, NotFound, Text
from inquery.language.nearest import nearest_names
from inquery.sql import Policy
from inquery.store import Connection, Connections, default_connection
from inquery.store.connections import RESERVED
from inquery.store.profiles import StoredProfile


async def connections_of(here: Shared, user: User) -> list[Connection]:
    """The registered databases a user may ask."""
    known = await asyncio.to_thread(Connections(here.store).list)
    return [connection for connection in known if user.sees(connection.id)]


async def connection_of(here: Shared, user: User, name: str | None) -> Connection:
    """The database a user means: by id or name, else the only one they may ask, else the demo; raises NotFound."""
    if name is None and user.grants is not None:
        mine = await connections_of(here, user)
        return mine[0] if len(mine) == 1 else await asyncio.to_thread(default_connection, here.settings)
    try:
        found = await here.services.sources.connection(name)
        user.policy(found.id)
    except NotFound as error:
        if user.grants is None:
            raise
        nearest = nearest_names(name or "", [connection.name for connection in await connections_of(here, user)])
        raise NotFound(name or "", what=Text("connection", "连接"), name=name, nearest=nearest) from error
    return found


async def source_of(here: Shared, user: User, name: str | None) -> tuple[Source, Policy]:
    """A database with its catalogue, and what the user may read of it; raises NotFound."""
    connection = await connection_of(here, user, name)
    return await here.services.sources.open(connection.id), user.policy(connection.id)


def require_download(user: User, connection_id: str) -> None:
    """Every way by which rows leave as a file asks this first; raises Forbidden."""
    if not user.may_download(connection_id):
        raise Forbidden("download")


async def sees_profile(here: Shared, user: User, profile: StoredProfile) -> bool:
    """Whether an analyst is the user's own or is for a database that they may ask; others name what is hidden."""
    named = profile.content.connections
    if user.grants is None or profile.owner == user.id or not named:
        return True
    mine = {RESERVED, *(name for each in await connections_of(here, user) for name in (each.id, each.name))}
    return bool(mine & set(named))
