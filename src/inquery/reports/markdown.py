"""Markdown: as blocks, as a page, and written from blocks; data is escaped so that it cannot become markup."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from inquery.reports.blocks import DocumentBlock, TextRun
from inquery.reports.filling import MARK
from inquery.reports.pieces import Grid, Piece

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~$])")
_LINE_START = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)")


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: no link, image, emphasis or HTML comes out of it."""
    flat = " ".join(text.split())
    return _LINE_START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", flat))


def _parser() -> Any:
    from markdown_it import MarkdownIt

    # Raw HTML and pictures from elsewhere are not taken over from a template.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def to_html(text: str) -> str:
    """The page body of a text; marks stay as they are."""
    return str(_parser().render(text))


def read(text: str) -> list[DocumentBlock]:
    """The blocks of a text; marks stay in the runs."""
    reader = _Reader()
    for token in _parser().parse(text):
        reader.take(token)
    return reader.blocks


class _Reader:
    """Takes the tokens of a parsed text one by one."""

    def __init__(self) -> None:
        self.blocks: list[DocumentBlock] = []
        self._kind = "paragraph"
        self._level = 1
        self._lists: list[int | None] = []
        self._quoted = 0
        self._rows: list[list[str]] = []
        self._in_table = False

    def take(self, token: Any) -> None:
        """One token."""
        kind = token.type
        if kind == "heading_open":
            self._kind, self._level = "heading", int(token.tag[1])
        elif kind in {"heading_close", "paragraph_close"}:
            self._kind = "paragraph"
        elif kind in {"bullet_list_open", "ordered_list_open"}:
            self._lists.append(int(token.attrs.get("start", 1)) if kind.startswith("ordered") else None)
        elif kind in {"bullet_list_close", "ordered_list_close"}:
            self._lists.pop()
        elif kind in {"blockquote_open", "blockquote_close"}:
            self._quoted += 1 if kind.endswith("open") else -1
        elif kind == "hr":
            self.blocks.append(DocumentBlock("rule"))
        elif kind in {"fence", "code_block"}:
            self.blocks.append(DocumentBlock("code", (TextRun(token.content.rstrip("\n"), code=True),)))
        elif kind.startswith(("table", "tr", "th", "td")):
            self._table(kind)
        elif kind == "inline":
            self._inline(token)

    def _table(self, kind: str) -> None:
        if kind == "table_open":
            self._in_table, self._rows = True, []
        elif kind == "tr_open":
            self._rows.append([])
        elif kind == "table_close":
            self._in_table = False
            head, *rest = self._rows or [[]]
            self.blocks.append(DocumentBlock("table", grid=Grid(tuple(head), tuple(tuple(row) for row in rest))))

    def _inline(self, token: Any) -> None:
        runs = tuple(_runs(token.children or []))
        if self._in_table:
            self._rows[-1].append("".join(run.text for run in runs))
            return
        if self._lists and self._kind == "paragraph":
            number = self._lists[-1]
            self.blocks.append(DocumentBlock("item", runs, level=len(self._lists), number=number or 0))
            if number is not None:
                self._lists[-1] = number + 1
            return
        kind = "quote" if self._quoted and self._kind == "paragraph" else self._kind
        self.blocks.append(DocumentBlock(kind, runs, level=self._level))


def _runs(children: Sequence[Any]) -> Iterator[TextRun]:
    bold = italic = 0
    for child in children:
        match child.type:
            case "strong_open":
                bold += 1
            case "strong_close":
                bold -= 1
            case "em_open":
                italic += 1
            case "em_close":
                italic -= 1
            case "softbreak":
                yield TextRun(" ", bool(bold), bool(italic))
            case "hardbreak":
                yield TextRun("\n", bool(bold), bool(italic))
            case "code_inline":
                yield TextRun(child.content, code=True)
            case "text":
                yield TextRun(child.content, bool(bold), bool(italic))


def spliced(text: str, pieces: Sequence[Piece], pictures: dict[int, str]) -> str:
    """The text with pieces in place of marks; `pictures` says where the picture of a chart lies."""

    def put(found: re.Match[str]) -> str:
        index = int(found[1])
        piece = pieces[index]
        if piece.kind == "problem":
            return f"**\\[{escaped(piece.text)}\\]**"
        note = f"\n\n*{escaped(piece.text)}*" if piece.text else ""
        if piece.kind == "chart" and index in pictures:
            return f"![{escaped(piece.title)}]({pictures[index]})" + note
        if piece.grid is not None:
            return grid(piece.grid, piece.title) + note
        return escaped(piece.text)

    return MARK.sub(put, text)


def grid(table: Grid, title: str = "") -> str:
    """A table on lines of its own."""
    ruler = ["---:" if place in table.numbers else "---" for place in range(len(table.columns))]
    rows = [list(table.columns), ruler, *(list(row) for row in table.rows)]
    lines = [f"| {' | '.join(cell if line is ruler else escaped(cell) for cell in line)} |" for line in rows]
    if table.left_out:
        lines += ["", f"*… +{table.left_out:,}*"]
    return "\n".join(([f"**{escaped(title)}**", ""] if title else []) + lines)


def write(blocks: Sequence[DocumentBlock], pictures: dict[int, str]) -> str:
    """Markdown from blocks."""
    lines: list[str] = []
    for block in blocks:
        lines.append(_written(block, pictures))
        if block.kind != "item":
            lines.append("")
    return "\n".join(lines).strip() + "\n"


def _written(block: DocumentBlock, pictures: dict[int, str]) -> str:
    text = "".join(_run(run) for run in block.runs)
    match block.kind:
        case "heading":
            return f"{'#' * block.level} {text}"
        case "item":
            return f"{'  ' * (block.level - 1)}{f'{block.number}.' if block.number else '-'} {text}"
        case "quote":
            return f"> {text}"
        case "code":
            return f"```\n{block.text}\n```"
        case "rule":
            return "---"
        case "table" if block.grid is not None:
            return grid(block.grid, block.title)
        case "picture":
            return f"![{escaped(block.title)}]({pictures.get(block.number, '')})"
    return text


def _run(run: TextRun) -> str:
    text = escaped(run.text) if run.text.strip() else run.text
    if not text.strip():
        return text
    padded = (" " if run.text[:1].isspace() else "", " " if run.text[-1:].isspace() else "")
    if run.code:
        return f"`{run.text.replace('`', '')}`"
    if run.bold or run.problem:
        text = f"**{text}**"
    if run.italic:
        text = f"*{text}*"
    return padded[0] + text + padded[1]
