"""The data engine: its specifications, its schemas and questions, and renaming; everything by seed."""

from __future__ import annotations

import re
import sqlite3
from random import Random
from typing import Any

import pytest
from training.engine.augment import choose_names, rename, renamed_tree
from training.engine.build import make, make_schema
from training.engine.periods import pick_span
from training.engine.schema import Schema
from training.engine.spec import domains
from training.engine.words import article, plural
from training.prepare import tables_of

from inquery.form.join_paths import FormSchema
from inquery.form.name_words import NameMap
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.language.lexicon import lexicon

SEED = 11
CJK = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def groups() -> list[dict[str, Any]]:
    return [make(SEED, number, 40) for number in range(8)]


def database(number: int) -> tuple[Schema, sqlite3.Connection]:
    schema = make_schema(SEED, number)
    return schema, schema.database()


def test_there_are_many_domains_and_every_reference_finds_its_entity() -> None:
    assert len(domains()) >= 60
    for domain in domains():
        for entity in domain.entities.values():
            assert entity.chinese, entity.key
            assert all(reference.target in domain.entities for reference in entity.references)
            assert all(
                CJK.search(attribute.chinese[0]) or attribute.chinese[0].isascii() for attribute in entity.attributes
            )


def test_the_lexicon_knows_schema_words_in_both_languages() -> None:
    known = lexicon()
    assert len(known.chinese) >= 2500
    assert "order amount" in known.english["订单金额"]
    assert "客户" in known.chinese["custom"] or "客户" in known.chinese["customer"]


def test_the_same_seed_makes_the_same_data(groups: list[dict[str, Any]]) -> None:
    assert make(SEED, 3, 40) == groups[3]
    assert make(SEED + 1, 3, 40) != groups[3]


def test_every_question_runs_and_most_find_something(groups: list[dict[str, Any]]) -> None:
    total = empty = 0
    for number, group in enumerate(groups):
        _, db = database(number)
        for question in group["questions"]:
            rows = db.execute(question["sql"]).fetchall()
            total += 1
            empty += not rows
    assert total >= 250
    assert empty < total * 0.03


def test_a_form_says_what_its_sql_says(groups: list[dict[str, Any]]) -> None:
    for number, group in enumerate(groups):
        schema, db = database(number)
        tables = schema.catalog_tables()
        names = NameMap(tables)
        for question in group["questions"]:
            query = read_form(question["form"], names)
            assert write(query, names) == question["form"]
            made = to_sql(query, FormSchema(tables))
            assert sorted(map(repr, db.execute(made))) == sorted(map(repr, db.execute(question["sql"])))


def test_both_languages_are_asked_over_both_kinds_of_schema(groups: list[dict[str, Any]]) -> None:
    asked = {(group["lang"], question["lang"]) for group in groups for question in group["questions"]}
    assert {("en", "en"), ("en", "zh"), ("zh", "zh")} <= asked
    for group in groups:
        for question in group["questions"]:
            if question["lang"] == "zh":
                assert CJK.search(question["question"])
            elif group["lang"] == "en":
                assert not CJK.search(question["question"])


def test_values_named_in_a_question_are_stored(groups: list[dict[str, Any]]) -> None:
    for group in groups:
        for question in group["questions"]:
            for table, column, value, phrase in question["values"]:
                assert phrase
                known = group["values"].get(f"{table}.{column}")
                assert known is None or value in known


def test_questions_cover_many_shapes(groups: list[dict[str, Any]]) -> None:
    tags = {tag for group in groups for question in group["questions"] for tag in question["tags"]}
    assert {
        "list",
        "count",
        "group",
        "having",
        "superlative",
        "join",
        "never",
        "set",
        "time",
        "nested",
        "share",
    } <= tags


@pytest.mark.parametrize("number", range(8))
def test_renaming_keeps_what_every_question_finds(groups: list[dict[str, Any]], number: int) -> None:
    group = groups[number]
    _, db = database(number)
    made = choose_names(tables_of(group), Random(number))
    renamed = rename(group, Random(number))
    assert {table["name"] for table in renamed["tables"]} == set(made.tables.values())
    assert len(renamed["questions"]) == len(group["questions"])
    other = renamed_database(db, group, made)
    for before, after in zip(group["questions"], renamed["questions"], strict=True):
        assert before["question"] == after["question"]
        assert sorted(map(repr, other.execute(after["sql"]))) == sorted(map(repr, db.execute(before["sql"])))


def renamed_database(db: sqlite3.Connection, group: dict[str, Any], made: Any) -> sqlite3.Connection:
    other = sqlite3.connect(":memory:")
    for table in group["tables"]:
        columns = ", ".join(f'"{made.columns[table["name"], c["name"]]}" {c["type"]}' for c in table["columns"])
        other.execute(f'CREATE TABLE "{made.tables[table["name"]]}" ({columns})')
        marks = ", ".join("?" * len(table["columns"]))
        names = ", ".join(f'"{c["name"]}"' for c in table["columns"])
        rows = db.execute(f'SELECT {names} FROM "{table["name"]}"').fetchall()
        other.executemany(f'INSERT INTO "{made.tables[table["name"]]}" VALUES ({marks})', rows)
    return other


def test_renaming_reaches_nested_queries(groups: list[dict[str, Any]]) -> None:
    found = 0
    for group in groups:
        tables = tables_of(group)
        made = choose_names(tables, Random(5))
        for question in group["questions"]:
            if "never" in question["tags"]:
                query = renamed_tree(read_form(question["form"], NameMap(tables)), made)
                old = {name for name, new in made.tables.items() if name != new and name not in made.tables.values()}
                assert not any(f"table={name!r}" in repr(query) for name in old)
                found += 1
    assert found


def test_a_span_holds_for_one_of_its_days() -> None:
    days = ["2023-02-11", "2024-07-30", "2025-12-31"]
    for seed in range(200):
        span = pick_span(Random(seed), days)
        assert span.start < span.end
        if span.op == "in":
            assert any(span.start <= day < span.end for day in days)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("city", "cities"),
        ("salesman", "salesmen"),
        ("class", "classes"),
        ("number of pages", "numbers of pages"),
        ("staff", "staff"),
    ],
)
def test_plurals(one: str, many: str) -> None:
    assert plural(one) == many


def test_articles() -> None:
    assert [article(word) for word in ("order", "user", "hour", "city")] == ["an order", "a user", "an hour", "a city"]
