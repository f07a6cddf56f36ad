"""Every number in prose must be found in the result or the facts; a sentence with another one is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inquery.answers.answer import AnswerColumn, Fact
from inquery.answers.formats import as_number
from inquery.answers.shape import Rows

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?\s?(%|％|‰|万亿|亿|万|千|[kKmMbB](?![a-zA-Z])|thousand|million|billion)?"
)
_SCALE = {
    "%": 0.01, "％": 0.01, "‰": 0.001, "千": 1e3, "万": 1e4, "亿": 1e8, "万亿": 1e12, "k": 1e3, "m": 1e6, "b": 1e9,
    "thousand": 1e3, "million": 1e6, "billion": 1e9,
}  # fmt: skip
_SENTENCE = re.compile(r"[^。！？!?\n]*?(?:[。！？!?]|\.(?=\s|$)|\n|$)", re.S)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A number in a text; `step` is the size of its last printed digit, the precision it claims."""

    text: str
    value: float
    step: float


def quoted_numbers(text: str) -> Iterator[Quoted]:
    """All numbers in a text, scaled by their unit."""
    for found in _NUMBER.finditer(text):
        unit = (found.group(1) or "").lower()
        digits = (
            found.group(0)[: len(found.group(0)) - len(found.group(1) or "")].strip().replace(",", "").replace("−", "-")
        )
        scale = _SCALE.get(unit, 1.0)
        mantissa, _, exponent = digits.lower().partition("e")
        places = len(mantissa.partition(".")[2]) - int(exponent or 0)
        yield Quoted(found.group(0).strip(), float(digits) * scale, scale * 10.0**-places)


def known_numbers(facts: Iterable[Fact], rows: Rows, extra: Sequence[Any] = ()) -> list[float]:
    """Every number that may be quoted: cells, numbers inside text cells, facts and their details, what was asked."""
    found: list[float] = [float(len(rows))]
    for cell in [*(cell for row in rows for cell in row), *extra]:
        found += _numbers_of(cell)
    for fact in facts:
        for value in (fact.value, fact.label, *fact.detail.values()):
            found += _numbers_of(value)
    return found


def percents_as_parts(columns: Sequence[AnswerColumn], facts: Iterable[Fact], rows: Rows) -> list[float]:
    """Percentages as the parts of one that “9.56%” is read as: of a column of per cent 9.56 is stored."""
    places = [place for place, column in enumerate(columns) if column.format == "percent"]
    names = {columns[place].name for place in places}
    told = [value for fact in facts if fact.column in names for value in (fact.value, *fact.detail.values())]
    cells = [row[place] for row in rows for place in places]
    return [number / 100 for value in (*cells, *told) if (number := as_number(value)) is not None]


def _numbers_of(value: Any) -> list[float]:
    number = as_number(value)
    if number is not None:
        return [number]
    if value is None:
        return []
    text = str(value)
    # A size of 12M is quoted as it stands, which reads as twelve million.
    return [float(d) for d in re.findall(r"\d+(?:\.\d+)?", text)] + [each.value for each in quoted_numbers(text)]


def is_known(quoted: Quoted, known: Sequence[float]) -> bool:
    """Whether a known number prints as the quoted one: it lies within half of the last digit."""
    half = quoted.step * 0.5000001
    return any(abs(abs(quoted.value) - abs(number)) <= half + abs(number) * 1e-12 for number in known)


class SentenceGate:
    """Lets a text through that comes in pieces, sentence by sentence, less those that quote an unknown number."""

    def __init__(self, known: Sequence[float], send: Callable[[str], None]) -> None:
        self._known = known
        self._send = send
        self._held = ""

    def feed(self, piece: str) -> None:
        """Take a piece; what it makes whole is judged and sent on."""
        self._held += piece
        # The last sentence may go on: "3." is not over while a digit may follow.
        *whole, self._held = [found.group(0) for found in _SENTENCE.finditer(self._held) if found.group(0)] or [""]
        self._pass(whole)

    def end(self) -> None:
        """The text is whole, and so is its last sentence."""
        self._pass([self._held])
        self._held = ""

    def _pass(self, sentences: Sequence[str]) -> None:
        fine = [s for s in sentences if s and all(is_known(number, self._known) for number in quoted_numbers(s))]
        if fine:
            self._send("".join(fine))


def drop_unknown_numbers(
    text: str, facts: Iterable[Fact], rows: Rows, extra: Sequence[Any] = ()
) -> tuple[str, list[str]]:
    """The text less every sentence that quotes an unknown number, and the sentences dropped."""
    known = known_numbers(facts, rows, extra)
    kept: list[str] = []
    dropped: list[str] = []
    for sentence in (found.group(0) for found in _SENTENCE.finditer(text) if found.group(0)):
        fine = all(is_known(number, known) for number in quoted_numbers(sentence))
        (kept if fine else dropped).append(sentence)
    return "".join(kept).strip(), [sentence.strip() for sentence in dropped if sentence.strip()]
