"""What the house promised itself: names used once, no exception for the demo, types where data has a shape."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "inquery"
FILES = sorted(SOURCE.rglob("*.py"))
SIDE_BY_SIDE = ("databases/engines/", "sql/dialects/", "cli/", "api/routes/", "store/migrations/")
"""Folders whose files are rows of a table: an engine, a dialect, a command, a route. A subject has its name in each."""


def place(file: Path) -> str:
    return file.relative_to(SOURCE).as_posix()


def test_a_file_name_is_used_once() -> None:
    known: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        if file.name != "__init__.py" and not place(file).startswith(SIDE_BY_SIDE):
            known[file.name].append(place(file))
    assert {name: places for name, places in known.items() if len(places) > 1} == {}


@pytest.mark.parametrize("file", FILES, ids=place)
def test_nobody_asks_whether_it_is_the_demo(file: Path) -> None:
    if place(file).startswith("demo/"):
        return
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Compare):
            compared = [node.left, *node.comparators]
            assert not any(isinstance(each, ast.Constant) and each.value == "demo" for each in compared), place(file)
