"""Sign-in through a provider: there and back again."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import RedirectResponse

from inquery.api.auditing import deed
from inquery.api.headers import PREFIX
from inquery.api.identity import Guard, is_secure
from inquery.api.oidc_client import TRY_S, Provider, name_of, role_of
from inquery.errors import InqueryError, LoginFailed, NotFound, Text

router = APIRouter(prefix="/auth/oidc", tags=["auth"])
COOKIE = "inquery_oidc"
FOLDER = PREFIX + "/auth/oidc"


async def _provider(request: Request) -> Provider:
    found: Provider = request.app.state.provider
    if not found.settings.issuer or not request.app.state.identity.on:
        raise NotFound("oidc", what=Text("sign-in provider", "登录服务"), name="OpenID Connect")
    return found


TheProvider = Annotated[Provider, Depends(_provider)]


@router.get("/start", response_class=RedirectResponse, status_code=302)
async def start(
    request: Request,
    guard: Guard,
    provider: TheProvider,
    following: Annotated[str, Query(alias="next", max_length=500, description="a path of the page")] = "/",
) -> RedirectResponse:
    """Send the browser to the provider."""
    place, sealed = await provider.start(_back(request, guard), _own_path(following))
    answer = RedirectResponse(place, 302)
    # Lax, unlike the session: the browser comes back from another site and has to bring it.
    answer.set_cookie(
        COOKIE,
        sealed,
        max_age=TRY_S,
        path=FOLDER,
        secure=is_secure(guard.settings, request),
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get("/callback", response_class=RedirectResponse, status_code=302)
async def callback(
    request: Request,
    guard: Guard,
    provider: TheProvider,
    code: Annotated[str, Query(max_length=4000)] = "",
    state: Annotated[str, Query(max_length=500)] = "",
) -> RedirectResponse:
    """Where the provider sends the browser back to; a failure is told to the page as `?login_error=`."""
    deed(request, address=guard.address(request))
    try:
        token, following = await _signed_in(request, guard, provider, code, state)
    except InqueryError as error:
        request.state.outcome = error.code
        answer = RedirectResponse(f"/?login_error={error.code}", 302)
    else:
        answer = RedirectResponse(following, 302)
        guard.sign_in(request, answer, token)
    answer.delete_cookie(COOKIE, path=FOLDER)
    return answer


async def _signed_in(request: Request, guard: Guard, provider: Provider, code: str, state: str) -> tuple[str, str]:
    kept = provider.opened(request.cookies.get(COOKIE, ""), state)
    claims = await provider.claims(code, _back(request, guard), kept)
    role, name = role_of(claims, provider.settings), name_of(claims, provider.settings)
    subject = f"{provider.settings.issuer.rstrip('/')}#{claims['sub']}"[:500]
    deed(request, target=name)
    user = await asyncio.to_thread(guard.users.follow, subject, name, role)
    if user.disabled:
        raise LoginFailed("disabled")
    request.state.user = await guard.known(user, guard.address(request))
    token = await asyncio.to_thread(guard.sessions.open, user.id, guard.settings.identity.session_hours)
    return token, str(kept["next"])


def _back(request: Request, guard: Guard) -> str:
    base = guard.settings.server.public_url or str(request.base_url)
    return base.rstrip("/") + FOLDER + "/callback"


def _own_path(given: str) -> str:
    """A path of our own page and no other site's."""
    plain = given.startswith("/") and not given.startswith(("//", "/\\")) and given.isprintable()
    return given if plain and "\\" not in given else "/"
