"""Per cents of a question on the scale of the columns they are compared with."""

import pytest

from inquery.form.name_words import NameMap
from inquery.llm.embedded.percents import fractions, scaled
from inquery.llm.embedded.view import prompt_tables
from inquery.sql import Column, Table

TABLES = (
    Table(
        ("offers",),
        (
            Column("rate", "REAL", samples=("0.1", "0.25", "1")),
            Column("share", "REAL", samples=("10", "12.5")),
            Column("active", "INTEGER", samples=("0", "1")),
        ),
    ),
)
COLUMNS = fractions(prompt_tables(TABLES, NameMap(TABLES, lower=True), "en"), TABLES)


def test_columns_of_fractions_are_told_from_columns_of_per_cents() -> None:
    assert COLUMNS == {"offers.rate": True, "offers.share": False}


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("offers.rate > 20", "offers.rate > 0.2"),
        ("offers.rate > 0.2", "offers.rate > 0.2"),
        ("offers.share > 0.2", "offers.share > 20"),
        ("offers.rate > 20 and offers.share < 20", "offers.rate > 0.2 and offers.share < 20"),
        ("offers.active = 20", "offers.active = 20"),
        ("offers.rate > 5 sort offers.active top 20", "offers.rate > 5 sort offers.active top 20"),
    ],
)
def test_a_per_cent_takes_the_scale_of_its_column(written: str, right: str) -> None:
    assert " ".join(scaled(written.split(), {"20": "0.2"}, COLUMNS)) == right
