"""What people say, by name: every family of questions has a file in phrases/, with its wordings in both languages.

    name
      en a wording with {slots}
      zh 一种{slots}说法

A wording that stands twice is said twice as often. One that begins or ends with a space stands in double quotes. The
order of wordings is part of the data: the same seed chooses by place.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "phrases"
LANGUAGES = ("en", "zh")
Phrases = Mapping[tuple[str, str], tuple[str, ...]]
"""Wordings by `family.name` and language."""


class BadPhrases(ValueError):
    """A line of phrases/ that cannot be read."""


@cache
def phrases(folder: Path = FOLDER) -> Phrases:
    """All phrases of a folder."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for file in sorted(folder.glob("*.txt")):
        found |= read_phrases(file.stem, file.read_text("utf-8"))
    return found


def read_phrases(family: str, text: str) -> dict[tuple[str, str], tuple[str, ...]]:
    """The phrases of one file."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    name = ""
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name = f"{family}.{line.strip()}"
            if any((name, language) in found for language in LANGUAGES):
                raise BadPhrases(f"{name} is there twice")
            continue
        language, _, wording = line.strip().partition(" ")
        if not name or language not in LANGUAGES or not wording:
            raise BadPhrases(f"{family}: no name, no language or no wording: {line}")
        if wording[0] == wording[-1] == '"':
            wording = wording[1:-1]
        found[name, language] = (*found.get((name, language), ()), wording)
    return found
