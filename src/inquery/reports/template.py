"""The grammar of templates: `{{kind: question | option=value}}`, `{{= expression}}`, `{{#if …}}`, `{{#each …}}`.

Nothing here knows a file format. A fault never ends the reading: it becomes a `Broken` node at its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from inquery.errors import Text as Both
from inquery.reports.problems import Problem
from inquery.reports.template_words import block_of, option_of, placeholder_kind, style_of, unit_named

LONGEST = 2000
"""Characters of one placeholder; an opening brace that is not closed within them is a slip of the pen."""
MOST = 1000
"""Placeholders of one template."""
DEEPEST = 8
SURROUNDING = 200
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$|<h[1-6][^>]*>(.*?)</h[1-6]>", re.I)
_TAGS = re.compile(r"<[^>]*>|\{\{.*?\}\}")
_BAR = re.compile(r"(?<!\\)[|｜]")
_EQUALS = re.compile(r"[=＝]")


@dataclass(frozen=True, slots=True)
class Words:
    """Text of the template itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A question whose answer stands here; `context` is the template's own text around it."""

    line: int
    kind: str
    question: str
    options: tuple[tuple[str, str], ...] = ()
    context: str = ""

    def option(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return next((value for key, value in self.options if key == name), default)


@dataclass(frozen=True, slots=True)
class Reference:
    """A named value, a parameter, or arithmetic over them."""

    line: int
    expression: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A column of the row a loop is at: by name, or by number from 1; `#` is the number of the row."""

    line: int
    column: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Parameter:
    """What may be given at each run."""

    line: int
    name: str
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str) -> str:
        """The value of an option."""
        return next((value for key, value in self.options if key == name), "")


@dataclass(frozen=True, slots=True)
class Broken:
    """A place that cannot be read."""

    problem: Problem


@dataclass(frozen=True, slots=True)
class If:
    """Text that stands only where a condition holds."""

    line: int
    condition: str
    then: tuple[Node, ...] = ()
    otherwise: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Each:
    """Text repeated for every row of a result: a placeholder of its own, or the name of another."""

    line: int
    source: Placeholder | str
    body: tuple[Node, ...] = ()


Node = Words | Placeholder | Reference | Cell | Parameter | Broken | If | Each


@dataclass(frozen=True, slots=True)
class TemplateToken:
    """A mark of the text: what stands between two braces, or the text between marks."""

    text: str
    line: int
    mark: bool = False
    problem: Problem | None = None
    span: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Open:
    """A block that waits for its end."""

    line: int
    kind: str
    head: str
    then: list[Node] = field(default_factory=list)
    otherwise: list[Node] | None = None

    @property
    def here(self) -> list[Node]:
        return self.then if self.otherwise is None else self.otherwise


def parse_template(text: str, *, line: int = 1, apart: str = "\n\n") -> tuple[Node, ...]:
    """The template as a tree; a placeholder ends before `apart`, lines are counted from `line`."""
    root: list[Node] = []
    open_: list[_Open] = []
    heading, count = "", 0
    line_text = ""
    for token in template_tokens(text, line, apart):
        here = open_[-1].here if open_ else root
        if token.problem is not None:
            here.append(Broken(token.problem))
        elif not token.mark:
            if here and isinstance(here[-1], Placeholder) and token.text[:1] in {"%", "％"}:
                # The template writes the sign of a rate itself.
                here[-1] = replace(here[-1], options=(*here[-1].options, ("format", "number")))
            here.append(Words(token.text))
            heading = _last_heading(token.text) or heading
            line_text = (line_text + token.text).rpartition("\n")[2]
        elif token.text[:1] in {"#", "/"}:
            _block(token, root, open_)
        else:
            count += 1
            here.append(_too_many(token.line) if count > MOST else _single(token, _context(heading, line_text)))
    _unfinished(root, open_)
    return tuple(root)


def template_tokens(text: str, line: int = 1, apart: str = "\n\n") -> Iterator[TemplateToken]:
    """Text and marks, in order; unclosed and nested braces become problems of their own."""
    at = 0
    while (start := _opening(text, at)) >= 0:
        before = text[at:start].replace("\\{{", "{{")
        if before:
            yield TemplateToken(before, line, span=(at, start))
        line += text.count("\n", at, start)
        end, nested = _closing(text, start, apart)
        if end < 0:
            yield TemplateToken("{{", line, problem=_unclosed(line), span=(start, start + 2))
            at = start + 2
            continue
        inside = text[start + 2 : end]
        span = (start, end + 2)
        if nested:
            yield TemplateToken("", line, problem=_nested(line), span=span)
        else:
            yield TemplateToken(" ".join(inside.split()), line, mark=True, span=span)
        line += text.count("\n", start, end)
        at = end + 2
    rest = text[at:].replace("\\{{", "{{")
    if rest:
        yield TemplateToken(rest, line, span=(at, len(text)))


def _opening(text: str, at: int) -> int:
    found = text.find("{{", at)
    while found > 0 and text[found - 1] == "\\":
        found = text.find("{{", found + 2)
    return found


def _closing(text: str, start: int, apart: str) -> tuple[int, bool]:
    """Where a mark ends, and whether others stand inside it; -1 where it does not end."""
    depth, at, nested = 1, start + 2, False
    limit = min(len(text), start + LONGEST)
    while depth:
        end, inner = text.find("}}", at, limit), text.find("{{", at, limit)
        if end < 0 or apart in text[at:end]:
            return -1, nested
        if 0 <= inner < end:
            depth, at, nested = depth + 1, inner + 2, True
            continue
        depth, at = depth - 1, end + 2
    return end, nested


def _block(token: TemplateToken, root: list[Node], open_: list[_Open]) -> None:
    """Open a block, turn to its other half, or close it."""
    word, _, head = token.text[1:].strip().partition(" ")
    if not block_of(word) and (glued := _glued(token.text[1:].strip())):
        word, head = glued
    kind, here = block_of(word), open_[-1].here if open_ else root
    if token.text.startswith("/") and open_ and kind == open_[-1].kind:
        done = open_.pop()
        (open_[-1].here if open_ else root).append(_closed(done))
    elif kind == "else" and open_ and open_[-1].kind == "if" and open_[-1].otherwise is None:
        open_[-1].otherwise = []
    elif token.text.startswith("#") and kind in {"if", "each"} and head.strip() and len(open_) < DEEPEST:
        open_.append(_Open(token.line, kind, head.strip()))
    else:
        here.append(Broken(_bad_block(token)))


def _glued(text: str) -> tuple[str, str] | None:
    """Chinese puts no space between the word of a block and what follows."""
    for word in ("如果", "否则", "循环", "逐行", "若"):
        if text.startswith(word):
            return word, text[len(word) :]
    return None


def _closed(done: _Open) -> Node:
    then, otherwise = tuple(done.then), tuple(done.otherwise or ())
    if done.kind == "if":
        return If(done.line, done.head, then, otherwise)
    source = _single(TemplateToken(done.head, done.line, mark=True), "") if _has_kind(done.head) else done.head
    return Each(done.line, source if isinstance(source, Placeholder | str) else done.head, then)


def _has_kind(head: str) -> bool:
    return placeholder_kind(re.split(r"[:：]", head, maxsplit=1)[0]) in {"table", "chart", "value", "text"}


def _unfinished(root: list[Node], open_: list[_Open]) -> None:
    """A block without an end is named, and what stands in it is kept as if it were not there."""
    while open_:
        left = open_.pop()
        here = open_[-1].here if open_ else root
        here.append(Broken(_no_end(left)))
        here.extend([*left.then, *(left.otherwise or [])])


def _single(token: TemplateToken, context: str) -> Node:
    head, *rest = [part.replace("\\|", "|").strip() for part in _BAR.split(token.text)]
    options = tuple(_option(part) for part in rest if part)
    if not head:
        return Broken(_empty(token.line))
    if head.startswith("="):
        return Reference(token.line, head[1:].strip(), options)
    if head.startswith("."):
        return Cell(token.line, head[1:].strip(), options)
    word, colon, question = _kind_and_question(head)
    if word == "parameter":
        return _parameter(token.line, question, options)
    if colon and not question:
        return Broken(_empty(token.line))
    return Placeholder(token.line, word or "value", question, options, context)


def _kind_and_question(head: str) -> tuple[str, bool, str]:
    first, colon, rest = next(
        ((head[: m.start()], True, head[m.end() :].strip()) for m in [re.search(r"[:：]", head)] if m),
        (head, False, ""),
    )
    known = placeholder_kind(first)
    return (known, colon, rest) if known else ("", False, head)


def _parameter(line: int, text: str, options: tuple[tuple[str, str], ...]) -> Node:
    name, equals, default = (part.strip() for part in _EQUALS.sub("=", text, count=1).partition("="))
    if not name.isidentifier():
        reason = Both(f"“{name}” is not a name for a parameter", f"“{name}”不能作为参数名")
        return Broken(Problem(line, "bad_parameter", reason))
    return Parameter(line, name, (*options, ("default", default)) if equals else options)


def _option(part: str) -> tuple[str, str]:
    """`name=value`, or a bare hint of the format such as `percent` or `万元`."""
    if found := _EQUALS.search(part):
        return option_of(part[: found.start()]), part[found.end() :].strip()
    if style_of(part):
        return "format", part
    if unit_named(part) is not None:
        return "unit", part
    return option_of(part), ""


def _last_heading(text: str) -> str:
    found = [m.group(1) or m.group(2) for line in text.splitlines() if (m := _HEADING.search(line))]
    return _TAGS.sub("", found[-1]).strip() if found else ""


def _context(heading: str, line: str) -> str:
    said = _TAGS.sub(" ", line).strip(" -*|#\t")
    return "\n".join(part for part in (heading, said[-SURROUNDING:]) if part)


def walk_nodes(nodes: Sequence[Node]) -> Iterator[Node]:
    """Every node, those inside blocks too."""
    for node in nodes:
        yield node
        if isinstance(node, If):
            yield from walk_nodes(node.then)
            yield from walk_nodes(node.otherwise)
        elif isinstance(node, Each):
            if isinstance(node.source, Placeholder):
                yield node.source
            yield from walk_nodes(node.body)


def _unclosed(line: int) -> Problem:
    return Problem(line, "unclosed", Both("“{{” has no “}}”", "“{{”没有对应的“}}”"))


def _nested(line: int) -> Problem:
    return Problem(line, "nested", Both("a placeholder stands inside another", "占位符不能嵌套"))


def _empty(line: int) -> Problem:
    return Problem(line, "empty_placeholder", Both("the placeholder asks nothing", "占位符没有内容"))


def _bad_block(token: TemplateToken) -> Problem:
    text = token.text[:60]
    return Problem(token.line, "bad_block", Both(f"“{text}” opens or closes no block", f"“{text}”没有对应的块"))


def _no_end(left: _Open) -> Problem:
    return Problem(left.line, "block_not_closed", Both(f"“#{left.kind}” has no end", f"“#{left.kind}”没有结束标记"))


def _too_many(line: int) -> Broken:
    reason = Both(f"a template has at most {MOST:,} placeholders", f"模板最多包含 {MOST:,} 个占位符")
    return Broken(Problem(line, "too_many", reason))
