"""sqlglot's parsers and writers as classes that can be changed, also where its compiled build is installed.

`sqlglot[c]` puts compiled modules beside the Python sources, and their classes take neither a subclass nor another
table (`interpreted classes cannot inherit from compiled`). A program may have it for its own use, so there the parsers
and writers are read once more from the sources, for the guard alone. Trees, tokens and dialects are shared, nothing
that others import is replaced, and the guard's grammar is the same code in both builds.
"""

from __future__ import annotations

import builtins
import importlib
import threading
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypeVar

from inquery.errors import SqlRefused

T = TypeVar("T")
_PARTS = ("sqlglot.parser", "sqlglot.parsers", "sqlglot.generator", "sqlglot.generators")
_LOCK = threading.RLock()
_copies: dict[str, ModuleType] = {}


def interpreted(wanted: type[T]) -> type[T]:
    """The class itself where Python runs it, else the same class made from its source; raises SqlRefused without one."""
    if not _is_compiled(wanted.__module__):
        return wanted
    with _LOCK:
        found: type[T] = getattr(_copy_of(wanted.__module__), wanted.__name__)
    return found


def _is_compiled(name: str) -> bool:
    return not str(importlib.import_module(name).__file__).endswith((".py", ".pyc"))


def _copy_of(name: str) -> ModuleType:
    """A module read from its source; whatever it imports of parsers and writers is a copy too."""
    if name in _copies:
        return _copies[name]
    shared = Path(str(importlib.import_module(name).__file__))
    source = shared.with_name(f"{name.rpartition('.')[2]}.py")
    if not source.exists():
        raise SqlRefused("no_grammar", f"{shared.name} has no {source.name} beside it")
    made = _copies[name] = ModuleType(name)
    made.__file__ = str(source)
    made.__dict__["__builtins__"] = {**vars(builtins), "__import__": _import}
    try:
        SourceFileLoader(name, str(source)).exec_module(made)  # by sqlglot's own bytecode files, where there are any
    except BaseException:
        del _copies[name]
        raise
    return made


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> ModuleType | SimpleNamespace:
    """What an import statement in a copy finds: copies of parsers and writers, else what everybody has."""
    found = builtins.__import__(name, globals, locals, fromlist, level)
    if level or not fromlist:
        return found
    if name in _PARTS or name.rpartition(".")[0] in _PARTS:
        return _copy_of(name) if _is_compiled(name) else found
    parts = {each: f"{name}.{each}" for each in fromlist if f"{name}.{each}" in _PARTS}
    if not parts:
        return found
    return SimpleNamespace(
        **{each: _copy_of(parts[each]) if each in parts else getattr(found, each) for each in fromlist}
    )
