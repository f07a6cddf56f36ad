"""The glossary names only what exists, and every sample runs and gives rows."""

import datetime
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inquery.catalog.value_index import ValueIndex
from inquery.demo import build_demo, comments, describe, glossary, mappings, samples, value_mappings
from inquery.demo.definitions import BY_NAME, TABLES
from inquery.sql import Catalog, Column, Table


@pytest.fixture(scope="module")
def todays_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some samples say "last month", so they are run on the demo of the real day."""
    path = tmp_path_factory.mktemp("today") / "demo.sqlite"
    build_demo(path, today=datetime.datetime.now(datetime.UTC).date())
    return path


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample["question"][:30])
def test_a_sample_gives_rows(todays_demo: Path, sample: dict[str, str]) -> None:
    with closing(sqlite3.connect(f"file:{todays_demo}?mode=ro", uri=True)) as connection:
        rows = connection.execute(sample["sql"]).fetchall()
    assert rows
    assert any(value not in (None, 0) for row in rows for value in row)


def test_there_are_fifteen_samples_a_language() -> None:
    languages = [sample["language"] for sample in samples()]
    assert (languages.count("en"), languages.count("zh"), len(languages)) == (15, 15, 30)
    assert len({sample["question"] for sample in samples()}) == 30


def test_every_table_and_column_is_described_in_both_languages() -> None:
    described = {(t, c) for t, about in glossary()["tables"].items() for c in [None, *about["columns"]]}
    assert described == {(t.name, c) for t in TABLES for c in [None, *(column.name for column in t.columns)]}
    for about in glossary()["tables"].values():
        assert {len(texts) for texts in [about["description"], *about["columns"].values()]} == {2}
    for text in comments().values():
        chinese, english = text.split(" / ", 1)
        assert any("一" <= letter <= "鿿" for letter in chinese)
        assert english.isascii()


def test_every_mapping_leads_to_a_stored_value(demo: sqlite3.Connection) -> None:
    for phrase, targets in mappings().items():
        for table, column, value in targets:
            (found,) = demo.execute(f"SELECT COUNT(*) FROM {table} WHERE {column} = ?", (value,)).fetchone()
            assert found, f"{phrase} → {table}.{column} = {value}"


def test_phones_in_chinese_mean_the_category() -> None:
    assert mappings()["手机"] == [("categories", "code", "mobile_phone")]
    assert ("stores", "region", "east") in mappings()["华东"]


def test_a_city_is_found_in_every_table_that_has_it() -> None:
    index = ValueIndex.of({}, mappings=value_mappings())
    found = {(match.table, match.value) for match in index.match("how many customers live in Shanghai")}
    assert {("customers", "上海"), ("stores", "上海"), ("addresses", "上海")} <= found
    assert [(m.table, m.value) for m in index.match("手机的销量")] == [("categories", "mobile_phone")]


# The others are for plans alone, and tests/unit/metrics computes them all.
@pytest.mark.parametrize("name", [name for name, about in glossary()["metrics"].items() if about.get("writer", True)])
def test_a_metric_can_be_computed(demo: sqlite3.Connection, name: str) -> None:
    metric = glossary()["metrics"][name]
    tables, joined = metric["tables"], metric["tables"][0]
    for table in tables[1:]:
        keys = [c.name for c in BY_NAME[table].columns if c.name in {x.name for x in BY_NAME[tables[0]].columns}]
        joined += f" LEFT JOIN {table} ON {table}.{keys[0] if table != 'returns' else 'order_item_id'} = {tables[0]}.{keys[0]}"
    condition = f" WHERE {metric['filter']}" if metric["filter"] else ""
    (value,) = demo.execute(f"SELECT {metric['expression']} FROM {joined}{condition}").fetchone()
    assert value > 0


def test_comments_fill_only_what_the_database_left_empty() -> None:
    bare = Catalog(
        "sqlite", (Table(("orders",), (Column("status"), Column("channel", comment="own"), Column("extra"))),)
    )
    orders = describe(bare).tables[0]
    assert "订单" in orders.comment
    assert [bool(c.comment) for c in orders.columns] == [True, True, False]
    assert orders.columns[1].comment == "own"
