"""Spans of time on the scale of the columns they are compared with."""

import pytest

from inquery.form.name_words import NameMap
from inquery.form.reader import read_form
from inquery.llm.embedded.durations import asked_seconds, column_seconds, durations, in_column_time, shown_in_time
from inquery.sql import Column, Table

CALLS = Table(
    ("calls",),
    (
        Column("call_id", "INTEGER", primary_key=True),
        Column("talk_sec", "INTEGER"),
        Column("wait", "REAL", comment="等待时长（分钟）"),
        Column("rings", "INTEGER"),
    ),
)
NAMES = NameMap((CALLS,), lower=True)


@pytest.mark.parametrize(
    ("name", "comment", "seconds"),
    [
        ("停电分钟", "", 60), ("durationMs", "", 0.001), ("hours_worked", "", 3600), ("wait_days", "", 86400),
        ("duration", "通话时长（秒）", 1), ("length", "length in milliseconds", 0.001), ("天数", "", 86400),
        ("status", "", None), ("price", "unit price in dollars", None), ("得分", "", None), ("length", "", None),
    ],
)  # fmt: skip
def test_a_column_says_what_time_it_counts_in(name: str, comment: str, seconds: float | None) -> None:
    assert column_seconds(Column(name, "INTEGER", comment=comment)) == seconds
    assert column_seconds(Column(name, "TEXT", comment=comment)) is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many calls lasted more than 5 hours?", {5: 3600}),
        ("通话超过1.5小时的有几次？", {1.5: 3600}),
        ("三天以上没有处理的", {3: 86400}),
        ("more than 3 hours or 3 rings", {}),
        ("超过5分的电影", {}),
        ("3 hours or 3 days", {}),
    ],
)
def test_numbers_said_with_a_unit_of_time(question: str, said: dict[float, float]) -> None:
    assert durations(question) == said


@pytest.mark.parametrize(
    ("form", "meant"),
    [
        ("where calls.talk_sec > 5", "where calls.talk_sec > 18000"),
        ("by calls.rings having sum ( calls.talk_sec ) > 5", "by calls.rings having sum ( calls.talk_sec ) > 18000"),
        ("where calls.wait > 5 * 60", "where calls.wait > 5 * 60"),
        ("where calls.wait > 5", "where calls.wait > 300"),
        ("where calls.rings > 5", "where calls.rings > 5"),
        ("where calls.talk_sec > 7", "where calls.talk_sec > 7"),
    ],
)
def test_what_a_column_is_compared_with_is_on_its_scale(form: str, meant: str) -> None:
    changed = in_column_time(read_form(f"from calls show calls.rings {form}", NAMES), {5: 3600.0}, {"calls": CALLS})
    assert changed == read_form(f"from calls show calls.rings {meant}", NAMES)


FILMS = Table(
    ("films",),
    (
        Column("film_id", "INTEGER", primary_key=True),
        Column("length", "INTEGER", samples=("46", "86", "120", "185")),
        Column("width", "INTEGER", samples=("46", "86", "120", "185")),
        Column("duration", "INTEGER", samples=("2", "3", "7")),
    ),
)


@pytest.mark.parametrize(
    ("form", "meant"),
    [
        ("where films.length > 3", "where films.length > 180"),
        ("where films.width > 3", "where films.width > 3"),  # no length of time
        ("where films.duration > 3", "where films.duration > 3"),  # may well be hours
    ],
)
def test_a_length_without_a_unit_tells_it_by_its_values(form: str, meant: str) -> None:
    names = NameMap((FILMS,), lower=True)
    changed = in_column_time(read_form(f"from films show films.film_id {form}", names), {3: 3600.0}, {"films": FILMS})
    assert changed == read_form(f"from films show films.film_id {meant}", names)


@pytest.mark.parametrize(
    ("question", "seconds"),
    [
        ("What is the average length of a call in minutes?", 60),
        ("How many hours did they talk?", 3600),
        ("通话平均多少分钟？", 60),
        ("总时长按小时计", 3600),
        ("How long are calls on average?", None),
        ("In minutes and in hours", None),
        ("calls in the last 5 days", None),
    ],
)
def test_the_unit_that_a_figure_is_asked_in(question: str, seconds: float | None) -> None:
    assert asked_seconds(question) == seconds


@pytest.mark.parametrize(
    ("form", "meant"),
    [
        ("show avg ( calls.talk_sec )", "show avg ( calls.talk_sec ) / 60"),
        ("show calls.rings , sum ( calls.talk_sec ) by calls.rings", "show calls.rings , sum ( calls.talk_sec ) / 60 by calls.rings"),
        ("show avg ( calls.wait )", "show avg ( calls.wait )"),
        ("show avg ( calls.rings )", "show avg ( calls.rings )"),
    ],
)  # fmt: skip
def test_a_figure_is_told_in_the_unit_it_is_asked_in(form: str, meant: str) -> None:
    changed = shown_in_time(read_form(f"from calls {form}", NAMES), 60.0, {"calls": CALLS})
    assert changed == read_form(f"from calls {meant}", NAMES)
