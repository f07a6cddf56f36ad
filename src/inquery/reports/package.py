"""The parts of a Word file: bounded when unpacked, and rid of macros and of links that load something from elsewhere."""

from __future__ import annotations

import io
import re
import zipfile

from inquery.errors import BadRequest, Text
from inquery.reports.problems import Problem

LARGEST_PART = 64 << 20
LARGEST = 256 << 20
_MACROS = re.compile(
    r"(^|/)(vbaProject\.bin|vbaData\.xml|vbaProjectSignature\w*\.bin)(\.rels)?$|^word/activeX/|^customUI/", re.I
)
_MACRO_TYPES = (
    (
        b"application/vnd.ms-word.document.macroEnabled.main+xml",
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    ),
    (
        b"application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
    ),
)
_OVERRIDE = re.compile(rb"<Override[^>]*PartName=\"[^\"]*(?:vba|activeX|customUI)[^\"]*\"[^>]*/>", re.I)
_RELATION = re.compile(rb"<Relationship\b[^>]*/>")


def cleaned(content: bytes) -> tuple[bytes, list[Problem]]:
    """The file without macros and without relations that reach out; raises BadRequest where it is no Word file."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            _refuse_bomb(package)
            return _copied(package)
    except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
        raise BadRequest.because("it is not a Word document", "不是有效的 Word 文档", detail=str(error)) from error


def _refuse_bomb(package: zipfile.ZipFile) -> None:
    sizes = [entry.file_size for entry in package.infolist()]
    if sum(sizes) > LARGEST or max(sizes, default=0) > LARGEST_PART or len(sizes) > 5000:
        raise BadRequest.because("the Word document is too large when unpacked", "Word 文档解压后过大")


def _copied(package: zipfile.ZipFile) -> tuple[bytes, list[Problem]]:
    problems: list[Problem] = []
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in package.infolist():
            if _MACROS.search(entry.filename):
                problems = [_macros()]
                continue
            target.writestr(entry.filename, _part(entry.filename, package.read(entry), problems))
    return made.getvalue(), problems


def _part(name: str, content: bytes, problems: list[Problem]) -> bytes:
    if name == "[Content_Types].xml":
        for macro, plain in _MACRO_TYPES:
            content = content.replace(macro, plain)
        return _OVERRIDE.sub(b"", content)
    if name.endswith(".rels"):
        return _RELATION.sub(lambda found: _relation(found[0], problems), content)
    return content


def _relation(text: bytes, problems: list[Problem]) -> bytes:
    """Macros go without a word, since they are named already; what would be loaded from elsewhere is named."""
    if re.search(rb"vbaProject|activeX|customUI", text, re.I):
        return b""
    outside = b'TargetMode="External"' in text
    if outside and not re.search(rb'Type="[^"]*/hyperlink"', text):
        reason = Text("a link to content elsewhere was taken out", "已移除指向外部内容的链接")
        problems.append(Problem(0, "external_content", reason))
        return b""
    return text


def _macros() -> Problem:
    return Problem(0, "macros", Text("the macros of the document were taken out", "已移除文档中的宏"))
