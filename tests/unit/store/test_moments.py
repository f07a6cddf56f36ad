"""Moments come back in UTC with their zone, and compare as moments whatever zone they were given in."""

import datetime

from sqlalchemy import text

from inquery.store import Store
from inquery.store.audit import Audit, Deed

NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)
SHANGHAI = datetime.timezone(datetime.timedelta(hours=8))


def in_shanghai(moment: datetime.datetime) -> datetime.datetime:
    return moment.astimezone(SHANGHAI)


def test_a_moment_of_another_zone_is_kept_as_the_same_moment(store: Store) -> None:
    audit = Audit(store)
    audit.append([Deed("login", at=in_shanghai(NOON))])
    (found,) = audit.page()
    assert found.at == NOON
    assert found.at.tzinfo is datetime.UTC


def test_a_bound_given_in_another_zone_is_the_same_bound(store: Store) -> None:
    audit, hour = Audit(store), datetime.timedelta(hours=1)
    audit.append([Deed("before", at=NOON - hour), Deed("after", at=NOON + hour)])
    since = in_shanghai(NOON)
    assert [deed.action for deed in audit.page(since=since)] == ["after"]
    assert [deed.action for deed in audit.page(until=since)] == ["before"]


def test_the_zone_of_a_session_does_not_show(store: Store) -> None:
    audit = Audit(store)
    audit.append([Deed("login", at=NOON)])
    with store.read() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET TIME ZONE 'Asia/Shanghai'"))
    (found,) = audit.page()
    assert found.at.isoformat() == "2026-03-01T12:00:00+00:00"
