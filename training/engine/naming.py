"""How a schema spells its tables and columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

from training.engine.words import plural

ABBREVIATIONS = {
    "quantity": "qty", "amount": "amt", "number": "no", "customer": "cust", "department": "dept", "employee": "emp",
    "product": "prod", "description": "desc", "address": "addr", "average": "avg", "date": "dt", "name": "nm",
    "type": "typ", "code": "cd", "status": "stat", "category": "cat", "account": "acct", "price": "prc", "total": "tot",
    "transaction": "txn", "payment": "pmt", "order": "ord", "manager": "mgr", "organization": "org", "percentage": "pct",
    "percent": "pct", "balance": "bal", "temperature": "temp", "reference": "ref", "invoice": "inv", "student": "stu",
    "university": "univ", "birth": "bth", "country": "ctry", "language": "lang", "minutes": "mins", "hours": "hrs",
    "maximum": "max", "minimum": "min", "weight": "wt", "height": "ht", "length": "len", "year": "yr", "month": "mon",
    "registration": "reg", "position": "pos", "experience": "exp", "supplier": "supp", "warehouse": "wh", "message": "msg",
    "region": "rgn", "level": "lvl", "discount": "disc", "delivery": "dlv", "shipping": "ship", "contract": "ctr",
    "member": "mbr", "service": "svc", "application": "app", "vehicle": "veh", "location": "loc", "created": "crt",
}  # fmt: skip

_CASES = ("snake", "camel", "pascal", "upper", "title", "lower", "spaced")


@dataclass(frozen=True)
class Style:
    """The habits of one schema."""

    language: str
    case: str
    plural: bool
    table_prefix: str
    id_style: str
    abbreviate: float
    column_prefix: float

    @classmethod
    def pick(cls, rng: Random, language: str) -> Style:
        """A random but consistent style."""
        case = rng.choices(_CASES, (46, 11, 15, 8, 10, 5, 5))[0]
        prefix = rng.choices(["", "t_", "tbl_", "dim_", "app_", "sys_", "T"], (84, 5, 4, 2, 2, 2, 1))[0]
        ids = rng.choices(["id", "table_id", "no", "code"], (35, 55, 6, 4))[0]
        return cls(
            language,
            case,
            rng.random() < 0.5,
            prefix,
            ids,
            0.8 if rng.random() < 0.12 else 0.0,
            rng.choice([0, 0, 0.1, 0.5]),
        )

    def table(self, noun: str, chinese: str) -> str:
        """The name of a table."""
        if self.language == "zh":
            return ("t_" if self.table_prefix else "") + chinese + ("表" if self.plural and self.column_prefix else "")
        words = self._short((plural(noun) if self.plural else noun).split())
        name = self.spell(words)
        if self.table_prefix and self.case != "spaced":
            return (
                self.spell([self.table_prefix.strip("_"), *words])
                if self.case != "lower"
                else self.table_prefix.strip("_") + name
            )
        return name

    def column(self, words: str, chinese: str, owner: str = "", owner_chinese: str = "") -> str:
        """The name of a column, after its table's noun where `owner` is given."""
        if self.language == "zh":
            return owner_chinese + chinese if owner and not chinese.startswith(owner_chinese) else chinese
        parts = words.split()
        if owner and not words.startswith(owner):
            parts = [*owner.split(), *parts]
        return self.spell(self._short(parts))

    def key(self, noun: str, chinese: str) -> str:
        """The name of a primary key."""
        if self.language == "zh":
            return {"id": "编号", "table_id": chinese + "编号", "no": chinese + "ID", "code": chinese + "编码"}[
                self.id_style
            ]
        suffix = {
            "id": ["id"],
            "table_id": [*noun.split(), "id"],
            "no": [*noun.split(), "no"],
            "code": [*noun.split(), "code"],
        }
        return self.spell(self._short(suffix[self.id_style]))

    def reference(self, noun: str, chinese: str) -> str:
        """The name of a foreign key to a noun or role."""
        if self.language == "zh":
            return chinese + {"id": "编号", "table_id": "编号", "no": "ID", "code": "编码"}[self.id_style]
        end = {"id": "id", "table_id": "id", "no": "no", "code": "code"}[self.id_style]
        return self.spell(self._short([*noun.split(), end]))

    def _short(self, words: list[str]) -> list[str]:
        if not self.abbreviate:
            return words
        return [ABBREVIATIONS.get(word, word) for word in words]

    def spell(self, words: list[str]) -> str:
        """Words in the case of this schema."""
        return spell(words, self.case)


def spell(words: list[str], case: str) -> str:
    """Words joined in a case: snake camel pascal upper title lower spaced."""
    clean = [re.sub(r"\W+", "", word) for word in words]
    clean = [word for word in clean if word]
    if not clean:  # a column called # or 序/号
        return "_".join(words)
    match case:
        case "camel":
            return clean[0].lower() + "".join(_capital(word) for word in clean[1:])
        case "pascal":
            return "".join(_capital(word) for word in clean)
        case "upper":
            return "_".join(word.upper() for word in clean)
        case "title":
            return "_".join("ID" if word == "id" else word[:1].upper() + word[1:] for word in clean)
        case "lower":
            return "".join(word.lower() for word in clean)
        case "spaced":
            return " ".join("ID" if word == "id" else word[:1].upper() + word[1:] for word in clean)
    return "_".join(word.lower() for word in clean)


def _capital(word: str) -> str:
    return "Id" if word == "id" else word[:1].upper() + word[1:]


_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def split(name: str) -> list[str]:
    """The words of a name in any case, lower-cased."""
    return [part.lower() for part in _PARTS.findall(name)] or [name.lower()]
