"""The ways of a conversation, from its runs and moves alone."""

import pytest

from inquery.errors import NotFound
from inquery.store import Store
from inquery.store.event_log import EventLog
from inquery.store.paths import Move, note_move, paths_of


def run(store: Store, *names: str) -> None:
    for name in names:
        EventLog(store).append("t", name, [{"type": "done", "seq": 1}])


def test_runs_follow_each_other_until_one_is_replaced(store: Store) -> None:
    run(store, "a", "b", "c")
    assert paths_of(store, "t").shown == ("a", "b", "c")
    assert paths_of(store, "t").before("b") == ("a",)
    note_move(store, "t", Move(("a", "d"), ("a", "b", "c"), "end of c"))
    run(store, "d", "e")
    found = paths_of(store, "t")
    assert found.shown == ("a", "d", "e")
    assert found.versions() == {"d": ["b", "d"]}
    assert found.through("b").checkpoint == "end of c"
    assert EventLog(store).runs("t") == ["a", "b", "c", "d", "e"]


def test_a_new_run_may_be_logged_before_its_move(store: Store) -> None:
    run(store, "a", "b")
    EventLog(store).claim("t", "c", "mark")
    note_move(store, "t", Move(("c",), ("a", "b"), ""))
    run(store, "c", "d")
    assert paths_of(store, "t").shown == ("c", "d")


def test_versions_within_versions(store: Store) -> None:
    run(store, "a", "b")
    note_move(store, "t", Move(("a", "b2"), ("a", "b"), "b"))
    run(store, "b2")
    note_move(store, "t", Move(("a2",), ("a", "b2"), "b2"))
    run(store, "a2")
    assert paths_of(store, "t").versions() == {"a2": ["a", "a2"]}
    back = paths_of(store, "t").through("a")
    note_move(store, "t", Move(back.left, ("a2",), "a2"))
    assert paths_of(store, "t").shown == ("a", "b2")
    assert paths_of(store, "t").versions() == {"a": ["a", "a2"], "b2": ["b", "b2"]}


def test_a_run_that_is_not_shown_has_no_place(store: Store) -> None:
    run(store, "a")
    with pytest.raises(NotFound):
        paths_of(store, "t").before("b")
    with pytest.raises(NotFound):
        paths_of(store, "t").through("a")
    assert paths_of(store, "other").shown == ()
