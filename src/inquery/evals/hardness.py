"""How hard a query is, by Spider's published rules: easy, medium, hard or extra.

The rules count, in the outermost block alone: clauses and joins (`parts`), sub-queries in conditions and set
operations (`nested`), and whether there are several aggregates, columns, conditions or keys (`several`).
"""

from __future__ import annotations

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

LEVELS = ("easy", "medium", "hard", "extra")


def hardness(sql: str, dialect: str = "sqlite") -> str:
    """The level of a query; one that cannot be parsed is extra."""
    try:
        root = parse_one(sql, dialect=dialect)
    except SqlglotError:
        return "extra"
    block = outermost(root)
    if block is None:
        return "extra"
    return level(parts(block), nested(root, block), several(block))


def level(clauses: int, nests: int, many: int) -> str:
    """The published table."""
    if nests == 0:
        if clauses <= 1 and many == 0:
            return "easy"
        if (many <= 2 and clauses <= 1) or (clauses <= 2 and many < 2):
            return "medium"
        if (many > 2 and clauses <= 2) or (2 < clauses <= 3 and many <= 2):
            return "hard"
    return "hard" if clauses <= 1 and many == 0 and nests <= 1 else "extra"


def outermost(root: exp.Expr) -> exp.Select | None:
    """The block that stands first: the left side of set operations."""
    while isinstance(root, exp.SetOperation | exp.Subquery):
        root = root.this
    return root if isinstance(root, exp.Select) else None


def parts(block: exp.Select) -> int:
    """WHERE, GROUP BY, ORDER BY, LIMIT, each join, each OR and each LIKE."""
    count = sum(block.args.get(clause) is not None for clause in ("where", "group", "order", "limit"))
    count += len(block.args.get("joins") or ())
    kinds = (exp.Or, exp.Like, exp.ILike)
    return count + sum(isinstance(node, kinds) for condition in conditions(block) for node in own(condition))


def nested(root: exp.Expr, block: exp.Select) -> int:
    """Sub-queries in conditions, plus one for a set operation behind the block."""
    found = sum(
        isinstance(node, exp.Select) and node.find_ancestor(exp.Select) is block
        for condition in conditions(block)
        for node in condition.walk()
    )
    return found + isinstance(root, exp.SetOperation)


def several(block: exp.Select) -> int:
    """One each for more than one aggregate, selected column, condition and grouping key."""
    clauses = [*block.expressions, *(block.args.get(name) for name in ("where", "group", "order", "having"))]
    aggregates = sum(isinstance(node, exp.AggFunc) for clause in clauses if clause for node in own(clause))
    where, group = block.args.get("where"), block.args.get("group")
    simple = sum(isinstance(node, exp.Connector) for node in own(where)) + 1 if where else 0
    keys = len(group.expressions) if group else 0
    return sum(count > 1 for count in (aggregates, len(block.expressions), simple, keys))


def conditions(block: exp.Select) -> list[exp.Expr]:
    """ON, WHERE and HAVING."""
    found = [join.args.get("on") for join in block.args.get("joins") or ()]
    found += [block.args.get("where"), block.args.get("having")]
    return [condition for condition in found if condition is not None]


def own(node: exp.Expr) -> list[exp.Expr]:
    """The nodes below, without those of sub-queries."""
    return [
        found for found in node.walk(prune=lambda n: isinstance(n, exp.Select)) if not isinstance(found, exp.Select)
    ]
