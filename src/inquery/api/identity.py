"""Who asks. On loopback there is one local user; elsewhere people sign in and programs bring keys."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.datastructures import Headers

from inquery.api.headers import came_by_network, own_hosts
from inquery.api.request_limits import RequestLimits
from inquery.errors import BadRequest, Forbidden, NotFound, NotSignedIn, Text, UnsafeServer
from inquery.settings import Settings, is_loopback
from inquery.sql import Policy
from inquery.store import Store, open_store
from inquery.store.connections import RESERVED
from inquery.store.credentials import ApiKeys, Sessions
from inquery.store.grants import Grant, Grants
from inquery.store.groups import Groups
from inquery.store.users import RANK, Role, StoredUser, Users

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


@dataclass(frozen=True, slots=True)
class User:
    """The person behind a request: what is theirs, what they may do, and what they may read (None: everything)."""

    id: str
    role: Role = "viewer"
    tenant: str = "local"
    name: str = ""
    grants: Mapping[str, Grant] | None = None
    row_cap: int | None = 1000
    address: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)

    def may(self, role: Role) -> bool:
        """Whether this user has a role or a higher one."""
        return RANK[self.role] >= RANK[role]

    def person(self) -> dict[str, str]:
        """What row rules may go by."""
        return {**self.attributes, "id": self.id, "name": self.name, "role": self.role}

    def sees(self, connection_id: str) -> bool:
        """Whether a database exists for this user; the demo does for everyone."""
        return self.grants is None or connection_id in self.grants or connection_id == RESERVED

    def policy(self, connection_id: str) -> Policy:
        """What may be read of a database; raises NotFound where that is nothing."""
        if not self.sees(connection_id):
            raise NotFound(connection_id, what=Text("connection", "连接"), name=connection_id)
        grant = (self.grants or {}).get(connection_id)
        return Policy(row_cap=self.row_cap) if grant is None else grant.rules.policy(self.row_cap, self.person())

    def may_download(self, connection_id: str) -> bool:
        """Whether what a database holds may be taken away as a file.

        Results of before 0010 name no database: they may go where every grant of the user says so.
        """
        if self.grants is None:
            return True
        if connection_id and not self.sees(connection_id):
            return False
        asked = [self.grants.get(connection_id)] if connection_id else list(self.grants.values())
        return all(grant is None or grant.rules.downloads for grant in asked)


class Identity:
    """Finds out who sends a request."""

    def __init__(self, settings: Settings, store: Store, limits: RequestLimits) -> None:
        self.settings = settings
        self.limits = limits
        self.on = asks_for_users(settings)
        self.users = Users(store)
        self.sessions = Sessions(store)
        self.keys = ApiKeys(store)
        self.grants = Grants(store)
        self.groups = Groups(store)

    async def of(self, request: Request) -> User:
        """The user of a request; raises NotSignedIn, Forbidden or QuotaExceeded."""
        known: User | None = getattr(request.state, "user", None)
        if known is not None:
            return known
        if self.on:
            found = await self._proved(request)
            await self.limits.request(found.id)
        else:
            found = self._local(request)
        request.state.user = found
        return found

    def _local(self, request: Request) -> User:
        """A caller on another machine is never the local user, nor is one whom a proxy on this machine brings."""
        by_network = came_by_network(request.scope)
        if by_network and not is_loopback(str(request.scope["client"][0])):
            raise NotSignedIn()
        if by_network and any(name in request.headers for name in FORWARDED):
            raise NotSignedIn("a proxy")
        return User("local", "admin", name="local", row_cap=self.settings.query.rows)

    async def _proved(self, request: Request) -> User:
        key = bearer(request.headers)
        if key:
            stored = await asyncio.to_thread(self.keys.user, key)
        else:
            token = request.cookies.get(cookie_name(self.settings, request), "")
            if token and request.method not in SAFE_METHODS and not self._from_our_page(request):
                raise Forbidden("another site's page")
            stored = await asyncio.to_thread(self.sessions.user, token) if token else None
        if stored is None:
            raise NotSignedIn()
        return await self.known(stored, self.address(request))

    async def known(self, stored: StoredUser, address: str) -> User:
        """A stored user with what they may read now."""
        grants = None
        if stored.role != "admin":
            grants = await asyncio.to_thread(self.grants.of, stored.id, stored.role)
        cap = self.settings.query.rows
        return User(
            stored.id,
            stored.role,
            name=stored.name,
            grants=grants,
            row_cap=cap,
            address=address,
            attributes=stored.attributes,
        )

    def _from_our_page(self, request: Request) -> bool:
        """Browsers say where a request comes from; one that carries a cookie and does not say is not believed."""
        if request.headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return False
        origin = request.headers.get("origin")
        if origin is None:
            return request.headers.get("sec-fetch-site") == "same-origin"
        return origin.lower().partition("://")[2] in own_hosts(self.settings, request.headers)

    def address(self, request: Request) -> str:
        """Where a request comes from; proxies are believed as far as they are trusted."""
        peer = str((request.scope.get("client") or ("", 0))[0])
        passed = [part.strip() for part in request.headers.get("x-forwarded-for", "").split(",") if part.strip()]
        while passed and _is_trusted(peer, self.settings.server.trusted_proxies):
            peer = passed.pop()
        return peer[:64]

    def sign_in(self, request: Request, response: Response, token: str) -> None:
        """Give a browser its session: out of scripts' reach, and sent by our own page alone."""
        response.set_cookie(
            cookie_name(self.settings, request),
            token,
            max_age=int(self.settings.identity.session_hours * 3600),
            path="/",
            secure=is_secure(self.settings, request),
            httponly=True,
            samesite="strict",
        )

    def sign_out(self, request: Request, response: Response) -> None:
        """Take it back."""
        name, secure = cookie_name(self.settings, request), is_secure(self.settings, request)
        response.delete_cookie(name, path="/", secure=secure, httponly=True, samesite="strict")


def asks_for_users(settings: Settings) -> bool:
    """Whether callers must say who they are."""
    return settings.asks_for_users


def refuse_unsafe(settings: Settings) -> None:
    """A server that asks for users needs some, or a provider that knows them; the first administrator is made here."""
    if not asks_for_users(settings) or settings.oidc.issuer:
        return
    store = open_store(settings)
    try:
        _make_first_admin(Users(store), settings)
        if Users(store).count():
            return
    finally:
        store.close()
    host = settings.server.host
    raise UnsafeServer.because(
        f"{host} asks for users and there are none; add one with: inquery users add NAME --admin",
        f"{host} 需要用户登录，而尚无用户；请先运行：inquery users add NAME --admin",
    )


def _make_first_admin(users: Users, settings: Settings) -> None:
    password = settings.identity.admin_password.get_secret_value()
    if password and not users.list():
        try:
            users.add(settings.identity.admin_name, password, "admin")
        except BadRequest:
            if not users.list():  # another worker may have been first
                raise


def bearer(headers: Headers) -> str:
    """The key that a request carries."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "").strip()


def is_secure(settings: Settings, request: Request) -> bool:
    """Whether people reach the server over TLS."""
    return settings.server.public_url.lower().startswith("https://") or request.url.scheme == "https"


def cookie_name(settings: Settings, request: Request) -> str:
    """The prefix makes browsers refuse the cookie from any other host or over plain HTTP."""
    return "__Host-inquery" if is_secure(settings, request) else "inquery_session"


def _is_trusted(peer: str, trusted: list[str]) -> bool:
    try:
        address = ipaddress.ip_address(peer)
        return any(address in ipaddress.ip_network(network, strict=False) for network in trusted)
    except ValueError:
        return False


async def current_user(request: Request) -> User:
    """The user of a request."""
    identity: Identity = request.app.state.identity
    return await identity.of(request)


async def _identity(request: Request) -> Identity:
    found: Identity = request.app.state.identity
    return found


CurrentUser = Annotated[User, Depends(current_user)]
Guard = Annotated[Identity, Depends(_identity)]
