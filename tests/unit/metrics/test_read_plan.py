"""Questions to plans by code: what is read, what is left to the writer, and why."""

import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.metrics.demo_book import demo_vocabulary

from inquery.metrics.compile_plan import compile_plan
from inquery.metrics.plan_types import FIELDS, Plan, plan_schema
from inquery.metrics.question_cover import word_kinds
from inquery.metrics.read_plan import read_plan
from inquery.sql import check

TODAY = datetime.date(2026, 11, 16)
CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text("utf-8"))


def brief(plan: Plan) -> dict[str, Any]:
    """A plan as the cases write it."""
    fields = _bare(plan.model_dump(mode="json", exclude_defaults=True))
    found: dict[str, Any] = {"measures": " ".join(fields.pop("measures"))}
    if groups := fields.pop("groups", None):
        sides = [side for group in groups for side in group.get("sides", ())]
        found |= {"sides": [f"{side['name']}: {'|'.join(side['values'])}" for side in sides]} if sides else {}
        found["groups"] = " ".join(group.get("dimension") or group["unit"] for group in groups)
    if period := fields.pop("period", None):
        found["period"] = f"{period['start']} {period['end']}"
    if comparison := fields.pop("comparison", None):
        other = comparison.get("period")
        found["against"] = f"{other['start']} {other['end']}" if other else comparison["against"]
        found |= {"aligned": True} if comparison.get("aligned") else {}
    if filters := fields.pop("filters", None):
        found["filters"] = [
            ("not " if each.get("negated") else "holding " if each.get("holding") else "")
            + f"{each['dimension']} {'|'.join(each['values'])}"
            for each in filters
        ]
    return found | fields


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(each) for key, each in value.items() if key not in ("text", "grain")}
    return [_bare(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"][:60])
def test_a_question_is_read_as_its_plan(case: dict[str, Any]) -> None:
    read = read_plan(case["question"], demo_vocabulary(), today=TODAY)
    expected = {key: value for key, value in case.items() if key != "question"}
    assert (brief(read.plan) if read.plan else {"none": True}) == expected, f"{read.why} {read.ignored}"


@pytest.mark.parametrize("case", [case for case in CASES if "none" not in case], ids=lambda case: case["question"][:60])
def test_the_guard_passes_what_is_compiled_of_it(case: dict[str, Any]) -> None:
    vocabulary = demo_vocabulary()
    read = read_plan(case["question"], vocabulary, today=TODAY)
    assert read.plan is not None
    for language in ("en", "zh"):
        made = compile_plan(read.plan, vocabulary.book, "sqlite", language=language, today=TODAY)
        assert check(made.sql, dialect="sqlite", catalog=vocabulary.book.catalog)
        assert len({column.name for column in made.columns}) == len(made.columns)


def test_every_word_that_nothing_owns_is_named() -> None:
    read = read_plan("revenue of purple elephants last year", demo_vocabulary(), today=TODAY)
    assert read.plan is None
    assert read.ignored == ("purple", "elephants")


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("What was our revenue in Shanghai last year?", "may be in"),
        ("How many active customers do we have?", "needs a period"),
        ("What will revenue be in 2031?", "words that nothing owns"),
        ("下个季度的销售额是多少", "future"),
        ("revenue growth", "without a period"),
        ("return rate by supplier as a running total by month in 2025", "add"),
        ("库存量按月", "time column"),
        ("订单" * 1999, "more is said"),
    ],
)
def test_what_cannot_be_told_is_said(question: str, why: str) -> None:
    read = read_plan(question, demo_vocabulary(), today=TODAY)
    assert read.plan is None
    assert why in read.why


def test_the_table_of_fields_tells_every_field_of_a_plan_in_both_languages() -> None:
    assert [field.name for field in FIELDS] == list(Plan.model_fields)
    assert all(field.about.en and field.about.zh and field.form_word for field in FIELDS)
    assert all(about["description"] for about in plan_schema()["properties"].values())  # type: ignore[attr-defined]


def test_both_languages_have_words_of_every_kind() -> None:
    kinds: dict[str, set[bool]] = {}
    for key, found in word_kinds().items():
        for kind in found:
            kinds.setdefault(kind, set()).add(any(token.isascii() for token in key))
    assert all(languages == {True, False} for languages in kinds.values())
