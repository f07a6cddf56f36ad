"""The names that are in scope at one place of a query."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlglot import exp

from inquery.sql.names import Visible


@dataclass
class Output:
    """The columns a query gives; `open` when there may be more than are known."""

    names: list[str] = field(default_factory=list)
    open: bool = False


@dataclass(eq=False)
class Cte:
    """A common table expression and every place that reads it."""

    name: exp.Identifier
    output: Output
    uses: list[exp.Table] = field(default_factory=list)


@dataclass(eq=False)
class FromItem:
    """Something in FROM: `alias` as the engine spells it, its columns, and the table if it is one."""

    alias: str
    lookup: dict[str, tuple[str, ...]]
    open: bool = False
    seen: Visible | None = None
    path_names: bool = False
    order: tuple[str, ...] = ()


@dataclass(eq=False)
class Frame:
    """The names one SELECT sees; `outer` is the query around it."""

    outer: Frame | None = None
    sources: list[FromItem] = field(default_factory=list)
    aliases: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)
    locals: set[str] = field(default_factory=set)
    merged: set[str] = field(default_factory=set)
    open: bool = False

    @property
    def any_open(self) -> bool:
        return self.open or any(source.open for source in self.sources)


Env = dict[str, Cte]


@dataclass(eq=False)
class Use:
    """One place where a table of the catalogue is read."""

    node: exp.Table
    seen: Visible
    wrapper: exp.Subquery | None = None


def by_folded_name(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Spellings by their case-folded name."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        key = name.casefold()
        if name not in found.get(key, ()):
            found[key] = (*found.get(key, ()), name)
    return found
