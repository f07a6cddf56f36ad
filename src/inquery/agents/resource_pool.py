"""Full details beside the light memory that travels: merged and appended, never overwritten, handed out as copies."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

# What each step cannot begin without.
NEEDED: dict[str, tuple[str, ...]] = {
    "plan": ("question",),
    "sql_generation": ("question", "column_details"),
    "sql_validation": ("current_sql",),
    "sql_refinement": ("question", "column_details", "current_sql", "last_error"),
}
LATEST = frozenset({"current_sql", "last_error", "question"})
"""Keys whose newest value counts; the older ones go to their history."""


@dataclass(frozen=True, slots=True)
class ContextMemory:
    """What travels between steps: flags and names, small whatever the schema's size."""

    has_sql: bool = False
    schema_available: bool = False
    database_validated: bool = False
    executed: bool = False
    tables: tuple[str, ...] = ()
    sql_length: int = 0
    fix_attempts: int = 0
    last_error: str = ""
    time_range: str = ""
    time_column: str = ""


class ResourcePool:
    """The details of one goal; one pool a run."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def merge(self, key: str, value: Any) -> None:
        """Add details: mappings are merged in depth, lists extended without repeats, other values replaced."""
        value = copy.deepcopy(value)
        held = self._held.get(key)
        if key == "current_sql" and held and held != value:
            self.append("sql_history", held)
        if key in LATEST or held is None:
            self._held[key] = value
        else:
            self._held[key] = _merged(held, value)

    def append(self, key: str, item: Any) -> None:
        """Add one item to a list."""
        self._held.setdefault(key, []).append(copy.deepcopy(item))

    def missing(self, step: str) -> tuple[str, ...]:
        """What a step still needs before it may run."""
        return tuple(key for key in NEEDED[step] if not self._held.get(key))

    def get(self, key: str) -> Any:
        """A copy of what is held under a key."""
        return copy.deepcopy(self._held.get(key))

    def memory(self) -> ContextMemory:
        """The light memory of this pool."""
        sql = str(self._held.get("current_sql") or "")
        details = self._held.get("column_details") or {}
        error = self._held.get("last_error") or {}
        return ContextMemory(
            has_sql=bool(sql),
            schema_available=bool(details),
            database_validated=bool(self._held.get("validation_history")),
            executed=bool(self._held.get("executed")),
            tables=tuple(details),
            sql_length=len(sql),
            fix_attempts=len(self._held.get("sql_history") or ()),
            last_error=str(error.get("message", ""))[:200] if isinstance(error, dict) else str(error)[:200],
            time_range=str(self._held.get("time_range") or ""),
            time_column=str(self._held.get("time_column") or ""),
        )


def _merged(held: Any, value: Any) -> Any:
    if isinstance(held, dict) and isinstance(value, dict):
        return {**held, **{key: _merged(held[key], each) if key in held else each for key, each in value.items()}}
    if isinstance(held, list) and isinstance(value, list):
        return held + [item for item in value if item not in held]
    return value
