"""Writes a home as the installed version writes it: `python -m tests.homes.write_home FILE.tar.xz`.

Run once with a version that is about to be followed by another; the file stays as it is, and `test_old_homes.py` opens it
with every later version. The demo database and its catalogue are left out: they are made anew.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

SHOP = Path("/srv/inquery-shop/shop.sqlite")
"""A place that is no machine's own; the address is stored encrypted and is not opened again."""
PASSWORD = "correct-horse-battery-staple"


def inquery(*words: str, given: str = "", code: int = 0) -> None:
    """Run a command; its exit code must be the expected one."""
    ran = subprocess.run([sys.executable, "-m", "inquery", *words], input=given, text=True, check=False)
    assert ran.returncode == code, words


def write(home: Path) -> None:
    """Everything that a home holds, by the doors that people use."""
    from inquery import Inquery

    SHOP.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(SHOP)) as shop:
        shop.executescript("DROP TABLE IF EXISTS sales; CREATE TABLE sales (id INTEGER PRIMARY KEY, city TEXT, amount REAL); INSERT INTO sales VALUES (1, 'Oslo', 9.5);")  # fmt: skip
    inquery("connections", "add", "shop", str(SHOP), "--currency", "NOK")
    inquery("ask", "How many sales are there?", "-c", "shop")
    inquery("users", "add", "ada", "--role", "admin", "--password-stdin", given=PASSWORD)
    inquery("users", "add", "vic", "--role", "viewer", "--password-stdin", given=PASSWORD)
    inquery("users", "grant", "vic", "shop", "--table", "sales", "--rows", "sales:city = 'Oslo'")
    inquery("samples", "add", "How many stores are in the east?", "SELECT COUNT(*) AS n FROM stores WHERE region = 'east'", "-c", "demo")  # fmt: skip
    inquery("profiles", "save", "CFO", "--prompt", "Compare with the year before.")
    inquery("report", "run", "weekly-sales", "-c", "demo", "--out", str(home.parent / "report.md"))
    with Inquery.connect("demo") as client:
        client.ask("How many stores are there in each region?", thread_id="thread-answered")
        client.ask("only the east", thread_id="thread-answered")
        waiting = client.ask("What is the revenue in Shanghai?", thread_id="thread-waiting", can_ask=True)
        assert waiting.status == "clarification", waiting.status


def main() -> None:
    """The command line."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        os.environ["INQUERY_HOME"] = str(home)
        write(home)
        with tarfile.open(sys.argv[1], "w:xz") as made:
            for path in sorted(home.rglob("*")):
                place = path.relative_to(home)
                if path.is_file() and place.parts[0] not in {"demo"} and "demo" not in place.name:
                    made.add(path, str(place))


if __name__ == "__main__":
    main()
