"""Questions about what is missing, what is in both, in one but not the other."""

from __future__ import annotations

from inquery.form.ast import (
    Agg,
    Block,
    ColumnRef,
    Comparison,
    Compound,
    Literal,
    Predicate,
    Related,
    Source,
)
from training.engine.ask_rows import said_count, said_list
from training.engine.condition import Filter, literal
from training.engine.filters import nice, said_compared, said_value
from training.engine.plan import Kit, Plan, fill, refs
from training.engine.schema import Cell, Column, Table
from training.engine.scope import Mod, Scope, Step, noun_phrase, own_filter, said_step, steps
from training.engine.talk import Talk


def never(kit: Kit) -> Plan | None:
    """Rows that nothing refers to."""
    table = kit.table(lambda t: any(s.kind != "up" for s in steps(kit.schema, t)))
    if not table:
        return None
    rng = kit.rng
    step = rng.choice([s for s in steps(kit.schema, table) if s.kind != "up"])
    found = own_filter(step.far, rng, set()) if rng.random() < 0.3 else None
    own = own_filter(table, rng, {c.name for c in table.display}) if rng.random() < 0.2 else None
    nearest = step.far if found or not step.link else step.link
    sources = (Source(nearest.name),)
    missing = Related(Block(sources, where=found.condition if found else None), negated=True)
    mods = [Mod(own.condition, own.say, [own.tag])] if own else []
    mods.append(Mod(missing, lambda talk: _said_never(talk, table, step, found), ["never"]))
    scope = Scope(table, mods)
    counted = rng.random() < 0.3
    columns = kit.columns(table, rng.choice([1, 1, 2]))
    query = Block((Source(table.name),), (Agg("count"),) if counted else refs(table.name, columns), where=scope.where)
    return Plan(
        query,
        lambda talk: said_count(talk, scope) if counted else said_list(talk, scope, columns),
        ["never", *(["count"] if counted else [])],
    )


def _said_never(talk: Talk, table: Table, step: Step, found: Filter | None) -> tuple[str, str]:
    reference = step.key.reference
    assert reference
    far = noun_phrase(talk, step.far, [found.say(talk)] if found else [])
    verb, active = reference.verb, reference.active or "have"
    who = "who" if table.entity.person else "that"
    left = step.kind == "down" or (step.link is not None and step.link.entity.references[0].target == table.entity.key)
    if reference.role and step.kind == "down" and talk.rng.random() < 0.8:
        role = reference.role_chinese if talk.zh else reference.role
        return (
            "",
            f"不是任何{far}的{role}" if talk.zh else f"{who} are not the {role} of any {far}",
        )
    base = _MADE.get(active, "")
    ways = _never_ways_zh(talk, verb, far, left) if talk.zh else _never_ways(talk, step, active, base, left)
    every = "" if found else "任何"
    passive = reference.passive
    said = talk.pick(*ways).format(far=far, verb=verb, any=every, who=who, active=active, base=base, passive=passive)
    return "", said


_MADE = {"made": "make", "placed": "place", "wrote": "write", "received": "receive", "took": "take", "bought": "buy"}
_MADE |= {"sent": "send", "gave": "give"}


def _never_ways(talk: Talk, step: Step, active: str, base: str, left: bool) -> list[str]:
    if not left:
        return talk.ways("sets.never_passive")
    if active in ("have", "had", "contain", "include", "own", "hold", "employ"):
        return talk.ways("sets.never_has")
    if active.startswith(("are ", "were ")):
        return talk.ways("sets.never_state")
    ways = talk.ways("sets.never_verb" if step.kind == "down" else "sets.never_verb_across")
    return ways + (talk.ways("sets.never_made" if active == "made" else "sets.never_did") if base else [])


def _never_ways_zh(talk: Talk, verb: str, far: str, left: bool) -> list[str]:
    if not left:
        return talk.ways("sets.never_passive")
    short = verb and len(verb) <= 2 and verb not in far
    return talk.ways("sets.never_verb" if short else "sets.never_has")


def both(kit: Kit) -> Plan | None:
    """Values of a column, or rows, that two groups share or do not share."""
    return _both_values(kit) if kit.rng.random() < 0.55 else _both_related(kit)


def _both_values(kit: Kit) -> Plan | None:
    table = kit.table(lambda t: kit.category(t) is not None and not t.entity.link)
    column = kit.category(table) if table else None
    if not table or not column or column.kind == "flag":
        return None
    rng = kit.rng
    first = own_filter(table, rng, {column.name, *(c.name for c in table.display)})
    if not first or not first.column:
        return None
    second = _opposite(first, table, kit) or own_filter(table, rng, {column.name, first.column.name})
    if not second:
        return None
    op = rng.choices(["intersect", "except", "union"], (52, 38, 10))[0]
    ref = ColumnRef(table.name, column.name)
    blocks = [Block((Source(table.name),), (ref,), where=f.condition) for f in (first, second)]
    query = Compound(op, blocks[0], blocks[1])  # type: ignore[arg-type]

    def say(talk: Talk) -> tuple[str, bool]:
        one, two = noun_phrase(talk, table, [first.say(talk)]), noun_phrase(talk, table, [second.say(talk)])
        return _said_sets(talk, op, talk.label(column, many=True), one, two)

    return Plan(query, say, ["set", op])


def _opposite(first: Filter, table: Table, kit: Kit) -> Filter | None:
    """Another condition on the same column that a row cannot pass at once: above 40 and below 30."""
    column, test = first.column, first.condition
    if column is None or not isinstance(test, Predicate) or not isinstance(test.right, Literal):
        return None

    if column.kind == "category" and test.op == "=":
        others = sorted({c for c in column.cells if c is not None and c != test.right.value}, key=str)
        if not others:
            return None
        cell = kit.rng.choice(others)
        return Filter(
            Predicate("=", test.left, literal(cell)),
            lambda talk: said_value(talk, table, column, cell),
            "equals",
            column,
        )
    if (
        column.attribute
        and column.attribute.numeric
        and test.op in ("<", ">")
        and isinstance(test.right.value, int | float)
    ):
        op: Comparison = "<" if test.op == ">" else ">"
        ordered = sorted(float(c) for c in column.cells if isinstance(c, int | float))
        value = nice(ordered[len(ordered) // 3 if op == "<" else len(ordered) * 2 // 3], column.kind)
        return Filter(
            Predicate(op, test.left, Literal(value, "number")),
            lambda talk: ("", said_compared(talk, column, op, value)),
            "compare",
            column,
        )
    return None


def _said_sets(talk: Talk, op: str, label: str, one: str, two: str) -> tuple[str, bool]:
    return fill(talk, f"sets.{op}", l=label, a=one, b=two)


def _named(far: Table, column: Column, cell: Cell) -> Filter:
    """A thing by its name."""
    test = Predicate("=", ColumnRef(far.name, column.name), literal(cell))
    return Filter(test, lambda talk: ("", talk.value(far, column, cell)), "name", column)


def _both_related(kit: Kit) -> Plan | None:
    """Rows related to this and also to that: students who take A and B."""
    table = kit.table(lambda t: bool(t.display) and any(s.kind != "up" for s in steps(kit.schema, t)))
    if not table:
        return None
    rng = kit.rng
    step = rng.choice([s for s in steps(kit.schema, table) if s.kind != "up"])
    far = step.far
    by_name = step.kind == "across" and len(far.display) == 1
    first = second = None
    if by_name:
        column = far.display[0]
        one, two = rng.sample(column.cells, 2)
        first, second = _named(far, column, one), _named(far, column, two)
    else:
        first = own_filter(far, rng, set())
        second = _opposite(first, far, kit) if first else None
    if not first or not second:
        return None
    op = rng.choices(["intersect", "except"], (55, 45))[0]
    sources = (Source(table.name), *((Source(step.link.name),) if step.link else ()), Source(far.name))
    columns = table.display
    blocks = [Block(sources, refs(table.name, columns), where=f.condition) for f in (first, second)]
    query = Compound(op, blocks[0], blocks[1])  # type: ignore[arg-type]

    def say(talk: Talk) -> tuple[str, bool]:
        a, b = (said_step(talk, table, step, f, by_name)[1] for f in (first, second))
        nouns = talk.noun(table)
        name = "sets.both_related" if op == "intersect" else "sets.but_not"
        if talk.zh:
            return fill(talk, name, a=a, b=b.removeprefix("有") if op == "except" else b, n=nouns)
        who = "who" if table.entity.person else "that"
        those = b if b.startswith(("who", "that", "with")) else f"{who} are {b}"
        return fill(talk, name, n=nouns, a=a, b=b.removeprefix("who ").removeprefix("that "), b2=those)

    return Plan(query, say, ["set", op, "join"])
