"""Tries an address before it is kept: host rules, the account's rights, and whether tables can be read."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from inquery.databases.engine import Engine, Progress, no_progress
from inquery.databases.note_words import notes_of
from inquery.databases.registry import open_engine
from inquery.databases.transport.address import Address
from inquery.databases.transport.hosts import resolve_all
from inquery.errors import InqueryError, Text, UnsafeRole
from inquery.settings import DatabaseSettings, get_settings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Probe:
    """What a successful try found; warnings, and how files were read, are for the person registering."""

    dialect: str
    tables: int
    columns: int
    warnings: tuple[Text, ...] = ()


def probe(
    address: Address,
    *,
    allow_superuser: bool = False,
    settings: DatabaseSettings | None = None,
    progress: Progress = no_progress,
) -> Probe:
    """Connect, check the account and read the catalogue; raises the error that says what is wrong."""
    settings = settings or get_settings().database
    engine = open_engine(address, settings=settings)
    warnings = check_account(engine, address, allow_superuser or settings.allow_superuser, settings)
    catalog = _mapped(engine, lambda: engine.introspect(progress))
    if not catalog.tables:
        warnings += (
            Text("The database has no tables that this account can read.", "该账号在此数据库中没有可读取的表。"),
        )
    warnings += tuple(notes_of(catalog.tables))
    return Probe(engine.dialect, len(catalog.tables), sum(len(t.columns) for t in catalog.tables), warnings)


def check_account(
    engine: Engine, address: Address, allow_superuser: bool, settings: DatabaseSettings
) -> tuple[Text, ...]:
    """Refuse an account that can do more than read, unless it was allowed and the server is this machine."""
    session = _mapped(engine, engine.open)
    try:
        why = _mapped(engine, lambda: engine.check_role(session))
    finally:
        engine.close(session)
    if why is None:
        return ()
    if not (allow_superuser and is_loopback(address, settings)):
        raise UnsafeRole(why, why=why)
    return (
        Text(
            f"The account can do more than read ({why}). Inquery only reads, but a read-only account is safer.",
            f"该账号的权限不止读取（{why}）。Inquery 只读取数据，但使用只读账号更安全。",
        ),
    )


def is_loopback(address: Address, settings: DatabaseSettings) -> bool:
    """Whether the server is this machine by every address its name has; a tunnel leads elsewhere."""
    if address.host is None or "ssh_host" in address.params:
        return address.host is None
    found = resolve_all(address.host, address.port or 0, settings)
    return all(part.startswith("/") or ipaddress.ip_address(part).is_loopback for part in found)


def _mapped(engine: Engine, job: Callable[[], T]) -> T:
    try:
        return job()
    except InqueryError:
        raise
    except Exception as error:
        raise engine.classify(error) from error
