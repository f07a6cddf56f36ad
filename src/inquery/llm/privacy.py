"""What may reach a remote model: the one place that takes cell values out of a request."""

from __future__ import annotations

import re
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from inquery.errors import ModelMissing
from inquery.llm.providers import is_local
from inquery.llm.writer import Failure, SchemaView, WriteRequest
from inquery.settings import LLMSettings

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")


def check_provider(settings: LLMSettings, privacy: str) -> None:
    """Refuse a remote provider for a connection that is local only."""
    if privacy == "local_only" and not is_local(settings):
        raise ModelMissing(settings.provider, reason="privacy = local_only")


def guarded(request: WriteRequest, settings: LLMSettings, privacy: str) -> WriteRequest:
    """The request as this provider may see it: whole for a local one, without any cell value under schema_only."""
    check_provider(settings, privacy)
    if privacy != "schema_only" or is_local(settings):
        return request
    return replace(
        request,
        schema=_without_samples(request.schema),
        values=(),
        samples=tuple(replace(s, sql=without_literals(s.sql, request.dialect)) for s in request.samples),
        template=without_literals(request.template, request.dialect) if request.template else None,
    )


def guarded_failure(failed: Failure, request: WriteRequest, settings: LLMSettings, privacy: str) -> Failure:
    """The failure as this provider may see it: no literal of the statement, nothing of a driver but names."""
    if privacy != "schema_only" or is_local(settings):
        return failed
    names = {part for t in request.schema.tables for part in (*t.path, *(c.name for c in t.columns))}
    return replace(
        failed,
        sql=without_literals(failed.sql, request.dialect),
        message=names_in(failed.message, names),
        suggestions=tuple(found for s in failed.suggestions if (found := names_in(s, names))),
    )


def _without_samples(schema: SchemaView) -> SchemaView:
    tables = tuple(replace(t, columns=tuple(replace(c, samples=()) for c in t.columns)) for t in schema.tables)
    return replace(schema, tables=tables)


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
