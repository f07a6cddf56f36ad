"""Large JSON in lines: the head first, then each element of its long lists.

To read or write a list of thousands in one call of the JSON library keeps the interpreter from every other thread; between
two lines they have their turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

COUNTS = "lines"
"""In the head: how many lines each list has. A file without it is one that was written whole."""


def write_lines(content: Mapping[str, Any], listed: Sequence[str]) -> bytes:
    """An object, of which the `listed` lists have a line for each element."""
    head = {key: value for key, value in content.items() if key not in listed}
    head[COUNTS] = {key: len(content[key]) for key in listed}
    lines = [head, *(each for key in listed for each in content[key])]
    return b"\n".join(json.dumps(line, ensure_ascii=False).encode() for line in lines)


def read_lines(text: bytes, listed: Sequence[str]) -> dict[str, Any]:
    """What `write_lines` wrote, also before there were lines; raises ValueError where lines are missing."""
    head, *lines = text.split(b"\n")
    content: dict[str, Any] = json.loads(head)
    counts = content.pop(COUNTS, None)
    if counts is None:
        return content
    if sum(counts.values()) != len(lines):
        raise ValueError("lines are missing")
    at = 0
    for key in listed:
        content[key] = [json.loads(line) for line in lines[at : at + counts[key]]]
        at += counts[key]
    return content
