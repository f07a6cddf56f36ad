"""A document without a format: headings, paragraphs, items, tables and pictures; every reader makes it, every writer takes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from inquery.answers.picture import draw_svg
from inquery.reports.filling import MARK
from inquery.reports.pieces import Grid, Piece


@dataclass(frozen=True, slots=True)
class TextRun:
    """Some characters of one look."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    problem: bool = False
    waiting: bool = False


@dataclass(frozen=True, slots=True)
class DocumentBlock:
    """One block; `kind` is heading, paragraph, item, quote, code, rule, table, picture or problem."""

    kind: str
    runs: tuple[TextRun, ...] = ()
    level: int = 1
    number: int = 0
    grid: Grid | None = None
    picture: bytes = b""
    mime: str = "image/svg+xml"
    title: str = ""

    @property
    def text(self) -> str:
        """The characters of the block."""
        return "".join(run.text for run in self.runs)


@dataclass(slots=True)
class Drawer:
    """Turns a chart to a picture block; one a document, so that pictures are numbered."""

    count: int = field(default=0)

    def block(self, piece: Piece) -> DocumentBlock:
        """The picture of a chart."""
        assert piece.chart is not None
        self.count += 1
        return DocumentBlock("picture", picture=draw_svg(piece.chart).encode(), title=piece.title, number=self.count)


def raster(block: DocumentBlock) -> tuple[bytes, str]:
    """A picture that every program shows: SVG is drawn as PNG."""
    if block.mime != "image/svg+xml":
        return block.picture, block.mime
    from inquery.answers.drawing import svg_to_png

    return svg_to_png(block.picture.decode()), "image/png"


def resolved(blocks: Sequence[DocumentBlock], pieces: Sequence[Piece]) -> list[DocumentBlock]:
    """The blocks with pieces in place of marks; a table inside a sentence ends it and begins another."""
    drawer = Drawer()
    return [each for block in blocks for each in _resolved(block, pieces, drawer)]


def _resolved(block: DocumentBlock, pieces: Sequence[Piece], drawer: Drawer) -> Iterator[DocumentBlock]:
    if block.grid is not None and block.kind == "table":
        rows = tuple(tuple(_flat(cell, pieces) for cell in row) for row in block.grid.rows)
        names = tuple(_flat(name, pieces) for name in block.grid.columns)
        yield replace(block, grid=replace(block.grid, rows=rows, columns=names))
        return
    runs: list[TextRun] = []
    for part in _parts(block.runs, pieces):
        if isinstance(part, TextRun):
            runs.append(part)
            continue
        if _said(runs):
            yield replace(block, runs=tuple(runs))
        runs = []
        yield from _standing(part, drawer)
    if _said(runs) or block.kind in {"rule", "picture"}:
        yield replace(block, runs=tuple(runs))


def _said(runs: Sequence[TextRun]) -> bool:
    return bool("".join(run.text for run in runs).strip())


def _parts(runs: Sequence[TextRun], pieces: Sequence[Piece]) -> Iterator[TextRun | Piece]:
    for run in runs:
        at = 0
        for found in MARK.finditer(run.text):
            if run.text[at : found.start()]:
                yield replace(run, text=run.text[at : found.start()])
            piece = pieces[int(found[1])]
            if piece.kind in {"table", "chart"}:
                yield piece
            else:
                yield replace(run, text=inline(piece), problem=piece.kind == "problem", waiting=piece.kind == "waiting")
            at = found.end()
        if run.text[at:]:
            yield replace(run, text=run.text[at:])


def _standing(piece: Piece, drawer: Drawer) -> Iterator[DocumentBlock]:
    """A piece that is a block of its own."""
    if piece.kind == "chart":
        yield drawer.block(piece)
    else:
        yield DocumentBlock("table", grid=piece.grid, title=piece.title)
    if piece.text:
        yield DocumentBlock("paragraph", (TextRun(piece.text, italic=True),))


def inline(piece: Piece) -> str:
    """A piece within a line."""
    return f"[{piece.text}]" if piece.kind == "problem" else piece.text


def _flat(text: str, pieces: Sequence[Piece]) -> str:
    """A cell with its marks replaced; a table cannot stand in a cell, so that its first value does."""

    def put(index: int) -> str:
        piece = pieces[index]
        if piece.kind in {"table", "chart"} and piece.grid is not None:
            return ", ".join(" ".join(row) for row in piece.grid.rows[:5])
        return inline(piece)

    return MARK.sub(lambda found: put(int(found[1])), text)
