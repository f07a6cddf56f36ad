"""A server that asks who is there, with an administrator, two analysts and a viewer."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from tests.integration.api_server import API, Served, served

from inquery.settings import Settings
from inquery.store import Connections, open_store
from inquery.store.credentials import ApiKeys
from inquery.store.grants import Grants, Rules
from inquery.store.users import Role, Users

PASSWORD = "correct horse battery"
PEOPLE: dict[str, Role] = {"root": "admin", "ann": "analyst", "bob": "analyst", "vic": "viewer"}


@dataclass
class Town:
    """A running server with people in it, each with a key."""

    server: Served
    keys: dict[str, str]
    ids: dict[str, str]
    shop: str

    def client(self, name: str | None, **options: Any) -> httpx.Client:
        """A program with somebody's key, or a stranger."""
        headers = {"authorization": f"Bearer {self.keys[name]}"} if name else {}
        return self.server.client(headers=headers, **options)

    @contextmanager
    def browser(self, name: str) -> Iterator[httpx.Client]:
        """A browser in which somebody has signed in."""
        with self.server.client(headers={"origin": self.server.url}) as made:
            made.post(API + "/auth/login", json={"name": name, "password": PASSWORD}).raise_for_status()
            yield made


@contextmanager
def town(folder: Path, **settings: Any) -> Iterator[Town]:
    """Users are asked for; ann and vic may read all of the shop, bob nothing."""
    identity = {"mode": "users", **settings.pop("identity", {})}
    store = open_store(Settings(home=folder / "home", **{k: v for k, v in settings.items() if k == "store"}))
    people = {name: Users(store).add(name, PASSWORD, role) for name, role in PEOPLE.items()}
    keys = {name: ApiKeys(store).create(user.id, "tests", 1)[1] for name, user in people.items()}
    with served(folder, identity=identity, **settings) as server:
        shop = Connections(store).get("shop").id
        for name in ("ann", "vic"):
            Grants(store).put(shop, "user", people[name].id, Rules())
        yield Town(server, keys, {name: user.id for name, user in people.items()}, shop)
    store.close()
