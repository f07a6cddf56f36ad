"""Who asks. On loopback there is one local user; elsewhere nobody is let in without users."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Request

from inquery.api.headers import came_by_network
from inquery.errors import Forbidden, NotSignedIn, Text, UnsafeServer
from inquery.settings import Settings
from inquery.sql import Policy

Role = Literal["viewer", "analyst", "admin"]
RANK: dict[Role, int] = {"viewer": 0, "analyst": 1, "admin": 2}


@dataclass(frozen=True, slots=True)
class User:
    """The person behind a request: what is theirs, and what they may do and see."""

    id: str
    role: Role = "viewer"
    tenant: str = "local"
    policy: Policy | None = None

    def may(self, role: Role) -> bool:
        """Whether this user has a role or a higher one."""
        return RANK[self.role] >= RANK[role]


LOCAL = User("local", "admin")


def is_loopback(host: str) -> bool:
    """Whether an address is this machine alone."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def refuse_unsafe(settings: Settings) -> None:
    """Other machines may only reach a server that knows its users."""
    host = settings.server.host
    if not is_loopback(host):
        reason = Text(
            f"{host} can be reached from other machines and there are no users; bind to 127.0.0.1",
            f"{host} 可被其他机器访问，而尚未设置用户；请绑定到 127.0.0.1",
        )
        raise UnsafeServer(reason.en, reason=reason)


async def current_user(request: Request) -> User:
    """The user of a request; a caller on another machine is never the local user, however the server was bound."""
    if came_by_network(request.scope) and not is_loopback(str(request.scope["client"][0])):
        raise NotSignedIn()
    return LOCAL


CurrentUser = Annotated[User, Depends(current_user)]


async def _analyst(user: CurrentUser) -> User:
    return _with(user, "analyst")


async def _admin(user: CurrentUser) -> User:
    return _with(user, "admin")


def _with(user: User, role: Role) -> User:
    if not user.may(role):
        raise Forbidden(role)
    return user


Analyst = Annotated[User, Depends(_analyst)]
Admin = Annotated[User, Depends(_admin)]
