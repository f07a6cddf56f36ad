"""One date stands for today: in the demo's data, in the periods of questions, in a chat model's prompt and in reports."""

import datetime
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from inquery import Inquery
from inquery.cli import cli
from inquery.databases.executor.execute import attached_ids, detach
from inquery.settings import Settings

DAY = datetime.date(2025, 3, 15)


def test_the_demo_ends_on_that_day_and_last_month_is_the_one_before_it(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUERY_TODAY", DAY.isoformat())
    try:
        with Inquery.connect("demo", settings=Settings()) as inquery:
            answer = inquery.ask("How many orders were placed last month?")
            again = inquery.ask("上个月有多少订单？")
    finally:
        for connection_id in attached_ids():
            detach(connection_id)
    file = next((own_home / "demo").glob("demo-2025-03-15-*.sqlite"))
    with closing(sqlite3.connect(file)) as demo:
        last, expected = demo.execute(
            "SELECT MAX(ordered_at), SUM(ordered_at >= '2025-02-01' AND ordered_at < '2025-03-01') FROM orders"
        ).fetchone()
    assert last.startswith("2025-03-1")
    assert [answer.rows, again.rows] == [[[expected]], [[expected]]]


def test_the_command_writes_the_demo_of_that_day_unless_another_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INQUERY_TODAY", DAY.isoformat())
    made = CliRunner().invoke(cli, ["demo", "--out", str(tmp_path / "a.sqlite"), "--json"])
    other = CliRunner().invoke(cli, ["demo", "--out", str(tmp_path / "b.sqlite"), "--today", "2024-01-31", "--json"])
    assert '"today": "2025-03-15"' in made.output
    assert '"today": "2024-01-31"' in other.output


def test_a_day_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INQUERY_TODAY", "someday")
    ran = CliRunner().invoke(cli, ["demo", "--json"])
    assert ran.exit_code == 1
    assert "today" in ran.output


def test_without_it_the_clock_of_the_time_zone_counts() -> None:
    zones = {zone: Settings().day(zone) for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago")}
    # 25 hours lie between them: it is never the same day in both.
    assert zones["Pacific/Kiritimati"] > zones["Pacific/Pago_Pago"]
    assert Settings(today=DAY).day("Pacific/Kiritimati") == DAY
