"""Inquery answers questions about a database; public names are imported when they are first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inquery.answers.answer import Answer
    from inquery.client import Inquery
    from inquery.errors import InqueryError, SqlRefused
    from inquery.settings import Settings, get_settings
    from inquery.sql import Catalog, CheckedSql, Policy, check

_WHERE = {
    "Answer": "inquery.answers.answer",
    "Catalog": "inquery.sql",
    "CheckedSql": "inquery.sql",
    "Inquery": "inquery.client",
    "InqueryError": "inquery.errors",
    "Policy": "inquery.sql",
    "Settings": "inquery.settings",
    "SqlRefused": "inquery.errors",
    "check": "inquery.sql",
    "get_settings": "inquery.settings",
}

__all__ = [
    "Answer",
    "Catalog",
    "CheckedSql",
    "Inquery",
    "InqueryError",
    "Policy",
    "Settings",
    "SqlRefused",
    "check",
    "get_settings",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'inquery' has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return __all__
