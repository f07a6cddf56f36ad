"""Databases that are given by their address or file and asked without being registered.

For the doors of this machine's own user only (terminal, Python): what a request over HTTP names is a registered connection.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr

from inquery.databases.engine_list import ENGINES
from inquery.databases.engines.files import ABOUT as FILES
from inquery.databases.transport.address import Address, parse_address
from inquery.errors import BadConnectionUrl, NotFound
from inquery.settings import Settings, get_settings
from inquery.store.connections import Connection, ConnectionOptions, absolute_address
from inquery.store.database import Store
from inquery.store.shipped import choose_connection

GIVEN = "url-"
"""How the ids of given databases begin; the same address has the same id, so that its catalogue is found again."""


def give_connection(address: Address, options: ConnectionOptions | None = None) -> Connection:
    """The connection of an address that nobody registered."""
    address = absolute_address(address)
    made_id = GIVEN + hashlib.sha256(address.url.encode()).hexdigest()[:16]
    return Connection(
        made_id,
        Path(address.database).name if address.is_file else address.redacted,
        address.scheme,
        address.redacted,
        SecretStr(address.url),
        options or ConnectionOptions(),
        datetime.datetime.now(datetime.UTC),
    )


def is_address(text: str) -> bool:
    """Whether a text is an address or a path rather than a name: a URL, what is there, or what ends like a data file."""
    endings = tuple(ending for about in ENGINES.values() for ending in about.suffixes)
    return "://" in text or text.lower().endswith(endings) or _exists(text)


def _exists(text: str) -> bool:
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # too long, a zero byte, an unknown user's home
        return False


def find_connection(
    name: str | None = None, *, settings: Settings | None = None, store: Store | None = None
) -> Connection:
    """As `choose_connection`; where nothing is registered under the name, it may be an address or a path."""
    settings = settings or get_settings()
    try:
        return choose_connection(name, settings=settings, store=store)
    except NotFound:
        if name is None or not is_address(name):
            raise
    return give_connection(parse_address(name))


def address_of_files(paths: Sequence[str | Path]) -> str:
    """One address for several data files of one folder; raises BadConnectionUrl where they are not."""
    known = [Path(path).expanduser().absolute() for path in paths]
    if len(known) == 1:
        return str(known[0])
    odd = [path.name for path in known if path.suffix.lower() not in FILES.suffixes]
    if odd:
        ends = ", ".join(FILES.suffixes)
        raise BadConnectionUrl.because(
            f"several files are data files ({ends}); {odd[0]} is none",
            f"同时打开多个文件时只能是数据文件（{ends}），而 {odd[0]} 不是",
        )
    if len({path.parent for path in known}) != 1:
        raise BadConnectionUrl.because("several files must lie in one folder", "同时打开的多个文件须在同一文件夹中")
    address = Address(FILES.scheme, database=str(known[0].parent))
    return replace(address, params={"only": "|".join(sorted(path.name for path in known))}).url
