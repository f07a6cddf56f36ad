"""Word documents: filled in place so that their layout stays, written from blocks, and read as blocks."""

from __future__ import annotations

import copy
import io
from collections.abc import Iterator, Sequence
from typing import Any

from inquery.errors import BadRequest, MissingDriver, Text
from inquery.reports.blocks import Block, Run, inline, raster
from inquery.reports.fill import MARK, Filling, Row
from inquery.reports.pieces import Grid, Piece
from inquery.reports.template import Each, If, Token, parse, tokens

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LINE = "{urn:inquery:template}line"
_HEADINGS = ("heading", "title", "标题")
PICTURE_CM = 15.5
FONT, CHINESE_FONT = "Calibri", "Microsoft YaHei"


def opened(content: bytes) -> Any:
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
        raise BadRequest(str(error), reason=Text("it is not a Word document", "不是有效的 Word 文档")) from error


def text_of(content: bytes) -> str:
    """One line a paragraph, headings as in Markdown, in the order of the document; headers and footers come last."""
    return "\n".join(_line(paragraph) for root in _roots(opened(content)) for paragraph in root.iter(f"{_W}p"))


def _roots(document: Any) -> Iterator[Any]:
    yield document.element.body
    for section in document.sections:
        for part in (section.header, section.footer, section.first_page_header, section.first_page_footer):
            if not part.is_linked_to_previous:
                yield part._element


def _line(paragraph: Any) -> str:
    text = _text(paragraph).replace("\n", " ")
    return f"# {text}" if _heading(paragraph) and text.strip() else text


def _style(paragraph: Any) -> str:
    return str(paragraph.style or "").lower()


def _heading(paragraph: Any) -> int:
    found = _style(paragraph)
    if not found.startswith(_HEADINGS):
        return 0
    digits = "".join(letter for letter in found if letter.isdigit())
    return min(int(digits), 6) if digits else 1


def _text(paragraph: Any) -> str:
    return "".join(node.text or "" for node in _texts(paragraph))


def _texts(paragraph: Any) -> list[Any]:
    return list(paragraph.iter(f"{_W}t"))


def filled(content: bytes, filling: Filling) -> bytes:
    """The document with every placeholder filled in its own place and look."""
    document = opened(content)
    number = 0
    for root in _roots(document):
        for paragraph in root.iter(f"{_W}p"):
            number += 1
            paragraph.set(_LINE, str(number))
    for place, root in enumerate(_roots(document)):
        _Filler(document, filling, pictures=place == 0).elements(list(root), None)
        for paragraph in root.iter(f"{_W}p"):
            paragraph.attrib.pop(_LINE, None)
    return _saved(document)


def _saved(document: Any) -> bytes:
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


class _Filler:
    """Fills the elements of one part of a document; pictures can only stand in its body."""

    def __init__(self, document: Any, filling: Filling, *, pictures: bool) -> None:
        self.document = document
        self.filling = filling
        self.pictures = pictures

    def elements(self, elements: list[Any], row: Row | None) -> None:
        """Fill some neighbouring elements; a block may begin and end in paragraphs of its own."""
        at = 0
        while at < len(elements):
            element = elements[at]
            mark = _lone(element)
            end = _end_of(elements, at) if mark and mark.text.startswith("#") else -1
            if mark and end > at:
                self._block(mark, elements[at : end + 1], row)
                at = end
            elif element.tag == f"{_W}tbl":
                self._table(element, row)
            elif element.tag == f"{_W}p":
                self._paragraph(element, row)
            elif element.tag in {f"{_W}sdt", f"{_W}sdtContent", f"{_W}tc"}:
                self.elements(list(element), row)
            at += 1

    def _block(self, mark: Token, elements: list[Any], row: Row | None) -> None:
        first, body, last = elements[0], elements[1:-1], elements[-1]
        (node,) = parse("{{" + mark.text + "}}" + _ending(mark), line=mark.line) or (None,)
        if isinstance(node, If):
            half = next((place for place, each in enumerate(body) if _is_else(each)), len(body))
            holds, problem = self.filling.chosen(node)
            kept = [] if problem else body[:half] if holds else body[half + 1 :]
            self._drop([each for each in body if not any(each is other for other in kept)])
            self.elements(kept, row)
            self._tell(first, problem)
        elif isinstance(node, Each):
            self._repeat(node, first, body)
        self._drop([first, last])

    def _repeat(self, node: Each, first: Any, body: list[Any]) -> None:
        rows = self.filling.rows_of(node)
        if isinstance(rows, Piece):
            self._tell(first, rows)
        for row in rows if isinstance(rows, list) else ():
            copies = [copy.deepcopy(element) for element in body]
            for element in copies:
                first.addprevious(element)
            self.elements(copies, row)
        self._drop(body)

    def _tell(self, before: Any, piece: Piece | None) -> None:
        if piece is not None:
            before.addprevious(self._new_paragraph(inline(piece)))

    def _drop(self, elements: Sequence[Any]) -> None:
        for element in elements:
            parent = element.getparent()
            if parent is None:
                continue
            parent.remove(element)
            if parent.tag == f"{_W}tc" and not parent.findall(f"{_W}p"):
                parent.append(self._new_paragraph(""))  # a cell without a paragraph is no valid cell

    def _table(self, table: Any, row: Row | None) -> None:
        for line in list(table.iterchildren(f"{_W}tr")):
            loop = self._row_loop(line)
            if loop is None:
                for cell in line.iterchildren(f"{_W}tc"):
                    self.elements(list(cell), row)
                continue
            rows = self.filling.rows_of(loop)
            for each in rows if isinstance(rows, list) else ():
                made = copy.deepcopy(line)
                line.addprevious(made)
                for cell in made.iterchildren(f"{_W}tc"):
                    self.elements(list(cell), each)
            if isinstance(rows, Piece):
                table.addnext(self._new_paragraph(inline(rows)))
            table.remove(line)

    def _row_loop(self, line: Any) -> Each | None:
        """A row that holds the beginning and the end of a loop is repeated; both marks are taken out of it."""
        found: list[Each] = []
        for paragraph in line.iter(f"{_W}p"):
            text, number = _text(paragraph), int(paragraph.get(_LINE, "0"))
            for token in reversed(list(tokens(text, number, "\n"))):
                if not token.mark or token.text[:1] not in {"#", "/"}:
                    continue
                (node,) = parse("{{" + token.text + "}}" + _ending(token), line=number)[:1] or (None,)
                if isinstance(node, Each):
                    found.append(node)
                if isinstance(node, Each) or _closes_loop(token):
                    _replace(paragraph, *token.span, "")
        return found[0] if found else None

    def _paragraph(self, paragraph: Any, row: Row | None) -> None:
        text = _text(paragraph)
        if "{{" not in text:
            return
        standing: list[Piece] = []
        number = int(paragraph.get(_LINE, "0"))
        for start, end in reversed(_regions(text, number)):
            marked = self.filling.text(parse(text[start:end], line=number, apart="\n"), row)
            said, blocks = self._split(marked)
            standing[:0] = blocks
            _replace(paragraph, start, end, said)
        for piece in reversed(standing):
            self._stand(paragraph, piece)
        if not _text(paragraph).strip() and (standing or _only_parameters(text)):
            self._drop([paragraph])

    def _split(self, marked: str) -> tuple[str, list[Piece]]:
        """The text of a line, and the tables and charts that stand after it."""
        found = [self.filling.pieces[int(mark[1])] for mark in MARK.finditer(marked)]
        blocks = [piece for piece in found if piece.kind in {"table", "chart"}]
        kept = MARK.sub(lambda mark: self._said(self.filling.pieces[int(mark[1])]), marked)
        return kept, blocks

    def _said(self, piece: Piece) -> str:
        return "" if piece.kind in {"table", "chart"} else inline(piece)

    def _stand(self, after: Any, piece: Piece) -> None:
        if piece.kind == "chart" and self.pictures and (drawn := _png(piece)):
            after.addnext(self._picture(drawn))
        elif piece.grid is not None:
            if piece.text:
                after.addnext(self._new_paragraph(piece.text))
            after.addnext(_table(self.document, piece.grid))
        if piece.title and piece.kind == "table":
            after.addnext(self._new_paragraph(piece.title))

    def _picture(self, drawn: bytes) -> Any:
        from docx.shared import Cm

        paragraph = self.document.add_paragraph()
        paragraph.add_run().add_picture(io.BytesIO(drawn), width=Cm(PICTURE_CM))
        return paragraph._p

    def _new_paragraph(self, text: str) -> Any:
        paragraph = self.document.add_paragraph(text)._p
        paragraph.getparent().remove(paragraph)
        return paragraph


def _ending(mark: Token) -> str:
    word = mark.text[1:].strip()
    return "{{/each}}" if word.startswith(("each", "for each", "循环", "逐行")) else "{{/if}}"


def _closes_loop(token: Token) -> bool:
    return token.text[1:].strip() in {"each", "for each", "循环", "逐行"} and token.text.startswith("/")


def _lone(element: Any) -> Token | None:
    """The mark of a block that has a paragraph of its own."""
    if element.tag != f"{_W}p":
        return None
    found = [token for token in tokens(_text(element), int(element.get(_LINE, "0")), "\n") if token.text.strip()]
    return found[0] if len(found) == 1 and found[0].mark and found[0].text[:1] in {"#", "/"} else None


def _is_else(element: Any) -> bool:
    mark = _lone(element)
    return mark is not None and mark.text[1:].strip() in {"else", "否则"}


def _end_of(elements: Sequence[Any], at: int) -> int:
    depth = 0
    for place in range(at, len(elements)):
        mark = _lone(elements[place])
        if mark is None or _is_else(elements[place]):
            continue
        depth += 1 if mark.text.startswith("#") else -1
        if depth == 0:
            return place
    return -1


def _regions(text: str, line: int) -> list[tuple[int, int]]:
    """Where placeholders stand in a paragraph; a block from its beginning to its end is one region."""
    found: list[tuple[int, int]] = []
    depth, began = 0, 0
    for token in tokens(text, line, "\n"):
        if not token.mark and token.problem is None:
            continue
        opens = token.mark and token.text.startswith("#") and token.text[1:].strip() not in {"else", "否则"}
        if depth == 0:
            began = token.span[0]
        depth += 1 if opens else -1 if token.mark and token.text.startswith("/") and depth else 0
        if depth == 0:
            found.append((began, token.span[1]))
    return found if depth == 0 else [*found, (began, len(text))]


def _only_parameters(text: str) -> bool:
    return all(not token.text.strip() or (token.mark and token.problem is None) for token in tokens(text, 1, "\n"))


def _replace(paragraph: Any, start: int, end: int, text: str) -> None:
    """Put a text in place of some characters; it takes the look of the run they begin in."""
    at, put = 0, False
    for node in _texts(paragraph):
        own = node.text or ""
        low, high = max(start - at, 0), min(end - at, len(own))
        at += len(own)
        if low >= high and not (start == end and not put):
            continue
        node.text = own[:low] + ("" if put else text) + own[high:]
        node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        put = True


def _png(piece: Piece) -> bytes:
    from inquery.answers.draw import png

    assert piece.chart is not None
    try:
        return png(piece.chart)
    except MissingDriver:
        return b""


def _table(document: Any, grid: Grid) -> Any:
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    table = document.add_table(len(grid.rows) + 1, max(1, len(grid.columns)))
    if "Table Grid" in {style.name for style in document.styles}:
        table.style = "Table Grid"
    for index, line in enumerate([grid.columns, *grid.rows]):
        for place, cell in enumerate(table.rows[index].cells):
            cell.text = line[place] if place < len(line) else ""
            if place in grid.numbers:
                cell.paragraphs[0].alignment = WD_ALIGN_PARAGRAPH.RIGHT
            if index == 0:
                for run in cell.paragraphs[0].runs:
                    run.bold = True
    made = table._tbl
    made.getparent().remove(made)
    return made


def write(blocks: Sequence[Block], title: str) -> bytes:
    """A document from blocks."""
    import docx

    document = docx.Document()
    document.core_properties.title = title
    _set_fonts(document)
    for block in blocks:
        _written(document, block)
    return _saved(document)


def _set_fonts(document: Any) -> None:
    from docx.oxml.ns import qn

    for style in document.styles:
        if getattr(style, "font", None) is not None and style.element.rPr is not None:
            style.font.name = FONT
            style.element.rPr.get_or_add_rFonts().set(qn("w:eastAsia"), CHINESE_FONT)
    document.styles["Normal"].font.name = FONT
    document.styles["Normal"].element.get_or_add_rPr().get_or_add_rFonts().set(qn("w:eastAsia"), CHINESE_FONT)


def _written(document: Any, block: Block) -> None:
    if block.kind == "table" and block.grid is not None:
        if block.title:
            document.add_paragraph().add_run(block.title).bold = True
        paragraph = document.add_paragraph()
        paragraph._p.addprevious(_table(document, block.grid))
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


def _add_run(paragraph: Any, run: Run) -> None:
    from docx.shared import RGBColor

    made = paragraph.add_run(run.text)
    made.bold, made.italic = run.bold or None, run.italic or None
    if run.problem:
        made.font.color.rgb = RGBColor(0x9B, 0x1C, 0x1C)


def _add_picture(document: Any, block: Block) -> None:
    from docx.shared import Cm

    picture, _ = raster(block)
    document.add_picture(io.BytesIO(picture), width=Cm(PICTURE_CM))


def read(content: bytes) -> list[Block]:
    """The blocks of a document, pictures included."""
    document = opened(content)
    found: list[Block] = []
    titled = any(_style(element) == "title" for element in document.element.body.iterchildren(f"{_W}p"))
    for element in document.element.body:
        if element.tag == f"{_W}tbl":
            found.append(_read_table(element))
        elif element.tag == f"{_W}p":
            found += _read_paragraph(document, element, below=titled)
    return found


def _read_table(table: Any) -> Block:
    rows = [
        tuple("\n".join(_text(p) for p in cell.iter(f"{_W}p")) for cell in row.iterchildren(f"{_W}tc"))
        for row in table.iterchildren(f"{_W}tr")
    ]
    head = rows[0] if rows else ()
    body = tuple((row + ("",) * len(head))[: len(head)] for row in rows[1:])
    numbers = frozenset(place for place in range(len(head)) if body and all(_numeric(row[place]) for row in body))
    return Block("table", grid=Grid(head, body, numbers))


def _numeric(text: str) -> bool:
    return bool(text) and text.strip("¥$€£-+,.%万亿元 —0123456789") == ""


def _read_paragraph(document: Any, element: Any, *, below: bool) -> Iterator[Block]:
    from docx.text.paragraph import Paragraph

    paragraph = Paragraph(element, document._body)
    runs = tuple(Run(run.text, bool(run.bold), bool(run.italic)) for run in paragraph.runs if run.text)
    level = _heading(element)
    if below and level and _style(element) != "title":
        level = min(level + 1, 6)  # under a title, the first headings are second
    if any(run.text.strip() for run in runs):
        listed = str(element.style or "").lower().startswith("list")
        yield Block("heading" if level else "item" if listed else "paragraph", runs, level=level or 1)
    for blip in element.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}blip"):
        name = blip.get("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed")
        part = document.part.related_parts.get(name)
        if part is not None and part.content_type in {"image/png", "image/jpeg", "image/gif"}:
            yield Block("picture", picture=part.blob, mime=part.content_type)


def appended(content: bytes, blocks: Sequence[Block]) -> bytes:
    """The document with further blocks at its end."""
    document = opened(content)
    for block in blocks:
        _written(document, block)
    return _saved(document)
