"""What a person sees: tables and notes in the terminal, or one JSON document."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from inquery.cli.language import both
from inquery.databases.engine import Progress

F = TypeVar("F", bound=Callable[..., Any])
LONGEST_CELL = 200
NARROWEST = 8
"""Columns narrower than this cannot be read."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help=both("Print one JSON document.", "输出一个 JSON 文档。")
)
connection_option = click.option(
    "--connection",
    "-c",
    metavar="NAME|FILE|ADDRESS",
    help=both(
        "The database: a registered name, a data file or folder, or an address; by default the only registered one, "
        "else the demo.",
        "数据库：已登记的名称、数据文件或文件夹，或数据库地址；默认使用唯一已登记的连接，否则使用演示库。",
    ),
)


def print_json(value: Any) -> None:
    """One document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=None if not sys.stdout.isatty() else 2, default=str))


def note(text: str) -> None:
    """A remark on standard error, where it does not disturb the output."""
    click.echo(text, err=True)


def print_table(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    *,
    numbers: Sequence[int] = (),
    missing: str = "—",
) -> None:
    """A table as wide as it needs to be; in a pipe nothing is cut to a terminal's width."""
    rows = [[missing if cell is None else safe_cell(cell) for cell in row] for row in rows]
    terminal = sys.stdout.isatty()
    console = Console(file=sys.stdout, width=None if terminal else 100_000, soft_wrap=False, highlight=False)
    if terminal and len(columns) * NARROWEST > console.width:
        _print_records(columns, rows)
        return
    table = Table(title=Text(safe_cell(title)) if title else None, box=box.SIMPLE_HEAD, title_justify="left")
    for index, name in enumerate(columns):
        table.add_column(Text(safe_cell(name)), justify="right" if index in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell, style="dim" if cell == missing else "") for cell in row))
    console.print(table)


def _print_records(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """One line a cell, for rows that no terminal is wide enough for."""
    for number, row in enumerate(rows, 1):
        click.echo(f"── {number} ──")
        for name, cell in zip(columns, row, strict=True):
            click.echo(f"{safe_cell(name)}: {cell}")


def safe_cell(value: Any) -> str:
    """A cell as text that cannot move the cursor or change colours."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float):
        return f"{value:.12g}"  # sums of binary fractions end in noise beyond this
    text = str(value).replace("\r\n", "⏎").replace("\n", "⏎")
    text = "".join(letter if letter.isprintable() else "�" for letter in text)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"


@contextmanager
def working(text: str) -> Iterator[Progress]:
    """Show on a terminal's standard error that something is under way, and how far it is."""
    if not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    with Console(file=sys.stderr).status(text) as status:

        def report(stage: str, done: int, total: int) -> None:
            status.update(f"{text} {stage} {done:,}" + (f"/{total:,}" if total else ""))

        yield report
