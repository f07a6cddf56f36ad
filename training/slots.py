"""Periods of a form as the slots that code reads from the question: `c in 2024-01-01..2025-01-01` becomes `c in t0`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inquery.form.ast import And, Literal, Predicate, Slot, rebuild_tree, walk_tree

FIRST, LAST = "0001-01-01", "9999-12-31"
Span = tuple[str, str]


def is_meant(found: Span, wanted: Span) -> bool:
    """Whether a period of the question gives the rows of a written one; a column of months holds their first days alone."""
    return found == wanted or (found[0] == wanted[0] and wanted[1] == f"{_last_month(found[1])}-02")


def _last_month(end: str) -> str:
    """The month of the last day before an end."""
    year, month, day = map(int, end.split("-"))
    if day != 1:
        return ""
    return f"{year - (month == 1):04d}-{(month - 2) % 12 + 1:02d}"


def slotted(query: Any, periods: Mapping[str, Literal]) -> Any | None:
    """The query with every period as a slot, or None when the question does not say one of them."""
    spans = {name: literal.value for name, literal in periods.items()}
    # Pairs of bounds first: alone, each of the two would become a slot of its own.
    joined = rebuild_tree(query, lambda node: _joined(node, spans) if isinstance(node, And) else node)
    made = rebuild_tree(joined, lambda node: _slot(node, spans) or node if isinstance(node, Predicate) else node)
    left = any(isinstance(node, Literal) and node.kind in {"period", "date"} for node in walk_tree(made))
    return None if left else made


def _joined(node: And, spans: Mapping[str, Any]) -> Any:
    """Two bounds of one column that together are a period of the question."""
    items: list[Any] = list(node.items)
    for i, low in enumerate(items):
        for j, high in enumerate(items):
            bounds = _bounds(low, high)
            name = bounds and _named(spans, bounds)
            if name:
                items[i] = Predicate("in", low.left, Slot(name))
                del items[j]
                return items[0] if len(items) == 1 else _joined(And(tuple(items)), spans)
    return node


def _named(spans: Mapping[str, Any], wanted: Span) -> str | None:
    """The slot of a period, one that is it before one that gives the same rows."""
    exact = next((name for name, span in spans.items() if span == wanted), None)
    return exact or next((name for name, span in spans.items() if is_meant(span, wanted)), None)


def _bounds(low: Any, high: Any) -> Span | None:
    """The period between a lower and an upper bound of one column."""
    if not isinstance(low, Predicate) or not isinstance(high, Predicate) or low.left != high.left:
        return None
    start, end = _span(low), _span(high)
    if start is None or end is None or low.op not in {">", ">="} or high.op not in {"<", "<="}:
        return None
    return start[low.op == ">"], end[high.op == "<="]


def _span(node: Predicate) -> Span | None:
    right = node.right
    if isinstance(right, Literal) and right.kind == "period":
        return right.value  # type: ignore[return-value]
    return None


def _slot(node: Predicate, spans: Mapping[str, Any]) -> Predicate | None:
    """One comparison with a period as the same comparison with a slot."""
    if (
        node.op == "between"
        and isinstance(node.right, tuple)
        and all(isinstance(r, Literal) and r.kind == "period" for r in node.right)
    ):
        first, second = node.right
        wanted = (first.value[0], second.value[1])  # type: ignore[union-attr,index]
        name = _named(spans, wanted)
        return Predicate("in", node.left, Slot(name)) if name else None
    span = _span(node)
    if span is None:
        return None
    for name, found in spans.items():
        op = _operator(node.op, span, found)
        if op:
            return Predicate(op, node.left, Slot(name))
    return None


def _operator(op: str, span: Span, found: Span) -> Any | None:
    start, end = span
    rules: dict[str, list[tuple[bool, str]]] = {
        "in": [(is_meant(found, span), "in")],
        "=": [(is_meant(found, span), "in")],
        "!=": [(found == span, "!=")],
        ">=": [(found == (start, LAST), "in"), (found[0] == start and found[1] != LAST, ">=")],
        ">": [(found == (end, LAST), "in"), (found[1] == end, ">"), (found[0] == end, ">=")],
        "<": [(found == (FIRST, start), "in"), (found[0] == start, "<"), (found[1] == start, "<=")],
        "<=": [(found == (FIRST, end), "in"), (found[1] == end, "<=")],
    }
    return next((made for fits, made in rules.get(op, []) if fits), None)
