"""Follow-ups change fields of the plan before them, in both languages; what is not wholly owned changes nothing."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.metrics.demo_book import demo_vocabulary
from tests.unit.metrics.test_read_plan import TODAY, brief

from inquery.language.dates import Clock
from inquery.metrics.read_plan import read_plan
from inquery.metrics.turn_plan import turn_plan

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("turns.yaml").read_text("utf-8"))
TURNS = [(case, turn) for case in CASES for turn in case["turns"]]


@pytest.mark.parametrize(("case", "turn"), TURNS, ids=[turn["say"] for _, turn in TURNS])
def test_a_follow_up_turns_the_plan(case: dict[str, Any], turn: dict[str, Any]) -> None:
    plan = read_plan(case["question"], demo_vocabulary(), today=TODAY).plan
    assert plan is not None
    assert brief(plan) == case["plan"]
    turned = turn_plan(turn["say"], plan, demo_vocabulary(), Clock(TODAY, 1, 1))
    changes = {key: value for key, value in turn.items() if key != "say"}
    assert (brief(turned) if turned else {"none": True}) == (changes if "none" in changes else case["plan"] | changes)
