"""Text to tokens and back, by the tokenizer.json that lies beside the weights.

Byte-level BPE in the order of its merges, as the package `tokenizers` does it and to the same ids: that package brings
35 MB of a model hub's client along, for a prompt that takes this code a few milliseconds.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any

from inquery.errors import ModelMissing

LETTERS = Path(__file__).parent / "letters.txt"
PIECES = re.compile(
    # GPT-2's pattern over the shape of a text, with every digit a piece of its own. A digit ends the piece before it,
    # so blanks before one stay whole: that is the look-ahead for [0-9].
    r"[0-9]|'(?:[stmd]|re|ve|ll)| ?[A-Za-z]+| ?[^\sA-Za-z0-9]+|\s+(?=[0-9])|\s+(?!\S)|\s+",
    re.ASCII,
)
SPLITTERS = [
    {"type": "Digits", "individual_digits": True},
    {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
]
BLANKS = (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)


def byte_letters() -> str:
    """The letter that stands for each byte in a byte-level vocabulary: printable ones for themselves."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return "".join(chr(byte if byte in printable else next(others)) for byte in range(256))


class Shapes(dict[int, str]):
    """The ASCII character that splits as another does: a letter, a digit, a blank or a mark; filled as it is asked."""

    def __init__(self) -> None:
        super().__init__({code: chr(code) for code in range(128)} | dict.fromkeys(BLANKS, "\n"))
        self._ends: list[int] = []
        self._kinds: list[str] = []

    def __missing__(self, code: int) -> str:
        if not self._ends:
            self._read()
        place = bisect_right(self._ends, code)
        self[code] = kind = self._kinds[place] if place < len(self._kinds) else "!"
        return kind

    def _read(self) -> None:
        """The characters that were letters and digits where the model learnt; Python's own table differs by version."""
        spans: list[tuple[int, int, str]] = []
        for line in LETTERS.read_text("utf-8").splitlines():
            kind, *ranges = line.split()
            for first, _, last in (each.partition("-") for each in ranges if kind != "#"):
                spans.append((int(first, 16), int(last, 16) + 1, kind))
        for start, end, kind in sorted(spans):
            self._ends += [start, end]
            self._kinds += ["!", kind]


class Tokens:
    """The model's byte-level vocabulary; special tokens in a text are ordinary text."""

    def __init__(self, vocabulary: dict[str, int], merges: Sequence[tuple[str, str]], special: Sequence[str]) -> None:
        self._text = {number: text for text, number in vocabulary.items()}
        self.size = len(vocabulary)
        """Number of tokens."""
        # A question that contains "<|im_end|>" must not be able to end anything.
        self._number = {text: number for text, number in vocabulary.items() if text not in special}
        self._ranks = {pair: rank for rank, pair in enumerate(merges)}
        self._shapes = Shapes()
        self._letters = byte_letters()
        self._bytes = {letter: byte for byte, letter in enumerate(self._letters)}
        self.word = lru_cache(maxsize=50_000)(self._word)
        self._piece = lru_cache(maxsize=50_000)(self._merged)

    @classmethod
    def load(cls, path: Path) -> Tokens:
        """Read a tokenizer.json; raises ModelMissing for one of another kind."""
        try:
            content = json.loads(path.read_text("utf-8"))
            model, added = content["model"], content["added_tokens"]
            merges = [tuple(pair.split(" ") if isinstance(pair, str) else pair) for pair in model["merges"]]
            special = [token["content"] for token in added]
            if not _is_ours(content):
                raise ValueError("only byte-level BPE with single digits is understood")
            vocabulary = model["vocab"] | {token["content"]: token["id"] for token in added}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ModelMissing(f"{path}: {error}", reason=f"{path.parent.name}: {path.name}") from error
        return cls(vocabulary, merges, special)

    def encode(self, text: str) -> list[int]:
        """The tokens of a text."""
        shape = text if text.isascii() else text.translate(self._shapes)
        return [token for match in PIECES.finditer(shape) for token in self._piece(text[match.start() : match.end()])]

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of tokens."""
        letters = "".join(self._text[token] for token in tokens)
        return bytes(map(self._bytes.__getitem__, letters)).decode("utf-8", "replace")

    def _word(self, word: str) -> tuple[int, ...]:
        """The tokens of one word of a form, with the space before it; cached as `word`."""
        return tuple(self.encode(" " + word))

    def _merged(self, piece: str) -> tuple[int, ...]:
        """The tokens of one piece; a byte without a token is left out, as it was when the model learnt."""
        letters = (self._letters[byte] for byte in piece.encode("utf-8", "replace"))
        return tuple(self._number[symbol] for symbol in self._joined([c for c in letters if c in self._number]))

    def _joined(self, symbols: list[str]) -> list[str]:
        """Symbols joined pair by pair, the pair that was learnt first before others and the leftmost of those.

        A heap, since a run of ten thousand letters is one piece: looking at all pairs each time would take minutes.
        """
        ranks, count = self._ranks, len(symbols)
        symbols.append("")
        before, after = list(range(-1, count)), list(range(1, count + 2))
        waiting = [(rank, at) for at in range(count) if (rank := ranks.get((symbols[at], symbols[at + 1]))) is not None]
        heapify(waiting)
        while waiting:
            rank, at = heappop(waiting)
            right = after[at]
            if right > count or ranks.get((symbols[at], symbols[right])) != rank:
                continue  # one of the two has been joined to something else since
            symbols[at] += symbols[right]
            symbols[right] = ""
            after[at] = after[right]
            before[after[right]] = at
            for left in (before[at], at):
                pair = (symbols[left], symbols[after[left]]) if left >= 0 else ("", "")
                if (found := ranks.get(pair)) is not None:
                    heappush(waiting, (found, left))
        return [symbol for symbol in symbols if symbol]


def _is_ours(content: dict[str, Any]) -> bool:
    """Whether a tokenizer.json splits and joins the way this file does."""
    model, splitting = content["model"], content["pre_tokenizer"]
    steps = splitting.get("pretokenizers", []) if splitting else []
    splits = len(steps) == len(SPLITTERS) and all(
        wanted.items() <= step.items() for wanted, step in zip(SPLITTERS, steps, strict=True)
    )
    plain = not any(
        model.get(key)
        for key in (
            "dropout",
            "unk_token",
            "continuing_subword_prefix",
            "end_of_word_suffix",
            "byte_fallback",
            "ignore_merges",
        )
    )
    return bool(model["type"] == "BPE" and splits and plain and content["normalizer"] is None)
