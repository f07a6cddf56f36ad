"""The pages of training name things that exist."""

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.training.small import ROOT

TRAINING = ROOT / "training"
PAGES = [
    "README.md",
    "LOG.md",
    "MODEL_CARD.md",
    "RUNTIME.md",
    "COVERAGE.md",
    "encoder/README.md",
    "engine/README.md",
    "data/systems/README.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_links_and_commands_lead_somewhere(page: str) -> None:
    text = (TRAINING / page).read_text("utf-8")
    folder = (TRAINING / page).parent
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        assert (folder / target).exists(), target
    for module in re.findall(r"python -m (training[\w.]*)", text):
        assert find_spec(module), module


def test_every_script_of_training_is_named_in_its_readme() -> None:
    text = (TRAINING / "README.md").read_text("utf-8")
    scripts = [path.stem for path in TRAINING.glob("*.py") if "argparse" in path.read_text("utf-8")]
    assert sorted(scripts)
    assert [name for name in scripts if f"training.{name}" not in text] == []


def test_the_script_of_a_round_says_how_it_is_used() -> None:
    done = subprocess.run(["bash", str(TRAINING / "run.sh")], capture_output=True, text=True)
    assert done.returncode == 2
    assert "training/run.sh SPIDER OUT" in done.stdout


def test_no_text_names_a_machine() -> None:
    named = [
        p.name for p in TRAINING.rglob("*.md") if re.search(r"(?<![\w.])/(work|root|tmp|home)/", p.read_text("utf-8"))
    ]
    assert named == []
    assert not re.search(r"(?<![\w.$])/(work|root|tmp|home)/", Path(TRAINING / "run.sh").read_text("utf-8"))
