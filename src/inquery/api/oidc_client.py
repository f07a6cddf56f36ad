"""Sign-in through an OpenID Connect provider: authorization code with PKCE, state, nonce, and a verified id token."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import jwt

from inquery.api.error_answers import LOG
from inquery.databases.transport.outgoing import checked_client
from inquery.errors import Forbidden, HostNotAllowed, LoginFailed, ProviderUnavailable, SecretKeyMismatch
from inquery.settings import OidcSettings, Settings, is_loopback
from inquery.store import Store
from inquery.store.users import Role

TIMEOUT_S = 10.0
KEPT_S = 3600.0
"""What a provider says of itself is asked for again after this; its keys also when one is unknown."""
TRY_S = 600
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""Signatures by the provider's own key: a shared secret proves nothing, and `none` less."""


class Provider:
    """The provider of the settings."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings: OidcSettings = settings.oidc
        self.keyring = store.keyring
        self._about: tuple[float, dict[str, Any]] = (0.0, {})
        self._keys: tuple[float, jwt.PyJWKSet | None] = (0.0, None)

    async def start(self, redirect_uri: str, following: str) -> tuple[str, str]:
        """Where to send the browser, and the sealed try it brings back in a cookie."""
        about = await self._metadata()
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect_uri,
            "scope": self.settings.scopes,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        kept = {"state": state, "nonce": nonce, "verifier": verifier, "next": following, "at": int(time.time())}
        mark = "&" if "?" in about["authorization_endpoint"] else "?"
        return about["authorization_endpoint"] + mark + urlencode(asked), self.keyring.encrypt(json.dumps(kept))

    def opened(self, sealed: str, state: str) -> dict[str, Any]:
        """The try that a browser brings back; raises LoginFailed when it is another's, too old or none."""
        try:
            kept: dict[str, Any] = json.loads(self.keyring.decrypt(sealed).get_secret_value())
        except SecretKeyMismatch as error:
            raise LoginFailed("no try") from error
        if not hmac.compare_digest(kept["state"].encode(), state.encode()) or time.time() - kept["at"] > TRY_S:
            raise LoginFailed("another's state, or too old")
        return kept

    async def claims(self, code: str, redirect_uri: str, kept: Mapping[str, Any]) -> dict[str, Any]:
        """What the provider says of whoever brought a code; raises LoginFailed."""
        about = await self._metadata()
        sent = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": kept["verifier"],
            "client_id": self.settings.client_id,
        }
        secret = self.settings.client_secret.get_secret_value()
        login = None
        if secret and "client_secret_post" in about.get("token_endpoint_auth_methods_supported", ()):
            sent["client_secret"] = secret
        elif secret:
            login = httpx.BasicAuth(self.settings.client_id, secret)
        answer = await self._sent("POST", about["token_endpoint"], data=sent, auth=login)
        if answer.status_code != 200:
            raise LoginFailed(f"token endpoint: {answer.status_code}")
        return await self._verified(_json(answer).get("id_token"), str(kept["nonce"]))

    async def _verified(self, token: Any, nonce: str) -> dict[str, Any]:
        try:
            header = jwt.get_unverified_header(str(token))
            key = await self._key(header)
            found: dict[str, Any] = jwt.decode(
                str(token),
                key,
                algorithms=[name for name in ALGORITHMS if name == header.get("alg")],
                audience=self.settings.client_id,
                issuer=(await self._metadata())["issuer"],
                leeway=60,
                options={"require": ["exp", "iat", "sub", "aud", "iss"]},
            )
        except jwt.PyJWTError as error:
            LOG.warning("an id token was refused: %s", type(error).__name__)
            raise LoginFailed("id token") from error
        if not hmac.compare_digest(str(found.get("nonce", "")).encode(), nonce.encode()):
            raise LoginFailed("nonce")
        if found.get("azp", self.settings.client_id) != self.settings.client_id:
            raise LoginFailed("azp")
        return found

    async def _key(self, header: Mapping[str, Any]) -> Any:
        """The key that a token names; unknown ones are asked for once more, since providers rotate them."""
        for anew in (False, True):
            keys = await self._key_set(anew=anew)
            fitting = [key for key in keys.keys if key.key_id == header.get("kid") or not header.get("kid")]
            if fitting:
                return fitting[0].key
        raise jwt.InvalidKeyError("unknown key")

    async def _key_set(self, *, anew: bool) -> jwt.PyJWKSet:
        at, known = self._keys
        if known is None or time.monotonic() - at > KEPT_S or (anew and time.monotonic() - at > 1):
            found = await self._sent("GET", (await self._metadata())["jwks_uri"])
            known = jwt.PyJWKSet.from_dict(_json(found))
            self._keys = (time.monotonic(), known)
        return known

    async def _metadata(self) -> dict[str, Any]:
        """What the provider says of itself, which must be about itself and reachable in safety."""
        at, known = self._about
        if not known or time.monotonic() - at > KEPT_S:
            issuer = self.settings.issuer.rstrip("/")
            known = _json(await self._sent("GET", issuer + "/.well-known/openid-configuration"))
            if str(known.get("issuer", "")).rstrip("/") != issuer:
                raise _unusable("it speaks for another issuer", "签发者不一致")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                _check_address(str(known.get(name, "")))
            self._about = (time.monotonic(), known)
        return known

    async def _sent(self, method: str, url: str, **options: Any) -> httpx.Response:
        _check_address(url)
        options = {name: value for name, value in options.items() if value is not None}
        try:
            async with checked_client(timeout=TIMEOUT_S, headers={"accept": "application/json"}) as client:
                return await client.request(method, url, **options)
        except (httpx.HTTPError, HostNotAllowed, OSError) as error:
            LOG.warning("the sign-in provider failed: %s", type(error).__name__)
            raise _unusable("it does not answer", "没有响应") from error


def name_of(claims: Mapping[str, Any], settings: OidcSettings) -> str:
    """What a user is called here."""
    for name in (settings.name_claim, "email", "name", "sub"):
        given = str(claims.get(name) or "").strip()
        cleaned = "".join(letter for letter in given if letter.isprintable() and not letter.isspace())[:90]
        if cleaned:
            return cleaned
    raise LoginFailed("no name")


def role_of(claims: Mapping[str, Any], settings: OidcSettings) -> Role:
    """The role that the provider's claim gives; raises Forbidden where it gives none."""
    found: Any = claims
    for part in settings.role_claim.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    given = {str(each) for each in (found if isinstance(found, list) else [found] if found else [])}
    if given & set(settings.admins):
        return "admin"
    if given & set(settings.analysts):
        return "analyst"
    if not settings.viewers or given & set(settings.viewers):
        return "viewer"
    raise Forbidden("no role")


def _json(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError as error:
        raise _unusable("its answer is not JSON", "返回内容无效") from error
    if not isinstance(found, dict):
        raise _unusable("its answer is not an object", "返回内容无效")
    return found


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
        raise _unusable("its addresses must be https", "其地址必须使用 https")


def _unusable(en: str, zh: str) -> ProviderUnavailable:
    return ProviderUnavailable.because(en, zh)
