"""Whether a question speaks of a database at all."""

import pytest

from inquery.agents.nodes.link_schema import _matched
from inquery.catalog.search import rank_tables
from inquery.catalog.value_index import ValueIndex
from inquery.sql import Catalog

CATALOG = Catalog.of(
    {"mountain": ["mountain_id", "height"], "climber": ["climber_id", "mountain_id"]}, dialect="sqlite"
)


@pytest.mark.parametrize(
    ("question", "speaks"),
    [
        ("最高的山叫什么？", True),
        ("列出所有的山", True),
        ("Which mountain is the highest?", True),
        ("登山者有多少", True),
        ("今天天气怎么样", False),
        ("写一首诗", False),
        ("狗有多少只", False),
        ("What is the weather in Paris?", False),
    ],
)
def test_a_question_speaks_of_a_database_when_a_word_names_something_in_it(question: str, speaks: bool) -> None:
    assert _matched(question, rank_tables(question, CATALOG, ValueIndex()), {}) is speaks
