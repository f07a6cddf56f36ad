"""Small English grammar: plurals, articles, lists; and lists in Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_IRREGULAR = {
    "person": "people", "child": "children", "man": "men", "woman": "women", "foot": "feet", "species": "species",
    "series": "series", "staff": "staff", "equipment": "equipment", "stock": "stock", "revenue": "revenue", "data": "data",
    "attendance": "attendance", "inventory": "inventory", "livestock": "livestock", "fleet": "fleet", "pay": "pay",
    "experience": "experience", "downtime": "downtime", "feedback": "feedback", "gdp": "gdp", "criteria": "criteria",
    "personnel": "personnel", "property": "properties", "salary": "salaries", "sku": "SKUs", "quiz": "quizzes",
    "income": "income", "sex": "sexes", "gender": "genders", "phone": "phones", "cost": "costs", "crew": "crew", "satisfaction": "satisfaction", "education": "education", "software": "software",
}  # fmt: skip


def plural(phrase: str) -> str:
    """The plural of a noun phrase, by its head noun."""
    head, of, rest = phrase.partition(" of ")
    if of:
        return f"{plural(head)} of {rest}"
    *before, noun = phrase.split(" ")
    return " ".join([*before, _plural_word(noun)])


def _plural_word(noun: str) -> str:
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith("ed") and noun not in ("bed", "seed", "breed", "speed"):
        return noun
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return noun
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    if noun.endswith("man") and noun != "human":
        return noun[:-3] + "men"
    return noun + "s"


def article(phrase: str) -> str:
    """The phrase with a or an."""
    vowel = phrase[:1].lower() in "aeio" or (
        phrase[:1] in "uU" and not phrase.lower().startswith(("uni", "use", "user", "us"))
    )
    if phrase.lower().startswith(("hour", "honest", "mba", "h ")):
        vowel = True
    return f"{'an' if vowel else 'a'} {phrase}"


def listed(parts: Sequence[str], rng: Random, word: str = "and") -> str:
    """a, b and c."""
    if len(parts) == 1:
        return parts[0]
    comma = "," if len(parts) > 2 and rng.random() < 0.4 else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}"


def listed_zh(parts: Sequence[str], rng: Random, word: str = "") -> str:
    """甲、乙和丙."""
    if len(parts) == 1:
        return parts[0]
    last = word or rng.choice(["和", "和", "以及", "及", "、", "与"])
    return "、".join(parts[:-1]) + last + parts[-1]


def number_text(value: float, rng: Random, chinese: bool) -> str:
    """A number as people write it."""
    whole = int(value) if value == int(value) else None
    if whole is None:
        return f"{value:g}" if abs(value) < 1e6 else f"{value:.2f}"
    if chinese:
        return _chinese_number(whole, rng)
    if abs(whole) >= 1000:
        if whole % 1_000_000 == 0 and rng.random() < 0.5:
            return f"{whole // 1_000_000} million"
        if whole % 1000 == 0 and rng.random() < 0.15:
            return f"{whole // 1000}k"
        if rng.random() < 0.4:
            return f"{whole:,}"
    elif 2 <= whole <= 10 and rng.random() < 0.2:
        return ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"][whole - 2]
    return str(whole)


def _chinese_number(whole: int, rng: Random) -> str:
    for size, word in ((100_000_000, "亿"), (10_000, "万")):
        if whole >= size and whole % (size // 10) == 0 and rng.random() < 0.6:
            return f"{whole / size:g}{word}"
    if 2 <= whole <= 10 and rng.random() < 0.15:
        return "两三四五六七八九十"[whole - 2]
    return str(whole)
