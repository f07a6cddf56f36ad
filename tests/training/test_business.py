"""The business databases are built from their descriptions, the same every time."""

import json
import sys
from pathlib import Path

import pytest
from tests.training.small import ROOT
from training.business import SPECS, build, problems
from training.descriptions import DATA, SETS, specs

from training import business

UNSEEN = ROOT / "benchmarks" / "data" / "unseen.jsonl"


def test_every_database_has_questions_in_both_languages() -> None:
    found = list(specs(SPECS))
    assert len({spec["db_id"] for spec in found}) == 196
    assert sum(len(spec["questions"]) for spec in found) == 3136
    assert all(question[part] for spec in found for question in spec["questions"] for part in ("en", "zh", "sql"))


def test_a_database_is_the_same_every_time_and_its_questions_find_something() -> None:
    for spec in list(specs(SPECS))[::20]:
        assert list(build(spec).iterdump()) == list(build(spec).iterdump())
        assert not list(problems(spec))


def test_the_unseen_databases_are_no_part_of_the_data_and_their_questions_find_something() -> None:
    unseen = list(specs(UNSEEN))
    trained = [spec for name in SETS for spec in specs(DATA / name)]
    assert len(trained) == 983
    asked = {question["en"] for spec in trained for question in spec["questions"] if "en" in question}
    assert len(unseen) == 20
    assert not {spec["db_id"] for spec in unseen} & {spec["db_id"] for spec in trained}
    assert not {question["en"] for spec in unseen for question in spec["questions"]} & asked
    assert not [problem for spec in unseen for problem in problems(spec)]


def test_questions_are_written_for_the_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("".join(json.dumps(spec) + "\n" for spec in list(specs(UNSEEN))[:2]), "utf-8")
    monkeypatch.setattr(
        sys, "argv", ["business", "--specs", str(few), "--out", str(tmp_path / "out"), "--questions", "all"]
    )
    business.main()
    for language in ("en", "zh"):
        rows = [json.loads(line) for line in (tmp_path / "out" / f"{language}.jsonl").read_text("utf-8").splitlines()]
        assert len(rows) == 24
        assert all((tmp_path / "out" / f"{row['db_id']}.sqlite").exists() and row["query"] for row in rows)


def test_values_follow_their_descriptions() -> None:
    columns = [
        {"name": "id", "type": "INTEGER", "pk": True},
        {"name": "level", "type": "TEXT", "values": ["a", "b"], "null": 0.5},
        {"name": "day", "type": "DATE", "range": ["2024-01-30", "2024-02-02"]},
        {"name": "share", "type": "REAL", "range": [0.5, 1.5]},
        {"name": "parent", "type": "INTEGER", "fk": "t.id"},
        {"name": "code", "type": "TEXT", "pattern": "C{n}"},
        {"name": "label", "type": "TEXT", "values": ["x", "y"], "unique": True},
    ]
    database = build({"db_id": "one", "tables": [{"name": "t", "count": 60, "columns": columns}]})
    assert database.execute("select count(*), min(id), max(id) from t").fetchone() == (60, 1, 60)
    assert database.execute("select count(distinct level), count(level) < 60 from t").fetchone() == (2, 1)
    assert database.execute("select min(day), max(day) from t").fetchone() == ("2024-01-30", "2024-02-02")
    assert database.execute("select min(share) >= 0.5 and max(share) <= 1.5 from t").fetchone() == (1,)
    assert database.execute("select count(*) from t a join t b on a.parent = b.id").fetchone() == (60,)
    assert database.execute("select code from t where id = 7").fetchone() == ("C7",)
    assert database.execute("select count(distinct label) from t").fetchone() == (60,)
