"""Rules whose breach no confidence survives: cases of both kinds are in telling_rules.yaml."""

from pathlib import Path

import pytest
import yaml
from tests.unit.metrics.demo_book import demo_catalog

from inquery.agents.truth.claims import Claims
from inquery.agents.truth.repairs import mend_breaches
from inquery.agents.truth.rules import RULES, breaches
from inquery.agents.truth.sureness import TELLING
from inquery.agents.truth.weighing import DOUBTED, not_sure_where_broken
from inquery.catalog.value_index import ValueIndex, ValueMatch
from inquery.demo.knowledge import glossary
from inquery.knowledge.glossary import parse_glossary
from inquery.sql.statement import read_statement

CATALOG, GLOSSARY = demo_catalog(), parse_glossary(glossary())
STORED = {tuple(place.rsplit(".", 1)): list(values) for place, values in GLOSSARY.values.items()}
CASES = yaml.safe_load(Path(__file__).with_name("telling_rules.yaml").read_text("utf-8"))


def matches(question: str) -> list[ValueMatch]:
    """The stored values that a question names, by themselves or by the glossary's words."""
    found = []
    for place, values in GLOSSARY.values.items():
        table, _, column = place.rpartition(".")
        for value, words in values.items():
            index = ValueIndex.of({(table, column): [value]}, mappings=dict.fromkeys(words, (table, column, value)))
            found += index.match(question)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['question']} {case.get('breaks', '')}")
def test_a_statement_breaks_the_rule_or_none(case: dict[str, str]) -> None:
    claims = Claims(
        case["question"], "rows", CATALOG, GLOSSARY, matches(case["question"]),
        stored=lambda table, column: STORED.get((table, column), []),
    )  # fmt: skip
    statement = read_statement(case["sql"], CATALOG)
    assert statement is not None
    broken = breaches(statement, claims)
    told = {each.rule for each in broken} & TELLING
    assert told == ({case["breaks"]} if "breaks" in case else set())
    assert mend_breaches(statement, broken, claims) == case.get("mended", case["sql"])
    assert not_sure_where_broken(0.95, broken) == (DOUBTED if "breaks" in case else 0.95)


def test_every_telling_rule_is_one_of_the_rules() -> None:
    assert {rule.__name__ for rule in RULES} >= TELLING
