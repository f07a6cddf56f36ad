"""Users, grants and keys from the command line."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.integration.api_server import make_shop
from tests.unit.cli.conftest import Inquery

from inquery.memory.longterm import open_memory
from inquery.settings import Settings

PASSWORD = "correct horse battery"


@pytest.fixture
def ann(inquery: Inquery) -> str:
    made = inquery("users", "add", "ann", "--role", "analyst", "--password-stdin", "--json", stdin=PASSWORD + "\n").json
    assert (made["name"], made["role"], "password" in str(made).replace("has_password", "")) == (
        "ann",
        "analyst",
        False,
    )
    return str(made["id"])


def test_a_user_is_added_listed_changed_and_removed(inquery: Inquery, ann: str) -> None:
    prompted = inquery("users", "add", "root", "--admin", stdin=f"{PASSWORD}\n{PASSWORD}\n")
    assert (prompted.code, prompted.out) == (0, "Added root as admin.\n")
    assert [user["name"] for user in inquery("users", "list", "--json").json] == ["ann", "root"]
    assert "用户" in inquery("users", "--help", "--lang", "zh").out
    assert inquery("users", "change", "ann", "--disable", "--json").json["disabled"] is True
    assert inquery("users", "password", "ann", "--password-stdin", stdin="another phrase here\n").code == 0
    last = inquery("users", "remove", "root")
    assert (last.code, "last administrator" in last.err) == (1, True)
    assert inquery("users", "remove", "ann", "--lang", "zh").out == "已删除 ann。\n"
    assert inquery("users", "remove", "ann").err.startswith("error [not_found]")


def test_a_removed_user_is_forgotten(inquery: Inquery, ann: str) -> None:
    async def remembered(*, learn: bool = False) -> object:
        async with open_memory(Settings()) as memory:
            if learn:
                await memory.learn(ann, "clarification", "revenue", {"column": "net"})
            return await memory.recall(ann, "clarification", "revenue")

    assert asyncio.run(remembered(learn=True)) == {"column": "net"}
    assert inquery("users", "remove", "ann").code == 0
    assert asyncio.run(remembered()) is None


@pytest.mark.parametrize("bad", ["short", "aaaaaaaaaaaaaaa", "password123", "ann1234567890"])
def test_a_weak_password_is_refused(inquery: Inquery, bad: str) -> None:
    ran = inquery("users", "add", "ann", "--password-stdin", stdin=bad + "\n")
    assert (ran.code, ran.err.startswith("error [bad_request]"), ran.out) == (1, True, "")
    assert bad not in ran.err


def test_a_database_is_granted_in_part_and_taken_back(inquery: Inquery, ann: str, tmp_path: Path) -> None:
    inquery("connections", "add", "shop", make_shop(tmp_path / "shop.sqlite"))
    rules = ("--table", "orders", "--hide", "orders.amount", "--rows", "orders:order_id < 3")
    made = inquery("users", "grant", "ann", "shop", *rules, "--json").json
    assert made["subject"] == ann
    assert made["rules"] == {
        "tables": ["orders"], "hidden_columns": ["orders.amount"], "row_filters": {"orders": "order_id < 3"}, "views": [], "downloads": True,
    }  # fmt: skip
    assert made["warnings"] == []
    assert "shop" in inquery("users", "grants").out
    for wrong in (("--table", "none"), ("--rows", "orders"), ("--rows", "orders:none = 1"), ("--hide", "orders.none")):
        assert inquery("users", "grant", "ann", "shop", *wrong).err.startswith("error [bad_request]")
    assert inquery("users", "grant", "viewer", "shop", "--role", "--json").json["kind"] == "role"
    assert inquery("users", "grant", "everyone", "shop", "--json").json["kind"] == "all"
    assert inquery("users", "grant", "ann", "shop", "--revoke").code == 0
    assert {each["kind"] for each in inquery("users", "grants", "--json").json} == {"role", "all"}
    assert inquery("users", "grant", "ann", "shop", "--revoke").code == 1


def test_whoever_grants_is_told_of_views_that_the_rules_do_not_cover(
    inquery: Inquery, ann: str, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(make_shop(tmp_path / "shop.sqlite"))) as db:
        db.execute("CREATE VIEW v_orders AS SELECT order_id, amount AS sum FROM orders")
    inquery("connections", "add", "shop", str(tmp_path / "shop.sqlite"))
    hide = ("users", "grant", "ann", "shop", "--hide", "orders.amount")
    closed = inquery(*hide)
    assert (closed.code, "v_orders" in closed.err, "closed" in closed.err) == (0, True, True)
    assert "警告：以下视图" in inquery(*hide, "--lang", "zh").err
    shown = inquery(*hide, "--view", "v_orders", "--json").json
    assert shown["rules"]["views"] == ["v_orders"]
    assert ["show all they read" in warning for warning in shown["warnings"]] == [True]
    named = inquery("users", "grant", "ann", "shop", "--table", "v_orders", "--json").json
    assert ["v_orders" in warning for warning in named["warnings"]] == [True]
    assert inquery("users", "grant", "ann", "shop", "--json").json["warnings"] == []


def test_a_key_is_shown_once_listed_and_revoked(inquery: Inquery, ann: str) -> None:
    made = inquery("keys", "create", "ann", "--name", "nightly", "--days", "7")
    assert made.out.startswith("iq_")
    assert len(made.out.splitlines()) == 1
    (listed,) = inquery("keys", "list", "--user", "ann", "--json").json
    assert (listed["name"], listed["revoked"]) == ("nightly", None)
    assert made.out.strip().split("_", 2)[2] not in str(listed)
    assert inquery("keys", "revoke", listed["prefix"]).code == 0
    assert "已撤销" in inquery("keys", "list", "--lang", "zh").out
    assert inquery("keys", "create", "nobody").err.startswith("error [not_found]")
