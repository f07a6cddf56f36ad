"""The list of benchmarks names all of them, and all results."""

import re
from importlib.util import find_spec

from benchmarks.machine import RESULTS, ROOT

BENCHMARKS = ROOT / "benchmarks"
README = (BENCHMARKS / "README.md").read_text("utf-8")
NAMED = set(re.findall(r"python -m (benchmarks[\w.]*)", README))


def entry_points() -> set[str]:
    scripts = {f"benchmarks.{path.stem}" for path in BENCHMARKS.glob("*.py") if "__main__" in path.read_text("utf-8")}
    return scripts | {f"benchmarks.{path.parent.name}" for path in BENCHMARKS.glob("*/__main__.py")}


def test_every_entry_point_has_a_line() -> None:
    assert entry_points() == NAMED
    assert all(find_spec(name) for name in NAMED)


def test_every_result_is_named_and_its_command_makes_part_of_make_bench() -> None:
    names = {path.stem for path in RESULTS.glob("*.json")}
    assert [name for name in names if f"`{name}`" not in README and not name.startswith("scale-")] == []
    recipe = (ROOT / "Makefile").read_text("utf-8").partition("\nbench: ")[2].partition("\n\n")[0]
    without_page = {"quick", "pin", "demo_answers", "report_answers", "embedded", "safety_runner", "managers", "plans"}
    made = {name.removeprefix("benchmarks.") for name in NAMED} - without_page
    assert [name for name in sorted(made) if not re.search(rf"\b{name}\b", recipe)] == []
