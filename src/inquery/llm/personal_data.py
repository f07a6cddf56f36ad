"""Masks what belongs to one person (e-mail addresses, phone, identity and card numbers) in text for a remote model.

A statement never needs them: what a question names it names itself, and of a column the form is enough. So a number
is taken for what it may be (checksums tell identity and card numbers from order numbers), and the form stays.
"""

from __future__ import annotations

import re

_EMAIL = re.compile(r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.([A-Za-z]{2,})")
# Letters of other scripts may stand right beside a number: 电话13800000000.
_START, _END = r"(?<![A-Za-z0-9_.\-])", r"(?![A-Za-z0-9_]|\.\d)"
_LONG = re.compile(rf"{_START}(?:\d{{12,18}}[\dXx]|\d{{4}}([ -])\d{{4}}\1\d{{4}}\1\d{{1,7}}){_END}")
_MOBILE = re.compile(rf"{_START}(?:\+?86[ -]?)?1[3-9]\d(?:[ -]?\d{{4}}){{2}}{_END}")
_WRITTEN = re.compile(rf"{_START}(?:\+\d{{1,3}}[ .\-]?)?(?:\(\d{{2,4}}\)|\d{{2,4}})(?:[ \-]\d{{2,8}}){{1,4}}{_END}")
_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}-\d{1,2}-\d{4}(?!\d)")
_LITERAL = re.compile(r"'(?:[^']|'')*'")
_KEPT = 3


def mask_personal(text: str) -> str:
    """The text with what belongs to one person starred out, its form kept."""
    if "@" in text:
        text = _EMAIL.sub(lambda found: f"***@***.{found.group(1)}", text)
    if not any(letter.isdigit() for letter in text):
        return text
    text = _LONG.sub(lambda found: _starred(found.group()) if _is_numbered(found.group()) else found.group(), text)
    text = _MOBILE.sub(lambda found: _starred(found.group()), text)
    return _WRITTEN.sub(lambda found: _starred(found.group()) if _is_phone(found.group()) else found.group(), text)


def mask_literals(sql: str) -> str:
    """A statement with what its quoted values tell of one person starred out."""
    return _LITERAL.sub(lambda found: mask_personal(found.group()), sql)


def _starred(number: str) -> str:
    """The first digits, which say what kind of number it is, and stars for the others."""
    seen = 0
    made = []
    for letter in number:
        is_part = letter.isdigit() or letter in "Xx"
        seen += is_part
        made.append("*" if is_part and seen > _KEPT else letter)
    return "".join(made)


def _is_numbered(text: str) -> bool:
    digits = re.sub(r"[ -]", "", text)
    return _is_identity(digits) or _is_card(digits)


_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def _is_identity(digits: str) -> bool:
    """A Chinese identity number: a date of birth in it, and a check digit that fits."""
    if (
        len(digits) != 18
        or not digits[:17].isdigit()
        or not re.fullmatch(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])[0-3]\d", digits[6:14])
    ):
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits[:17], _WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == digits[17].upper()


def _is_card(digits: str) -> bool:
    """A payment card: one of the networks' first digits, and a sum that fits."""
    if not digits.isdigit() or not 13 <= len(digits) <= 19 or digits[0] not in "3456":
        return False
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _is_phone(text: str) -> bool:
    """A number written as people write a phone's: nine to fifteen digits in groups, and no date."""
    digits = sum(letter.isdigit() for letter in text)
    return 9 <= digits <= 15 and not _DATE.match(text)
