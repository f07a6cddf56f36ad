"""The form a small model writes instead of SQL: FROM first, qualified names, no aliases, no ON.

A `Query` is a `Block` or a `Compound` of two. Names are the catalogue's (`Source.table` is the table's
short name, its full dotted name where the short one is not unique); how they are spelled in a prompt is
`name_words.NameMap`'s business. Everything is immutable, hashable and compares by value.

    Block(
        sources=(Source("singer"), Source("concert")),
        show=(ColumnRef("singer", "name"), Agg("count")),
        where=Predicate("=", ColumnRef("singer", "country"), Literal("France", "text")),
        by=(TableRef("singer"),),
        sort=(Sort(Agg("count"), descending=True),),
        top=Literal(1, "number"),
    )

prints as: from singer , concert show singer.name , count where singer.country = 'France' by singer
sort count desc top 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeAlias
from typing import Literal as OneOf

Aggregate = OneOf["count", "sum", "avg", "min", "max", "share", "percent"]
Operator = OneOf["+", "-", "*", "/"]
Unit = OneOf["year", "quarter", "month", "week", "day", "quarterno", "monthno", "weekday", "hour"]
Span = OneOf["days", "hours", "minutes"]
Window = OneOf["running", "previous", "change", "growth", "rank"]
Edition = OneOf["D", "E"]
"""The words a model was trained on: those of round D, or with what round E added. Weights name theirs (`grammar`)."""
Comparison = OneOf[
    "=",
    "!=",
    ">",
    ">=",
    "<",
    "<=",
    "in",
    "not in",
    "between",
    "has",
    "not has",
    "starts",
    "ends",
    "is null",
    "not null",
    "is blank",
    "not blank",
]
SetOperator = OneOf["union", "intersect", "except"]
LiteralKind = OneOf["text", "number", "date", "period"]

AGGREGATES: tuple[Aggregate, ...] = ("count", "sum", "avg", "min", "max", "share", "percent")
UNITS: tuple[Unit, ...] = ("year", "quarter", "month", "week", "day", "quarterno", "monthno", "weekday", "hour")
SPANS: tuple[Span, ...] = ("days", "hours", "minutes")
WINDOWS: tuple[Window, ...] = ("running", "previous", "change", "growth", "rank")
SET_OPERATORS: tuple[SetOperator, ...] = ("union", "intersect", "except")


@dataclass(frozen=True, slots=True)
class ColumnRef:
    """A column of a source of the block (or, in a nested block, of the block around it)."""

    source: str
    column: str


@dataclass(frozen=True, slots=True)
class TableRef:
    """A source as a whole: its primary key in `by`, `per` and `same`, its present rows in `count ( t )` after `maybe`,

    its display name in `show`.
    """

    source: str


@dataclass(frozen=True, slots=True)
class AllColumns:
    """`*`, or every column of one source."""

    source: str | None = None


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant. `date` is an ISO text; `period` is a pair of ISO texts, start included, end excluded."""

    value: str | int | float | tuple[str, str]
    kind: LiteralKind


@dataclass(frozen=True, slots=True)
class Slot:
    """A hint of the prompt by name: v0 a value of a column, n0 a number, t0 a period."""

    name: str


@dataclass(frozen=True, slots=True)
class Agg:
    """An aggregate over the rows of a group.

    `of=None` means rows: Agg("count") is COUNT(*). `where` keeps only the rows it holds for ("count ( if … )").
    share is a fraction, percent the same times 100: with `where` the part of `of` (or of the rows) it holds for,
    without `where` the group's part of the whole result, or of the groups that share the keys `per` with it. `of` may be
    a nested Query: an aggregate over its rows, or, where `same` ties it to the row around, over its value for each row.
    """

    func: Aggregate
    of: Expr | TableRef | Block | Compound | None = None
    distinct: bool = False
    where: Condition | None = None
    per: tuple[Expr | TableRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """A figure of a group beside those of the groups before it, in the order of the parts of dates among the keys.

    Without such a part the last key is the order; the other keys keep series apart. running adds up so far, previous is
    the group before, change the difference from it, growth that in per cent of it; rank is the place in the block's own
    order, within `per`.
    """

    func: Window
    of: Expr | None = None


@dataclass(frozen=True, slots=True)
class Holds:
    """1 where a condition holds and 0 where it does not: the paid ones against the rest."""

    test: Condition


@dataclass(frozen=True, slots=True)
class Fallback:
    """An expression, or another where it is not known: `orders.discount else 0`."""

    of: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class Arith:
    """Two operands; division is never integer division."""

    op: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Bucket:
    """A part of a date: running (year, quarter, month, week, day) or cyclic (quarterno, monthno, weekday, hour).

    year is '2024', quarter '2024-Q1', month '2024-03', week its Monday, day '2024-03-31', quarterno 1 to 4,
    monthno '03', weekday '0' (Sunday) to '6', hour '00' to '23'.
    """

    unit: Unit
    of: ColumnRef


@dataclass(frozen=True, slots=True)
class Days:
    """The days, hours or minutes from `start` to `end`, a fraction where there are times; of a period its first day."""

    start: ColumnRef | Literal | Slot
    end: ColumnRef | Literal | Slot
    unit: Span = "days"


@dataclass(frozen=True, slots=True)
class Predicate:
    """One test. `right` is a tuple for `in` with a list and for `between`, None for the null tests.

    Against a period, `in` and `=` mean within it, `<` before its start, `>=` from its start, `>` after its end,
    `<=` up to its end, `between` from the start of the first to the end of the second.
    """

    op: Comparison
    left: Expr
    right: Expr | tuple[Expr, ...] | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Rows exist (`any`) or do not exist (`no`) in `block`, joined to the block around it by the join graph.

    The block has sources and perhaps a where; it shows nothing.
    """

    block: Block
    negated: bool = False


@dataclass(frozen=True, slots=True)
class And:
    items: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    items: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    item: Condition


@dataclass(frozen=True, slots=True)
class Source:
    """A table of a block. Joins come from the join graph; tables that only connect others may be left out.

    `role` names the source apart from its table: the name of the key column that points to it ("org as team_a"),
    which also chooses that key among several; `of` is the source that has the key, where another has it too ("city as
    home.city_id" beside "city as away.city_id"). `via` fixes the join itself (own column, other source's column)
    where the graph does not have it, `also` what else must be equal. `optional` keeps rows that have no match ("maybe orders").
    """

    table: str
    role: str | None = None
    via: tuple[ColumnRef, ColumnRef] | None = None
    optional: bool = False
    of: str | None = None
    also: tuple[tuple[ColumnRef, ColumnRef], ...] = ()

    @property
    def name(self) -> str:
        """What columns are qualified with."""
        return f"{self.of}.{self.role}" if self.of else self.role or self.table


@dataclass(frozen=True, slots=True)
class Sort:
    expr: Expr
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """One SELECT. Without sources it only computes over nested queries.

    `same` is for nested blocks: a column that must be equal in the block around it (of the same name there), or a
    source of the block around it, joined by the graph. With `per`, `top` is so many of each of these keys, ties kept.
    """

    sources: tuple[Source, ...]
    show: tuple[Expr | TableRef, ...] = ()
    distinct: bool = False
    where: Condition | None = None
    same: tuple[ColumnRef | TableRef, ...] = ()
    by: tuple[Expr | TableRef, ...] = ()
    having: Condition | None = None
    sort: tuple[Sort, ...] = ()
    top: Literal | Slot | None = None
    per: tuple[Expr | TableRef, ...] = ()


@dataclass(frozen=True, slots=True)
class Nothing:
    """The form of what the tables cannot answer."""


@dataclass(frozen=True, slots=True)
class Compound:
    """Two queries by a set operation."""

    op: SetOperator
    left: Block
    right: Query


Query: TypeAlias = Block | Compound
Expr: TypeAlias = (
    ColumnRef | AllColumns | Literal | Slot | Agg | Over | Holds | Fallback | Arith | Bucket | Days | Block | Compound
)
Condition: TypeAlias = Predicate | Related | And | Or | Not


def walk_tree(node: object) -> Iterator[object]:
    """The node and everything below it, parents first."""
    if isinstance(node, tuple):
        for item in node:
            yield from walk_tree(item)
    elif is_dataclass(node):
        yield node
        for part in fields(node):
            yield from walk_tree(getattr(node, part.name))


def rebuild_tree(node: Any, change: Callable[[Any], Any], *, into_blocks: bool = True, top: bool = True) -> Any:
    """The tree with `change` applied to every node, children first; nested blocks are left alone on request."""
    if isinstance(node, tuple):
        return tuple(rebuild_tree(item, change, into_blocks=into_blocks, top=False) for item in node)
    if not is_dataclass(node) or isinstance(node, type) or (isinstance(node, Block) and not top and not into_blocks):
        return node
    parts = {
        p.name: rebuild_tree(getattr(node, p.name), change, into_blocks=into_blocks, top=False) for p in fields(node)
    }
    return change(replace(node, **parts))


def has_aggregate(node: object) -> bool:
    """Whether an aggregate stands in the expression itself, not counting nested queries."""
    match node:
        case Agg(of=of):
            return not isinstance(of, Block | Compound) or is_tied(of)
        case Over():
            return True
        case Arith(_, left, right) | Fallback(left, right):
            return has_aggregate(left) or has_aggregate(right)
    return False


def is_tied(node: object) -> bool:
    """Whether a nested query is tied to the row around it, so that it has a value for each."""
    return isinstance(node, Block) and bool(node.same)


def has_window(node: object) -> bool:
    """Whether an expression or condition looks at other groups than its own."""
    match node:
        case Over():
            return True
        case Agg(per=per):
            return bool(per)
        case Arith(_, left, right) | Fallback(left, right) | Predicate(_, left, right):
            return has_window(left) or has_window(right)
        case And(items) | Or(items):
            return any(has_window(item) for item in items)
        case Not(item):
            return has_window(item)
    return False


def time_keys(by: Sequence[Expr | TableRef]) -> tuple[Expr | TableRef, ...]:
    """The keys of a group that put it before and after others: parts of dates, else the last key."""
    return tuple(key for key in by if isinstance(key, Bucket)) or tuple(by[-1:])
