"""About how many tokens a text is, whichever model reads it.

Tokenizers of hosted models are not at hand: tiktoken downloads its tables when it is first used, which a server without
the internet cannot, and others publish none. So scripts are counted apart, a little high, and what the provider then
reports corrects the count for its model (`RequestShape.tokens_ratio`).
"""

from __future__ import annotations

import math
import re

_PIECES = re.compile(
    r"(?P<wide>[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+)|(?P<word>[^\W\d_]+)|(?P<number>\d+)|(?P<mark>[^\w\s]|_)|(?P<lines>\n)"
)
_SHARES = {"mark": 0.6, "lines": 0.5}


def count_tokens(text: str) -> int:
    """A Chinese character is a token, five letters and three digits are one; 3.5 characters each would be half of it."""
    found = 0.0
    for piece in _PIECES.finditer(text):
        kind, length = piece.lastgroup, piece.end() - piece.start()
        if kind == "wide":
            found += length
        elif kind == "word":
            found += math.ceil(length / 5)
        elif kind == "number":
            found += math.ceil(length / 3)
        else:
            found += _SHARES[str(kind)]
    return math.ceil(found)


def last_tokens(text: str, budget: int) -> str:
    """The end of a text, within a budget of tokens."""
    if count_tokens(text) <= budget:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if count_tokens(text[middle:]) > budget else (low, middle)
    return text[low:]
