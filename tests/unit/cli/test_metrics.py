"""`inquery metrics` through the terminal: listed, tried, proposed, accepted, imported, exported."""

import sqlite3
from pathlib import Path

import pytest
import yaml
from tests.unit.cli.conftest import Inquery

DBT = Path(__file__).parents[1] / "metrics" / "imports" / "dbt_2024.yml"


@pytest.fixture
def trade(tmp_path: Path, inquery: Inquery) -> str:
    with sqlite3.connect(tmp_path / "trade.sqlite") as made:
        made.executescript(
            """CREATE TABLE shops(shop_id INTEGER PRIMARY KEY, country TEXT);
            CREATE TABLE sales(sale_id INTEGER PRIMARY KEY, shop_id INTEGER, customer_id INTEGER, sold_on DATE, kind TEXT, amount REAL);
            INSERT INTO shops VALUES(1,'home'),(2,'away');
            INSERT INTO sales VALUES(1,1,7,'2025-01-05','x',10),(2,1,8,'2025-02-05','x',20),(3,2,7,'2025-02-07','y',40);"""
        )
    made.close()
    assert inquery("connections", "add", "trade", str(tmp_path / "trade.sqlite")).code == 0
    return "trade"


def test_the_demo_lists_and_tries_its_metrics(inquery: Inquery) -> None:
    listed = inquery("metrics", "list", "-c", "demo", "--json").json
    assert {"revenue", "return_rate", "repeat_purchase_rate"} <= {each["name"] for each in listed["metrics"]}
    assert not [each for each in listed["metrics"] if each["problem"]]
    tried = inquery("metrics", "try", "revenue", "--by", "channel", "--in", "last month", "-c", "demo", "--json").json
    assert {row[0] for row in tried["rows"]} == {"web", "app", "store"}


def test_a_dbt_file_is_imported_tried_and_exported(inquery: Inquery, trade: str, tmp_path: Path) -> None:
    report = inquery("metrics", "import", str(DBT), "-c", trade, "--json").json
    assert sorted(report["kept"]) == [
        "average_ticket", "buyers", "doubled", "home_takings", "takings", "ticket_count",
    ]  # fmt: skip
    assert {each["name"] for each in report["left_out"]} == {"growth", "so_far", "median_sale", "lost"}
    tried = inquery("metrics", "try", "takings", "home_takings", "average_ticket", "-c", trade, "--json").json
    assert [float(cell) for cell in tried["rows"][0]] == [70, 30, pytest.approx(70 / 3)]
    months = inquery("metrics", "try", "takings", "--by", "month", "--in", "2025", "-c", trade, "--json").json
    assert [row[1] for row in months["rows"]] == [10, 60]  # no month after the last that has rows
    exported = inquery("metrics", "export", "-c", trade, "--json").json
    (tmp_path / "ours.yml").write_text(yaml.safe_dump(exported), "utf-8")
    again = inquery("metrics", "import", str(tmp_path / "ours.yml"), "-c", trade, "--json").json
    assert (sorted(again["kept"]), again["left_out"]) == (sorted(report["kept"]), [])


def test_a_label_is_set_in_either_language_and_the_other_stays(inquery: Inquery, trade: str) -> None:
    def edited(*changes: str) -> dict[str, str]:
        made = inquery("metrics", "edit", "takings", *changes, "-c", trade, "--json")
        assert made.code == 0, made.err
        return dict(made.json["label"])

    assert edited("expression=SUM(sales.amount)", "label.en=Takings", "label.zh=进账") == {
        "en": "Takings",
        "zh": "进账",
    }
    assert edited("label.zh=流水") == {"en": "Takings", "zh": "流水"}
    assert edited("label=Income") == {"en": "Income", "zh": "流水"}
    assert edited("label.en=") == {"en": "takings", "zh": "流水"}  # without one it is called by its name
    twice = inquery("metrics", "edit", "takings", "label=Income", "label.zh=进账", "-c", trade)
    assert (twice.code, "label.en and label.zh" in twice.err) == (1, True)


def test_nothing_of_a_circle_is_kept(inquery: Inquery, trade: str, tmp_path: Path) -> None:
    (tmp_path / "circle.yml").write_text(
        "metrics: [{name: a, type: ratio, type_params: {numerator: b, denominator: b}},"
        " {name: b, type: ratio, type_params: {numerator: a, denominator: a}}]",
        "utf-8",
    )
    ran = inquery("metrics", "import", str(tmp_path / "circle.yml"), "-c", trade)
    assert (ran.code, "circle" in ran.err) == (1, True)
    listed = inquery("metrics", "list", "-c", trade, "--json").json["metrics"]
    assert all(each["status"] == "proposed" for each in listed)


def test_a_table_that_is_not_here_is_told(inquery: Inquery) -> None:
    report = inquery("metrics", "import", str(DBT), "-c", "demo", "--json").json
    assert report["kept"] == []
    assert any("sales" in each["why"] for each in report["left_out"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("try", "revenue", "--by", "mood"), "there is no dimension mood"),
        (("try", "revenue", "--in", "someday"), "someday is no single period"),
        (("try", "revenue", "--against", "previous"), "a comparison needs a period"),
        (("accept", "nothing"), "nothing proposes a metric nothing"),
        (("edit", "revenue", "expresion=1"), "a metric has no expresion"),
        (("edit", "turnaround", "expression=SUM(orders.total_amount)", "synonyms=sales"), "names revenue already"),
        (("edit", "odd", "expression=SUM(orders.colour)"), "orders.colour is not there"),
        (("edit", "odd", "numerator=revenue", "denominator=odd"), "defined by itself"),
        (("edit", "odd", "expression"), "is not FIELD=VALUE"),
    ],
)
def test_bad_input_is_told_in_a_sentence(inquery: Inquery, arguments: tuple[str, ...], says: str) -> None:
    ran = inquery("metrics", *arguments, "-c", "demo")
    assert ran.code == 1
    assert says in ran.err
