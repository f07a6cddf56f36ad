"""Comments in the CREATE TABLE text that SQLite keeps: it has no others."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 2000
LONGEST_DDL = 200_000
"""A longer text is no schema that somebody wrote comments into."""

_TOKEN = re.compile(
    r"""(?P<line>--[^\n]*)|(?P<block>/\*.*?(?:\*/|\Z))|(?P<string>'(?:[^']|'')*')"""
    r"""|(?P<name>"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\s"'`\[\](),;]+)|(?P<mark>[(),;])|(?P<end>\n)""",
    re.DOTALL,
)


def read_comments(ddl: str, columns: Iterable[str]) -> tuple[str, dict[str, str]]:
    """The comment of a table, and those of its columns by name.

    A comment stands behind its column on the same line, before or after the comma, or above it on a line of its own. What
    stands before the columns, or on the line of the opening bracket, is the table's.
    """
    if len(ddl) > LONGEST_DDL or ("--" not in ddl and "/*" not in ddl):
        return "", {}
    known = {name.casefold(): name for name in columns}
    table: list[str] = []
    found: dict[str, list[str]] = {}
    above: list[str] = []
    depth, current, fresh, alone = 0, "", True, True
    for token in _TOKEN.finditer(ddl):
        kind, text = token.lastgroup, token.group()
        if kind == "end":
            alone = True
        elif kind in {"line", "block"}:
            said = _text(text)
            if said and current and not alone:
                found.setdefault(current, []).append(said)
            elif said and (depth == 0 or (not current and not alone)):
                table.append(said)
            elif said:
                above.append(said)
        else:
            if kind == "mark":
                depth += (text == "(") - (text == ")")
                fresh = fresh or (depth == 1 and text in "(,")
            elif depth == 1 and fresh:
                name = known.get(_bare(text).casefold(), "") if kind in {"name", "string"} else ""
                fresh = False
                if name:
                    current = name
                    found.setdefault(name, []).extend(above)
                above = []
            alone = False
    said_of = {name: " ".join(texts)[:LONGEST] for name, texts in found.items() if texts}
    return " ".join(table)[:LONGEST], said_of


def _text(comment: str) -> str:
    """What a comment says, without its marks and the rulers that people draw."""
    bare = comment.removeprefix("--").removeprefix("/*").removesuffix("*/")
    lines = (line.strip().lstrip("*").strip() for line in bare.splitlines())
    return " ".join(line for line in lines if re.search(r"\w", line))


def _bare(name: str) -> str:
    return name[1:-1] if len(name) > 1 and name[0] in "\"`['" else name
