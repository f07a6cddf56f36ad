"""Template files: which format they are in, how much of them is read, and the tree of what they ask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inquery.errors import BadRequest, Text
from inquery.reports import package, word
from inquery.reports.problems import Problem
from inquery.reports.template import Broken, Node, parse_template, walk_nodes

FORMATS = {
    ".md": "md",
    ".markdown": "md",
    ".txt": "md",
    ".html": "html",
    ".htm": "html",
    ".docx": "docx",
    ".docm": "docx",
}
WORD_SHARE = 4
"""A Word file is mostly pictures: it may be so many times larger than a text."""
_KNOWN = ", ".join(FORMATS)


@dataclass(frozen=True, slots=True)
class Template:
    """A template that was read: its content made safe, its tree, and what is wrong with it."""

    form: str
    content: bytes
    nodes: tuple[Node, ...]
    problems: tuple[Problem, ...] = ()


def format_of(name: str) -> str:
    """The format a file's name stands for; raises BadRequest."""
    found = FORMATS.get(Path(name).suffix.lower())
    if found is None:
        raise BadRequest.because(f"a template is one of {_KNOWN}", f"模板格式应为 {_KNOWN}", detail=name)
    return found


def read_template(content: bytes, form: str, *, most: int) -> Template:
    """The template; faults become problems, and only what is no template at all is refused."""
    if form == "docx":
        return _read_word(content, most)
    text, problems = _shortened(content, most)
    nodes = parse_template(text)
    return Template(form, text.encode(), nodes, (*problems, *broken(nodes)))


def broken(nodes: Sequence[Node]) -> list[Problem]:
    """The places of a tree that could not be read."""
    return [node.problem for node in walk_nodes(nodes) if isinstance(node, Broken)]


def _read_word(content: bytes, most: int) -> Template:
    if len(content) > most * WORD_SHARE:
        size, limit = len(content) / (1 << 20), most * WORD_SHARE / (1 << 20)
        raise BadRequest.because(
            f"the document has {size:.1f} MB, at most {limit:.0f} are read",
            f"文档大小为 {size:.1f} MB，最多 {limit:.0f} MB",
        )
    safe, problems = package.cleaned(content)
    nodes = parse_template(word.text_of(safe), apart="\n")
    return Template("docx", safe, nodes, (*problems, *broken(nodes)))


def _shortened(content: bytes, most: int) -> tuple[str, list[Problem]]:
    """The text, cut at the end of a line where it is too long."""
    problems = []
    text = content[:most].decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\x00", "")
    if len(content) > most:
        text = text.rpartition("\n")[0] or text
        line = text.count("\n") + 2
        size, limit = len(content) / (1 << 20), most / (1 << 20)
        reason = Text(
            f"the template has {size:.1f} MB; from here on it was left out (at most {limit:.0f} MB)",
            f"模板大小为 {size:.1f} MB；此处之后的内容已省略（最多 {limit:.0f} MB）",
        )
        problems.append(Problem(line, "too_large", reason))
    return text, problems
