"""Which language a question is in, and texts that exist in both."""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]{2,}")


def language_of(question: str, setting: str = "auto") -> str:
    """The language to answer in: the setting's, else Chinese where the question has more of it than names."""
    if setting in {"en", "zh"}:
        return setting
    chinese = len(_CHINESE.findall(question))
    return "zh" if chinese and chinese >= len(_LATIN.findall(question)) else "en"


def say(language: str, en: str, zh: str) -> str:
    """One of two texts."""
    return zh if language == "zh" else en


def plain(text: str) -> str:
    """A message without its punctuation and case, for comparing."""
    return re.sub(r"[\s\W_]+", " ", text).strip().casefold()
