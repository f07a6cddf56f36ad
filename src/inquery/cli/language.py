"""Which language the command line speaks, and texts that exist in both."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path

import platformdirs

_SEPARATOR = "\x1f"
_current: ContextVar[str | None] = ContextVar("language", default=None)


def both(en: str, zh: str) -> str:
    """A help text in both languages, to be split when the language is known."""
    return f"{en}{_SEPARATOR}{zh}"


def choose(text: str) -> str:
    """The part of a text in the current language; texts in one language stay as they are."""
    en, found, zh = text.partition(_SEPARATOR)
    return zh if found and language() == "zh" else en


def say(en: str, zh: str) -> str:
    """One of two texts."""
    return zh if language() == "zh" else en


def language() -> str:
    """The language of this run: en or zh."""
    return _current.get() or detect()


def set_language(name: str | None) -> None:
    """Fix the language of this run; None detects it."""
    _current.set(name if name in {"en", "zh"} else detect())


def language_option(arguments: Sequence[str]) -> str | None:
    """The value of --lang, wherever it stands, read before any help is shown."""
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument.startswith("--lang="):
            return argument.removeprefix("--lang=")
        if argument == "--lang" and index + 1 < len(arguments):
            return arguments[index + 1]
    return None


def detect() -> str:
    """INQUERY_LANGUAGE, else a settings file, else the locale."""
    given = os.environ.get("INQUERY_LANGUAGE", "").lower()
    if given in {"en", "zh"}:
        return given
    configured = _from_settings_file()
    if configured:
        return configured
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def _from_settings_file() -> str | None:
    # Settings take a third of a second to import: only where there is a file to read.
    home = os.environ.get("INQUERY_HOME") or platformdirs.user_data_dir("inquery", appauthor=False)
    for place in (Path("inquery.yaml"), Path(home).expanduser() / "inquery.yaml"):
        if place.is_file():
            for line in place.read_text("utf-8", errors="replace").splitlines():
                key, _, value = line.partition(":")
                if key == "language" and value.strip().strip("'\"") in {"en", "zh"}:
                    return value.strip().strip("'\"")
    return None
