"""What a question is about: a table, conditions on it and on tables around it, and the noun phrase for all that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from inquery.form.ast import And, ColumnRef, Condition, Predicate, Source
from training.engine import filters
from training.engine.condition import Filter, Part, literal
from training.engine.schema import Cell, Column, Schema, Table
from training.engine.talk import Talk


@dataclass(frozen=True)
class Step:
    """A way from a table to another: up by an own key, down to a child, or across a link table."""

    kind: str
    far: Table
    key: Column
    link: Table | None = None
    far_key: Column | None = None
    role: bool = False

    @property
    def name(self) -> str:
        """What columns of the far table are qualified with."""
        return self.key.name if self.role else self.far.name

    @property
    def source(self) -> Source:
        """The far table; by the key's name where several keys lead to it."""
        return Source(self.far.name, role=self.key.name if self.role else None)


@dataclass
class Mod:
    """One condition of a scope, with the sources it adds."""

    condition: Condition | None
    say: Callable[[Talk], Part]
    tags: list[str]
    sources: list[Source] = field(default_factory=list)
    fans_out: bool = False


@dataclass
class Scope:
    table: Table
    mods: list[Mod] = field(default_factory=list)

    @property
    def source(self) -> str:
        return self.table.name

    @property
    def sources(self) -> tuple[Source, ...]:
        found = [Source(self.table.name)]
        for mod in self.mods:
            found += [s for s in mod.sources if s not in found]
        return tuple(found)

    @property
    def where(self) -> Condition | None:
        return conjunction([mod.condition for mod in self.mods])

    @property
    def fans_out(self) -> bool:
        """Whether a row of the table may come several times."""
        return any(mod.fans_out for mod in self.mods)

    @property
    def tags(self) -> list[str]:
        return [tag for mod in self.mods for tag in mod.tags]

    def ref(self, column: Column) -> ColumnRef:
        return ColumnRef(self.source, column.name)

    def phrase(self, talk: Talk, many: bool = True) -> str:
        """singers from France, 来自法国的歌手."""
        mods = self.mods
        if talk.zh and len(mods) > 1:
            upward = [m for m in mods if "up" in m.tags]
            if upward:
                first = noun_phrase_clause([m.say(talk) for m in upward])
                rest = noun_phrase(talk, self.table, [m.say(talk) for m in mods if m not in upward], many)
                return f"{first}的{rest}" if first else rest
        return noun_phrase(talk, self.table, [mod.say(talk) for mod in mods], many)


def conjunction(items: list[Condition | None]) -> Condition | None:
    """All of the conditions that are there."""
    found: list[Condition] = []
    for item in items:
        found += item.items if isinstance(item, And) else [item] if item is not None else []
    return And(tuple(found)) if len(found) > 1 else found[0] if found else None


def noun_phrase_clause(parts: list[Part]) -> str:
    """Chinese clauses in a row, each before 的."""
    return "的".join(post for _, post in parts if post)


def noun_phrase(talk: Talk, table: Table, parts: list[Part], many: bool = True) -> str:
    """A noun with what is said before and after it."""
    before = [pre for pre, _ in parts if pre]
    after = [post for _, post in parts if post]
    noun = talk.noun(table, many)
    if talk.zh:
        if not after:
            return "".join(before) + noun
        joined = after[0]
        for clause in after[1:]:
            joined += talk.pick("且", "、", "并且", "，") + clause
        return joined + "的" + "".join(before) + noun
    return " ".join([*before, noun, _joined(talk, after)]).strip()


def _joined(talk: Talk, after: list[str]) -> str:
    """Phrases after the noun."""
    text = ""
    for phrase in after:
        if not text:
            text = phrase
        elif phrase.startswith(("whose", "who ", "that ")):
            text += " and " + phrase
        else:
            text += (" and " if talk.rng.random() < 0.6 else " ") + phrase
    return text


def steps(schema: Schema, table: Table, *, roles: bool = False) -> list[Step]:
    """Every unambiguous way from a table to another one; `roles` adds own keys that share their target."""
    named = [
        Step("up", c.target, c, role=True)
        for c in table.references
        if c.target and (c.target is table or not _single(table, c))
    ]
    found = [Step("up", c.target, c) for c in table.references if c.target and _single(table, c)]
    for other in schema.tables:
        if other is table:
            continue
        for key in other.references:
            if key.target is not table or not _single(other, key):
                continue
            if not other.entity.link:
                found.append(Step("down", other, key))
            for far_key in other.references:
                if other.entity.link and far_key is not key and far_key.target and far_key.target is not table:
                    found.append(Step("across", far_key.target, key, other, far_key))
    return [step for step in found if step.far is not table] + (named if roles else [])


def _single(table: Table, key: Column) -> bool:
    """Whether the key is the only one from its table to its target."""
    return sum(c.target is key.target for c in table.references) == 1


def is_tree(schema: Schema, sources: tuple[Source, ...]) -> bool:
    """Whether the keys among the tables connect them in exactly one way."""
    chosen = {s.table for s in sources if not s.role}
    if {s.table for s in sources if s.role} & (chosen - {sources[0].table}):
        return False
    edges = sum(
        1 for t in schema.tables if t.name in chosen for c in t.references if c.target and c.target.name in chosen
    )
    return edges == len(chosen) - 1


# --- making scopes ---


def own_filter(table: Table, rng: Random, taken: set[str], source: str = "") -> Filter | None:
    """A condition on a column of the table not used yet."""
    free = [c for c in table.data if c.name not in taken and _askable(c)]
    if not free:
        return None
    column = rng.choices(free, [_weight(c, table) for c in free])[0]
    taken.add(column.name)
    return filters.make(source or table.name, table, column, rng)


def _askable(column: Column) -> bool:
    pool = column.attribute.pool if column.attribute else ""
    return column.kind not in ("text",) or pool not in ("note", "email", "phone", "address", "url")


def _weight(column: Column, table: Table) -> float:
    if column in table.display:
        return 0.45 if column.kind == "text" else 0.15
    return {
        "code": 0.15,
        "text": 0.7,
        "category": 2.2,
        "flag": 1.6,
        "int": 1.3,
        "money": 1.5,
        "year": 1.3,
        "date": 1.6,
    }.get(column.kind, 1.0)


def _filter_mod(found: Filter) -> Mod:
    return Mod(found.condition, found.say, [found.tag])


def make_scope(
    schema: Schema, table: Table, rng: Random, wanted: int, *, joins: float = 0.35, fan: bool = False
) -> Scope | None:
    """A scope with up to `wanted` conditions; `fan` allows those that multiply rows."""
    scope = Scope(table)
    taken: set[str] = set()
    for _ in range(wanted):
        if rng.random() < joins:
            options = [s for s in steps(schema, table, roles=True) if fan or s.kind == "up"]
            options = [s for s in options if _unused(s, table, scope)]
            if options:
                mod = related(schema, table, rng.choices(options, [2.5 if s.link else 1 for s in options])[0], rng)
                if mod:
                    scope.mods.append(mod)
                    continue
        found = own_filter(table, rng, taken)
        if found:
            scope.mods.append(_filter_mod(found))
    scope.mods.sort(key=lambda mod: bool(mod.sources))
    return scope if is_tree(schema, scope.sources) else None


def _unused(step: Step, table: Table, scope: Scope) -> bool:
    """Whether the scope does not read the tables of the step yet."""
    used = {source.table for source in scope.sources}
    if step.role and step.far is table:
        return all(source.name != step.name for source in scope.sources)
    return step.far.name not in used and (not step.link or step.link.name not in used)


def related(schema: Schema, table: Table, step: Step, rng: Random) -> Mod | None:
    """A condition through another table."""
    far = step.far
    found: Filter | None = None
    if step.kind == "up" and not step.role and rng.random() < 0.22:
        return _related_twice(schema, table, step, rng)
    by_name = bool(far.display) and len(far.display) == 1 and rng.random() < (0.5 if step.kind != "down" else 0.1)
    if by_name:
        column = far.display[0]
        cell = rng.choice(_linked(table, step) or column.cells)
        condition = Predicate("=", ColumnRef(step.name, column.name), literal(cell))
        found = Filter(condition, lambda talk: ("", talk.value(far, column, cell)), "name", column)
    elif rng.random() < 0.85 or step.kind == "up":
        found = own_filter(far, rng, {c.name for c in far.display}, step.name)
        if found is None:
            return None
    sources = ([Source(step.link.name)] if step.link else []) + [step.source]
    tags = ["join", step.kind] + ([found.tag] if found else [])
    return Mod(
        found.condition if found else None,
        lambda talk: said_step(talk, table, step, found, by_name),
        tags,
        sources,
        step.kind != "up",
    )


def _related_twice(schema: Schema, table: Table, step: Step, rng: Random) -> Mod | None:
    """Through two tables: items of orders placed by customers from Paris."""
    onward = [s for s in steps(schema, step.far) if s.kind == "up" and s.far is not table]
    if not onward:
        return None
    inner = related(schema, step.far, rng.choice(onward), rng)
    if inner is None or inner.condition is None:
        return None

    def say(talk: Talk) -> Part:
        return "", _said_up(talk, step, noun_phrase(talk, step.far, [inner.say(talk)]), False)

    return Mod(inner.condition, say, ["join", "up", "far"], [Source(step.far.name), *inner.sources])


def _linked(table: Table, step: Step) -> list[Cell]:
    """Names that really occur at the other end of an own key."""
    if step.kind != "up":
        return []
    column = step.far.display[0]
    return [column.cells[int(k) - 1] for k in step.key.cells if isinstance(k, int) and k <= len(column.cells)]


def said_step(talk: Talk, table: Table, step: Step, found: Filter | None, by_name: bool) -> Part:
    """The relation and what is at its other end."""
    reference = step.key.reference
    assert reference
    end = _end(talk, step.far, found, by_name, step.kind)
    if step.kind == "up":
        return "", _said_up(talk, step, end, by_name)
    if step.kind == "down":
        return "", _said_down(talk, table, step, end, found is None)
    return "", _said_across(talk, table, step, end)


def _end(talk: Talk, far: Table, found: Filter | None, by_name: bool, kind: str) -> str:
    if found and by_name:
        name = found.say(talk)[1]
        noun = talk.noun(far, many=False)
        if talk.zh:
            return name if talk.rng.random() < 0.6 else noun + name
        if far.entity.person:
            return name if talk.rng.random() < 0.55 else f"{noun} {name}"
        return talk.pick(name, f"the {noun} {name}", f"the {name} {noun}")
    return noun_phrase(talk, far, [found.say(talk)] if found else [], many=True)


def _said_up(talk: Talk, step: Step, end: str, by_name: bool) -> str:
    reference = step.key.reference
    assert reference
    if talk.zh:
        if reference.role_chinese and (not reference.verb or talk.rng.random() < 0.5):
            return f"{reference.role_chinese}{'是' if by_name else '为'}{end}"
        return end + reference.verb
    if reference.role and by_name and talk.rng.random() < 0.4:
        return f"whose {reference.role} is {end}"
    return f"{reference.passive or 'of'} {end}"


def _said_down(talk: Talk, table: Table, step: Step, end: str, bare: bool) -> str:
    reference = step.key.reference
    assert reference
    if talk.zh:
        if reference.role_chinese and talk.rng.random() < 0.5:
            return f"是{end}的{reference.role_chinese}" if not bare else f"担任{end}{reference.role_chinese}"
        if reference.verb and len(reference.verb) <= 2 and reference.verb not in end:
            return f"{reference.verb}过{end}" if talk.rng.random() < 0.75 else f"有{end}"
        return talk.pick(f"有{end}", f"有过{end}", f"至少有一{talk.measure(step.far)}{end}" if bare else f"有{end}")
    who = "who" if table.entity.person else "that"
    active = reference.active or "have"
    if bare and talk.rng.random() < 0.4:
        return f"{who} {active} at least one {talk.noun(step.far, many=False)}"
    if active in ("have", "had") and talk.rng.random() < 0.5:
        return f"with {end}"
    return f"{who} {active} {end}"


def _said_across(talk: Talk, table: Table, step: Step, end: str) -> str:
    reference = step.key.reference
    assert reference
    assert step.link
    left = step.link.entity.references[0].target == table.entity.key
    if talk.zh:
        return (
            talk.pick(f"{reference.verb}了{end}", f"{reference.verb}过{end}", f"{reference.verb}{end}")
            if left
            else f"{end}{reference.verb}"
        )
    if left:
        who = "who" if table.entity.person else "that"
        return f"{who} {reference.active} {end}"
    return f"{reference.passive} {end}"
