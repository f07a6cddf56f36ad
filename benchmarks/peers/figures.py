"""The figures of one system from what each question gave and cost."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

LISTED = 20
"""Wrong answers that are kept with their statements, for whoever wants to know why."""
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Answers, failures, harm, calls, tokens and times; calls and tokens are a question's, `_s` totals and medians."""
    total = len(rows)
    return {
        "n": total,
        "ex": round(sum(row["right"] for row in rows) / total, 4),
        "errors": sum(bool(row["error"]) for row in rows),
        "harmed": sum(row["harmed"] for row in rows),
        "calls": round(sum(row["calls"] for row in rows) / total, 2),
        "prompt_tokens": round(sum(row["prompt_tokens"] for row in rows) / total),
        "wall_s": round(sum(row["wall_s"] for row in rows), 2),
        "model_s": round(sum(row["model_s"] for row in rows), 2),
        "cpu_s": round(sum(row["cpu_s"] for row in rows), 2),
        **{f"{name}_p50_ms": median_ms(row[f"{name}_s"] for row in rows) for name in ("wall", "cpu", "first")},
        "outside_model_p50_ms": median_ms(row["wall_s"] - row["model_s"] for row in rows),
        "faults": dict(sorted(sum((Counter(row["faults"]) for row in rows), Counter()).items())),
        "wrong": [told(row) for row in rows if not row["right"]][:LISTED],
    }


def told(row: Row) -> dict[str, str]:
    """A wrong answer."""
    return {"question": row["question"], "sql": row["sql"], "error": row["error"][:200]}


def median_ms(seconds: Iterable[float]) -> float:
    """The median in milliseconds."""
    return round(1000 * statistics.median(seconds), 2)


def above(rows: Sequence[Row], floor: Sequence[Row]) -> float:
    """What a system takes more than the floor for the same question: median, without both models' time."""
    low = {row["question"]: row["wall_s"] - row["model_s"] for row in floor}
    return median_ms(row["wall_s"] - row["model_s"] - low[row["question"]] for row in rows)


def by_node(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Each node's median milliseconds over the questions that reached it, in the order they come."""
    spent: dict[str, list[float]] = {}
    for row in rows:
        for name, ms in row["nodes"].items():
            spent.setdefault(name, []).append(ms)
    return [{"node": name, "p50_ms": round(statistics.median(ms), 2), "runs": len(ms)} for name, ms in spent.items()]
