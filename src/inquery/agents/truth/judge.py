"""How likely a statement is right: one fitted judge, whose value is the confidence that people see.

The figures are data, fitted by `python -m benchmarks.judge fit` on questions that no writer was trained on, whole
databases left out in turn; judge.json says on which, and for which weights. A feature that a run does not have counts as
an ordinary one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from inquery.agents.truth.run_evidence import Evidence

FILE = Path(__file__).with_name("judge.json")
LIKELY = 0.8
"""From here on an answer is `likely`; below, it says that it wants checking."""
BROKEN = "broken_"
"""What the features of single rules begin with: one that is not there was not broken."""
Grade = Literal["verified", "likely", "check"]


@dataclass(frozen=True, slots=True)
class Weight:
    """How one feature counts: its ordinary value, its spread, and what a spread above the ordinary adds in nats."""

    ordinary: float
    spread: float
    weight: float


@dataclass(frozen=True)
class Judge:
    """Fitted weights with what they were fitted for, and the thresholds that keep a promise.

    `unsaid` is what a writer that gives no probabilities is taken to say of itself: as much as answers that were shown said,
    which is more than candidates say that nobody was shown.
    """

    intercept: float
    weights: Mapping[str, Weight]
    planned: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[tuple[float, float], ...] = ()
    promises: tuple[tuple[float, float], ...] = ()
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    unsaid: Mapping[str, float] = field(default_factory=dict)
    fitted: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Judge:
        """A judge as it is stored."""
        return cls(
            float(data["intercept"]),
            {name: Weight(*map(float, values)) for name, values in data["weights"].items()},
            dict(data.get("planned", {})),
            tuple((float(x), float(y)) for x, y in data.get("steps", ())),
            tuple((float(risk), float(least)) for risk, least in data.get("promises", ())),
            {name: (float(low), float(high)) for name, (low, high) in data.get("ranges", {}).items()},
            {name: float(value) for name, value in data.get("unsaid", {}).items()},
            data.get("fitted", {}),
        )

    def raw(self, evidence: Evidence) -> float:
        """The logistic value before the last step of calibration."""
        total = self.intercept + sum(self.parts(evidence).values())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))

    def parts(self, evidence: Evidence) -> dict[str, float]:
        """What each feature adds to the value, in nats."""
        found = {}
        for name, known in self.weights.items():
            value = evidence.get(name, 0.0 if name.startswith(BROKEN) else self.unsaid.get(name, known.ordinary))
            found[name] = known.weight * max(-3.0, min(3.0, (value - known.ordinary) / known.spread))
        return found

    def p_right(self, evidence: Evidence) -> float:
        """The probability that a statement with this evidence is right."""
        return bent(self.steps, self.raw(evidence))

    def least(self, promise: float) -> float | None:
        """The confidence from which on at most this share is wrong, as far as that was shown; None where it never was."""
        fit = [least for risk, least in self.promises if risk <= promise + 1e-9]
        return min(fit) if fit else None

    def knows(self, evidence: Evidence) -> bool:
        """Whether a database lies among those that the judge was fitted on; beyond them nothing is promised."""
        return all(low <= evidence.get(name, low) <= high for name, (low, high) in self.ranges.items())


def bent(steps: tuple[tuple[float, float], ...], raw: float) -> float:
    """A raw value after the last step of calibration; nothing is certain."""
    return round(min(0.99, max(0.01, _along(steps, raw))), 3)


def _along(steps: tuple[tuple[float, float], ...], value: float) -> float:
    """A value on the line through the steps; the value itself where there are none."""
    if not steps:
        return value
    if value <= steps[0][0]:
        return steps[0][1]
    for (x0, y0), (x1, y1) in pairwise(steps):
        if value <= x1:
            return y0 + (y1 - y0) * (value - x0) / (x1 - x0 or 1.0)
    return steps[-1][1]


@cache
def shipped_judge() -> Judge:
    """The judge that is part of the package."""
    return Judge.of(json.loads(FILE.read_text("utf-8")))


def grade_of(confidence: float, *, verified: bool) -> Grade:
    """The word for a confidence; `verified` where all of the answer was defined or confirmed by people."""
    if verified:
        return "verified"
    return "likely" if confidence >= LIKELY else "check"
