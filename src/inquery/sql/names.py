"""What a user's policy leaves of a catalogue, and how a name in a query finds its table there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from cachetools import LRUCache, cached
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.errors import SqlRefused
from inquery.language.nearest import nearest_names
from inquery.sql.catalog import Catalog, Table
from inquery.sql.dialects import Grammar, grammar
from inquery.sql.policy import Policy

Path = tuple[str, ...]


def folded_path(parts: Iterable[str]) -> Path:
    """A path for comparison regardless of case."""
    return tuple(part.casefold() for part in parts)


@dataclass(frozen=True)
class Visible:
    """One table as the user sees it: `columns` without the hidden ones, `condition` from the row filter."""

    table: Table
    columns: tuple[str, ...]
    hidden: frozenset[str]
    condition: exp.Expr | None

    @property
    def wrapped(self) -> bool:
        """Whether each use has to become a derived table."""
        return bool(self.hidden) or self.condition is not None

    @cached_property
    def lookup(self) -> dict[str, tuple[str, ...]]:
        """Spellings of the visible columns by their case-folded name."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.columns:
            found[name.casefold()] = (*found.get(name.casefold(), ()), name)
        return found


@dataclass(eq=False)
class PolicyView:
    """A catalogue seen through a policy; made once for each pair and kept."""

    catalog: Catalog
    policy: Policy
    grammar: Grammar
    _seen: dict[Path, Visible | None] = field(default_factory=dict)

    @property
    def by_last_name(self) -> dict[str, list[Table]]:
        """All tables of the catalogue, hidden ones too, by their case-folded last name."""
        return self.catalog.by_last_name

    @cached_property
    def reserved_names(self) -> frozenset[str]:
        """Words of the dialect that are no names unless quoted, and are names here."""
        reserved = self.grammar.facts.reserved_words
        return frozenset(word for word in reserved if word in self.by_last_name or word in self.catalog.column_names)

    @cached_property
    def _allowed(self) -> frozenset[Path] | None:
        if self.policy.tables is None:
            return None
        return frozenset(table.path for name in self.policy.tables for table in self._named(name))

    def _named(self, name: str | Path) -> list[Table]:
        """Tables a policy entry means: its full name, else the only one that ends with it."""
        parts = folded_path(name.split(".") if isinstance(name, str) else name)
        tables = self.by_last_name.get(parts[-1], []) if parts else []
        full = [t for t in tables if folded_path(t.path) == parts]
        if isinstance(name, str):
            # Looked up: a policy may name thousands of tables.
            full = self.catalog.by_full_name.get(name.casefold()) or full
        if full:
            return full
        ending = [t for t in tables if folded_path(t.path[-len(parts) :]) == parts]
        return ending if len(ending) == 1 else []

    @cached_property
    def _hidden(self) -> dict[Path, frozenset[str]]:
        """Hidden columns by table; an entry that fits several tables hides the column in all of them.

        One that fits none stands under the empty path: a view may read a table that the account cannot see.
        """
        found: dict[Path, set[str]] = {}
        for entry in self.policy.hidden_columns:
            *owner, column = entry.split(".") if isinstance(entry, str) else entry
            parts = folded_path(owner)
            fits = [t.path for t in self.catalog.tables if folded_path(t.path)[len(t.path) - len(parts) :] == parts]
            for path in fits or [()]:
                found.setdefault(path, set()).add(column.casefold())
        return {path: frozenset(names) for path, names in found.items()}

    @cached_property
    def _filters(self) -> dict[Path, list[str]]:
        """Row filters by table; one that fits several tables applies to all of them."""
        found: dict[Path, list[str]] = {}
        for name, condition in self.policy.row_filters.items():
            parts = folded_path(name.split(".") if isinstance(name, str) else name)
            for table in self.catalog.tables:
                if (
                    folded_path(table.path)[-len(parts) :] == parts
                    or table.full_name.casefold() == str(name).casefold()
                ):
                    found.setdefault(table.path, []).append(condition)
        return found

    @cached_property
    def column_types(self) -> frozenset[str]:
        """Case-folded types of the columns this user may see, without those that are the rows of a table."""
        found = set()
        for seen in self.tables():
            shown = set(seen.columns)
            found |= {column.type.casefold() for column in seen.table.columns if column.name in shown}
        plain = {name.removesuffix("[]") for name in found}
        return frozenset(name for name in plain if not self._is_table_type(name))

    def _is_table_type(self, name: str) -> bool:
        return name.replace('"', "").rpartition(".")[2] in self.by_last_name

    def visible(self, table: Table) -> Visible | None:
        """The table as this user sees it, or None."""
        if table.path not in self._seen:
            self._seen[table.path] = self._look(table)
        return self._seen[table.path]

    def _look(self, table: Table) -> Visible | None:
        if self._allowed is not None and table.path not in self._allowed:
            return None
        hidden = self._hidden_in(table)
        columns = tuple(c.name for c in table.columns if c.name.casefold() not in hidden)
        if hidden and not columns:
            return None
        return Visible(table, columns, hidden, self._condition(self._filters_on(table)))

    # The rows of a table are also those of the tables it inherits from, so their rules are rules for it.
    def _hidden_in(self, table: Table) -> frozenset[str]:
        none: frozenset[str] = frozenset()
        return none.union(*(self._hidden.get(path, none) for path in (table.path, *table.inherits)))

    def _filters_on(self, table: Table) -> list[str]:
        named = (self._filters.get(path, []) for path in (table.path, *table.inherits))
        return list(dict.fromkeys(text for texts in named for text in texts))

    def _condition(self, filters: list[str]) -> exp.Expr | None:
        made = [read_filter(text, self.grammar) for text in filters]
        return exp.and_(*made, copy=False) if made else None

    def tables(self) -> Iterator[Visible]:
        """Every table this user may read."""
        for table in self.catalog.tables:
            seen = self.visible(table)
            if seen is not None and self.refusal(seen) is None:
                yield seen

    def find(self, identifiers: list[exp.Identifier], *, only: bool = False) -> Visible:
        """The one visible table a name means, by the rule of Names; raises SqlRefused."""
        written = [str(part.this) for part in identifiers]
        parts = folded_path(written)
        found = [
            seen
            for table in self.by_last_name.get(parts[-1], [])
            if self.ends(table, parts) and (seen := self.visible(table)) is not None
        ]
        if len(found) > 1:
            found = self._exact(found, identifiers) or found
        name = ".".join(written)
        if not found:
            raise SqlRefused("unknown_table", f"no table {name}", name=name, nearest=self.nearest_tables(name))
        if len(found) > 1:
            names = tuple(sorted(seen.table.full_name for seen in found))[:3]
            raise SqlRefused("ambiguous_table", f"{name} may be any of {', '.join(names)}", name=name, nearest=names)
        self.refuse_uncovered(found[0], only=only)
        return found[0]

    def ends(self, table: Table, parts: Path) -> bool:
        """Whether the (case-folded) name may mean the table: its path's end, or more parts of the default schema."""
        path = folded_path(table.path)
        if len(parts) <= len(path):
            return path[-len(parts) :] == parts
        extra = parts[: len(parts) - len(path)]
        return parts[-len(path) :] == path and all(part in self._defaults for part in extra)

    @cached_property
    def _defaults(self) -> frozenset[str]:
        return self.grammar.facts.default_schemas.union(folded_path(self.catalog.default_schema))

    def _exact(self, found: list[Visible], identifiers: list[exp.Identifier]) -> list[Visible]:
        """Among names that differ only in case, the one that is spelled so."""
        spelled = tuple(self.grammar.spelled(part) for part in identifiers)
        if len({folded_path(seen.table.path) for seen in found}) > 1:
            return []
        return [seen for seen in found if seen.table.path[-len(spelled) :] == spelled[-len(seen.table.path) :]]

    def refuse_uncovered(self, seen: Visible, *, only: bool = False) -> None:
        """Refuse what would read another table behind the policy's back."""
        reason = self.refusal(seen, only=only)
        if reason is not None:
            raise SqlRefused("forbidden_source", reason, name=seen.table.full_name)

    def refusal(self, seen: Visible, *, only: bool = False) -> str | None:
        """Why a table may not be read although it may be named, or None; `only` leaves the tables below it out."""
        if "view" in seen.table.kind and not self._open_view(seen):
            return f"the view {seen.table.full_name} may read what is filtered or hidden"
        below = None if only else self._rules_below(seen)
        return f"{seen.table.full_name} also reads {below.full_name}, which has rules of its own" if below else None

    def _open_view(self, seen: Visible) -> bool:
        """A view's definition is not known here, so that it is taken to read whatever a rule speaks of.

        A filter of its own answers for its rows, but nothing answers for another table's columns: it may call them
        anything. Where tables are only left out, the view was granted by its own name.
        """
        rows = not self.policy.row_filters or seen.condition is not None
        columns = not self._hidden.keys() - {seen.table.path}
        return (rows and columns) or any(seen.table in self._named(name) for name in self.policy.views)

    def _rules_below(self, seen: Visible) -> Table | None:
        """A table whose rows this one gives as its own, with a filter or hidden columns that this one has not."""
        shown, filters = {name.casefold() for name in seen.columns}, set(self._filters_on(seen.table))
        for table in self._below.get(seen.table.path, ()):
            if not filters.issuperset(self._filters_on(table)) or not shown.isdisjoint(self._hidden_in(table)):
                return table
        return None

    @cached_property
    def _below(self) -> dict[Path, list[Table]]:
        """Tables by each table they inherit from, near or far."""
        found: dict[Path, list[Table]] = {}
        for table in self.catalog.tables:
            for path in table.inherits:
                found.setdefault(path, []).append(table)
        return found

    def nearest_tables(self, name: str) -> tuple[str, ...]:
        """Names of visible tables that look like this one."""
        last = name.rsplit(".", 1)[-1]
        names = {seen.table.name: seen.table.full_name for seen in self.tables()}
        return tuple(names[found] for found in nearest_names(last, names))


def read_filter(text: str, grammar: Grammar) -> exp.Expr:
    """A row filter as a condition; it is trusted, but it must be one condition and nothing more."""
    try:
        statements = grammar.parse(f"SELECT 1 WHERE ({text})")
        if len(statements) == 1 and statements[0] is not None:
            # As it will read once written, so that the second check knows it again: `%` may become MOD().
            statements = grammar.parse(grammar.write(statements[0]))
    except (SqlglotError, ValueError, RecursionError) as error:
        raise SqlRefused("bad_filter", f"a row filter cannot be parsed: {error}") from error
    tree = statements[0] if len(statements) == 1 else None
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    if where is None or not isinstance(where.this, exp.Paren):
        raise SqlRefused("bad_filter", "a row filter is not one condition")
    condition: exp.Expr = where.this
    return condition


def _view_key(catalog: Catalog, policy: Policy, dialect: str) -> tuple[int, str, str]:
    # A kept view holds its catalogue, so the id cannot be given to another one meanwhile.
    return id(catalog), dialect, policy.hash


@cached(LRUCache[tuple[int, str, str], PolicyView](64), key=_view_key, lock=Lock())
def view_of(catalog: Catalog, policy: Policy, dialect: str) -> PolicyView:
    """The view for a catalogue object and a policy; the latest ones are kept."""
    return PolicyView(catalog, policy, grammar(dialect))
