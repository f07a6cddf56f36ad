"""Finds what a column name means among the names in scope."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sqlglot import exp

from inquery.errors import SqlRefused
from inquery.language.nearest import nearest_names
from inquery.sql.dialects import quoted_identifier
from inquery.sql.guard.functions import call_name
from inquery.sql.guard.not_columns import is_keyword_argument, is_pseudo_column
from inquery.sql.guard.scope import Cte, Env, Frame, FromItem, Output, Use
from inquery.sql.names import Path, PolicyView


class Columns(ABC):
    """Resolves columns and keeps what was found: `uses`, `columns`, `ctes`; `written` is all but the filters."""

    def __init__(self, view: PolicyView) -> None:
        self.view = view
        self.grammar = view.grammar
        self.exact = view.grammar.facts.exact_columns
        self.uses: list[Use] = []
        self.columns: dict[tuple[Path, str], None] = {}
        self.ctes: list[Cte] = []
        self.visited: set[int] = set()
        self.written: list[exp.Expr] = []

    @property
    def conditions(self) -> list[exp.Expr]:
        """The filters of the tables that are read."""
        return [use.seen.condition for use in self.uses if use.seen.condition is not None]

    @abstractmethod
    def expression(self, node: exp.Expr, frame: Frame, env: Env, alias_first: bool = False) -> None:
        """Resolve every name below a node."""

    def column(self, node: exp.Column, frame: Frame, env: Env, alias_first: bool = False) -> None:
        parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
        star = isinstance(node.this, exp.Star)
        if star:
            self.qualified_star(node, parts, frame, env)
        elif len(parts) > 1 and self.qualified(parts, node, frame):
            return
        elif parts:
            self.unqualified(parts[0], node, frame, alias_first, single=len(parts) == 1)

    def qualified_star(self, node: exp.Column, parts: list[exp.Identifier], frame: Frame, env: Env) -> None:
        source, rest = self.source_of([*parts, exp.Identifier(this="*")], frame)
        if source is None or len(rest) > 1:
            self.unqualified(parts[0], node, frame, False, single=False)
            return
        # row_to_json(u.*) takes the row as one value, which is refused; SELECT u.* lists the visible columns.
        if source.seen is not None and source.seen.hidden and not isinstance(node.parent, exp.Select):
            raise self.unknown_column(parts[0].name, frame)
        self.note_all(source)
        self.star_parts(node.this, Frame(frame, [source]), env)

    def source_of(self, parts: list[exp.Identifier], frame: Frame) -> tuple[FromItem | None, list[exp.Identifier]]:
        """The source a qualified name begins with, from the inside out, and what is left of the name."""
        scope: Frame | None = frame
        while scope is not None:
            key = parts[0].name.casefold()
            named = [s for s in scope.sources if s.alias.casefold() == key and s.alias]
            for source in named:
                # SELECT u.a, u.b FROM s.u, r.u: two tables have one name, and the column tells which is meant.
                if len(named) == 1 or parts[1].name.casefold() in source.lookup:
                    return source, parts[1:]
            for source in scope.sources:
                if source.path_names and source.seen is not None:
                    taken = self.path_prefix(parts, source.seen.table.path)
                    if taken:
                        return source, parts[taken:]
            scope = scope.outer
        return None, parts

    def path_prefix(self, parts: list[exp.Identifier], path: Path) -> int:
        names = tuple(part.name.casefold() for part in parts)
        full = tuple(part.casefold() for part in path)
        for size in range(min(len(names) - 1, 3), 1, -1):
            if names[:size] == full[-size:] or (len(full) < size and names[size - 1] == full[-1]):
                return size
        return 0

    def qualified(self, parts: list[exp.Identifier], node: exp.Column, frame: Frame) -> bool:
        source, rest = self.source_of(parts, frame)
        if source is None:
            return False
        key = rest[0].name.casefold()
        if key not in source.lookup:
            if source.open or is_pseudo_column(rest[0].name, self.grammar.name, source.seen):
                return True
            raise self.unknown_column(".".join(p.name for p in parts), frame, source)
        self.respell(rest[0], source.lookup[key])
        self.note(source, key)
        if len(parts) - len(rest) > 1 and source.seen is not None and self.gets_alias(source):
            self.shorten(node, source, rest)
        return True

    def gets_alias(self, source: FromItem) -> bool:
        """Whether the rewritten table is named by an alias, so that its schema can no longer be written before it."""
        seen = source.seen
        return seen is not None and (seen.wrapped or source.alias != seen.table.name)

    def shorten(self, node: exp.Column, source: FromItem, rest: list[exp.Identifier]) -> None:
        """schema.table.column cannot name a column of a derived table."""
        name = quoted_identifier(source.alias)
        for key in ("catalog", "db", "table"):
            node.set(key, None)
        if len(rest) == 1:
            node.set("table", name)
        elif len(rest) == 2:
            node.set("table", rest[0].copy())
            node.set("db", name)
        node.set("this", rest[-1].copy())

    def unqualified(
        self, part: exp.Identifier, node: exp.Column, frame: Frame, alias_first: bool, single: bool
    ) -> None:
        key = part.name.casefold()
        scope: Frame | None = frame
        while scope is not None:
            if key in scope.locals or (alias_first and single and key in scope.outputs):
                self.note_unqualified(key, scope)
                return
            found = [source for source in scope.sources if key in source.lookup]
            if found:
                if (
                    len(found) > 1
                    and key not in scope.merged
                    and key not in scope.aliases
                    and not self.grammar.facts.first_of_same_names
                ):
                    raise self.ambiguous_column(part.name, found)
                self.respell(part, found[0].lookup[key])
                self.note_unqualified(key, scope)
                return
            if key in scope.aliases:
                return
            if single and self.whole_row(key, scope, frame, part):
                return
            # Only in its own query does a clause look among the aliases first.
            alias_first = False
            scope = scope.outer
        self.unresolved(part, node, frame)

    def whole_row(self, key: str, scope: Frame, frame: Frame, part: exp.Identifier) -> bool:
        """SELECT t FROM t gives all of t; refused where that would name hidden columns."""
        for source in scope.sources:
            if source.alias.casefold() == key:
                if source.seen is not None and source.seen.hidden:
                    raise self.unknown_column(part.name, frame)
                if source.seen is not None and not self.grammar.facts.rows_as_values:
                    return False
                self.note_all(source)
                return True
        return False

    def unresolved(self, part: exp.Identifier, node: exp.Column, frame: Frame) -> None:
        """Nothing in scope has the name: a keyword, a pseudo-column, a column of an open source, or unknown."""
        seens = [source.seen for source in frame.sources]
        if len(node.parts) == 1 and (
            is_keyword_argument(node, self.grammar.name)
            or is_pseudo_column(part.name, self.grammar.name, seens[0] if seens else None)
        ):
            return
        scope: Frame | None = frame
        while scope is not None:
            if scope.any_open:
                self.refuse_hidden(part, scope)
                return
            scope = scope.outer
        raise self.unknown_column(".".join(p.name for p in node.parts), frame)

    def refuse_hidden(self, part: exp.Identifier, scope: Frame) -> None:
        for source in scope.sources:
            if source.seen is not None and part.name.casefold() in source.seen.hidden:
                raise self.unknown_column(part.name, scope)

    def star(self, node: exp.Star, frame: Frame, env: Env) -> None:
        if isinstance(node.parent, exp.Func) and call_name(node.parent) == "count":
            return
        for source in frame.sources:
            self.note_all(source)
        self.star_parts(node, frame, env)

    def star_parts(self, node: exp.Star, frame: Frame, env: Env) -> None:
        for item in node.args.get("replace") or []:
            self.expression(item, frame, env)
        for item in (node.args.get("except_") or []) + [r.this for r in node.args.get("rename") or []]:
            if not any(item.name.casefold() in s.lookup or s.open for s in frame.sources):
                raise self.unknown_column(item.name, frame)

    def respell(self, part: exp.Identifier, spellings: tuple[str, ...]) -> None:
        """Write a column as the engine spells it, where that matters."""
        if not self.exact:
            return
        spelled = self.grammar.spelled(part)
        if spelled in spellings:
            return
        if len(spellings) > 1:
            raise SqlRefused("ambiguous_column", f"{part.name} differs only in case", name=part.name, nearest=spellings)
        part.set("this", spellings[0])
        part.set("quoted", True)

    def note(self, source: FromItem, key: str) -> None:
        if source.seen is not None and key in source.lookup:
            for name in source.lookup[key]:
                self.columns[(source.seen.table.path, name)] = None

    def note_unqualified(self, key: str, scope: Frame) -> None:
        # Of all that have it: after USING it is a column of both sides.
        for source in scope.sources:
            self.note(source, key)

    def note_all(self, source: FromItem) -> None:
        if source.seen is not None:
            for name in source.seen.columns:
                self.columns[(source.seen.table.path, name)] = None

    def all_columns(self, frame: Frame) -> Output:
        """What `*` gives."""
        output = Output(open=frame.any_open)
        for source in frame.sources:
            self.note_all(source)
            output.names.extend(source.order or [names[0] for names in source.lookup.values()])
        return output

    def output_of(self, node: exp.Select, frame: Frame) -> Output:
        output = Output()
        for item in node.expressions:
            if isinstance(item, exp.Alias):
                output.names.append(self.alias_name(item))
            elif isinstance(item, exp.Column) and isinstance(item.this, exp.Star):
                output.open |= self.star_columns(item, frame, output)
            elif isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier):
                output.names.append(self.grammar.spelled(item.this))
            elif isinstance(item, exp.Star):
                gained = self.all_columns(frame)
                output.names.extend(gained.names)
                output.open |= gained.open or bool(item.args.get("rename"))
            elif isinstance(item, exp.Dot) and isinstance(item.expression, exp.Identifier):
                output.names.append(self.grammar.spelled(item.expression))
            else:
                output.open = True
        if node.args.get("kind"):
            output.open = True
        return output

    def alias_name(self, item: exp.Alias) -> str:
        alias = item.args["alias"]
        return self.grammar.spelled(alias) if isinstance(alias, exp.Identifier) else item.alias

    def star_columns(self, item: exp.Column, frame: Frame, output: Output) -> bool:
        parts = [part for part in item.parts if isinstance(part, exp.Identifier)]
        source, _ = self.source_of([*parts, exp.Identifier(this="*")], frame)
        if source is None:
            return True
        output.names.extend(source.order or [names[0] for names in source.lookup.values()])
        return source.open

    def unknown_column(self, name: str, frame: Frame, source: FromItem | None = None) -> SqlRefused:
        sources = [source] if source else frame.sources
        known = [spelling for one in sources for names in one.lookup.values() for spelling in names]
        return SqlRefused(
            "unknown_column", f"no column {name}", name=name, nearest=nearest_names(name.rsplit(".", 1)[-1], known)
        )

    def ambiguous_column(self, name: str, found: list[FromItem]) -> SqlRefused:
        choices = tuple(f"{source.alias}.{name}" for source in found if source.alias)[:3]
        return SqlRefused("ambiguous_column", f"{name} is in several tables", name=name, nearest=choices)
