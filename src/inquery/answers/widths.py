"""How wide a text is: in columns of a terminal, and roughly in pixels of a picture."""

from __future__ import annotations

import unicodedata


def cell_width(text: str) -> int:
    """Columns a text takes in a terminal; Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def fit(text: str, width: int) -> str:
    """The text cut or padded to a width in terminal columns."""
    text = cut(text, width)
    return text + " " * (width - cell_width(text))


def cut(text: str, width: int) -> str:
    """The text with its end left out where it is wider than that many columns."""
    if cell_width(text) <= width:
        return text
    while cell_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def pixels(text: str, size: float) -> float:
    """About the width of a text: a Latin letter is a little over half of the font's size, a Chinese one all of it."""
    return cell_width(text) * size * 0.54
