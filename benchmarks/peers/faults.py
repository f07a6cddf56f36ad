"""Mistakes that language models make, put into right SQL by a seed: the same for every system."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import sqlglot
from sqlglot import exp

SHARE = 0.5
"""Of the statements a model writes, those with a fault."""


def faulted(sql: str, seed: str, share: float = SHARE) -> tuple[str, str]:
    """The text a model gives for right SQL, and the kind of its fault, empty where there is none."""
    rng = random.Random(seed)
    if rng.random() >= share:
        return sql, ""
    kinds = list(KINDS)
    rng.shuffle(kinds)
    for kind in kinds:
        made = KINDS[kind](sql, rng)
        if made != sql:
            return made, WRONG_VALUE if kind == "wrong name" and is_text(sql, made) else kind
    return sql, ""


def is_text(sql: str, made: str) -> bool:
    """Whether the name that was changed is a text in double quotes, as Spider's SQL has many: then a value is wrong."""
    return "".join(re.split(r'"[^"]*"', sql)) == "".join(re.split(r'"[^"]*"', made))


def wrong_name(sql: str, rng: random.Random) -> str:
    """One column as it would be spelled elsewhere."""
    tree = sqlglot.parse_one(sql, read="sqlite")
    names = sorted({c.name for c in tree.find_all(exp.Column) if c.name and c.name != "*"})
    if not names:
        return sql
    name = rng.choice(names)
    other = rng.choice([name + "s", name.replace("_", "") if "_" in name else f"{name}_name", name[:-1] or "x"])
    return re.sub(rf"\b{re.escape(name)}\b", other, sql)


def other_dialect(sql: str, rng: random.Random) -> str:
    """The statement for another engine, with an idiom that SQLite does not have."""
    dialect = rng.choice(["tsql", "mysql", "postgres"])
    quoted = sqlglot.parse_one(sql, read="sqlite").sql(dialect=dialect, identify=dialect != "postgres")
    if dialect == "postgres":
        return re.sub(r"\bCOUNT\(\*\)", "COUNT(*)::BIGINT", quoted, flags=re.I)
    return quoted


def fenced(sql: str, rng: random.Random) -> str:
    """In a code fence, as chat models like it."""
    return f"```sql\n{sql}\n```"


def with_prose(sql: str, rng: random.Random) -> str:
    """With words around."""
    return f"Sure! Here is the query you asked for:\n\n{sql};\n\nIt returns what you need. Let me know if it helps."


def two_statements(sql: str, rng: random.Random) -> str:
    """Followed by another statement."""
    return f"{sql}; SELECT 1"


def writing(sql: str, rng: random.Random) -> str:
    """A statement that changes data."""
    tables = sorted({t.name for t in sqlglot.parse_one(sql, read="sqlite").find_all(exp.Table) if t.name})
    if not tables:
        return sql
    return f'DELETE FROM "{rng.choice(tables)}"'


KINDS: dict[str, Callable[[str, random.Random], str]] = {
    "wrong name": wrong_name,
    "other dialect": other_dialect,
    "fence": fenced,
    "prose": with_prose,
    "two statements": two_statements,
    "write": writing,
}
WRONG_VALUE = "wrong value"
"""What a wrong name is called where the name is a text in double quotes."""
