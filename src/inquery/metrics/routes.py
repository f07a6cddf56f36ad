"""Which tables hang on a table by many-to-one joins: the only ways by which figures are split, since they repeat no row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from inquery.form.idents import identifier
from inquery.sql.catalog import Catalog, Join, Table

Path = tuple[str, ...]
LONGEST = 4
"""Edges of a way; of longer ones nobody can say what they mean."""


@dataclass(frozen=True, slots=True)
class Route:
    """The edges from a table to another, first to last; none to itself."""

    joins: tuple[Join, ...] = ()

    @property
    def optional(self) -> bool:
        """Whether rows may have nothing at the far end, as far as was declared."""
        return bool(self.joins)


class Routes:
    """The many-to-one ways of a catalogue, found once."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._out: dict[Path, list[Join]] = {}
        self._in: dict[Path, list[Join]] = {}
        for join in dict.fromkeys(catalog.joins):
            # A table that refers to itself is a hierarchy: its parent is another member, not another dimension.
            if join.condition or join.left == join.right or not _repeats_nothing(join, catalog):
                continue
            self._out.setdefault(join.left, []).append(join)
            self._in.setdefault(join.right, []).append(join)
        self._known: dict[Path, dict[Path, Route | None]] = {}

    def reachable(self, start: Path) -> dict[Path, Route | None]:
        """Every table that hangs on one, by its shortest way; None where two are as short, as two addresses of an order."""
        if start not in self._known:
            self._known[start] = self._search(start)
        return self._known[start]

    def _search(self, start: Path) -> dict[Path, Route | None]:
        found: dict[Path, Route | None] = {start: Route()}
        edge = [start]
        for _ in range(LONGEST):
            fresh: dict[Path, Route | None] = {}
            for near in edge:
                way = found[near]
                for join in self._out.get(near, ()):
                    if join.right in found:
                        continue
                    twice = join.right in fresh or way is None
                    fresh[join.right] = None if twice or way is None else Route((*way.joins, join))
            found |= fresh
            edge = list(fresh)
        return found

    def route(self, start: Path, goal: Path) -> Route | None:
        """The one way, None where there is none or several."""
        return self.reachable(start).get(goal)

    def parts(self, whole: Path) -> Iterable[Join]:
        """The edges of tables whose rows are parts of this one's: the lines of an order."""
        return self._in.get(whole, ())

    def way_through_parts(self, whole: Path, goal: Path) -> tuple[Join, Route] | None:
        """The one way from a table down to its parts and from there on: orders, their lines, the products in these."""
        found = [
            (join, route)
            for join in self.parts(whole)
            if (route := self.route(join.left, goal)) is not None and all(step.right != whole for step in route.joins)
        ]
        shortest = min((len(route.joins) for _, route in found), default=0)
        found = [each for each in found if len(each[1].joins) == shortest]
        return found[0] if len(found) == 1 else None


def _repeats_nothing(join: Join, catalog: Catalog) -> bool:
    """Whether a row of the left side meets one of the right at most; what a person stated is told by the key alone."""
    if join.cardinality != "unknown":
        return True
    right = catalog.by_path.get(join.right)
    key = {column.name for column in right.columns if column.primary_key} if right else set()
    return bool(key) and key == set(join.right_columns)


def repeated_values(table: Table, column: str, dialect: str) -> str:
    """The statement that finds one value of a column that two rows share; no row where it is a key."""
    source = exp.Table(
        **dict(zip(("this", "db", "catalog"), (identifier(p, dialect) for p in reversed(table.path)), strict=False))
    )
    key = exp.column(identifier(column, dialect))
    found = exp.select(key).from_(source).where(key.copy().is_(exp.null()).not_()).group_by(key.copy())
    return (
        found.having(exp.GT(this=exp.Count(this=exp.Star()), expression=exp.Literal.number(1)))
        .limit(1)
        .sql(dialect=dialect)
    )


def find_table(catalog: Catalog, name: str) -> Table | None:
    """The table of a name, whole or its last part where one table alone has it."""
    if name in catalog.by_name:
        return catalog.by_name[name]
    found = catalog.by_last_name.get(name.rpartition(".")[2].casefold(), [])
    return found[0] if len(found) == 1 else None
