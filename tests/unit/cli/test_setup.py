"""`inquery setup` and `inquery profile` on a file of one's own, through the terminal."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.unit.cli.conftest import Inquery

from inquery.settings import get_settings

MONTHS = "SELECT strftime('%Y-%m', ordered_at) AS month, SUM(total_amount) AS total FROM orders GROUP BY 1 ORDER BY 1"
CITIES = "SELECT city, SUM(total_amount) AS total FROM orders GROUP BY city"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with sqlite3.connect(tmp_path / "shop.sqlite") as made:
        made.executescript(
            """CREATE TABLE orders(id INTEGER PRIMARY KEY, city TEXT, status TEXT, total_amount REAL, paid_amount REAL,
                                   ordered_at DATETIME, paid_at DATETIME);
            INSERT INTO orders VALUES(1,'Rome','paid',10,9,'2024-01-05','2024-01-06'),(2,'Oslo','paid',20,20,'2024-02-05','2024-02-06'),
                                     (3,'Rome','cancelled',40,0,'2024-02-07',NULL);"""
        )
    made.close()
    answers = {
        "What is the total amount for each month?": [MONTHS],
        "What is the total amount for each city?": [CITIES],
        "每个月的总金额是多少？": [MONTHS],
        "各城市的总金额是多少？": [CITIES],
        "How many orders?": ["SELECT COUNT(*) AS n FROM orders"],
        "How many records are there for each city?": ["SELECT status, COUNT(*) AS n FROM orders GROUP BY status"],
    }
    (tmp_path / "script.json").write_text(json.dumps({"answers": answers}), "utf-8")
    monkeypatch.setenv("INQUERY_LLM__PROVIDER", "scripted")
    monkeypatch.setenv("INQUERY_LLM__MODEL", str(tmp_path / "script.json"))
    get_settings.cache_clear()
    return tmp_path / "shop.sqlite"


def test_replies_are_used_by_the_next_question(inquery: Inquery, shop: Path) -> None:
    asked = inquery("ask", "How many orders?", "-c", str(shop), "--json").json
    assert asked["rows"] == [[3]]
    ran = inquery("setup", str(shop), stdin="2\n1\n\n")
    assert "1/3" in ran.out
    assert "Which amount of orders is revenue?" in ran.out
    listed = inquery("setup", str(shop), "--json").json
    found = {each["id"].replace("main.", ""): (each["state"], each["reply"]) for each in listed}
    assert found == {
        "revenue:orders": ("answered", "paid_amount"),
        "leave_out:orders.status": ("answered", "cancelled"),
        "time:orders": ("skipped", ""),
    }
    asked = inquery("ask", "How many orders?", "-c", str(shop), "--json").json
    assert asked["rows"] == [[2]]
    assert any("cancelled" in text for text in asked["warnings"])
    assert "nothing to ask" in inquery("setup", str(shop)).err


def test_leaving_keeps_what_was_said(inquery: Inquery, shop: Path) -> None:
    inquery("setup", str(shop), stdin="1\nq\n")
    states = [each["state"] for each in inquery("setup", str(shop), "--json").json]
    assert states == ["answered", "open", "open"]
    (first, *_) = inquery("setup", str(shop), "--json").json
    assert inquery("setup", str(shop), "--reply", f"{first['id']}=paid_amount").code == 0
    assert inquery("setup", str(shop), "--json").json[0]["reply"] == "paid_amount"
    assert inquery("setup", str(shop), "--reply", "nonsense").code != 0
    assert inquery("setup", str(shop), "--reply", "time:no=x").code != 0


@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "What is the total amount for each month?"), ("zh", "每个月的总金额是多少？")],
)
def test_a_profile_shows_what_was_tried(
    inquery: Inquery, shop: Path, monkeypatch: pytest.MonkeyPatch, language: str, question: str
) -> None:
    monkeypatch.setenv("INQUERY_LANGUAGE", language)
    get_settings.cache_clear()
    found = inquery("profile", str(shop), "--json").json
    assert (found["tables"], found["rows"], found["first"], found["last"]) == (1, 3, "2024-01-05", "2024-02-07")
    words = {"en": ["total amount", "paid amount"], "zh": ["总金额", "实付金额"]}
    assert found["main"][0]["measures"] == words[language]
    tried = [each["question"] for each in found["questions"]]
    assert tried[0] == question
    # Answered by another column than it asks for, so that it is not shown.
    assert "How many records are there for each city?" not in tried
    assert all(each["answer"] and each["rows"] for each in found["questions"])
    shown = inquery("profile", str(shop))
    assert question in shown.out


def test_a_profile_leaves_no_conversation_and_tells_how_files_were_read(inquery: Inquery, tmp_path: Path) -> None:
    file = tmp_path / "sales.csv"
    file.write_text("月份,部门,金额\n2024年1月,A,￥5\n2024年2月,B,待定\n2024年3月,B,￥7\n2024年4月,B,￥9\n", "utf-8")
    found = inquery("profile", str(file), "--no-questions", "--json").json
    assert {note["column"] for note in found["notes"]} == {"月份", "金额"}
    assert found["questions"] == []
    assert (found["first"], found["last"]) == ("2024-01-01", "2024-04-01")
