"""Words for tables, columns and values in one language; the choice of words is random, the meaning is not."""

from __future__ import annotations

from random import Random

from training.engine.phrases import phrases
from training.engine.schema import Cell, Column, Schema, Table
from training.engine.words import article, number_text, plural

_MASS = frozenset(
    [
        "stock",
        "revenue",
        "attendance",
        "experience",
        "downtime",
        "throughput",
        "rainfall",
        "output",
        "income",
        "consumption",
        "usage",
        "fuel",
        "data",
        "memory",
    ]
)
_SCALES = frozenset(["million", "billion"])
"""Units the column itself is kept in: saying them would name another number."""
_MONEY_ZH = ("元", "元", "", "块")


class Talk:
    """A speaker: one language, one source of randomness; remembers which values it named."""

    def __init__(self, language: str, rng: Random, schema: Schema) -> None:
        self.zh = language == "zh"
        self.language = language
        self.rng = rng
        self.schema = schema
        self.values: list[tuple[str, str, str, str]] = []
        self.todays: set[str] = set()
        self._nouns: dict[int, str] = {}
        self._labels: dict[int, str] = {}

    def pick(self, *texts: str) -> str:
        """One of several wordings."""
        return self.rng.choice(texts)

    def ways(self, name: str) -> list[str]:
        """The wordings of a phrase in this language."""
        return list(phrases()[name, self.language])

    def one_of(self, name: str) -> str:
        """One of the wordings of a phrase."""
        return self.rng.choice(self.ways(name))

    # --- names ---

    def noun(self, table: Table, many: bool = True) -> str:
        """The noun of a table, the same throughout one question."""
        key = id(table)
        if key not in self._nouns:
            own = table.chinese if self.zh else table.noun
            names = table.entity.chinese if self.zh else table.entity.names
            self._nouns[key] = own if self.rng.random() < 0.75 else self.rng.choice(names)
        noun = self._nouns[key]
        return plural(noun) if many and not self.zh else noun

    def label(self, column: Column, many: bool = False) -> str:
        """What a column is called, the same throughout one question."""
        key = id(column)
        if key not in self._labels:
            own = column.chinese if self.zh else column.label
            names: tuple[str, ...] = (own,)
            if column.attribute:
                names = column.attribute.chinese if self.zh else column.attribute.names
            self._labels[key] = own if self.rng.random() < 0.75 else self.rng.choice(names)
        label = self._labels[key]
        if self.zh and label == "编号":
            label = self.rng.choice(["编号", "ID", "id"])
        if not self.zh and label == "id" and self.rng.random() < 0.3:
            label = "ID"
        if column.kind == "ref":
            label = label + self.rng.choice(["编号", "ID"]) if self.zh else label + " id"
        if column.kind == "flag" and not self.zh:
            label = "whether it is " + label.removeprefix("is ") if label.startswith("is ") else label
        return plural(label) if many and not self.zh and column.kind != "flag" else label

    def owned(self, column: Column, table: Table, many: bool = False) -> str:
        """A column of another table: customer name, 客户姓名."""
        label, noun = self.label(column, many), self.noun(table, many=False)
        if self.zh:
            if label.startswith(noun) or noun in label:
                return label
            return noun + ("的" if self.rng.random() < 0.3 else "") + label
        if label.startswith(noun):
            return label
        if self.rng.random() < 0.35:
            return f"{label} of the {noun}"
        return f"{noun} {label}"

    def of_role(self, role: str, label: str) -> str:
        """A column of a role without saying the noun twice: home team name, 出发机场名称."""
        if self.zh:
            for size in range(min(len(role), len(label) - 1), 0, -1):
                if role.endswith(label[:size]):
                    return role + label[size:]
            return role + label
        first, _, rest = label.partition(" ")
        return f"{role} {rest}" if rest and role.split()[-1] == first else f"{role} {label}"

    def measure(self, table: Table) -> str:
        """The measure word of a table."""
        word = table.entity.measure if self.rng.random() < 0.9 else "个"
        return word or "个"

    # --- values ---

    def value(self, table: Table, column: Column, cell: Cell) -> str:
        """A stored value as a person says it."""
        text = self._said(column, cell)
        self.values.append((table.name, column.name, str(cell), text.strip("'\"“”")))
        return text

    def _said(self, column: Column, cell: Cell) -> str:
        raw = str(cell)
        roll = self.rng.random()
        if column.kind not in ("category", "flag"):
            return self._quoted(raw) if roll < 0.3 else raw
        english, chinese = column.spoken(cell)
        own = chinese if self.zh else english
        native = self.zh == (self.schema.language == "zh")
        if native and not isinstance(cell, int):
            if roll < 0.1:
                return self._quoted(raw)
            natural = raw if self.zh or raw.lower() == english.lower() else english
            return (
                natural
                if roll < 0.85
                else (
                    raw
                    if self.zh
                    else natural.lower()
                    if not column.attribute or not column.attribute.pool
                    else natural
                )
            )
        if roll < 0.62 or isinstance(cell, int):
            return own
        return self._quoted(raw) if roll < 0.75 else raw

    def _quoted(self, raw: str) -> str:
        if self.zh:
            return self.rng.choice(["“{}”", '"{}"', "「{}」"]).format(raw)
        return self.rng.choice(["'{}'", '"{}"']).format(raw)

    def number(self, value: float, column: Column | None = None) -> str:
        """A threshold with its unit where one is usual."""
        text = number_text(value, self.rng, self.zh)
        attribute = column.attribute if column else None
        if attribute is None:
            return text
        if attribute.kind == "percent":
            return text + ("%" if self.rng.random() < 0.5 else "")
        if attribute.kind == "money":
            if self.zh:
                return text + self.rng.choice(_MONEY_ZH)
            return ("$" + text) if self.rng.random() < 0.12 and text[0].isdigit() else text
        unit = "" if attribute.unit[0] in _SCALES else attribute.unit[self.zh]
        if unit and (self.zh or self.rng.random() < 0.7):
            return text + unit if self.zh else f"{text} {unit}"
        return text

    def whose(self, label: str) -> str:
        """whose age is, whose votes are."""
        last = label.split(" of ")[0].split()[-1]
        many = last.endswith("s") and not last.endswith(("ss", "us", "is")) and last not in ("sales",)
        return f"whose {label} {'are' if many else 'is'}"

    def a(self, phrase: str) -> str:
        """The phrase with an English article."""
        last = phrase.split(" of ")[0].split()[-1]
        if last in _MASS or (last.endswith("s") and not last.endswith(("ss", "us", "is"))):
            return phrase
        return article(phrase)

    def finish(self, text: str, question: bool) -> str:
        """Capital letter and closing mark, as careful or careless as people are."""
        text = " ".join(text.split()) if not self.zh else text.strip()
        roll = self.rng.random()
        if self.zh:
            if "？" in text or text.endswith("。"):
                return text
            end = self.rng.choice(["？", "?", "", "？"]) if question else self.rng.choice(["", "。", "", ""])
            return text + end
        if roll > 0.08:
            text = text[:1].upper() + text[1:]
        if "? " in text:
            return text
        end = "?" if question else self.rng.choice([".", "", "."])
        return text + (end if roll > 0.1 else "")
