"""Reads the statements of the corpora: one a line, lines that begin with "# " are remarks."""

from pathlib import Path

FOLDER = Path(__file__).parent


def statements(kind: str, name: str) -> list[str]:
    """The statements of hostile/<name>.sql or ordinary/<name>.sql."""
    text = (FOLDER / kind / f"{name}.sql").read_text("utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]


def hostile(dialect: str) -> list[str]:
    """What is hostile everywhere, and what is in this dialect."""
    return statements("hostile", "common") + statements("hostile", dialect)


def ordinary(dialect: str) -> list[str]:
    """What an analyst may well write in this dialect."""
    return statements("ordinary", dialect)
