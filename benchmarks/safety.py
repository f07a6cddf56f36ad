"""The guard by the size of a statement, and the hostile corpus through Inquery's check and through those of others.

    python -m benchmarks.safety [--quick]

Writes benchmarks/results/safety.json. `rows` has the SQLite corpus through six checks, with what the statements they let
through did to a copy of a small shop; `dialects` has the checks that need no database over all ten corpora; `latency`
has the guard alone. Vanna lives in an environment of its own (.venv-vanna, made on first use).

Statements that would leave the database's own file (ATTACH, VACUUM INTO, extensions, file functions) are never run: of
those only what a check says is counted.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlglot
from benchmarks.machine import RESULTS, ROOT, facts, keep
from benchmarks.peers.__main__ import interpreter
from benchmarks.stream_client import percentile
from sqlglot import exp
from sqlglot.errors import SqlglotError
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import hostile, ordinary
from tests.security.guard.shop import fill

from inquery.errors import SqlRefused
from inquery.sql import check

SECRET = "canary-7f3a"
OUTSIDE = re.compile(
    r"attach|detach|vacuum\s+into|extension|readfile|writefile|edit\s*\(|fsdir|zipfile|csv\s*\(|/etc/|/tmp/|\bcopy\b|infile|'x\.db'",
    re.IGNORECASE,
)
"""Statements that reach for files: never run."""
Check = Callable[[str, str], bool]
"""A statement and a dialect to whether it may run."""


def inquery_guard(sql: str, dialect: str) -> bool:
    """Inquery's guard."""
    try:
        check(sql, dialect=dialect, catalog=catalogue(dialect))
    except SqlRefused:
        return False
    return True


def anything(sql: str, dialect: str) -> bool:
    """No check at all: the prompt asks the model not to write."""
    return True


def first_word(sql: str, dialect: str) -> bool:
    """The check most programs have: it begins with SELECT."""
    return re.match(r"\s*select\b", sql, re.IGNORECASE) is not None


def first_word_or_with(sql: str, dialect: str) -> bool:
    """The same, with common table expressions."""
    return re.match(r"\s*(select|with)\b", sql, re.IGNORECASE) is not None


WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.Command)


def one_query(sql: str, dialect: str) -> bool:
    """A careful one: exactly one statement that sqlglot takes for a query, and no write anywhere in it."""
    try:
        parsed = sqlglot.parse(sql, dialect=dialect)
    except (SqlglotError, RecursionError):
        return False
    return len(parsed) == 1 and isinstance(parsed[0], exp.Query) and not parsed[0].find(*WRITES)


@dataclass(frozen=True)
class System:
    """A check, and what runs the statements it lets through."""

    name: str
    allows: Check
    runner: str


SYSTEMS = (
    System("Inquery's guard", inquery_guard, "plain"),
    System("LangGraph's SQL tutorial (a prompt)", anything, "tutorial"),
    System("Vanna 2 (no check)", anything, "vanna"),
    System("begins with SELECT", first_word, "plain"),
    System("begins with SELECT or WITH", first_word_or_with, "plain"),
    System("sqlglot: one query, no write", one_query, "plain"),
)
CHECKS = {
    "inquery": inquery_guard,
    "first_word": first_word,
    "first_word_or_with": first_word_or_with,
    "one_query": one_query,
}


def shop(path: Path) -> None:
    """The corpora's shop with a few rows, a table and a column that nobody may read."""
    with closing(sqlite3.connect(path)) as connection, connection:
        fill(connection.execute, "sqlite")
        connection.execute(f"ALTER TABLE customers ADD COLUMN password TEXT DEFAULT '{SECRET}'")
        connection.execute("CREATE TABLE secrets (id INTEGER, secret TEXT)")
        connection.execute("INSERT INTO secrets VALUES (1, ?)", (SECRET,))


def ran(runner: str, statements: Sequence[str], database: Path) -> list[dict[str, Any]]:
    """What statements did, each to a copy of its own."""
    environment = os.environ | {
        "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
        "PYTHONWARNINGS": "ignore",
        "OMP_NUM_THREADS": "1",
    }
    command = [interpreter(runner), "-m", "benchmarks.safety_runner", runner, str(database), SECRET]
    lines = "".join(json.dumps(sql) + "\n" for sql in statements)
    done = subprocess.run(
        command, input=lines, stdout=subprocess.PIPE, text=True, check=True, cwd=database.parent, env=environment
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def tried(system: System, bad: Sequence[str], good: Sequence[str], database: Path) -> dict[str, Any]:
    """One system over the SQLite corpora."""
    passed = [sql for sql in bad if system.allows(sql, "sqlite")]
    refused = [sql for sql in good if not system.allows(sql, "sqlite")]
    inside = [sql for sql in passed if not OUTSIDE.search(sql)]
    found = ran(system.runner, inside, database) if inside else []
    harmed = [each for each in found if each["changed"] or each["outcome"] in {"secret", "exhausted"}]
    return {
        "system": system.name,
        "hostile": len(bad),
        "let_through": len(passed),
        "ordinary": len(good),
        "refused": len(refused),
        "not_run": len(passed) - len(inside),
        "ran": sum(each["outcome"] != "failed" for each in found),
        "harm": len(harmed),
        "changed": sum(each["changed"] for each in found),
        "secret_read": sum(each["outcome"] == "secret" for each in found),
        "exhausted": sum(each["outcome"] == "exhausted" for each in found),
    }


def by_dialect(dialect: str) -> dict[str, Any]:
    """The checks that need no database, over one dialect's corpora."""
    bad, good = hostile(dialect), ordinary(dialect)
    found: dict[str, Any] = {"dialect": dialect, "hostile": len(bad), "ordinary": len(good)}
    for name, allows in CHECKS.items():
        found[f"{name}_let_through"] = sum(allows(sql, dialect) for sql in bad)
        found[f"{name}_refused"] = sum(not allows(sql, dialect) for sql in good)
    return found


def sized(size: int) -> str:
    """An ordinary statement of about so many characters: many expressions, and a long list."""
    head, middle = "SELECT id", " FROM orders WHERE status = 'paid' AND id IN ("
    columns, numbers = "", ""
    for number in range(size):
        if len(head) + len(columns) + len(middle) + len(numbers) >= size - 20:
            break
        if len(columns) < size // 2:
            columns += f", ROUND(total * {number}, 2) AS c{number}"
        else:
            numbers += f"{number}, "
    return f"{head}{columns}{middle}{numbers}0)"


def latency(size: int, times: int) -> dict[str, Any]:
    """The guard's time for statements of one size, and what it says of them."""
    sql, shown = sized(size), catalogue("sqlite")
    took, said = [], "passes"
    for number in range(times):
        # Another literal each time, so that nothing is remembered of the text.
        text = sql.replace("'paid'", f"'paid{number}'")
        started = time.perf_counter()
        try:
            check(text, dialect="sqlite", catalog=shown)
        except SqlRefused as refused:
            said = f"refused: {refused.rule}"
        took.append((time.perf_counter() - started) * 1000)
    figures = {"p50_ms": round(percentile(took, 0.5), 2), "p95_ms": round(percentile(took, 0.95), 2)}
    return {"bytes": len(sql), "statements": times, **figures, "verdict": said}


SIZES = {100: 200, 1_000: 100, 10_000: 20, 50_000: 5, 99_000: 5, 1_000_000: 20}
QUICK = {100: 50, 1_000: 20, 10_000: 5, 1_000_000: 5}


def measure(*, quick: bool) -> dict[str, Any]:
    """Every figure."""
    bad, good = hostile("sqlite"), ordinary("sqlite")
    if quick:
        bad, good = bad[::4], good[::4]
    found = []
    with tempfile.TemporaryDirectory(prefix="iq-safety-") as folder:
        database = Path(folder) / "shop.sqlite"
        shop(database)
        for system in SYSTEMS:
            found.append(tried(system, bad, good, database))
            print(json.dumps(found[-1]), flush=True)
    dialects = [by_dialect(dialect) for dialect in (("sqlite", "postgres") if quick else SCHEMAS)]
    return {
        "rows": found,
        "dialects": dialects,
        "latency": [latency(*each) for each in (QUICK if quick else SIZES).items()],
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a quarter of the corpus, smaller statements")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    machine = facts()
    figures = measure(quick=args.quick)
    out = args.out or RESULTS / f"safety{'-quick' if args.quick else ''}.json"
    keep(out, "safety", machine, {"quick": args.quick}, **figures)


if __name__ == "__main__":
    main()
