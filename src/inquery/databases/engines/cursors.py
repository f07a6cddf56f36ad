"""What engines with an ordinary Python cursor share: one statement, rows in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.databases.engine import Batch, Limits, ResultColumn
from inquery.databases.kinds import kind_of_type
from inquery.databases.values import BatchSize, plain_rows
from inquery.errors import BadConnectionUrl, ReadOnlyViolation, SqlSyntax

_PLAIN = frozenset({"number", "date", "datetime", "boolean", "binary"})


def batches(cursor: Any, columns: tuple[ResultColumn, ...], limits: Limits) -> Iterator[Batch]:
    """Rows of an executed cursor, one past the cap at most; an empty result still gives its columns."""
    odd = [index for index, column in enumerate(columns) if column.kind not in _PLAIN]
    size = BatchSize(limits.rows)
    while size.next:
        rows = cursor.fetchmany(size.next)
        if not rows:
            break
        made = plain_rows(rows, odd)
        size.saw(made)
        yield Batch(columns, made)
    if size.first:
        yield Batch(columns, [])


def column(name: str, type_name: str) -> ResultColumn:
    """A result column by the engine's own name of its type."""
    return ResultColumn(name, type_name, kind_of_type(type_name))


def only_query(text: str, dialect: str) -> None:
    """Refuse anything but one query that writes nowhere, for drivers that would send whole batches."""
    try:
        statements = [statement for statement in sqlglot.parse(text, read=dialect) if statement is not None]
    except SqlglotError as error:
        raise SqlSyntax(str(error)) from error
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise ReadOnlyViolation("only one SELECT runs")
    if statements[0].find(exp.Into, exp.DML, exp.DDL, exp.Command) is not None:
        raise ReadOnlyViolation("a part of the statement writes")


def flag(value: str | None, *, default: bool) -> bool:
    """A yes or no of an address's parameter."""
    return default if value is None else value.strip().lower() in {"1", "true", "yes", "on"}


def bad_url(en: str, zh: str) -> BadConnectionUrl:
    """An address that this engine cannot use."""
    return BadConnectionUrl.because(en, zh)


def split_path(database: str, most: int) -> Sequence[str]:
    """The parts of an address's path, such as database/schema."""
    parts = [part for part in database.split("/") if part]
    if len(parts) > most:
        raise bad_url("the path of the address has too many parts", "地址的路径部分过多")
    return parts
