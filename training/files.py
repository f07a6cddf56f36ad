"""Text files that may be packed: a name that ends in .xz is."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Literal, TextIO

FAST = 2
"""Preset of lzma: quick to write, and still a tenth of the text."""


def open_text(path: Path, mode: Literal["r", "w"] = "r") -> TextIO:
    """The file as UTF-8 text."""
    if path.suffix != ".xz":
        return path.open(mode, encoding="utf-8")
    if mode == "r":
        return lzma.open(path, "rt", encoding="utf-8")
    return lzma.open(path, "wt", encoding="utf-8", preset=FAST)
