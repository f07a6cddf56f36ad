"""What a run spends on models, and the bound on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from typing_extensions import TypedDict

from inquery.errors import BudgetSpent
from inquery.settings import LLMSettings


class UsageCounts(TypedDict, total=False):
    """What a run spent, as plain data in the shape of answers.Usage; blank before anything was counted."""

    model_calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float
    model: str


@dataclass(slots=True)
class UsageMeter:
    """Counts calls, tokens and cost of one run; refuses the next call once a budget is spent."""

    budget_tokens: int | None = None
    budget_cost: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    models: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, settings: LLMSettings) -> UsageMeter:
        """A meter with the budgets and prices of the settings."""
        return cls(settings.budget_tokens, settings.budget_cost, settings.price_in, settings.price_out)

    def allow(self) -> None:
        """Raise BudgetSpent when another call may not be made."""
        if self.budget_tokens is not None and self.prompt_tokens + self.completion_tokens >= self.budget_tokens:
            raise BudgetSpent(f"{self.prompt_tokens + self.completion_tokens} tokens")
        if self.budget_cost is not None and self.cost >= self.budget_cost:
            raise BudgetSpent(f"cost {self.cost:.4f}")

    def add(self, model: str, prompt_tokens: int, completion_tokens: int) -> None:
        """Count one call."""
        self.model_calls += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.cost += (prompt_tokens * self.price_in + completion_tokens * self.price_out) / 1_000_000
        if model not in self.models:
            self.models.append(model)

    def snapshot(self) -> UsageCounts:
        """The counts as plain data."""
        return {
            "model_calls": self.model_calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost": round(self.cost, 6),
            "model": ", ".join(self.models),
        }


_CURRENT: ContextVar[UsageMeter | None] = ContextVar("inquery_usage", default=None)


def current_usage() -> UsageMeter:
    """The meter of the run this code belongs to; a fresh one outside a run."""
    return _CURRENT.get() or UsageMeter()


@contextmanager
def count_calls(meter: UsageMeter) -> Iterator[UsageMeter]:
    """Count every model call made inside against this meter."""
    token = _CURRENT.set(meter)
    try:
        yield meter
    finally:
        _CURRENT.reset(token)
