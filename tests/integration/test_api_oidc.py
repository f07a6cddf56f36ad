"""Sign-in through a provider that signs real tokens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.api_server import API, Served, served
from tests.stubs.oidc_provider import CLIENT, SECRET, OidcProvider, oidc_provider

from inquery.store import open_store
from inquery.store.users import Users

PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def provider() -> Iterator[OidcProvider]:
    with oidc_provider() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, provider: OidcProvider) -> Iterator[Served]:
    oidc = {
        "issuer": provider.url, "client_id": CLIENT, "client_secret": SECRET, "role_claim": "realm.roles",
        "admins": ["chiefs"], "analysts": ["data"], "viewers": ["staff"],
    }  # fmt: skip
    with served(tmp_path_factory.mktemp("oidc"), identity={"mode": "users"}, oidc=oidc) as found:
        yield found


@pytest.fixture
def browser(server: Served, provider: OidcProvider) -> Iterator[httpx.Client]:
    provider.claims = {"sub": "42", "preferred_username": "ada", "realm": {"roles": ["data", "other"]}}
    provider.changed, provider.algorithm, provider.sign_with_stranger = {}, "RS256", False
    with server.client() as found:
        yield found


def through(browser: httpx.Client, following: str = "/") -> httpx.Response:
    """There and back again; the last answer is the callback's."""
    there = browser.get(API + "/auth/oidc/start", params={"next": following})
    assert there.status_code == 302
    back = httpx.get(there.headers["location"])
    return browser.get(back.headers["location"])


def test_a_person_comes_in_with_the_role_the_provider_gives(browser: httpx.Client, provider: OidcProvider) -> None:
    assert browser.get(API + "/auth/ways").json()["oidc"] is True
    came = through(browser, "/threads")
    assert (came.status_code, came.headers["location"]) == (302, "/threads")
    assert "samesite=strict" in came.headers["set-cookie"].lower()
    me = browser.get(API + "/auth/me").json()
    assert (me["name"], me["role"], me["has_password"]) == ("ada", "analyst", False)
    provider.claims["realm"] = {"roles": "staff"}
    through(browser)
    again = browser.get(API + "/auth/me").json()
    assert (again["id"], again["role"]) == (me["id"], "viewer")


def test_a_name_that_is_taken_here_is_another_person(
    browser: httpx.Client, provider: OidcProvider, server: Served
) -> None:
    store = open_store(server.settings)
    Users(store).add("grace", PASSWORD, "admin")
    store.close()
    provider.claims |= {"sub": "43", "preferred_username": "grace"}
    through(browser)
    me = browser.get(API + "/auth/me").json()
    assert (me["name"], me["role"]) == ("grace-2", "analyst")


@pytest.mark.parametrize("following", ["//evil.example", "https://evil.example", "/\\evil.example", "x"])
def test_nobody_is_sent_to_another_site(browser: httpx.Client, following: str) -> None:
    assert through(browser, following).headers["location"] == "/"


@pytest.mark.parametrize(
    "wrong",
    [
        {"changed": {"nonce": "another"}},
        {"changed": {"nonce": None}},
        {"changed": {"aud": "somebody-else"}},
        {"changed": {"iss": "https://evil.example"}},
        {"changed": {"exp": 1}},
        {"changed": {"exp": None}},
        {"changed": {"azp": "somebody-else"}},
        {"sign_with_stranger": True},
        {"algorithm": "none"},
        {"algorithm": "HS256"},
    ],
)
def test_a_token_that_is_not_in_order_lets_nobody_in(
    browser: httpx.Client, provider: OidcProvider, wrong: dict[str, Any]
) -> None:
    for name, value in wrong.items():
        setattr(provider, name, value)
    assert through(browser).headers["location"] == "/?login_error=login_failed"
    assert browser.get(API + "/auth/me").status_code == 401


def test_somebody_without_a_role_is_told_so(browser: httpx.Client, provider: OidcProvider) -> None:
    provider.claims |= {"sub": "44", "realm": {"roles": ["visitors"]}}
    assert through(browser).headers["location"] == "/?login_error=forbidden"


def test_a_try_is_for_one_browser_and_one_time(browser: httpx.Client, server: Served) -> None:
    there = browser.get(API + "/auth/oidc/start")
    back = httpx.get(there.headers["location"]).headers["location"]
    with server.client() as other:
        assert other.get(back).headers["location"] == "/?login_error=login_failed"
    forged = httpx.URL(back).copy_set_param("state", "guessed")
    assert browser.get(forged).headers["location"] == "/?login_error=login_failed"
    assert browser.get(back).headers["location"] == "/?login_error=login_failed", "the try is used up"


def test_a_provider_that_does_not_answer_is_told_in_a_sentence(tmp_path: Path) -> None:
    oidc = {"issuer": "http://127.0.0.1:1", "client_id": CLIENT}
    with served(tmp_path, identity={"mode": "users"}, oidc=oidc) as server, server.client() as browser:
        told = browser.get(API + "/auth/oidc/start")
        assert (told.status_code, told.json()["code"]) == (502, "provider_unavailable")
