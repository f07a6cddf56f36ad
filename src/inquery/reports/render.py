"""A filled template as a document: in its own format with its own layout, or in another by way of blocks."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from inquery.errors import BadRequest
from inquery.reports import html as page
from inquery.reports import markdown, pdf, word, word_fill
from inquery.reports.blocks import DocumentBlock, Drawer, TextRun, raster, resolved
from inquery.reports.filling import Filling
from inquery.reports.html_cleaning import clean_html
from inquery.reports.pieces import WAITS
from inquery.reports.problems import Problem
from inquery.reports.template_files import Template

OUTPUTS = {
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A finished document; `pictures` lie beside a Markdown file."""

    form: str
    content: bytes
    pictures: dict[str, bytes] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


def render_document(
    template: Template, filling: Filling, output: str, *, title: str, beside: str = "", problems: Sequence[Problem] = ()
) -> Document:
    """The document in one of OUTPUTS; `beside` names picture files of Markdown, empty puts them inside it.

    `problems` without a place of their own are listed at the end.
    """
    if output not in OUTPUTS:
        listed = ", ".join(OUTPUTS)
        raise BadRequest.because(f"a report is written as {listed}", f"报告格式应为 {listed}", detail=output)
    filling.learn_names(template.nodes)
    if template.form == "docx":
        return _from_word(template, filling, output, title, beside, problems)
    text = filling.text(template.nodes)
    found: list[Problem] = []
    if template.form == "html":
        text, found = clean_html(text)
    last = _told([*problems, *found], filling)
    if output == "html":
        body = text if template.form == "html" else markdown.to_html(text)
        whole = page.framed(page.spliced(body, filling.pieces), title, filling.manner.language)
        return Document("html", _before_end(whole, page.write(last)).encode(), problems=tuple(found))
    if output == "md" and template.form == "md":
        return _own_markdown(text, filling, beside, last)
    read = page.read(text) if template.form == "html" else markdown.read(text)
    return _written([*resolved(read, filling.pieces), *last], output, title, filling, beside, tuple(found))


def sketch_blocks(template: Template, filling: Filling) -> list[DocumentBlock]:
    """The blocks of a template that is still being written."""
    filling.learn_names(template.nodes)
    if template.form == "docx":
        read = word.read(word_fill.filled(template.content, filling))
        return [replace(block, runs=tuple(map(_waits, block.runs))) for block in read]
    text = filling.text(template.nodes)
    if template.form == "html":
        text = clean_html(text)[0]
    read = page.read(text) if template.form == "html" else markdown.read(text)
    return resolved(read, filling.pieces)


def _waits(run: TextRun) -> TextRun:
    """A run of a Word file, which knows of no waiting: told by how it begins."""
    return replace(run, waiting=run.waiting or run.text.startswith(WAITS))


def _from_word(
    template: Template, filling: Filling, output: str, title: str, beside: str, problems: Sequence[Problem]
) -> Document:
    content = word_fill.filled(template.content, filling)
    last = _told(problems, filling)
    if output == "docx":
        return Document("docx", word.appended(content, last) if last else content)
    return _written([*word.read(content), *last], output, title, filling, beside, ())


def _told(problems: Sequence[Problem], filling: Filling) -> list[DocumentBlock]:
    return [
        DocumentBlock("paragraph", (TextRun(f"[{each.told(filling.manner.language)}]", problem=True),))
        for each in problems
    ]


def _before_end(whole: str, more: str) -> str:
    head, found, tail = whole.rpartition("</body>")
    return f"{head}{more}{found}{tail}" if found else whole + more


def _written(
    blocks: list[DocumentBlock], output: str, title: str, filling: Filling, beside: str, problems: tuple[Problem, ...]
) -> Document:
    language = filling.manner.language
    if output == "pdf":
        return Document("pdf", pdf.write(blocks, title, language), problems=problems)
    if output == "docx":
        return Document("docx", word.write(blocks, title), problems=problems)
    if output == "html":
        return Document("html", page.framed(page.write(blocks), title, language).encode(), problems=problems)
    numbered = [
        replace(block, number=place) if block.kind == "picture" else block for place, block in enumerate(blocks)
    ]
    places, files = _pictures([(b.number, b) for b in numbered if b.kind == "picture"], beside)
    return Document("md", markdown.write(numbered, places).encode(), files, problems)


def _own_markdown(text: str, filling: Filling, beside: str, last: list[DocumentBlock]) -> Document:
    drawer = Drawer()
    drawn = [(place, drawer.block(p)) for place, p in enumerate(filling.pieces) if p.kind == "chart"]
    places, files = _pictures([(place, block) for place, block in drawn if block.kind == "picture"], beside)
    made = markdown.spliced(text, filling.pieces, places)
    more = "\n" + markdown.write(last, {}) if last else ""
    return Document("md", (made + more).encode(), files)


def _pictures(blocks: Sequence[tuple[int, DocumentBlock]], beside: str) -> tuple[dict[int, str], dict[str, bytes]]:
    """Where each picture lies: in a file beside the document, or inside it."""
    places: dict[int, str] = {}
    files: dict[str, bytes] = {}
    for count, (place, block) in enumerate(blocks, 1):
        ending = "svg" if block.mime == "image/svg+xml" else block.mime.removeprefix("image/")
        if beside:
            name = f"{beside}-chart-{count}.{ending}"
            places[place], files[name] = name.replace(" ", "%20"), block.picture
        else:
            picture, mime = raster(block)
            places[place] = f"data:{mime};base64,{base64.b64encode(picture).decode()}"
    return places, files
