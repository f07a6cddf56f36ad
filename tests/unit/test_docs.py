"""The docs are complete, and their pages written from code are not stale."""

import re
from pathlib import Path

import pytest
from docs.generate import FOLDER, stale
from pydantic import BaseModel
from tests.unit.test_imports import LEVEL_OF

from inquery.errors import REFUSALS, all_errors
from inquery.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def setting_names() -> list[str]:
    names = []
    for name, field in Settings.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel):
            names += [f"{name}.{inner}" for inner in group.model_fields]
        else:
            names.append(name)
    return names


def test_reference_pages_say_what_the_code_says() -> None:
    assert stale() == [], "run: make docs"


@pytest.mark.parametrize("name", setting_names())
def test_a_setting_is_documented_with_a_meaning(name: str) -> None:
    (line,) = [
        text for text in (FOLDER / "settings.md").read_text("utf-8").splitlines() if text.startswith(f"| `{name}` |")
    ]
    assert len(line.strip("|").split("|")[-1].strip()) > 5


def test_every_error_code_and_rule_is_documented() -> None:
    page = (FOLDER / "errors.md").read_text("utf-8")
    ours = [error for error in all_errors() if error.__module__.startswith("inquery.")]
    assert [error.code for error in ours if f"| `{error.code}` |" not in page] == []
    assert [rule for rule in REFUSALS if f"| `{rule}` |" not in page] == []


def test_the_architecture_names_every_room_in_its_order() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = [re.findall(r"`(\w+)`", line.split("|")[2]) for line in page.splitlines() if re.match(r"\| \d+ \|", line)]
    found = {room: len(rows) - 1 - index for index, rooms in enumerate(rows) for room in rooms}
    assert found == LEVEL_OF


def test_the_promises_of_the_threat_model_are_numbered_and_their_tests_exist() -> None:
    rows = re.findall(
        r"^\| (\d+) \|(.+)\|(.+)\|$", (ROOT / "docs" / "threat-model.md").read_text("utf-8"), re.MULTILINE
    )
    assert [int(number) for number, _, _ in rows] == list(range(1, len(rows) + 1))
    assert len(rows) >= 30
    for number, _, tests in rows:
        named = [ROOT / path for path in re.findall(r"`(tests/[^`]+)`", tests)]
        assert named, number
        files = [[path, *path.glob("test_*.py")] if path.is_dir() else [path] for path in named]
        without = [str(each[0]) for each in files if not any(_holds_a_test(file) for file in each)]
        assert without == [], number


def _holds_a_test(file: Path) -> bool:
    return file.is_file() and re.search(r"^(async )?def test_", file.read_text("utf-8"), re.MULTILINE) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_index_leads_to_every_page() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if page.name != "index.md" and f"({page.as_posix()})" not in index] == []


def test_constraints_name_versions_and_nothing_else() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []
    assert len(lines) > 50


def test_the_readme_shows_commands_that_exist() -> None:
    from inquery.cli import COMMANDS

    text = (ROOT / "README.md").read_text("utf-8")
    assert set(re.findall(r"`inquery (\w+)", text)) <= set(COMMANDS)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"make (run|test|env)\b", text)) <= targets
