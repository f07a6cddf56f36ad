"""Reads the domain specifications (domains/*.txt): entities, attributes and relations in English and Chinese.

    == domain | 领域
    entity/synonym|中文/同义|measure word|person: attribute; attribute; …
     > parent as role(角色) | passive: "orders placed by …" | active: "customers who placed …" | Chinese verb
    & link/synonym|中文|measure word left,right | active/passive | Chinese verb: attribute; …

An attribute is a name of attributes.txt, or `english/synonym(中文/同义)KIND`, where KIND is one of
`#1-9 unit,单位` integer · `~0.5-9 unit,单位` real · `$1-9` money · `%` share · `@` date · `@@` time · `@birth`
· `y1990-2024` year · `?yes=是/no=否` flag · `[a=甲, b=乙]` or `[@pool]` category · `"kind` text · `*PREFIX` code;
a date followed by `null` may be missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "domains"
_NAMED = re.compile(r"([^(\[]+?)\((.+?)\)(.*)$")
_RANGE = re.compile(r"(-?[\d.]+)-(-?[\d.]+)(?:\s+(.+),(.+))?$")


@dataclass(frozen=True)
class Attribute:
    """One property; `kind` is int real money percent date time birth year flag category text code."""

    names: tuple[str, ...]
    chinese: tuple[str, ...]
    kind: str
    low: float = 0
    high: float = 0
    unit: tuple[str, str] = ("", "")
    values: tuple[tuple[str, str], ...] = ()
    pool: str = ""
    nullable: bool = False

    @property
    def numeric(self) -> bool:
        """Whether sums and averages make sense."""
        return self.kind in ("int", "real", "money", "percent")

    @property
    def dated(self) -> bool:
        """Whether it is a point in time, years aside."""
        return self.kind in ("date", "time", "birth")


@dataclass(frozen=True)
class Reference:
    """A key to another entity; `passive` reads child to parent, `active` parent to child."""

    target: str
    role: str = ""
    role_chinese: str = ""
    passive: str = ""
    active: str = ""
    verb: str = ""


@dataclass
class Entity:
    names: tuple[str, ...]
    chinese: tuple[str, ...]
    measure: str
    person: bool
    attributes: list[Attribute]
    references: list[Reference] = field(default_factory=list)
    link: bool = False

    @property
    def key(self) -> str:
        """The first name, by which references find it."""
        return self.names[0]


@dataclass
class Domain:
    name: str
    chinese: str
    entities: dict[str, Entity] = field(default_factory=dict)


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("/") if part.strip())


def _category(text: str) -> dict[str, object]:
    if text.startswith("@"):
        return {"kind": "category", "pool": text[1:]}
    pairs = [item.split("=", 1) for item in text.split(",")]
    return {"kind": "category", "values": tuple((a.strip(), b.strip()) for a, b in pairs)}


def _ranged(kind: str, text: str) -> dict[str, object]:
    found = _RANGE.match(text)
    if not found:
        raise ValueError(f"no range: {text}")
    low, high, unit, unit_zh = found.groups()
    return {"kind": kind, "low": float(low), "high": float(high), "unit": (unit or "", unit_zh or "")}


def _kind(text: str) -> dict[str, object]:
    text = text.strip()
    if text.startswith("["):
        return _category(text[1:-1])
    if text.startswith("?"):
        yes, no = text[1:].split("/")
        return {"kind": "flag", "values": tuple(tuple(side.split("=", 1)) for side in (yes, no))}
    if text.startswith("@"):
        kind = "birth" if "birth" in text else "time" if text.startswith("@@") else "date"
        return {"kind": kind, "nullable": text.endswith("null")}
    if text.startswith("%"):
        return {"kind": "percent", "low": 0.0, "high": 100.0}
    simple = {"#": "int", "~": "real", "$": "money", "y": "year"}
    if text[0] in simple:
        return _ranged(simple[text[0]], text[1:])
    return {"kind": "text" if text[0] == '"' else "code", "pool": text[1:]}


def _attribute(text: str, shared: dict[str, Attribute]) -> Attribute:
    text = text.strip()
    named = _NAMED.match(text)
    if named:
        return Attribute(_split(named[1]), _split(named[2]), **_kind(named[3]))  # type: ignore[arg-type]
    bare = re.match(r"([^\[@]+)(.*)$", text)
    assert bare, text
    base = shared[bare[1].strip()]
    return replace(base, **_kind(bare[2])) if bare[2] else base  # type: ignore[arg-type]


def _attributes(text: str, shared: dict[str, Attribute]) -> list[Attribute]:
    return [_attribute(part, shared) for part in text.split(";") if part.strip()]


def _reference(line: str) -> Reference:
    target, *phrases = [part.strip() for part in line.split("|")]
    passive, active, verb = ([*phrases, "", "", ""])[:3]
    found = re.match(r"(.+?) as (.+?)\((.+)\)$", target)
    if found:
        return Reference(found[1], found[2], found[3], passive, active, verb)
    return Reference(target, "", "", passive, active, verb)


def _entity(line: str, shared: dict[str, Attribute]) -> Entity:
    head, _, body = line.partition(":")
    names, chinese, measure, *more = head.split("|")
    return Entity(_split(names), _split(chinese), measure.strip(), bool(more), _attributes(body, shared))


def _link(line: str, shared: dict[str, Attribute]) -> Entity:
    head, _, body = line[1:].partition(":")
    names, chinese, rest, verbs, verb = (part.strip() for part in head.split("|"))
    measure, ends = rest.split(" ", 1)
    left, right = (end.strip() for end in ends.split(","))
    active, passive = verbs.split("/")
    references = [
        Reference(left, passive=passive.strip(), active=active.strip(), verb=verb),
        Reference(right, passive=passive.strip(), active=active.strip(), verb=verb),
    ]
    return Entity(_split(names), _split(chinese), measure, False, _attributes(body, shared), references, link=True)


def parse(text: str, shared: dict[str, Attribute]) -> list[Domain]:
    """The domains of one file."""
    found: list[Domain] = []
    entity: Entity | None = None
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("=="):
            name, chinese = line[2:].split("|")
            found.append(Domain(name.strip(), chinese.strip()))
        elif line.startswith(" >"):
            assert entity
            entity.references.append(_reference(line[2:]))
        else:
            entity = _link(line, shared) if line.startswith("&") else _entity(line, shared)
            found[-1].entities[entity.key] = entity
    return found


def _resolve(domain: Domain) -> None:
    """References may name any synonym of their target; they end up with its key."""
    by_name: dict[str, str] = {}
    for entity in domain.entities.values():
        for name in entity.names:
            by_name.setdefault(name, entity.key)
    for entity in domain.entities.values():
        entity.references = [replace(r, target=by_name[r.target]) for r in entity.references]


@cache
def shared_attributes() -> dict[str, Attribute]:
    """The attributes any entity may use by name."""
    lines = (FOLDER / "attributes.txt").read_text("utf-8").splitlines()
    made = [_attribute(line, {}) for line in lines if line and not line.startswith("#")]
    return {attribute.names[0]: attribute for attribute in made}


@cache
def domains() -> tuple[Domain, ...]:
    """Every domain, in the order of the files."""
    found: list[Domain] = []
    for file in sorted(FOLDER.glob("*.txt")):
        if file.name != "attributes.txt":
            found += parse(file.read_text("utf-8"), shared_attributes())
    for domain in found:
        _resolve(domain)
    return tuple(found)
