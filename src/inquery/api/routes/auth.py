"""Signing in and out."""

from __future__ import annotations

import asyncio
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import BaseModel

from inquery.api.auditing import deed
from inquery.api.bodies import Login, NewOwnPassword
from inquery.api.identity import CurrentUser, Guard, User, cookie_name
from inquery.api.rights import rights_of
from inquery.errors import BadRequest, LoginFailed, QuotaExceeded

router = APIRouter(prefix="/auth", tags=["auth"])
_checking = asyncio.Semaphore(4)
"""A hash takes 64 MiB and 50 ms on purpose: so many at a time."""


class Ways(BaseModel):
    """How one signs in here: `local` asks nobody."""

    mode: Literal["local", "users"]
    password: bool
    oidc: bool


class Me(BaseModel):
    """Who you are, and what you may do."""

    id: str
    name: str
    role: str
    rights: list[str]
    mode: Literal["local", "users"]
    has_password: bool


@router.get("/ways")
async def ways(guard: Guard) -> Ways:
    """How one signs in; the first thing a page asks."""
    oidc = bool(guard.settings.oidc.issuer)
    return Ways(mode="users" if guard.on else "local", password=guard.on, oidc=guard.on and oidc)


@router.post("/login")
async def login(body: Login, guard: Guard, request: Request, response: Response) -> Me:
    """Sign in with a password; the session is a cookie that scripts cannot read."""
    if not guard.on:
        raise _nobody_signs_in()
    address = guard.address(request)
    deed(request, target=body.name, address=address)
    try:
        await guard.limits.try_login(body.name, address)
    except QuotaExceeded:
        if not await guard.limits.first_refusal(body.name, address):
            request.state.deed = {}  # who goes on knocking must not fill the log
        raise
    async with _checking:
        found = await asyncio.to_thread(guard.users.sign_in, body.name, body.password.get_secret_value())
    if found is None:
        await guard.limits.failed_login(body.name, address)
        raise LoginFailed(body.name)
    await guard.limits.good_login(body.name, address)
    token = await asyncio.to_thread(guard.sessions.open, found.id, guard.settings.identity.session_hours)
    guard.sign_in(request, response, token)
    user = request.state.user = await guard.known(found, address)
    return _me(user, True, guard)


@router.post("/logout", status_code=204)
async def logout(user: CurrentUser, guard: Guard, request: Request) -> Response:
    """End this session."""
    token = request.cookies.get(cookie_name(guard.settings, request), "")
    if token:
        await asyncio.to_thread(guard.sessions.close, token)
    response = Response(status_code=204)
    guard.sign_out(request, response)
    return response


@router.get("/me")
async def me(user: CurrentUser, guard: Guard) -> Me:
    """Who you are."""
    if not guard.on:
        return _me(user, False, guard)
    return _me(user, (await asyncio.to_thread(guard.users.get, user.id)).has_password, guard)


@router.post("/password")
async def change_password(
    body: NewOwnPassword, user: CurrentUser, guard: Guard, request: Request, response: Response
) -> Me:
    """Another password of your own; every session ends but this one, which begins anew."""
    if not guard.on:
        raise _nobody_signs_in()
    address = guard.address(request)
    await guard.limits.try_login(user.name, address)
    async with _checking:
        found = await asyncio.to_thread(guard.users.sign_in, user.name, body.old.get_secret_value())
    if found is None or found.id != user.id:
        await guard.limits.failed_login(user.name, address)
        raise LoginFailed(user.name)
    await asyncio.to_thread(guard.users.set_password, user.id, body.new.get_secret_value())
    token = await asyncio.to_thread(guard.sessions.open, user.id, guard.settings.identity.session_hours)
    guard.sign_in(request, response, token)
    return _me(user, True, guard)


def _me(user: User, has_password: bool, guard: Guard) -> Me:
    return Me(
        id=user.id,
        name=user.name,
        role=user.role,
        rights=rights_of(user),
        mode="users" if guard.on else "local",
        has_password=has_password,
    )


def _nobody_signs_in() -> BadRequest:
    return BadRequest.because("on this machine nobody needs to sign in", "本机使用无需登录")
