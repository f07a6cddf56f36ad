"""The questions that the judge is fitted on: what cannot be answered is asked of databases held out of training, in both languages."""

import json

from benchmarks.judge import UNANSWERABLE, at_most, one_language, unanswerable
from benchmarks.recall import UNSEEN
from training.business import SPECS
from training.descriptions import specs
from training.seeds import is_held

from inquery.evals.product import Item
from inquery.language.text import has_cjk


def test_what_cannot_be_answered_is_asked_of_held_out_databases_in_both_languages() -> None:
    held = {s["db_id"] for s in specs(UNSEEN)} | {s["db_id"] for s in specs(SPECS) if is_held(s["db_id"])}
    rows = [json.loads(line) for line in UNANSWERABLE.read_text("utf-8").splitlines()]
    assert {row["db_id"] for row in rows} == held
    assert all(has_cjk(row["zh"]) and not has_cjk(row["en"]) and row["why"] for row in rows)
    assert len({row["en"] for row in rows}) == len(rows) >= 100
    asked = unanswerable([Item(name, "", (), "en") for name in held])
    assert {item.language for item in asked} == {"en", "zh"}
    assert not any(item.answerable for item in asked)


def test_a_part_of_the_questions_is_still_asked_in_both_languages() -> None:
    items = [Item("a", f"{language}{n}", (f"SELECT {n}",), language) for n in range(16) for language in ("en", "zh")]
    chosen = at_most(one_language(items), 8)
    assert [item.language for item in chosen].count("zh") == 4
    assert len({item.golds for item in chosen}) == 8
