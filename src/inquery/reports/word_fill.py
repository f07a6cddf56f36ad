"""Fills a Word template in its own place and look: blocks of paragraphs, rows of tables, runs of text."""

from __future__ import annotations

import copy
import io
from collections.abc import Sequence
from typing import Any

from inquery.reports.blocks import inline
from inquery.reports.filling import MARK, Filling, LoopRow
from inquery.reports.pieces import Piece
from inquery.reports.template import Each, If, TemplateToken, parse_template, template_tokens
from inquery.reports.word import PICTURE_CM, W, open_document, png_of, roots, saved, table_of, text_in, texts

_LINE = "{urn:inquery:template}line"


def filled(content: bytes, filling: Filling) -> bytes:
    """The document with every placeholder filled in its own place and look."""
    document = open_document(content)
    number = 0
    for root in roots(document):
        for paragraph in root.iter(f"{W}p"):
            number += 1
            paragraph.set(_LINE, str(number))
    for place, root in enumerate(roots(document)):
        _Filler(document, filling, pictures=place == 0).elements(list(root), None)
        for paragraph in root.iter(f"{W}p"):
            paragraph.attrib.pop(_LINE, None)
    return saved(document)


class _Filler:
    """Fills the elements of one part of a document; pictures can only stand in its body."""

    def __init__(self, document: Any, filling: Filling, *, pictures: bool) -> None:
        self.document = document
        self.filling = filling
        self.pictures = pictures

    def elements(self, elements: list[Any], row: LoopRow | None) -> None:
        """Fill some neighbouring elements; a block may begin and end in paragraphs of its own."""
        at = 0
        while at < len(elements):
            element = elements[at]
            mark = _lone(element)
            end = _end_of(elements, at) if mark and mark.text.startswith("#") else -1
            if mark and end > at:
                self._block(mark, elements[at : end + 1], row)
                at = end
            elif element.tag == f"{W}tbl":
                self._table(element, row)
            elif element.tag == f"{W}p":
                self._paragraph(element, row)
            elif element.tag in {f"{W}sdt", f"{W}sdtContent", f"{W}tc"}:
                self.elements(list(element), row)
            at += 1

    def _block(self, mark: TemplateToken, elements: list[Any], row: LoopRow | None) -> None:
        first, body, last = elements[0], elements[1:-1], elements[-1]
        (node,) = parse_template("{{" + mark.text + "}}" + _ending(mark), line=mark.line) or (None,)
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
            if parent.tag == f"{W}tc" and not parent.findall(f"{W}p"):
                parent.append(self._new_paragraph(""))  # a cell without a paragraph is no valid cell

    def _table(self, table: Any, row: LoopRow | None) -> None:
        for line in list(table.iterchildren(f"{W}tr")):
            loop = self._row_loop(line)
            if loop is None:
                for cell in line.iterchildren(f"{W}tc"):
                    self.elements(list(cell), row)
                continue
            rows = self.filling.rows_of(loop)
            for each in rows if isinstance(rows, list) else ():
                made = copy.deepcopy(line)
                line.addprevious(made)
                for cell in made.iterchildren(f"{W}tc"):
                    self.elements(list(cell), each)
            if isinstance(rows, Piece):
                table.addnext(self._new_paragraph(inline(rows)))
            table.remove(line)

    def _row_loop(self, line: Any) -> Each | None:
        """A row that holds the beginning and the end of a loop is repeated; both marks are taken out of it."""
        found: list[Each] = []
        for paragraph in line.iter(f"{W}p"):
            text, number = text_in(paragraph), int(paragraph.get(_LINE, "0"))
            for token in reversed(list(template_tokens(text, number, "\n"))):
                if not token.mark or token.text[:1] not in {"#", "/"}:
                    continue
                (node,) = parse_template("{{" + token.text + "}}" + _ending(token), line=number)[:1] or (None,)
                if isinstance(node, Each):
                    found.append(node)
                if isinstance(node, Each) or _closes_loop(token):
                    _replace(paragraph, *token.span, "")
        return found[0] if found else None

    def _paragraph(self, paragraph: Any, row: LoopRow | None) -> None:
        text = text_in(paragraph)
        if "{{" not in text:
            return
        standing: list[Piece] = []
        number = int(paragraph.get(_LINE, "0"))
        for start, end in reversed(_regions(text, number)):
            marked = self.filling.text(parse_template(text[start:end], line=number, apart="\n"), row)
            said, blocks = self._split(marked)
            standing[:0] = blocks
            _replace(paragraph, start, end, said)
        for piece in reversed(standing):
            self._stand(paragraph, piece)
        if not text_in(paragraph).strip() and (standing or _only_parameters(text)):
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
        if piece.text:
            after.addnext(self._new_paragraph(piece.text))
        if piece.kind == "chart" and self.pictures and (drawn := png_of(piece)):
            after.addnext(self._picture(drawn))
        elif piece.grid is not None:
            after.addnext(table_of(self.document, piece.grid))
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


def _ending(mark: TemplateToken) -> str:
    word = mark.text[1:].strip()
    return "{{/each}}" if word.startswith(("each", "for each", "循环", "逐行")) else "{{/if}}"


def _closes_loop(token: TemplateToken) -> bool:
    return token.text[1:].strip() in {"each", "for each", "循环", "逐行"} and token.text.startswith("/")


def _lone(element: Any) -> TemplateToken | None:
    """The mark of a block that has a paragraph of its own."""
    if element.tag != f"{W}p":
        return None
    found = [
        token for token in template_tokens(text_in(element), int(element.get(_LINE, "0")), "\n") if token.text.strip()
    ]
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
    for token in template_tokens(text, line, "\n"):
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
    return all(
        not token.text.strip() or (token.mark and token.problem is None) for token in template_tokens(text, 1, "\n")
    )


def _replace(paragraph: Any, start: int, end: int, text: str) -> None:
    """Put a text in place of some characters; it takes the look of the run they begin in."""
    at, put = 0, False
    for node in texts(paragraph):
        own = node.text or ""
        low, high = max(start - at, 0), min(end - at, len(own))
        at += len(own)
        if low >= high and not (start == end and not put):
            continue
        node.text = own[:low] + ("" if put else text) + own[high:]
        node.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        put = True
