"""Which language a question is in, and texts that exist in both."""

from __future__ import annotations

import re
from typing import Literal

from inquery.language import text

Language = Literal["en", "zh"]


def answer_language(question: str, setting: str = "auto") -> Language:
    """The language to answer in: the setting's, else the question's."""
    chosen = setting if setting in {"en", "zh"} else text.language_of(question)
    return "zh" if chosen == "zh" else "en"


def say(language: str, en: str, zh: str) -> str:
    """One of two texts."""
    return zh if language == "zh" else en


def bare_message(said: str) -> str:
    """A message without its punctuation and case, for comparing."""
    return re.sub(r"[\s\W_]+", " ", said).strip().casefold()
