"""What is wrong in a template or a run: a place, a code and a reason in both languages, shown where it happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from inquery.errors import Text


class PlainProblem(TypedDict):
    """A problem as plain data, for the store and for JSON."""

    line: int
    code: str
    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault; `line` is a line of the text, or the number of a paragraph in a document."""

    line: int
    code: str
    reason: Text

    def told(self, language: str) -> str:
        """The reason with its place."""
        where = (f"第 {self.line} 行：" if language == "zh" else f"line {self.line}: ") if self.line else ""
        return where + (self.reason.zh if language == "zh" else self.reason.en)

    def to_dict(self) -> PlainProblem:
        """Plain data."""
        return {"line": self.line, "code": self.code, "en": self.reason.en, "zh": self.reason.zh}

    @classmethod
    def of(cls, data: PlainProblem) -> Problem:
        """A problem from plain data."""
        return cls(data["line"], data["code"], Text(data["en"], data["zh"]))
