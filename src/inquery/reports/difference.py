"""What changed from one run of a report to the next, placeholder by placeholder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from inquery.answers.formats import as_number, json_cell
from inquery.reports.report_run import value_columns
from inquery.reports.verdicts import single_cell
from inquery.store.reports import StoredValue


class PlainChange(TypedDict):
    """A change as plain data; its values are cells."""

    key: str
    title: str
    kind: str
    before: Any
    after: Any
    rate: float | None


@dataclass(frozen=True, slots=True)
class Change:
    """One placeholder in two runs; `rate` is the relative change of a number."""

    key: str
    title: str
    kind: str
    before: Any = None
    after: Any = None
    rate: float | None = None

    def to_dict(self) -> PlainChange:
        """Plain data."""
        return {
            "key": self.key,
            "title": self.title,
            "kind": self.kind,
            "before": json_cell(self.before),
            "after": json_cell(self.after),
            "rate": self.rate,
        }


def changes(before: Mapping[str, StoredValue], after: Mapping[str, StoredValue]) -> list[Change]:
    """Every placeholder whose value, rows, state or statement differ; kinds are added, removed, status, value, rows, sql."""
    found: list[Change] = []
    for key, new in after.items():
        old = before.get(key)
        found += _one(key, old, new)
    gone = [Change(key, old.title, "removed") for key, old in before.items() if key not in after]
    return found + gone


def _one(key: str, old: StoredValue | None, new: StoredValue) -> list[Change]:
    if old is None:
        return [Change(key, new.title, "added", after=_summary(new))]
    if old.status != new.status:
        return [Change(key, new.title, "status", old.status, new.status)]
    if old.rows != new.rows:
        one, other = _summary(old), _summary(new)
        kind = "value" if new.content["shape"] == "value" else "rows"
        return [Change(key, new.title, kind, one, other, _rate(one, other) if kind == "value" else None)]
    if old.content["sql"] != new.content["sql"]:
        return [Change(key, new.title, "sql", old.content["sql"], new.content["sql"])]
    return []


def _summary(value: StoredValue) -> Any:
    """The single value, or how many rows."""
    if value.content["shape"] != "value":
        return len(value.rows)
    found = single_cell(value_columns(value), value.rows)
    return found[1] if found else None


def _rate(before: Any, after: Any) -> float | None:
    one, other = as_number(before), as_number(after)
    return (other - one) / abs(one) if one and other is not None else None
