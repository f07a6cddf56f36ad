"""What a database does not hold is told by its names, comments, values and glossary, in both languages."""

from functools import cache
from pathlib import Path

import pytest
import yaml
from tests.unit.metrics.demo_book import demo_vocabulary

from inquery.knowledge.glossary import Glossary, parse_glossary
from inquery.language.text import has_cjk
from inquery.metrics.absent_subjects import Holdings, absent_subjects, subjects
from inquery.sql import Catalog

CASES: list[list[str]] = yaml.safe_load(Path(__file__).with_name("absent.yaml").read_text("utf-8"))


@cache
def demo() -> Holdings:
    book = demo_vocabulary().book
    return Holdings(book.catalog, book.glossary, book.values)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_a_question_is_about_what_is_there_or_not(case: list[str]) -> None:
    assert [each.text for each in absent_subjects(case[0], demo())][:1] == case[1:]


@pytest.mark.parametrize("subject", subjects(), ids=lambda subject: subject.name)
def test_every_subject_is_told_in_both_languages_and_known_by_its_own_words(subject: object) -> None:
    say = subject.say  # type: ignore[attr-defined]
    assert any(map(has_cjk, say))
    assert not all(map(has_cjk, say))
    for phrase in say:
        named = Catalog.of({"things": [phrase.replace(" ", "_"), "name", "amount"]}, dialect="sqlite")
        question = f"多少{phrase}" if has_cjk(phrase) else f"What is the {phrase} here?"
        found = absent_subjects(question, Holdings(named, Glossary(), {}))
        assert all(each.name != subject.name for each in found), phrase  # type: ignore[attr-defined]


def test_a_stored_value_or_a_synonym_is_enough() -> None:
    catalog = Catalog.of({"costs": ["kind", "amount", "month"]}, dialect="sqlite")
    assert absent_subjects("How much rent did we pay?", Holdings(catalog, Glossary(), {}))
    assert not absent_subjects(
        "How much rent did we pay?", Holdings(catalog, Glossary(), {("costs", "kind"): ["Rent"]})
    )
    told = parse_glossary({"tables": {"costs": {"synonyms": ["rent"]}}})
    assert not absent_subjects("How much rent did we pay?", Holdings(catalog, told, {}))


def test_a_database_that_nobody_can_read_is_believed() -> None:
    catalog = Catalog.of({"kcxx": ["kcdm", "kcmc", "xf", "jsgh"]}, dialect="sqlite")
    assert absent_subjects("今天的天气", Holdings(catalog, Glossary(), {})) == []
