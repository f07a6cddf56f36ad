"""The names that are visible while one block is built."""

from __future__ import annotations

from inquery.form.ast import Block
from inquery.form.join_paths import JoinPlan
from inquery.form.name_words import FormError


class Scope:
    """The sources of one block while it is built, the alias each has, and the block around it."""

    def __init__(self, block: Block, plan: JoinPlan, outer: Scope | None, correlated: bool) -> None:
        self.block = block
        self.plan = plan
        self.outer = outer
        self.sources = plan.sources
        self.qualified = len(plan.sources) > 1 or correlated
        self.alias: dict[str, str] = {}

    def find(self, name: str) -> Scope:
        """The innermost scope that has the source."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.sources:
                return scope
            scope = scope.outer
        raise FormError(f"{name} is not in scope")
