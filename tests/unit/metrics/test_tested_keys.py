"""Joins of an imported file: the far side is a key where the rows say so, whatever the tool calls it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inquery.client import Inquery
from inquery.metrics.imports.metric_files import read_metric_file
from inquery.settings import Settings
from inquery.sql import Policy

PROJECT = """
semantic_models:
  - name: visits
    model: ref('visits')
    defaults: {agg_time_dimension: day}
    entities: [{name: visit, type: primary, expr: visit_no}, {name: guest, type: foreign, expr: guest_ref}]
    dimensions: [{name: day, type: time, type_params: {time_granularity: day}}]
    measures: [{name: stays, agg: count, expr: visit_no}]
  - name: guests
    model: ref('guests')
    entities: [{name: guest, type: primary, expr: guest_ref}]
    dimensions: [{name: origin, type: categorical}]
metrics:
  - {name: stays, label: Stays, type: simple, type_params: {measure: stays}}
  - name: local_stays
    label: Local stays
    type: simple
    type_params: {measure: stays}
    filter: "{{ Dimension('guest__origin') }} = 'near'"
"""


@pytest.mark.parametrize(("second", "kept"), [("g2", ["stays", "local_stays"]), ("g1", ["stays"])])
def test_a_key_is_believed_as_far_as_the_rows_say_so(tmp_path: Path, second: str, kept: list[str]) -> None:
    with closing(sqlite3.connect(tmp_path / "inn.sqlite")) as database, database:
        database.execute("CREATE TABLE visits (visit_no INTEGER, guest_ref TEXT, day DATE)")
        database.execute("CREATE TABLE guests (guest_ref TEXT, origin TEXT)")
        database.executemany("INSERT INTO visits VALUES (?, ?, '2025-01-02')", [(1, "g1"), (2, "g1"), (3, "g2")])
        database.executemany("INSERT INTO guests VALUES (?, ?)", [("g1", "near"), (second, "far")])
    settings = Settings(home=tmp_path / "home")
    with Inquery.connect(tmp_path / "inn.sqlite", settings=settings, policy=Policy()) as inn:
        desk = inn._wait(inn._desk())
        report = inn._wait(desk.import_metrics(read_metric_file("schema.yml", PROJECT.encode())))
        assert report["kept"] == kept
        if "local_stays" in kept:
            assert inn.query_metric("local_stays").rows == [[2]]


def test_a_proposed_rate_is_kept_with_its_parts(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "inn.sqlite")) as database, database:
        database.execute("CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, status TEXT, day DATE)")
        rows = [(n, "cancelled" if n % 4 == 0 else "done") for n in range(1, 9)]
        database.executemany("INSERT INTO stays VALUES (?, ?, '2025-01-02')", rows)
    settings = Settings(home=tmp_path / "home")
    with Inquery.connect(tmp_path / "inn.sqlite", settings=settings, policy=Policy()) as inn:
        desk = inn._wait(inn._desk())
        (rate,) = [each.name for each in desk.proposals() if "cancellation rate" in each.synonyms]
        assert inn._wait(desk.accept(rate))["status"] == "accepted"
        assert inn.query_metric(rate).rows == [[25.0]]
