"""What the tables of drivers' errors share: the class first, then its codes; then patterns of texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from inquery.errors import InqueryError, Text

Code = TypeVar("Code", int, str)
Patterns = tuple[tuple[str, type[InqueryError]], ...]

NO_ANSWER = Text("the server did not answer", "服务器没有响应")
SERVICE_SILENT = Text("the service did not answer", "服务没有响应")


def by_code(table: Mapping[type[InqueryError], Iterable[Code]]) -> dict[Code, type[InqueryError]]:
    """The class of each code; a code that stands twice is a mistake."""
    found: dict[Code, type[InqueryError]] = {}
    for cls, codes in table.items():
        for code in codes:
            if code in found:
                raise ValueError(f"{code} is {found[code].__name__} and {cls.__name__}")
            found[code] = cls
    return found


def by_text(patterns: Patterns, text: str) -> type[InqueryError] | None:
    """The class of the first pattern that is found, whatever its case."""
    return next((cls for pattern, cls in patterns if re.search(pattern, text, re.IGNORECASE)), None)


def class_names(error: BaseException) -> frozenset[str]:
    """The names of an error's classes: drivers that are not installed cannot be imported to ask."""
    return frozenset(cls.__name__ for cls in type(error).__mro__)
