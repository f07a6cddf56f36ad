"""What reads other tables, and what is read with them, shows nothing that a policy hides."""

import pytest
from tests.contract.case import ColumnSpec, EngineCase, TableSpec
from tests.contract.conftest import Connect

from inquery.catalog.collect import collect
from inquery.catalog.visible import visible_catalog, visible_values
from inquery.databases.executor import execute as executor
from inquery.sql import Catalog, Policy, SqlRefused, check

PEOPLE = TableSpec(
    "people",
    [ColumnSpec("id"), ColumnSpec("name", "text"), ColumnSpec("password", "text")],
    [(n, f"name {n}", f"pw{n}") for n in range(1, 6)],
)
PLAIN = TableSpec("plain", [ColumnSpec("id")], [(1,)])
VIEWS = (
    "CREATE VIEW v_people AS SELECT id, name, password AS word FROM people",
    "CREATE VIEW v_words AS SELECT word FROM v_people",
)
LIKE_VIEWS = {
    "postgres": ("CREATE MATERIALIZED VIEW all_people AS SELECT id, password AS word FROM people",),
    "chdb": ("CREATE TABLE all_people (id Int32, password String) ENGINE = Merge(currentDatabase(), '^people$')",),
    "mariadb": (
        "ALTER TABLE people ENGINE = MyISAM",
        "CREATE TABLE all_people LIKE people",
        "ALTER TABLE all_people ENGINE = MRG_MyISAM UNION = (people)",
    ),
    "sqlite": ("CREATE VIRTUAL TABLE all_people USING fts5(password, content='people', content_rowid='id')",),
}
"""What is no view by name but reads the rows of another table."""
UNREAD = {("sqlite", "all_people")}  # its module cannot be set up behind the authorizer


async def seen(case: EngineCase, connection: Connect) -> tuple[str, Catalog, list[str]]:
    url = connection([PEOPLE, PLAIN])
    case.run_as_admin(url, *VIEWS, *LIKE_VIEWS.get(case.name, ()))
    for name in ("v_people", "v_words", "all_people"):
        case.grant(url, name)
    catalog = await executor.introspect(url)
    return url, catalog, [t.full_name for t in catalog.tables if t.name in {"v_people", "v_words", "all_people"}]


def named(catalog: Catalog, name: str) -> str:
    return next(table.full_name for table in catalog.tables if table.name == name)


async def assert_read(case: EngineCase, url: str, catalog: Catalog, name: str, policy: Policy) -> None:
    checked = check(f"SELECT * FROM {name}", dialect=case.dialect, catalog=catalog, policy=policy)
    if (case.name, name) not in UNREAD:
        assert len((await executor.execute(url, checked)).rows) == 5
    assert name in {table.full_name for table in visible_catalog(catalog, policy).tables}


@pytest.mark.parametrize("rule", ["hidden", "filtered"])
async def test_a_view_may_be_read_beside_rules_when_it_is_listed(
    engine_case: EngineCase, connection: Connect, rule: str
) -> None:
    url, catalog, views = await seen(engine_case, connection)
    people = named(catalog, "people")
    hidden = frozenset({f"{people}.password"}) if rule == "hidden" else frozenset()
    filters = {people: "id = 1"} if rule == "filtered" else {}
    assert len(views) == 2 + (engine_case.name in LIKE_VIEWS)
    closed = Policy(hidden_columns=hidden, row_filters=filters)
    for policy in (closed, Policy(frozenset({people, *views}), hidden, filters)):
        for name in views:
            with pytest.raises(SqlRefused) as caught:
                check(f"SELECT * FROM {name}", dialect=engine_case.dialect, catalog=catalog, policy=policy)
            assert caught.value.rule == "forbidden_source", name
        assert not {t.full_name for t in visible_catalog(catalog, policy).tables} & {*views}
    index = await collect(url, catalog)
    shown = visible_values(index, catalog, closed)
    assert not {table for table, _ in shown.places} & {*views}
    for name in views:
        listed = Policy(hidden_columns=hidden, row_filters=filters, views=frozenset({name}))
        await assert_read(engine_case, url, catalog, name, listed)


async def test_a_view_that_is_granted_by_name_is_read_like_a_table(
    engine_case: EngineCase, connection: Connect
) -> None:
    url, catalog, views = await seen(engine_case, connection)
    for name in views:
        await assert_read(engine_case, url, catalog, name, Policy(frozenset({name})))
        with pytest.raises(SqlRefused) as caught:
            check(f"SELECT * FROM {name}", dialect=engine_case.dialect, catalog=catalog, policy=Policy(frozenset()))
        assert caught.value.rule == "unknown_table"
