"""What the reader of data files notices, inside its process; `sql.ReadNote` outside, whose room would cost a second to load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN = 3
LONGEST = 60


@dataclass(frozen=True, slots=True)
class Noticed:
    """The fields of `ReadNote`, in its order."""

    kind: str
    column: str = ""
    count: int = 0
    of: int = 0
    shown: tuple[str, ...] = ()
    odd_count: int = 0
    odd: tuple[str, ...] = ()


def examples(texts: Sequence[str]) -> tuple[str, ...]:
    """A few texts, each once and none long."""
    return tuple(" ".join(text.split())[:LONGEST] for text in list(dict.fromkeys(texts))[:SHOWN])
