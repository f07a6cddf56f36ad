"""Questions close in words and other in meaning: another number, value or direction."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

_OPPOSITES = (
    ("most", "least"), ("highest", "lowest"), ("largest", "smallest"), ("maximum", "minimum"), ("more", "fewer"),
    ("above", "below"), ("greater", "less"), ("older", "younger"), ("oldest", "youngest"), ("descending", "ascending"),
    ("before", "after"), ("average", "total"), ("最多", "最少"), ("最高", "最低"), ("最大", "最小"), ("大于", "小于"),
    ("高于", "低于"), ("超过", "少于"), ("多于", "少于"), ("升序", "降序"), ("之前", "之后"), ("平均", "总"),
    ("最早", "最晚"), ("没有", "有"), ("不是", "是"), ("not ", ""),
)  # fmt: skip
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"(?<=[\"“])[^\"”]+(?=[\"”])|(?<=['‘])[\w -]{3,}(?=['’])")
_NAMED = re.compile(r"(?<=[\w,] )[A-Z]\w+(?: [A-Z]\w+)*|(?<=[\u4e00-\u9fff ])[A-Z]\w+(?: [A-Z]\w+)*")


def other_number(text: str, rng: random.Random) -> str:
    """The text with its first number changed; empty if it has none."""
    if not _NUMBER.search(text):
        return ""
    return _NUMBER.sub(lambda m: str(int(m.group()) + rng.choice((1, 2, 3, 10, 100))), text, count=1)


def opposite(text: str, rng: random.Random) -> str:
    """The text with one word turned round; empty if it has none to turn."""
    swaps = [(old, new) for one, other in _OPPOSITES for old, new in ((one, other), (other, one)) if old in text]
    swaps = [(old, new) for old, new in swaps if old and re.search(rf"\b{old}" if old.isascii() else old, text)]
    if not swaps:
        return ""
    old, new = rng.choice(swaps)
    return text.replace(old, new, 1)


def values_of(text: str) -> list[str]:
    """What a text quotes, and its capitalised or Latin words past the first."""
    return _QUOTED.findall(text) or _NAMED.findall(text)


def other_value(text: str, values: Sequence[str], rng: random.Random) -> str:
    """The text with one of its values exchanged; empty if it has none."""
    found = values_of(text)
    return text.replace(rng.choice(found), rng.choice(values)) if found and values else ""


def altered(text: str, values: Sequence[str], rng: random.Random) -> str:
    """One of the three; empty if the text has nothing to change."""
    made = (other_number(text, rng), opposite(text, rng), other_value(text, values, rng))
    kept = [each for each in made if each and each != text]
    return rng.choice(kept) if kept else ""
