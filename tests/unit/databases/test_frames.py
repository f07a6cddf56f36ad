"""Messages between processes keep values as they are, and carry nothing that runs."""

import datetime
import io
import uuid
from decimal import Decimal
from typing import Any

import pytest

from inquery.databases.sandbox import frames

VALUES: list[Any] = [
    None, True, 0, -1, 2**63, 2**64, -(2**127), 1.5, float("inf"), "", "中文 🙂", b"\x00\xff", Decimal("1.250"),
    datetime.date(2024, 2, 29), datetime.datetime(1, 1, 1), datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC),
    datetime.time(1, 2, 3, 4), datetime.timedelta(days=-3, seconds=5), uuid.UUID(int=7), [1, [2, [2**70]]], {"a": {1: "b"}},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_come_back(value: Any) -> None:
    back = frames.decode(frames.encode([value]))
    assert back == [value]
    assert type(back[0]) is type(value)


def test_lone_surrogates_are_replaced() -> None:
    assert frames.decode(frames.encode("a\ud800b")) == "a?b"


def test_unknown_objects_are_their_text() -> None:
    assert frames.decode(frames.encode(complex(1, 2))) == "(1+2j)"


def test_messages_follow_each_other_and_end() -> None:
    pipe = io.BytesIO()
    for number in range(3):
        frames.write(pipe, [number])
    pipe.seek(0)
    assert [frames.read(pipe) for _ in range(3)] == [[0], [1], [2]]
    with pytest.raises(EOFError):
        frames.read(pipe)


def test_half_a_message_is_an_end() -> None:
    pipe = io.BytesIO()
    frames.write(pipe, "x" * 100)
    with pytest.raises(EOFError):
        frames.read(io.BytesIO(pipe.getvalue()[:-1]))
