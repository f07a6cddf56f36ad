"""Every word of the lexicon finds what carries it: a table, a column, a comment or a value of that name, in both languages.

A word is asked alone among forty others. Of the 45,000 pairs one in thirty is tried, the same every time; the classes
that once failed are tried by name below.
"""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from inquery.catalog.search import rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.language.concepts import ASKING_CHINESE, NOUNS
from inquery.language.lexicon import sources
from inquery.language.text import COMMON, fold
from inquery.language.wording import ASKING
from inquery.sql import Catalog, Column, Table

Pair = tuple[str, str]
AMONG, BEST = 40, 5
ONE_IN = 30
KEY = Column("pk", "INTEGER", primary_key=True)


def all_pairs() -> list[Pair]:
    """English terms and Chinese words of all files, without those that are grammar: 最新 asks for an order, `mine` is whose.

    Nor those that begin with a digit: 2月份 is a period.
    """
    lines = (line for file in sources() for line in file.read_text("utf-8").splitlines() if not line.startswith("#"))
    found = dict.fromkeys(
        (fold(term.strip()), fold(word.strip()))
        for term, tab, words in (line.partition("\t") for line in lines)
        if tab
        for word in words.split("|")
    )
    return [
        (term, word)
        for term, word in found
        if word and word not in ASKING_CHINESE and not word[0].isdigit() and not set(term.split()) <= ASKING - NOUNS
    ]


def groups() -> Iterator[list[Pair]]:
    pairs = sorted(all_pairs())
    Random(17).shuffle(pairs)
    pairs = pairs[: len(pairs) // ONE_IN]
    for at in range(0, len(pairs), AMONG):
        yield pairs[at : at + AMONG]


def identifier(term: str) -> str:
    return "_".join(term.replace("-", " ").split())


def tables(names: Sequence[str]) -> Catalog:
    return Catalog("sqlite", tuple(Table((name,), (KEY,)) for name in dict.fromkeys(names)))


def columns(found: Sequence[Column]) -> Catalog:
    return Catalog("sqlite", tuple(Table((f"t{number}",), (KEY, column)) for number, column in enumerate(found)))


def best_tables(question: str, catalog: Catalog) -> list[str]:
    return [name for name, _ in rank_tables(question, catalog).tables[:BEST]]


@pytest.mark.parametrize("asked_in", ["en", "zh"])
def test_a_table_named_by_a_word_is_found(asked_in: str) -> None:
    missed = []
    for group in groups():
        catalog = tables([identifier(term) for term, _ in group])
        for term, word in group:
            if identifier(term) not in best_tables(term if asked_in == "en" else word, catalog):
                missed.append((term, word))
    assert missed == []


def test_a_column_named_by_a_word_is_found() -> None:
    missed = []
    for group in groups():
        catalog = columns([Column(identifier(term), "TEXT") for term, _ in group])
        for number, (term, word) in enumerate(group):
            found = [place for place, _ in rank_tables(word, catalog).columns[:BEST]]
            if (f"t{number}", identifier(term)) not in found:
                missed.append((term, word))
    assert missed == []


@pytest.mark.parametrize("asked_in", ["en", "zh"])
def test_a_comment_that_is_a_word_is_found(asked_in: str) -> None:
    missed = []
    for group in groups():
        catalog = columns([Column("x", "TEXT", comment=word) for _, word in group])
        for number, (term, word) in enumerate(group):
            if f"t{number}" not in best_tables(term if asked_in == "en" else word, catalog):
                missed.append((term, word))
    assert missed == []


@pytest.mark.parametrize("stored_in", ["en", "zh"])
@pytest.mark.parametrize("asked_in", ["en", "zh"])
def test_a_value_that_is_a_word_is_found(stored_in: str, asked_in: str) -> None:
    missed = []
    for group in groups():
        index = ValueIndex.of({(f"t{n}", "kind"): [pair[stored_in == "zh"]] for n, pair in enumerate(group)})
        for number, (term, word) in enumerate(group):
            if not any(match.table == f"t{number}" for match in index.match(_asked(term, word, asked_in))):
                missed.append((term, word))
    assert missed == []


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("退货有多少", "returns"),  # its English asks: "return the names"
        ("研发花了多少", "r&d"),  # marks inside the word
        ("how many returns were there", "returns"),
        ("在研项目有几个", "under_development"),  # a particle inside the word
        ("浓缩咖啡卖了多少", "espresso"),  # a compound of two known words
        ("成交额度", "transaction_amount"),
        ("how much top up", "top_ups"),  # a phrase of words that ask
        ("备注里写了什么", "notes"),  # whose stem is a stop word
    ],
)
def test_words_that_were_once_missed_are_found(question: str, table: str) -> None:
    others = [
        "customers",
        "orders",
        "products",
        "staff",
        "shops",
        "invoices",
        "payments",
        "coffee",
        "amounts",
        "projects",
    ]
    assert table in best_tables(question, tables([*others, table]))[:2]


def test_a_command_names_no_table() -> None:
    assert best_tables("Return the names of all customers", tables(["returns", "customers"]))[0] == "customers"
    assert "lists" not in best_tables("List the customers", tables(["lists", "customers"]))


def _asked(term: str, word: str, language: str) -> str:
    """A question with the word; one that is common, or one character, is a value beside the name of its column alone."""
    said = term if language == "en" else word
    common = len(word) == 1 or all(part in COMMON for part in term.split())
    return f'kind "{said}"' if common else f"how many {said}" if language == "en" else f"多少{said}"
