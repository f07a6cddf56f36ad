"""What may reach a remote model: the one place that takes cell values out of a request."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.catalog.meanings import written_meanings
from inquery.errors import ModelMissing
from inquery.llm.personal_data import mask_literals, mask_personal
from inquery.llm.providers import is_local
from inquery.llm.writer import Failure, SchemaView, WriteRequest
from inquery.settings import LLMSettings
from inquery.sql import Column, Table

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")


def check_provider(settings: LLMSettings, privacy: str) -> None:
    """Refuse a remote provider for a connection that is local only."""
    if privacy == "local_only" and not is_local(settings):
        raise ModelMissing(settings.provider, reason="privacy = local_only")


def guarded(request: WriteRequest, settings: LLMSettings, privacy: str) -> WriteRequest:
    """The request as this provider may see it: whole for a local one, without any cell value under schema_only.

    Under `full` a remote one sees cells, less what belongs to one person.
    """
    check_provider(settings, privacy)
    if is_local(settings):
        return request
    if privacy != "schema_only":
        return _masked(request) if settings.mask_personal else request
    return replace(
        request,
        schema=_without_samples(request.schema),
        values=(),
        samples=tuple(replace(s, sql=without_literals(s.sql, request.dialect)) for s in request.samples),
        template=without_literals(request.template, request.dialect) if request.template else None,
    )


def guarded_failure(failed: Failure, request: WriteRequest, settings: LLMSettings, privacy: str) -> Failure:
    """The failure as this provider may see it: no literal of the statement, nothing of a driver but names."""
    if is_local(settings):
        return failed
    if privacy != "schema_only":
        if not settings.mask_personal:
            return failed
        told = tuple(map(mask_personal, failed.suggestions))
        return replace(failed, sql=mask_literals(failed.sql), message=mask_personal(failed.message), suggestions=told)
    names = {part for t in request.schema.tables for part in (*t.path, *(c.name for c in t.columns))}
    return replace(
        failed,
        sql=without_literals(failed.sql, request.dialect),
        message=names_in(failed.message, names),
        suggestions=tuple(found for s in failed.suggestions if (found := names_in(s, names))),
    )


def shown_text(text: str, settings: LLMSettings) -> str:
    """Text with cells in it, such as rows or a driver's message, as a provider may see it under `full`."""
    return mask_personal(text) if settings.mask_personal and not is_local(settings) else text


def _masked(request: WriteRequest) -> WriteRequest:
    """The request without what belongs to one person; what the question itself says stays, the user wrote it."""
    values = tuple(v for v in request.values if v.value in request.question or mask_personal(v.value) == v.value)
    return replace(
        request,
        schema=_masked_schema(request.schema),
        values=values,
        samples=tuple(replace(s, sql=mask_literals(s.sql)) for s in request.samples),
        template=mask_literals(request.template) if request.template else None,
    )


def _masked_schema(schema: SchemaView) -> SchemaView:
    tables = tuple(_masked_table(table) for table in schema.tables)
    return replace(schema, tables=tables)


@lru_cache(maxsize=4096)
def _masked_table(table: Table) -> Table:
    """The table with its samples masked; the very same one for the same table, since its text is kept by identity."""
    columns = tuple(replace(c, samples=_masked_samples(c.samples)) for c in table.columns)
    return table if columns == table.columns else replace(table, columns=columns)


def _masked_samples(samples: tuple[str, ...]) -> tuple[str, ...]:
    """The samples as they are, or one form of them: several stars would look like the codes of a short list."""
    masked = tuple(map(mask_personal, samples))
    return samples if masked == samples else masked[:1]


def _without_samples(schema: SchemaView) -> SchemaView:
    bare = tuple(replace(t, columns=tuple(map(_without_cells, t.columns))) for t in schema.tables)
    return replace(schema, tables=bare)


def _without_cells(column: Column) -> Column:
    """A column without what its cells, and those of look-up tables, hold."""
    return replace(column, samples=(), meanings=written_meanings(column))


def without_literals(sql: str, dialect: str) -> str:
    """The statement with every constant as `?`; text that does not parse loses its quoted and numeric parts."""
    try:
        tree = sqlglot.parse_one(sql, dialect=dialect)
    except (SqlglotError, RecursionError):
        return _NUMBER.sub("?", _QUOTED.sub("?", sql))
    return tree.transform(lambda node: exp.Placeholder() if isinstance(node, exp.Literal) else node).sql(
        dialect=dialect
    )


def names_in(message: str, names: set[str]) -> str:
    """What may be said of a driver's message: the schema's own names in it. Drivers quote values in too many ways."""
    words = set(re.findall(r"[\w$]+", message))
    return ", ".join(sorted(name for name in names if name in words))
