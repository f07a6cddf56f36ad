"""Large JSON is kept in lines, so that no call reads or writes all of it."""

import json

import pytest

from inquery.catalog.json_lines import read_lines, write_lines

CONTENT = {"format": 1, "tables": [{"name": "订单\n\u2028"}, {"name": "b"}], "joins": [], "mark": [1, 2]}


def test_what_was_written_is_read() -> None:
    text = write_lines(CONTENT, ("tables", "joins"))
    assert len(text.split(b"\n")) == 3
    assert read_lines(text, ("tables", "joins")) == CONTENT


def test_what_was_written_whole_is_read_too() -> None:
    assert read_lines(json.dumps(CONTENT).encode(), ("tables", "joins")) == CONTENT


def test_a_file_that_was_cut_short_is_refused() -> None:
    with pytest.raises(ValueError, match="missing"):
        read_lines(write_lines(CONTENT, ("tables", "joins")).rpartition(b"\n")[0], ("tables", "joins"))
