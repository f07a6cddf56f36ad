"""What a question may be at the most; looked at by every door before any rule reads it."""

from __future__ import annotations

import re

from inquery.errors import BadRequest, QuestionEmpty, QuestionTooLong

LONGEST_NUMBER = 100
"""Digits of one number: no database holds longer ones, and turning thousands of them into a number takes a while."""
_NUMBER = re.compile(
    rf"\d{{{LONGEST_NUMBER + 1},}}|[零〇一二三四五六七八九两壹贰叁十百千万亿]{{{LONGEST_NUMBER + 1},}}"
)


def check_question(question: str, most: int) -> None:
    """Raise QuestionEmpty, QuestionTooLong, or BadRequest for a number that is none."""
    if not question.strip():
        raise QuestionEmpty()
    check_length(question, most)


def check_length(text: str, most: int) -> None:
    """The same of a reply, which may be empty."""
    if len(text) > most:
        raise QuestionTooLong(length=len(text), limit=most)
    if _NUMBER.search(text):
        raise BadRequest.because(
            f"a number in it has more than {LONGEST_NUMBER} digits", f"其中有超过 {LONGEST_NUMBER} 位的数字"
        )
