"""An answer in the terminal: words, how the question was read, a table, a plot, the SQL, and what to ask next."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from inquery.agents import bilingual as speech
from inquery.agents.step_words import step_words
from inquery.answers.answer import Answer
from inquery.answers.drawing import draw_terminal
from inquery.answers.formats import NAMES_THINGS, as_number, format_figure, group_digits
from inquery.cli.language import language, say
from inquery.cli.output import note, print_table, safe_cell

MOST_ROWS = 20
GRADES = {
    "verified": ("verified, approved by a person", "已核实，经人工审核"),
    "defined": ("verified, from accepted definitions", "已核实，依据已认可的口径"),
    "likely": ("likely right", "较可靠"),
    "check": ("please check", "请核对"),
}
_PIECES = re.compile(r"(?:[!-~]+|[^!-~\s])[，。、；：！？）》”’]* *|\s+")


def step_text(name: str) -> str:
    """What a step does, in the user's language."""
    return step_words(name, language())


def show_answer(answer: Answer, *, numbered: bool = False, whole_sql: bool = False) -> None:
    """Everything of an answer that a person reads: the answer first, then what it rests on."""
    console = Console(file=sys.stdout, highlight=False)
    if answer.text:
        show_text(console, _clean(answer.text))
    _read_so(console, answer)
    if answer.columns:
        numbers = [place for place, column in enumerate(answer.columns) if column.kind == "number"]
        heads = [column.label or column.name for column in answer.columns]
        rows = [_told_row(row, answer) for row in answer.rows[:MOST_ROWS]]
        print_table("", heads, rows, numbers=numbers)
        _count(answer)
    if answer.chart is not None and len(answer.rows) > 1:
        if answer.chart.title:
            click.echo(_clean(answer.chart.title))
        click.echo(draw_terminal(answer.chart, min(console.width, 100)))
        click.echo()
    _remarks(answer)
    if answer.sql and answer.status != "chat":
        show_sql(console, answer.sql, whole=whole_sql)
    _spent(answer)
    _next(answer, numbered)


def _told_row(row: Sequence[Any], answer: Answer) -> list[Any]:
    """Cells with their units, and codes in words; what nothing is known of stays as it is."""
    told = []
    for cell, column in zip(row, answer.columns, strict=True):
        if isinstance(cell, str | int) and not isinstance(cell, bool) and str(cell) in column.words:
            told.append(column.words[str(cell)])
        elif column.format in {"money", "percent", "fraction"} and as_number(cell) is not None:
            told.append(format_figure(cell, column.format, column.unit))
        elif column.kind == "number" and as_number(cell) is not None and not NAMES_THINGS.search(column.name):
            told.append(group_digits(cell))
        else:
            told.append(cell)
    return told


def _read_so(console: Console, answer: Answer) -> None:
    """How sure the answer is and how the question was read, in one dim line."""
    defined = answer.grade == "verified" and answer.reading.get("plan", {}).get("accepted", False)
    grade = GRADES.get("defined" if defined else answer.grade or "")
    parts = [speech.say(answer.language, *grade)] if grade else []
    if read := answer.reading.get("text"):
        parts.append(_clean(read))
    if parts:
        _dim(console, " · ".join(parts))
    for other in answer.alternatives:
        label = _clean(other.text)
        _dim(console, speech.say(answer.language, f"or: {label}", f"另一种理解：{label}"))


def _dim(console: Console, text: str) -> None:
    if console.is_terminal:
        console.print(Text(text, style="dim"))
    else:
        click.echo(text)


def show_sql(console: Console, sql: str, *, whole: bool = True) -> None:
    """A statement: whole and in colours, or in one dim line; a pipe gets it as it is."""
    if not console.is_terminal:
        click.echo(sql)
    elif whole:
        console.print(Syntax(laid_out(sql), "sql", word_wrap=True, background_color="default"))
    else:
        line = " ".join(sql.split())
        cut = line if len(line) < console.width else line[: console.width - 12] + " … (--sql)"
        console.print(Text(cut, style="dim"), overflow="ellipsis", no_wrap=True)


def laid_out(sql: str) -> str:
    """A statement over several lines; as it is where it cannot be read."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(sql).sql(pretty=True)
    except SqlglotError:
        return sql


def show_text(console: Console, text: str) -> None:
    """Words as they are; a terminal would break its lines within words, so they are broken between them."""
    if console.is_terminal:
        text = "\n".join(part for line in text.splitlines() for part in broken(line, console.width))
    click.echo(text, file=console.file)


def broken(line: str, width: int) -> list[str]:
    """A line in parts no wider than a terminal; Chinese breaks anywhere, but not within a number nor before a comma."""
    parts, room = [""], width
    for piece in _PIECES.findall(line):
        wide = cell_len(piece.rstrip())
        if wide > room and parts[-1]:
            parts[-1] = parts[-1].rstrip()
            parts.append("")
            room = width
        parts[-1] += piece
        room -= cell_len(piece)
    return parts


def _count(answer: Answer) -> None:
    shown = min(len(answer.rows), MOST_ROWS)
    if answer.truncated == "rows" and answer.total_count is not None:
        note(say(f"{answer.total_count:,} rows in all", f"共 {answer.total_count:,} 行"))
    if answer.row_count > shown:
        note(say(f"{shown} of {answer.row_count:,} rows", f"显示 {answer.row_count:,} 行中的 {shown} 行"))


def _remarks(answer: Answer) -> None:
    for warning in answer.warnings:
        if warning.rstrip(".。") in answer.text:
            continue  # said already
        note(say(f"note: {_clean(warning)}", f"注意：{_clean(warning)}"))
    for advice in answer.provenance.get("advice", []):
        note(say(f"speed: {_clean(advice)}", f"性能：{_clean(advice)}"))
    if answer.error and (said := answer.error.get("detail")):
        note(say(f"the model's provider says: {_clean(said)}", f"模型服务商：{_clean(said)}"))
    if read_at := answer.provenance.get("rows_as_of"):
        when = read_at[:19].replace("T", " ")
        note(
            say(
                f"rows read at {when} UTC (--refresh reads them again)",
                f"数据读取于 {when} UTC（--refresh 可重新读取）",
            )
        )
    if answer.cache and answer.cache.get("as_of"):
        when = str(answer.cache["as_of"])[:19].replace("T", " ")
        note(
            say(
                f"from the cache, as of {when} UTC (--refresh asks again)",
                f"来自缓存，截至 {when} UTC（--refresh 可重新查询）",
            )
        )


def _spent(answer: Answer) -> None:
    """What a hosted model cost; the one that ships costs nothing but time."""
    used = answer.usage
    if not used.model_calls or ":" not in used.model or used.model.startswith(("embedded", "scripted")):
        return
    cached = say(f" ({used.cached_tokens:,} cached)", f"（缓存 {used.cached_tokens:,}）") if used.cached_tokens else ""
    cost = say(f", cost {used.cost:.4f}", f"，费用 {used.cost:.4f}") if used.cost else ""
    note(
        say(
            f"{used.model}: {used.prompt_tokens:,}{cached} + {used.completion_tokens:,} tokens{cost}",
            f"{used.model}：{used.prompt_tokens:,}{cached} + {used.completion_tokens:,} 个令牌{cost}",
        )
    )


def _next(answer: Answer, numbered: bool) -> None:
    if answer.pending is not None and answer.pending.kind == "clarification":
        for number, option in enumerate(answer.pending.options, 1):
            click.echo(f"  {number}. {_clean(option.label)}")
    elif answer.followups:
        click.echo()
        click.echo(speech.say(answer.language, "You could ask:", "您还可以问："))
        for number, question in enumerate(answer.followups, 1):
            click.echo(f"  {f'{number}.' if numbered else '·'} {_clean(question)}")


def _clean(text: str) -> str:
    """Text from data without control characters, line breaks kept."""
    return "\n".join(safe_cell(line) if len(line) <= 200 else _long(line) for line in text.splitlines())


def _long(line: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in line)
