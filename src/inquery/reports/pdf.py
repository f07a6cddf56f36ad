"""PDF: set by Typst from blocks, with the font that ships with Inquery, so that Chinese needs nothing installed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inquery.answers.drawing import typesetter
from inquery.answers.widths import cell_width
from inquery.reports.blocks import DocumentBlock, TextRun
from inquery.reports.pieces import Grid

TEMPLATE = Path(__file__).with_name("report.typ")
FAMILIES = ["Noto Sans SC", "Noto Sans CJK SC", "Noto Sans CJK TC", "Noto Sans CJK JP", "Noto Emoji"]
"""The shipped font first; one installed on the machine helps with rarer characters."""
NARROWEST, WIDEST = 6, 40


def write(blocks: Sequence[DocumentBlock], title: str, language: str) -> bytes:
    """The document."""
    typst, fonts = typesetter()
    content = {
        "title": title, "lang": "zh" if language == "zh" else "en", "region": "cn" if language == "zh" else "us",
        "fonts": FAMILIES, "blocks": [_plain(block) for block in blocks],
    }  # fmt: skip
    made = typst.compile(
        str(TEMPLATE),
        font_paths=fonts,
        sys_inputs={"doc": json.dumps(content, ensure_ascii=False)},
    )
    return bytes(made)


def _plain(block: DocumentBlock) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": block.kind, "level": min(max(block.level, 1), 6), "number": block.number, "title": block.title,
        "text": block.text, "runs": [_run(run) for run in block.runs],
    }  # fmt: skip
    if block.grid is not None:
        found |= _grid(block.grid)
    if block.picture:
        found |= {"picture": _picture(block), "width": 92}
    return found


def _run(run: TextRun) -> dict[str, Any]:
    return {"text": run.text, "bold": run.bold, "italic": run.italic, "code": run.code, "problem": run.problem}


def _grid(grid: Grid) -> dict[str, Any]:
    widths = [
        min(WIDEST, max([NARROWEST, cell_width(name), *(cell_width(row[place]) for row in grid.rows)]))
        for place, name in enumerate(grid.columns)
    ]
    return {
        "columns": list(grid.columns), "rows": [list(row) for row in grid.rows], "numbers": sorted(grid.numbers),
        "widths": widths, "left_out": f"… +{grid.left_out:,}" if grid.left_out else "",
    }  # fmt: skip


def _picture(block: DocumentBlock) -> Any:
    """SVG travels as text, other pictures as a list of bytes: JSON has no bytes."""
    return block.picture.decode() if block.mime == "image/svg+xml" else list(block.picture)
