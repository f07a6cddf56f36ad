"""Short forms in names: what they stand for, and that questions, joins and values find them."""

import pytest

from inquery.catalog.cues import Cues
from inquery.catalog.key_names import entity_of, refers_to, same_word
from inquery.catalog.search import rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.language.abbreviations import ABBREVIATIONS, SHORT
from inquery.language.lexicon import vocabulary
from inquery.language.text import stem
from inquery.language.wording import full_stems, name_terms
from inquery.sql import Catalog


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CUST_NM", {"customer", "name"}),
        ("TXN_AMT", {"transaction", "amount"}),
        ("SEC_TYP_CD", {"security", "type", "code"}),
        ("pstn_lvl", {"position", "level"}),
        ("clntFlg", {"client", "flag"}),
        ("ACCT_STS", {"account", "status"}),
        ("whse_qty", {"warehouse", "quantity"}),
    ],
)
def test_short_forms_are_spelt_out(name: str, words: set[str]) -> None:
    assert {stem(word) for word in words} <= full_stems(name)
    assert {stem(word) for word in words} <= dict(name_terms(name)).keys()


def test_a_word_in_full_outweighs_its_short_form_and_a_clear_one_a_doubtful_one() -> None:
    assert 1.0 == dict(name_terms("customer"))["customer"] > dict(name_terms("cust"))["customer"]
    assert dict(name_terms("cust"))["customer"] > dict(name_terms("sec"))["security"]


def test_every_short_form_stands_for_something_else() -> None:
    assert all(words and short not in words.split() for short, words in SHORT.items())


def test_most_of_what_short_forms_stand_for_is_known_in_chinese() -> None:
    words = {stem(word) for each in SHORT.values() for word in each.split()}
    assert len(words & vocabulary()) > 0.9 * len(words)


def test_a_short_key_refers_to_the_table_of_the_full_word() -> None:
    assert same_word("clnt", "client")
    assert same_word("sec", "section")
    assert same_word("sec", "security")
    assert not same_word("sec", "sector")
    assert entity_of("CUST_MST") == ("cust",)
    assert refers_to("cust_nbr").entity == ("cust",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("question", "table"),
    [("有多少客户", "CLNT_MST"), ("每种证券的名称", "SEC_MST"), ("which positions are open", "PSTN_DTL"), ("员工人数", "EMP_HIST")],
)  # fmt: skip
def test_a_question_finds_tables_named_in_short_forms(question: str, table: str) -> None:
    tables = {"CLNT_MST": ["CLNT_NM"], "SEC_MST": ["SEC_NM"], "PSTN_DTL": ["PSTN_STS"], "EMP_HIST": ["EMP_NM"]}
    assert rank_tables(question, Catalog.of(tables, dialect="sqlite")).tables[0][0] == table


def test_a_column_named_in_short_forms_is_a_cue() -> None:
    assert "状态" in Cues.of("ORD", "PAY_STS").column_zh
    index = ValueIndex.of({("ORD", "PAY_STS"): ["HELD", "PAID"], ("ORD", "SHP_STS"): ["HELD", "SENT"]})
    assert {m.value for m in index.match("支付状态是挂起的订单")} == {"HELD"}


def test_short_forms_of_entities_are_short_forms() -> None:
    assert ABBREVIATIONS.items() <= SHORT.items()
