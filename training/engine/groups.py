"""Groupings and metrics: what rows are grouped by, and what is computed for each group."""

from __future__ import annotations

from dataclasses import dataclass

from inquery.form.ast import (
    Agg,
    ColumnRef,
    Expr,
    Source,
    TableRef,
)
from training.engine.ask_numbers import aggregate_words, pick_aggregates
from training.engine.plan import Kit, refs
from training.engine.schema import Column, Table
from training.engine.scope import Mod, Scope, Step, is_tree, steps
from training.engine.talk import Talk
from training.engine.words import plural


@dataclass
class Group:
    """What the rows of a scope are grouped by: a column, or a table they belong to."""

    scope: Scope
    items: list[Expr]
    keys: tuple[Expr | TableRef, ...]
    table: Table | None = None
    column: Column | None = None
    step: Step | None = None
    owner: Table | None = None

    def word(self, talk: Talk, many: bool = False) -> str:
        """department, 部门."""
        if self.step and self.step.role:
            label = self.step.key.chinese if talk.zh else self.step.key.label
            return plural(label) if many and not talk.zh else label
        if self.table:
            return talk.noun(self.table, many)
        assert self.column
        label = talk.owned(self.column, self.owner, many) if self.owner else talk.label(self.column, many)
        if self.column.kind == "flag" and not talk.zh:
            return label.replace("whether it is ", "").replace("is ", "") + " status"
        return label

    def each(self, talk: Talk) -> str:
        """每个部门, 各部门."""
        word = self.word(talk)
        if self.table:
            return talk.pick(f"每{talk.measure(self.table)}{word}", f"各{word}", f"每个{word}")
        return talk.pick(f"各{word}", f"每个{word}", f"每种{word}", f"不同{word}")

    def count(self) -> int:
        """Roughly how many groups there are."""
        if self.table:
            return max(1, self.table.rows)
        assert self.column
        return max(1, len(set(self.column.cells)))


def pick_group(kit: Kit, table: Table | None = None, *, by_table: float = 0.5, most: int = 1) -> Group | None:
    """A grouping of a table, with perhaps a condition."""
    table = table or kit.table(lambda t: bool(t.references) or kit.category(t) is not None)
    if not table:
        return None
    scope = kit.scope(table, most, joins=0.25)
    if not scope:
        return None
    ways = [s for s in steps(kit.schema, table, roles=True) if s.kind == "up" and s.far.display]
    if kit.rng.random() < 0.2:
        return _far_group(kit, table, scope)
    if ways and kit.rng.random() < by_table:
        step = kit.rng.choice(ways)
        far = step.far
        wide = Scope(table, [*scope.mods, Mod(None, lambda _: ("", ""), ["join"], [step.source])])
        if not is_tree(kit.schema, wide.sources) or any(s.table == far.name for s in scope.sources[1:]):
            return None
        return Group(wide, list(refs(step.name, far.display)), (TableRef(step.name),), far, None, step)
    column = kit.category(table)
    if not column or any(column.name in str(m.condition) for m in scope.mods):
        return _far_column(kit, table, ways, scope)
    ref = scope.ref(column)
    return Group(scope, [ref], (ref,), None, column)


def _far_group(kit: Kit, table: Table, scope: Scope) -> Group | None:
    """Grouped by a thing two steps away: order items by customer."""
    chains = [
        (a, b)
        for a in steps(kit.schema, table)
        if a.kind == "up"
        for b in steps(kit.schema, a.far)
        if b.kind == "up" and b.far is not table
    ]
    if not chains:
        return None
    near, far = kit.rng.choice(chains)
    joined = Mod(None, lambda _: ("", ""), ["join", "far"], [Source(near.far.name), Source(far.far.name)])
    wide = Scope(table, [*scope.mods, joined])
    taken = {s.table for s in scope.sources} & {near.far.name, far.far.name}
    if taken or not is_tree(kit.schema, wide.sources):
        return None
    column = kit.category(far.far) if kit.rng.random() < 0.4 else None
    if column:
        ref = ColumnRef(far.far.name, column.name)
        return Group(wide, [ref], (ref,), None, column, None, far.far)
    if not far.far.display:
        return None
    return Group(wide, list(refs(far.far.name, far.far.display)), (TableRef(far.far.name),), far.far, None, far)


def _far_column(kit: Kit, table: Table, ways: list[Step], scope: Scope) -> Group | None:
    """Grouped by a category of the table it refers to: orders by customer city."""
    found = [(s, kit.category(s.far)) for s in ways if not s.role]
    found = [(s, c) for s, c in found if c]
    if not found:
        return None
    step, column = kit.rng.choice(found)
    wide = Scope(table, [*scope.mods, Mod(None, lambda _: ("", ""), ["join"], [Source(step.far.name)])])
    if not is_tree(kit.schema, wide.sources) or any(s.table == step.far.name for s in scope.sources):
        return None
    ref = ColumnRef(step.far.name, column.name)  # type: ignore[union-attr]
    return Group(wide, [ref], (ref,), None, column, None, step.far)


def rows_phrase(talk: Talk, group: Group) -> str:
    """The grouped things, without the empty conditions that only join."""
    kept = [m for m in group.scope.mods if m.condition is not None or m.fans_out]
    return Scope(group.scope.table, kept).phrase(talk)


@dataclass
class Metric:
    """A count or an aggregate with its name."""

    expr: Expr
    func: str = "count"
    column: Column | None = None

    def word(self, talk: Talk, np: str) -> str:
        """number of orders, total amount of orders, 订单数量."""
        if self.func == "count":
            return (
                talk.pick(f"{np}数量", f"{np}数", f"{np}的数量")
                if talk.zh
                else talk.pick(f"number of {np}", f"count of {np}", f"number of {np}")
            )
        assert self.column
        words = aggregate_words(talk, self.func, self.column)
        if talk.zh:
            return f"{np}的{words}" if len(np) > 4 or talk.rng.random() < 0.6 else f"{np}{words}"
        return f"{words} of {np}"


def pick_metric(kit: Kit, scope: Scope, count: float = 0.5) -> Metric:
    """Rows, or an aggregate of a column."""
    column = kit.numeric(scope.table)
    if column is None or kit.rng.random() < count:
        return Metric(Agg("count"))
    func = pick_aggregates(kit, column, 1)[0]
    return Metric(Agg(func, scope.ref(column)), func, column)  # type: ignore[arg-type]
