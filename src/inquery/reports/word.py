"""Word documents: opened, written from blocks, and read as blocks."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Any

from inquery.errors import BadRequest, MissingDriver
from inquery.reports.blocks import DocumentBlock, TextRun, raster
from inquery.reports.pieces import Grid, Piece

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADINGS = ("heading", "title", "标题")
PICTURE_CM = 15.5
FONT, CHINESE_FONT = "Calibri", "Microsoft YaHei"


def open_document(content: bytes) -> Any:
    """The document; raises BadRequest where it cannot be read."""
    try:
        import docx
        from docx.opc.exceptions import PackageNotFoundError
        from lxml.etree import XMLSyntaxError
    except ImportError as error:
        raise MissingDriver(str(error), engine="DOCX", extra="reports") from error
    try:
        return docx.Document(io.BytesIO(content))
    except (PackageNotFoundError, XMLSyntaxError, KeyError, ValueError) as error:
        raise BadRequest.because("it is not a Word document", "不是有效的 Word 文档", detail=str(error)) from error


def text_of(content: bytes) -> str:
    """One line a paragraph, headings as in Markdown, in the order of the document; headers and footers come last."""
    return "\n".join(_line(paragraph) for root in roots(open_document(content)) for paragraph in root.iter(f"{W}p"))


def roots(document: Any) -> Iterator[Any]:
    yield document.element.body
    for section in document.sections:
        for part in (section.header, section.footer, section.first_page_header, section.first_page_footer):
            # To look into a header that is not there would make one.
            if not part.is_linked_to_previous:
                yield part._element


def _line(paragraph: Any) -> str:
    text = text_in(paragraph).replace("\n", " ")
    return f"# {text}" if _heading(paragraph) and text.strip() else text


def _style(paragraph: Any) -> str:
    return str(paragraph.style or "").lower()


def _heading(paragraph: Any) -> int:
    found = _style(paragraph)
    if not found.startswith(_HEADINGS):
        return 0
    digits = "".join(letter for letter in found if letter.isdigit())
    return min(int(digits), 6) if digits else 1


def text_in(paragraph: Any) -> str:
    return "".join(node.text or "" for node in texts(paragraph))


def texts(paragraph: Any) -> list[Any]:
    return list(paragraph.iter(f"{W}t"))


def saved(document: Any) -> bytes:
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def png_of(piece: Piece) -> bytes:
    from inquery.answers.drawing import draw_png

    assert piece.chart is not None
    try:
        return draw_png(piece.chart)
    except MissingDriver:
        return b""


def table_of(document: Any, grid: Grid) -> Any:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    table = document.add_table(len(grid.rows) + 1, max(1, len(grid.columns)))
    if "Table Grid" in document.styles:
        table.style = "Table Grid"
    for index, (row, line) in enumerate(zip(table.rows, [grid.columns, *grid.rows], strict=True)):
        for place, cell in enumerate(row.cells):
            cell.text = line[place] if place < len(line) else ""
            if place in grid.numbers:
                cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
            if index == 0:
                for run in cell.paragraphs[0].runs:
                    run.bold = True
    # Documents take new tables at their end only; whoever asked puts it in its place.
    made = table._tbl
    made.getparent().remove(made)
    return made


def write(blocks: Sequence[DocumentBlock], title: str) -> bytes:
    """A document from blocks."""
    import docx

    document = docx.Document()
    document.core_properties.title = title
    _set_fonts(document)
    for block in blocks:
        _written(document, block)
    return saved(document)


def _set_fonts(document: Any) -> None:
    from docx.oxml.ns import qn

    for style in document.styles:
        if getattr(style, "font", None) is not None and style.element.rPr is not None:
            style.font.name = FONT
            # Chinese characters take the East Asian font, which `font.name` leaves as it was.
            style.element.rPr.get_or_add_rFonts().set(qn("w:eastAsia"), CHINESE_FONT)
    document.styles["Normal"].font.name = FONT
    document.styles["Normal"].element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), CHINESE_FONT)


def _written(document: Any, block: DocumentBlock) -> None:
    if block.kind == "table" and block.grid is not None:
        if block.title:
            document.add_paragraph().add_run(block.title).bold = True
        paragraph = document.add_paragraph()
        paragraph._p.addprevious(table_of(document, block.grid))
        if block.grid.left_out:
            paragraph.add_run(f"… +{block.grid.left_out:,}")
        return
    if block.kind == "picture":
        _add_picture(document, block)
        return
    styles = {"item": "List Number" if block.number else "List Bullet", "quote": "Intense Quote"}
    if block.kind == "heading":
        paragraph = document.add_heading(level=min(block.level, 9))
    else:
        paragraph = document.add_paragraph(style=styles.get(block.kind))
    for run in block.runs:
        _add_run(paragraph, run)


def _add_run(paragraph: Any, run: TextRun) -> None:
    from docx.shared import RGBColor

    made = paragraph.add_run(run.text)
    made.bold, made.italic = run.bold or None, run.italic or None
    if run.problem:
        made.font.color.rgb = RGBColor(0x9B, 0x1C, 0x1C)


def _add_picture(document: Any, block: DocumentBlock) -> None:
    from docx.shared import Cm

    picture, _ = raster(block)
    document.add_picture(io.BytesIO(picture), width=Cm(PICTURE_CM))


def read(content: bytes) -> list[DocumentBlock]:
    """The blocks of a document, pictures included."""
    document = open_document(content)
    found: list[DocumentBlock] = []
    titled = any(_style(element) == "title" for element in document.element.body.iterchildren(f"{W}p"))
    for element in document.element.body:
        if element.tag == f"{W}tbl":
            found.append(_read_table(element))
        elif element.tag == f"{W}p":
            found += _read_paragraph(document, element, below=titled)
    return found


def _read_table(table: Any) -> DocumentBlock:
    rows = [
        tuple("\n".join(text_in(p) for p in cell.iter(f"{W}p")) for cell in row.iterchildren(f"{W}tc"))
        for row in table.iterchildren(f"{W}tr")
    ]
    head = rows[0] if rows else ()
    body = tuple((row + ("",) * len(head))[: len(head)] for row in rows[1:])
    numbers = frozenset(place for place in range(len(head)) if body and all(_numeric(row[place]) for row in body))
    return DocumentBlock("table", grid=Grid(head, body, numbers))


def _numeric(text: str) -> bool:
    return bool(text) and text.strip("¥$€£-+,.%万亿元 —0123456789") == ""


def _read_paragraph(document: Any, element: Any, *, below: bool) -> Iterator[DocumentBlock]:
    from docx.text.paragraph import Paragraph

    paragraph = Paragraph(element, document._body)
    runs = tuple(TextRun(run.text, bool(run.bold), bool(run.italic)) for run in paragraph.runs if run.text)
    level = _heading(element)
    if below and level and _style(element) != "title":
        level = min(level + 1, 6)  # under a title, the first headings are second
    if any(run.text.strip() for run in runs):
        listed = str(element.style or "").lower().startswith("list")
        yield DocumentBlock("heading" if level else "item" if listed else "paragraph", runs, level=level or 1)
    for blip in element.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}blip"):
        name = blip.get("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed")
        part = document.part.related_parts.get(name)
        if part is not None and part.content_type in {"image/png", "image/jpeg", "image/gif"}:
            yield DocumentBlock("picture", picture=part.blob, mime=part.content_type)


def appended(content: bytes, blocks: Sequence[DocumentBlock]) -> bytes:
    """The document with further blocks at its end."""
    document = open_document(content)
    for block in blocks:
        _written(document, block)
    return saved(document)
