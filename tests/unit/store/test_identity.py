"""Users, what proves them, what they may read and spend, and the log of it, on both engines."""

import datetime
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from inquery.errors import BadRequest, NotFound
from inquery.store import Store
from inquery.store.audit import Audit, Deed
from inquery.store.credentials import ApiKeys, Sessions
from inquery.store.grants import Grants, Rules
from inquery.store.saved import SavedQuestions
from inquery.store.shares import Shares
from inquery.store.spending import Spending, Spent
from inquery.store.users import Users

PASSWORD = "correct horse battery"


def test_names_are_one_whatever_their_case_and_width(store: Store) -> None:
    users = Users(store)
    made = users.add("Ｆｒａｎｚ", PASSWORD, "viewer")
    assert (made.name, users.get("FRANZ").id) == ("Franz", made.id)
    for taken in ("franz", "local", "a b", ""):
        with pytest.raises(BadRequest):
            users.add(taken, PASSWORD)
    assert users.sign_in("franz", PASSWORD) == made
    assert users.sign_in("franz", PASSWORD + "x") is None
    assert users.sign_in("nobody", PASSWORD) is None


def test_only_hashes_are_stored(store: Store) -> None:
    user = Users(store).add("ann", PASSWORD)
    token = Sessions(store).open(user.id, 1)
    _, key = ApiKeys(store).create(user.id, "k")
    with store.read() as connection:
        kept = str(
            [connection.execute(text(f"SELECT * FROM {name}")).all() for name in ("users", "sessions", "api_keys")]
        )
    assert [secret for secret in (PASSWORD, token, key, key.split("_", 2)[2]) if secret in kept] == []


def test_a_session_ends_by_its_time_by_itself_and_with_its_user(store: Store) -> None:
    user, sessions = Users(store).add("ann", PASSWORD), Sessions(store)
    over, closed, live = (sessions.open(user.id, hours) for hours in (-1, 1, 1))
    sessions.close(closed)
    assert [sessions.user(token) is not None for token in (over, closed, live)] == [False, False, True]
    Users(store).remove("ann")
    assert sessions.user(live) is None


def test_the_narrowest_grant_decides_and_leaves_with_its_user(store: Store) -> None:
    user, grants = Users(store).add("ann", PASSWORD), Grants(store)
    grants.put("shop", "all", "*", Rules(tables=("a",)))
    grants.put("shop", "role", "viewer", Rules(tables=("b",)))
    assert grants.of(user.id, "viewer")["shop"].rules.tables == ("b",)
    for tables in (("c",), ("d",)):
        grants.put("shop", "user", user.id, Rules(tables=tables))
    assert grants.of(user.id, "viewer")["shop"].rules.tables == ("d",)
    assert grants.of(user.id, "viewer")["shop"].rules.policy(10).tables == {"d"}
    Users(store).remove("ann")
    assert {grant.kind for grant in grants.list("shop")} == {"all", "role"}
    grants.remove_connection("shop")
    assert grants.of(user.id, "viewer") == {}


def test_the_audit_log_can_only_grow(store: Store) -> None:
    audit = Audit(store)
    audit.append([Deed("sql.run", "u", sql=f"SELECT {number}", rows=number) for number in range(7)])
    Audit(store, keep_sql=False).append([Deed("sql.run", "u", sql="SELECT 'private'")])
    found = list(audit.all(action="sql.run"))
    assert [entry.sql for entry in found] == [None, *(f"SELECT {number}" for number in reversed(range(7)))]
    assert len({entry.sql_hash for entry in found}) == 8
    assert audit.page(before=found[0].id, limit=2) == found[1:3]
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
    assert audit.page(since=later) == []
    for change in ("UPDATE audit SET outcome = 'ok'", "DELETE FROM audit"):
        with pytest.raises(DBAPIError, match="can only grow"), store.write() as connection:
            connection.execute(text(change))
    assert len(audit.page()) == 8


def test_workers_that_count_at_once_lose_nothing(store: Store) -> None:
    spending = Spending(store)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: spending.add(Spent("ann", "2026-01-01", 1, 2, 30, 0.5, 1)), range(20)))
    assert spending.of("ann", "2026-01-01") == Spent("ann", "2026-01-01", 20, 40, 600, 10.0, 20)
    assert spending.of("ann", "2026-01-02").runs == 0
    assert [each.day for each in spending.since("2026-01-01")] == ["2026-01-01"]


def test_links_and_questions_belong_to_their_owner(store: Store) -> None:
    shares, saved = Shares(store), SavedQuestions(store)
    link = shares.put("thread", "ann")
    assert shares.put("thread", "ann").id == link.id
    shares.remove_thread("thread")
    with pytest.raises(NotFound):
        shares.get(link.id)
    mine = saved.add("ann", "shop", "how many?")
    saved.add("bob", "shop", "how much?", shared=True)
    assert [each.question for each in saved.list("ann")] == ["how much?", "how many?"]
    assert saved.change(mine.id, "ann", pinned=True).pinned
    assert saved.list("ann")[0].id == mine.id
    with pytest.raises(NotFound):
        saved.remove(mine.id, "bob")
