"""A condition with its wording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inquery.form.ast import Condition, Literal
from training.engine.schema import Cell, Column
from training.engine.talk import Talk

Part = tuple[str, str]


"""English: before and after the noun. Chinese: attached to the noun, and a clause before 的."""


@dataclass(frozen=True)
class Filter:
    """One condition with its wording; `tag` names the kind."""

    condition: Condition
    say: Callable[[Talk], Part]
    tag: str
    column: Column | None = None


def literal(cell: Cell) -> Literal:
    """A stored value as a constant of the form."""
    if isinstance(cell, int | float):
        return Literal(cell, "number")
    return Literal(str(cell), "text")
