"""Reading files: texts that may be packed, where a name that ends in .xz is, and YAML."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any, Literal, TextIO

FAST = 2
"""Preset of lzma: quick to write, and still a tenth of the text."""


def open_text(path: Path, mode: Literal["r", "w"] = "r") -> TextIO:
    """The file as UTF-8 text."""
    if path.suffix != ".xz":
        return path.open(mode, encoding="utf-8")
    if mode == "r":
        return lzma.open(path, "rt", encoding="utf-8")
    return lzma.open(path, "wt", encoding="utf-8", preset=FAST)


def read_yaml(path: Path) -> Any:
    """What a YAML file holds."""
    import yaml  # here: the machine that trains opens packed texts alone and need not have it

    # The loader in C takes a tenth of the time, and there are a thousand databases to read.
    return yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
