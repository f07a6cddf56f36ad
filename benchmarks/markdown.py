"""Figures as Markdown: tables, numbers with the digits that tell, and where and when a result was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Results = Mapping[str, Any]
MISSING = "not measured yet"


@dataclass(frozen=True)
class Section:
    """A page or a part of one: where its figures lie, how they are made, and how they are shown."""

    title: str
    file: str
    command: str
    about: str
    shown: Callable[[Results], list[str]]


def part(section: Section, results: Mapping[str, Results], *, level: int = 2) -> list[str]:
    """One section, with where and when its figures were made."""
    found = results.get(section.file)
    lines = [f"{'#' * level} {section.title}\n", section.about + "\n"]
    if found is None:
        return [*lines, not_yet(section.command) + "\n"]
    return [*lines, made_by(section.command, found) + "\n", *section.shown(found)]


def not_yet(command: str) -> str:
    """What is said of a result that is not there."""
    return f"*{MISSING}*: `{command}`"


def made_by(command: str, found: Results) -> str:
    """The command, the day and the machine of a result."""
    machine = found.get("machine", {})
    cores = machine.get("cores", "?")
    told = [f"{cores} cores"] + [str(machine[key]) for key in ("processor", "system") if machine.get(key)]
    told += [f"Python {machine['python']}"] if machine.get("python") else []
    load = machine.get("load")
    if load is not None:
        first = load[0] if isinstance(load, list) else load
        told.append(f"load average {first} at the start")
    settings = found.get("settings", {})
    given = settings.get("options") or ("--quick" if settings.get("quick") else "")
    return f"Made by `{f'{command} {given}'.strip()}` on {str(found.get('made', ''))[:10]}: {', '.join(told)}."


def table(head: Sequence[str], rows: Sequence[Sequence[str]], *, texts: int = 1) -> str:
    """A table; all columns but the first `texts` are figures."""
    lines = [list(head), ["---"] * texts + ["---:"] * (len(head) - texts), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def listed(rows: Sequence[Mapping[str, Any]], names: Mapping[str, str] | None = None) -> str:
    """Rows of one shape as a table: the columns of `names`, or all of them."""
    keys = list(names) if names else list(dict.fromkeys(key for row in rows for key in row))
    head = [names[key] if names else worded(key) for key in keys]
    shares = {key for key in keys if any(is_share(key, row.get(key)) for row in rows)}

    def shown(row: Mapping[str, Any], key: str) -> str:
        value = row.get(key)  # the whole of it may be written as 1
        return cell(float(value) if key in shares and isinstance(value, int) else value, key)

    return table(head, [[shown(row, key) for key in keys] for row in rows])


def worded(key: str) -> str:
    """A key as people read it: `p50_ms` is p50, ms."""
    words = key.split("_")
    if len(words) > 1 and words[-1] in UNITS:
        return f"{' '.join(words[:-1])}, {UNITS[words[-1]]}"
    return " ".join(words)


UNITS = {"ms": "ms", "s": "s", "mb": "MB", "us": "µs", "b": "bytes", "bytes": "bytes", "kb": "kB"}
SHARES = ("ex", "first", "any", "executes", "recall", "all", "shown", "share", "rate")
"""Words that a key begins or ends with where its values are shares of one."""


def cell(value: Any, key: str = "") -> str:
    """A value as the page shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if is_share(key, value):
        return f"{value:.1%}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {cell(each)}" for name, each in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(cell(each) for each in value) or "–"
    return str(value).replace("|", "\\|").replace("\n", " ")


def is_share(key: str, value: Any) -> bool:
    """Whether a value is a share of one, to be shown in percent."""
    words = key.split("_")
    known = (words[0] in SHARES or words[-1] in SHARES) and words[-1] not in UNITS
    return known and isinstance(value, float) and 0 <= value <= 1


def number(value: float) -> str:
    """Three digits that tell, no more."""
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 100:
        return f"{value:.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.2g}"
