"""HTML: pieces put into pages escaped, pages written from blocks, and read as blocks."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

from inquery.reports.blocks import DocumentBlock, Drawer, TextRun
from inquery.reports.filling import MARK
from inquery.reports.pieces import Grid, Piece

_LONE = re.compile(r"<p[^>]*>\s*(\ue000\d+\ue001)\s*</p>")
_STYLE = """
body { font: 15px/1.65 "Noto Sans SC", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", system-ui, sans-serif;
  max-width: 860px; margin: 2.5rem auto; padding: 0 1.25rem; color: #1f2933; }
h1, h2, h3 { line-height: 1.3; color: #102a43; } h2 { margin-top: 2rem; border-bottom: 1px solid #d9e2ec; }
table { border-collapse: collapse; margin: 1rem 0; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .35rem .6rem; border-bottom: 1px solid #d9e2ec; text-align: left; } th { background: #f0f4f8; }
.number { text-align: right; } img { max-width: 100%; } blockquote { color: #52606d; margin-left: 1rem; }
.problem { color: #9b1c1c; background: #fdecea; padding: 0 .25rem; } .left-out { color: #7b8794; font-size: .9em; }
.waiting { color: #627d98; background: #f0f4f8; border-radius: 4px; padding: .1rem .45rem; font-size: .92em; }
"""


def spliced(page: str, pieces: Sequence[Piece]) -> str:
    """The page with pieces in place of marks, every character of data escaped."""
    drawer = Drawer()
    page = _LONE.sub(lambda found: found[1] if pieces[int(found[1][1:-1])].grid is not None else found[0], page)
    return MARK.sub(lambda found: fragment(pieces[int(found[1])], drawer), page)


def fragment(piece: Piece, drawer: Drawer) -> str:
    """One piece as HTML."""
    if piece.kind == "problem":
        return f'<span class="problem">[{html.escape(piece.text)}]</span>'
    if piece.kind == "waiting":
        return f'<span class="waiting">{html.escape(piece.text)}</span>'
    note = f"<p><em>{html.escape(piece.text)}</em></p>" if piece.text else ""
    if piece.kind == "chart":
        return _block(drawer.block(piece)) + note
    if piece.grid is not None:
        return grid(piece.grid, piece.title) + note
    return html.escape(piece.text)


def grid(table: Grid, title: str = "") -> str:
    """A table."""

    def cell(tag: str, place: int, text: str) -> str:
        number = ' class="number"' if place in table.numbers else ""
        return f"<{tag}{number}>{html.escape(text)}</{tag}>"

    caption = f"<caption>{html.escape(title)}</caption>" if title else ""
    head = "".join(cell("th", place, name) for place, name in enumerate(table.columns))
    rows = "".join("<tr>" + "".join(cell("td", i, text) for i, text in enumerate(row)) + "</tr>" for row in table.rows)
    more = f'<p class="left-out">… +{table.left_out:,}</p>' if table.left_out else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def write(blocks: Sequence[DocumentBlock]) -> str:
    """A page body from blocks."""
    return "\n".join(_block(block) for block in blocks)


def _block(block: DocumentBlock) -> str:
    text = "".join(_run(run) for run in block.runs)
    match block.kind:
        case "heading":
            return f"<h{block.level}>{text}</h{block.level}>"
        case "item":
            number = f' value="{block.number}"' if block.number else ""
            return f"<{'ol' if block.number else 'ul'}><li{number}>{text}</li></{'ol' if block.number else 'ul'}>"
        case "quote":
            return f"<blockquote>{text}</blockquote>"
        case "code":
            return f"<pre>{html.escape(block.text)}</pre>"
        case "rule":
            return "<hr>"
        case "table" if block.grid is not None:
            return grid(block.grid, block.title)
        case "picture":
            data = base64.b64encode(block.picture).decode()
            return f'<p><img alt="{html.escape(block.title)}" src="data:{block.mime};base64,{data}"></p>'
    return f"<p>{text}</p>"


def _run(run: TextRun) -> str:
    text = html.escape(run.text).replace("\n", "<br>")
    for wanted, tag in ((run.bold, "strong"), (run.italic, "em"), (run.code, "code")):
        text = f"<{tag}>{text}</{tag}>" if wanted else text
    look = "problem" if run.problem else "waiting" if run.waiting else ""
    return f'<span class="{look}">{text}</span>' if look else text


def framed(body: str, title: str, language: str) -> str:
    """A whole page around a body; a body that is a page already keeps its own frame."""
    if re.search(r"<html[\s>]", body, re.I):
        return body
    lang = "zh-CN" if language == "zh" else "en"
    name = html.escape(title)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{name}</title>'
    return f'<!DOCTYPE html>\n<html lang="{lang}"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'


def read(text: str) -> list[DocumentBlock]:
    """The blocks of a page; marks stay in the runs."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.flush()
    return reader.blocks


class _Reader(HTMLParser):
    """Takes a page to blocks, leaving its layout behind."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.blocks: list[DocumentBlock] = []
        self._kind, self._level = "paragraph", 1
        self._runs: list[TextRun] = []
        self._looks: list[str] = []
        self._lists: list[int | None] = []
        self._rows: list[list[str]] | None = None
        self._cell: list[str] | None = None
        self._skip = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"style", "title", "head", "script"}:
            self._skip += 1
        elif re.fullmatch(r"h[1-6]", tag):
            self._begin("heading", int(tag[1]))
        elif tag in {"p", "div", "section", "article", "header", "footer", "main", "body"}:
            self._begin("paragraph")
        elif tag == "blockquote":
            self._begin("quote")
        elif tag in {"ul", "ol"}:
            self.flush()
            self._lists.append(1 if tag == "ol" else None)
        elif tag == "li":
            self._begin("item")
        elif tag in {"b", "strong", "i", "em", "code"}:
            self._looks.append(tag)
        elif tag == "table":
            self.flush()
            self._rows = []
        elif tag == "tr" and self._rows is not None:
            self._rows.append([])
        elif tag in {"td", "th"} and self._rows:
            self._cell = []
        elif tag == "br":
            self._runs.append(TextRun("\n"))
        elif tag == "hr":
            self.flush()
            self.blocks.append(DocumentBlock("rule"))
        elif tag == "img":
            self._image(dict(attrs))

    def _image(self, attrs: dict[str, str | None]) -> None:
        found = re.match(r"data:(image/(?:png|jpeg|gif));base64,(.+)", attrs.get("src") or "")
        if found:
            self.flush()
            self.blocks.append(DocumentBlock("picture", picture=base64.b64decode(found[2]), mime=found[1]))

    def handle_endtag(self, tag: str) -> None:
        if tag in {"style", "title", "head", "script"}:
            self._skip = max(0, self._skip - 1)
        elif tag in {"b", "strong", "i", "em", "code"} and tag in self._looks:
            self._looks.remove(tag)
        elif tag in {"ul", "ol"} and self._lists:
            self.flush()
            self._lists.pop()
        elif tag in {"td", "th"} and self._cell is not None and self._rows:
            self._rows[-1].append(" ".join("".join(self._cell).split()))
            self._cell = None
        elif tag == "table" and self._rows is not None:
            self._end_table()
        elif tag in {"p", "div", "li", "blockquote", "section"} or re.fullmatch(r"h[1-6]", tag):
            self.flush()

    def _end_table(self) -> None:
        head, *rest = [row for row in self._rows or [] if row] or [[]]
        self._rows = None
        if head:
            wide = tuple(tuple((row + [""] * len(head))[: len(head)]) for row in rest)
            self.blocks.append(DocumentBlock("table", grid=Grid(tuple(head), wide)))

    def handle_data(self, data: str) -> None:
        if self._skip:
            return
        if self._cell is not None:
            self._cell.append(data)
            return
        text = re.sub(r"\s+", " ", data)
        if text.strip() or self._runs:
            looks = set(self._looks)
            self._runs.append(TextRun(text, bool(looks & {"b", "strong"}), bool(looks & {"i", "em"}), "code" in looks))

    def _begin(self, kind: str, level: int = 1) -> None:
        self.flush()
        self._kind, self._level = kind, len(self._lists) or 1 if kind == "item" else level

    def flush(self) -> None:
        """End the block that is being read."""
        if "".join(run.text for run in self._runs).strip():
            number = self._lists[-1] if self._lists and self._kind == "item" else None
            if number is not None:
                self._lists[-1] = number + 1
            self.blocks.append(DocumentBlock(self._kind, tuple(self._runs), self._level, number or 0))
        self._runs, self._kind = [], "paragraph"
