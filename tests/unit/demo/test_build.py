"""The demo is the same for the same seed and day, and is put in place whole."""

import datetime
import multiprocessing
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.demo.conftest import TODAY

from inquery.demo import build_demo, ensure_demo
from inquery.demo.generate import generate_tables
from inquery.errors import BadConnectionUrl, BadRequest


def test_the_same_seed_and_day_give_the_same_data() -> None:
    assert generate_tables(7, TODAY) == generate_tables(7, TODAY)


def test_another_seed_gives_other_data() -> None:
    assert generate_tables(8, TODAY)["orders"][-1] != generate_tables(7, TODAY)["orders"][-1]


@pytest.mark.parametrize("day", [datetime.date(2028, 2, 29), datetime.date(2027, 1, 1), datetime.date(2026, 12, 31)])
def test_any_day_of_the_year_works(day: datetime.date) -> None:
    tables = generate_tables(7, day)
    assert max(tables["orders"][4])[:10] == day.isoformat()
    assert len([text for text in tables["stores"][4] if text.startswith(str(day.year - 1))]) == 1


def test_ensure_makes_the_demo_once_a_day(tmp_path: Path) -> None:
    first = ensure_demo(tmp_path, TODAY)
    made = first.stat().st_mtime_ns
    assert ensure_demo(tmp_path, TODAY) == first
    assert first.stat().st_mtime_ns == made
    later = ensure_demo(tmp_path, TODAY + datetime.timedelta(days=1))
    assert [path.name for path in (tmp_path / "demo").iterdir()] == [later.name]


def test_two_processes_at_once_both_get_a_whole_demo(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=ensure_demo, args=(tmp_path, TODAY)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    (only,) = (tmp_path / "demo").iterdir()
    with closing(sqlite3.connect(only)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT COUNT(*) FROM orders").fetchone() == (45_000,)


def test_a_failed_build_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "demo.sqlite"
    target.write_text("old")

    def refuse(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", refuse)
    with pytest.raises(BadRequest):
        build_demo(target, today=TODAY)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(BadRequest):
        build_demo(blocker / "demo.sqlite", today=TODAY)


def test_an_engine_the_demo_cannot_fill_is_told() -> None:
    from inquery.demo import fill_demo

    with pytest.raises(BadRequest, match="sqlite"):
        fill_demo("trino://localhost/catalog")
    with pytest.raises(BadConnectionUrl):
        fill_demo("nonsense://x")
