"""An answer as JSON: what was not found out has no key, and every part has a described type."""

import pytest

from inquery.agents.events import EVENT
from inquery.answers.answer import Answer

PARTS = ["Reading", "ReadFilter", "ReadPeriod", "Provenance", "MatchedValue", "CacheUse", "AnswerError", "FactDetail"]


def test_blank_parts_are_empty_and_others_have_the_keys_they_were_given():
    blank = Answer(status="chat", question="q").model_dump(mode="json")
    assert (blank["reading"], blank["provenance"], blank["cache"], blank["error"]) == ({}, {}, None, None)
    described = Answer(status="chat", question="q", provenance={"tables": ["orders"], "source": "catalogue"})
    assert described.model_dump(mode="json")["provenance"] == {"tables": ["orders"], "source": "catalogue"}


def test_numbers_of_a_chart_keep_their_kind():
    chart = {"type": "bar", "x": "m", "series": [{"key": "n"}], "data": [{"m": "May", "n": 2}, {"m": 6, "n": 2.5}]}
    answer = Answer.model_validate({"status": "answered", "question": "q", "chart": chart})
    assert answer.model_dump_json().count('"data":[{"m":"May","n":2},{"m":6,"n":2.5}]') == 1


@pytest.mark.parametrize("part", PARTS)
def test_what_doors_send_is_described(part):
    described = EVENT.json_schema()["$defs"][part]
    assert described["properties"]
