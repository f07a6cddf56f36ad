"""Enumerations that people write into comments: "状态 0待付款 1已付款", "1=male, 2=female", "a - active; b - blocked"."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from unicodedata import normalize

from inquery.language.text import CJK

LONGEST_LABEL = 24
MOST_WORDS = 5
"""A longer label is prose: "1. Fill in the form 2. Wait for an answer from the head office"."""
MOST_CODES = 60

_QUOTES = re.compile(r"[\"'`“”‘’{}]")
_SEPARATOR = rf"(?:\s*(?:=>|->|[:=→~])\s*|\s*[-—–]\s*|\s*[.、)]\s*|\s*(?:表示|代表|means\b|is\b|为(?=[{CJK}]))\s*)"
_NEXT = rf"(?=\s*(?:[,;/|、。\n()\[\]]|$)|\s*-?\d{{1,6}}(?:{_SEPARATOR}|\s*[A-Za-z{CJK}\[])"
_NUMBER = re.compile(
    rf"(?<![\w.:\-])(?<![A-Za-z{CJK}]-)(-?\d{{1,6}})(?:({_SEPARATOR})|\s*)(?:是(?=[^\s\d,;、/)|]))?[\[(]?([^\s\d,;:=/|、。()\[\]~.\-][^\n,;|、。()\[\]]*?){_NEXT})"
)
_LETTER_NEXT = (
    rf"(?=\s*(?:[,;/|、。\n()]|$)|\s+[A-Za-z]\w{{0,30}}(?:\s*[:=]|\s*[-—–]\s|\s*[{CJK}])"
    rf"|(?<=[{CJK}])[A-Za-z]\w{{0,3}}\s*(?:[:=-]|[{CJK}]))"
)
_LETTER = re.compile(
    rf"(?<![A-Za-z0-9_])([A-Za-z][A-Za-z0-9_]{{0,2}}|[A-Z][A-Z0-9_]{{0,19}})(?:\s*(?:=>|->|[:=→])\s*|\s+[-—–]\s+|[-—–](?=[{CJK}])|\s*(?:表示|代表|means\b)\s*|\s?(?=[{CJK}]))([^\s,;:=/|、。()][^\n,;:=|、。()/]*?){_LETTER_NEXT}"
)
_WORD = re.compile(
    rf"(?<![A-Za-z0-9_\-])([A-Za-z][A-Za-z0-9_\-]{{0,30}})\s*(?:=>|->|[:=→]|[-—–](?=[{CJK}]))\s*([^\s,;:=/|、。()][^\n,;:=|、。()/]*?){_LETTER_NEXT}"
)
_AFTER = re.compile(
    rf"([A-Za-z{CJK}][^\n,;:=/|、。()\d]*?)\s*(?:[:=]|[-—–]|\()\s*(-?\d{{1,6}}|[A-Z]\w?)\s*\)?(?=\s*(?:[,;/|、。\n)]|$)|\s+[A-Za-z{CJK}])"
)
_MEASURES = "年月日号时分秒个次天元位周岁条字行名张件%℃"
"""A digit before one of these counts: 最多3次, 保留2位小数."""
_NO_LABEL = re.compile(r"^[\W_]*$|^(?:and|or|to|和|或|到|至)\b|^https?$", re.I)


def read_enumeration(comment: str) -> tuple[tuple[str, str], ...]:
    """The codes that a comment explains, each with its label; nothing where it explains none.

    One code alone may be a number in prose, so at least two are needed.
    """
    text = _QUOTES.sub("", normalize("NFKC", comment))
    best: tuple[tuple[str, str], ...] = ()
    for part in _parts(text):
        for pairs in _readings(part):
            if len(pairs) > max(1, len(best)):
                best = pairs
    return best


def read_known_codes(comment: str, codes: Collection[str]) -> tuple[tuple[str, str], ...]:
    """What a comment says of codes that are known from data, where words of any length stand beside Chinese labels.

    "available可租 rented在租": without the data nobody could tell a code from a word of the text.
    """
    text = _QUOTES.sub("", normalize("NFKC", comment))
    known = [code for code in codes if code and code.casefold() in text.casefold()]
    if len(known) < 2 or len(known) * 2 < len(codes):
        return ()
    any_code = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    pair = re.compile(
        rf"(?<![A-Za-z0-9_])({any_code})(?![A-Za-z0-9_])\s*(?:=>|->|[:=→-])?\s*([A-Za-z{CJK}][^\n,;|、。()/:=]*?)"
        rf"(?=\s*(?:[,;/|、。\n()]|$)|\s*(?<![A-Za-z0-9_])(?:{any_code})(?![A-Za-z0-9_]))",
        re.I,
    )
    return _kept(pair.findall(text))


def heading_of(comment: str, codes: Collection[str] = ()) -> str:
    """What a comment says before its enumeration: 订单状态 of "订单状态 1待付款 2已付款"; `codes` are known from data."""
    text = normalize("NFKC", comment)
    glued = read_known_codes(comment, codes)
    if glued and len(glued) >= len(read_enumeration(comment)):
        return text[: min(text.casefold().find(code.casefold()) for code, _ in glued)].strip(" -—、,:：(（[{")
    if not read_enumeration(comment):
        return text.strip()
    head = re.split(rf"[:(\[,;{{\n]|\s-?\d|\d|\s[A-Za-z]\w?\s*[:=-]|(?<=[{CJK}])[A-Z](?=[{CJK}:=-])", text, maxsplit=1)[
        0
    ]
    return head.strip(" -—、,:")


def _parts(text: str) -> Iterator[str]:
    """Where the pairs may stand: in brackets, after a heading, anywhere; the narrower place is taken first."""
    yield from (found.group(1) for found in re.finditer(r"[(\[]([^()]*)[)\]]", text))
    _, colon, rest = text.partition(":")
    if colon:
        yield rest
    yield text


def _readings(text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    after = _kept((code, label) for label, code in _AFTER.findall(text))
    # 禁用:0 启用:1 删除:2 also reads as a code, a space and the next label.
    yield after
    numbers = [(code, label, sep) for code, sep, label in _NUMBER.findall(text)]
    if not any(not sep and label[0] in _MEASURES for _, label, sep in numbers):
        yield _kept((code, label) for code, label, _ in numbers)
    for pattern in (_LETTER, _WORD):
        yield _kept(pattern.findall(text))


def _kept(pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The pairs, unless one of them shows that this is no enumeration: a code twice, or prose for a label."""
    found: dict[str, str] = {}
    for code, given in pairs:
        label = given.strip().strip("-—:=.[]").strip()
        if code in found or _NO_LABEL.match(label) or len(label) > LONGEST_LABEL or len(label.split()) > MOST_WORDS:
            return ()
        found[code] = label
    return tuple(found.items()) if 2 <= len(found) <= MOST_CODES else ()
