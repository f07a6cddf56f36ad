"""An OpenID Connect provider on loopback: it signs real tokens, and can be told to sign bad ones."""

import base64
import hashlib
import json
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse

CLIENT, SECRET = "inquery", "provider-secret-canary"


@dataclass
class OidcProvider:
    """What the next person to sign in is, and how the provider errs."""

    url: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    changed: dict[str, Any] = field(default_factory=dict)
    algorithm: str = "RS256"
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    stranger: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))
    sign_with_stranger: bool = False

    def token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "sub": "42", "iat": now, "exp": now + 60, "nonce": nonce}
        claims |= self.claims | self.changed
        claims = {name: value for name, value in claims.items() if value is not None}
        if self.algorithm == "none":
            return jwt.encode(claims, None, algorithm="none")
        if self.algorithm == "HS256":
            return jwt.encode(claims, SECRET * 2, algorithm="HS256", headers={"kid": "first"})
        key = self.stranger if self.sign_with_stranger else self.key
        return jwt.encode(claims, key, algorithm=self.algorithm, headers={"kid": "first"})


def app_of(provider: OidcProvider) -> FastAPI:
    app = FastAPI()

    @app.get("/.well-known/openid-configuration")
    async def about() -> dict[str, str]:
        url = provider.url
        return {
            "issuer": url,
            "authorization_endpoint": url + "/authorize",
            "token_endpoint": url + "/token",
            "jwks_uri": url + "/keys",
        }

    @app.get("/keys")
    async def keys() -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(provider.key.public_key()))
        return {"keys": [public | {"kid": "first", "use": "sig"}]}

    @app.get("/authorize")
    async def authorize(request: Request) -> RedirectResponse:
        asked = dict(request.query_params)
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        provider.codes[code] = asked
        return RedirectResponse(asked["redirect_uri"] + "?" + urlencode({"code": code, "state": asked["state"]}), 302)

    @app.post("/token")
    async def token(request: Request) -> JSONResponse:
        sent = dict(parse_qsl((await request.body()).decode()))
        asked = provider.codes.pop(sent["code"], None)
        given = base64.b64decode(request.headers["authorization"].removeprefix("Basic ")).decode()
        proof = base64.urlsafe_b64encode(hashlib.sha256(sent["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if asked is None or given != f"{CLIENT}:{SECRET}" or asked["redirect_uri"] != sent["redirect_uri"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        if asked["code_challenge"] != proof:
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse({"id_token": provider.token(asked["nonce"]), "access_token": "x", "token_type": "Bearer"})

    return app


@contextmanager
def oidc_provider() -> Iterator[OidcProvider]:
    provider = OidcProvider()
    listening = socket.create_server(("127.0.0.1", 0))
    provider.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    server = uvicorn.Server(uvicorn.Config(app_of(provider), log_level="error", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        end = time.monotonic() + 60
        while not server.started and time.monotonic() < end:
            time.sleep(0.02)
        yield provider
    finally:
        server.should_exit = True
        thread.join(20)
