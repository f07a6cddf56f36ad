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
    cached_tokens: int
    completion_tokens: int
    cost: float
    model: str


@dataclass(slots=True)
class ModelSpent:
    """What a run spent on one of its models."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


@dataclass(slots=True)
class UsageMeter:
    """Counts calls, tokens and cost of one run; refuses the next call once a budget is spent."""

    budget_tokens: int | None = None
    budget_cost: float | None = None
    price_in: float = 0.0
    price_out: float = 0.0
    price_cached: float | None = None
    model_calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    models: list[str] = field(default_factory=list)
    by_model: dict[str, ModelSpent] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: LLMSettings) -> UsageMeter:
        """A meter with the budgets and prices of the settings."""
        return cls(
            settings.budget_tokens, settings.budget_cost, settings.price_in, settings.price_out, settings.price_cached
        )

    def take_prices(self, settings: LLMSettings) -> None:
        """Count by the prices of another model from here on."""
        self.price_in, self.price_out, self.price_cached = settings.price_in, settings.price_out, settings.price_cached

    def allow(self) -> None:
        """Raise BudgetSpent when another call may not be made."""
        if self.budget_tokens is not None and self.prompt_tokens + self.completion_tokens >= self.budget_tokens:
            raise BudgetSpent(f"{self.prompt_tokens + self.completion_tokens} tokens")
        if self.budget_cost is not None and self.cost >= self.budget_cost:
            raise BudgetSpent(f"cost {self.cost:.4f}")

    def add(self, model: str, prompt_tokens: int, completion_tokens: int, *, cached: int = 0) -> None:
        """Count one call; of its prompt, `cached` tokens the provider had read before."""
        self.model_calls += 1
        self.prompt_tokens += prompt_tokens
        self.cached_tokens += cached
        self.completion_tokens += completion_tokens
        price_cached = self.price_in if self.price_cached is None else self.price_cached
        read = (prompt_tokens - cached) * self.price_in + cached * price_cached
        cost = (read + completion_tokens * self.price_out) / 1_000_000
        self.cost += cost
        spent = self.by_model.setdefault(model, ModelSpent())
        spent.calls += 1
        spent.tokens += prompt_tokens + completion_tokens
        spent.cost += cost
        if model not in self.models:
            self.models.append(model)

    def snapshot(self) -> UsageCounts:
        """The counts as plain data."""
        return {
            "model_calls": self.model_calls,
            "prompt_tokens": self.prompt_tokens,
            "cached_tokens": self.cached_tokens,
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
