"""PDF: set by Typst from blocks, with the font that ships with Inquery, so that Chinese needs nothing installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NotRequired, TypedDict

from inquery.answers.drawing import typesetter
from inquery.answers.widths import cell_width
from inquery.reports.blocks import DocumentBlock, TextRun
from inquery.reports.pieces import Grid

TEMPLATE = Path(__file__).with_name("report.typ")
FAMILIES = ["Noto Sans SC", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK JP", "Noto Emoji"]
"""The shipped font first; one installed on the machine helps with rarer characters."""
NARROWEST, WIDEST = 6, 40
PICTURE_WIDTH = 92


def write(blocks: Sequence[DocumentBlock], title: str, language: str) -> bytes:
    """The document."""
    typst, fonts = typesetter()
    return bytes(typst.compile(str(TEMPLATE), font_paths=fonts, sys_inputs={"doc": as_data(blocks, title, language)}))


def as_data(blocks: Sequence[DocumentBlock], title: str, language: str) -> str:
    """The document as report.typ reads it."""
    content = {
        "title": title,
        "lang": "zh" if language == "zh" else "en",
        "region": "cn" if language == "zh" else "us",
        "fonts": FAMILIES,
        "blocks": [_plain(block) for block in blocks],
    }
    return json.dumps(content, ensure_ascii=False)


class PlainRun(TypedDict):
    """A run of text as report.typ reads it."""

    text: str
    bold: bool
    italic: bool
    code: bool
    problem: bool


class PlainBlock(TypedDict):
    """A block as report.typ reads it: a table has columns and what follows, a picture has its width in per cent."""

    kind: str
    level: int
    number: int
    title: str
    text: str
    runs: list[PlainRun]
    columns: NotRequired[list[str]]
    rows: NotRequired[list[list[str]]]
    numbers: NotRequired[list[int]]
    widths: NotRequired[list[int]]
    left_out: NotRequired[str]
    picture: NotRequired[str | list[int]]
    width: NotRequired[int]


def _plain(block: DocumentBlock) -> PlainBlock:
    found: PlainBlock = {
        "kind": block.kind,
        "level": min(max(block.level, 1), 6),
        "number": block.number,
        "title": block.title,
        "text": block.text,
        "runs": [_run(run) for run in block.runs],
    }
    if block.grid is not None:
        _add_grid(found, block.grid)
    if block.picture:
        found |= {"picture": _picture(block), "width": PICTURE_WIDTH}
    return found


def _run(run: TextRun) -> PlainRun:
    return {"text": run.text, "bold": run.bold, "italic": run.italic, "code": run.code, "problem": run.problem}


def _add_grid(block: PlainBlock, grid: Grid) -> None:
    widths = [
        min(WIDEST, max([NARROWEST, cell_width(name), *(cell_width(row[place]) for row in grid.rows)]))
        for place, name in enumerate(grid.columns)
    ]
    block["columns"] = list(grid.columns)
    block["rows"] = [list(row) for row in grid.rows]
    block["numbers"] = sorted(grid.numbers)
    block["widths"] = widths
    block["left_out"] = f"… +{grid.left_out:,}" if grid.left_out else ""


def _picture(block: DocumentBlock) -> str | list[int]:
    """SVG travels as text, other pictures as a list of bytes: JSON has no bytes."""
    return block.picture.decode() if block.mime == "image/svg+xml" else list(block.picture)
