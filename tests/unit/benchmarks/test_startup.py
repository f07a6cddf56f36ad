"""What the figures of a start are made of, on given numbers; nothing is timed here."""

import os
import sys
from pathlib import Path

from benchmarks.startup import COMMANDS, Command, Spent, best, environment, rows, start


def test_every_process_is_told_in_times_of_python_alone() -> None:
    measured = [("python", Spent(0.02, 0.01, 0)), ("ask", Spent(2.004, 1.996, 0))]
    assert rows(measured)[1] == {"process": "ask", "wall_s": 2.0, "processor_s": 2.0, "times_python": 200}
    assert COMMANDS[0].arguments == ("-c", "pass")


def test_a_process_begins_without_the_settings_of_this_one(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("INQUERY_LLM__PROVIDER", "openai")
    given = environment(tmp_path)
    assert given["INQUERY_HOME"] == str(tmp_path)
    assert "INQUERY_LLM__PROVIDER" not in given
    assert given["PATH"] == os.environ["PATH"]


def test_a_failed_start_among_good_ones_is_seen(tmp_path: Path) -> None:
    text = "import pathlib, sys; p = pathlib.Path(sys.argv[1]); bad = p.exists(); p.touch(); sys.exit(3 * bad)"
    command = Command("x", ("-c", text, str(tmp_path / "seen")))
    assert start([sys.executable, "-c", "pass"], os.environ).code == 0
    assert best(command, {}, tmp_path, 2).code == 3


def test_each_start_has_a_copy_of_its_home(tmp_path: Path) -> None:
    used = tmp_path / "used"
    used.mkdir()
    text = "import os, pathlib, sys; p = pathlib.Path(os.environ['INQUERY_HOME'], 'seen'); bad = p.exists(); p.touch(); sys.exit(bad)"  # fmt: skip
    assert best(Command("x", ("-c", text), "used"), {"used": used}, tmp_path, 2).code == 0
    assert list(used.iterdir()) == []
