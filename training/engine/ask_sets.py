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
    if talk.zh:
        if not left:
            return "", talk.pick(f"没有被任何{far}{verb}", f"没有{far}{verb}过", f"从未被{far}{verb}")
        if verb and len(verb) <= 2 and verb not in far:
            return "", talk.pick(
                f"没有{verb}过{far}",
                f"从未{verb}过{far}",
                f"没{verb}过任何{far}" if not found else f"没{verb}过{far}",
                f"没有{far}",
            )
        return "", talk.pick(f"没有{far}", f"没有任何{far}" if not found else f"没有{far}", f"从来没有{far}")
    if not left:
        return "", talk.pick(f"not {reference.passive} any {far}", f"that were never {reference.passive} {far}")
    if active in ("have", "had", "contain", "include", "own", "hold", "employ"):
        return "", talk.pick(f"without any {far}", f"{who} do not have any {far}", f"with no {far}")
    base = {
        "made": "make",
        "placed": "place",
        "wrote": "write",
        "received": "receive",
        "took": "take",
        "bought": "buy",
        "sent": "send",
        "gave": "give",
    }.get(active)
    ways = [f"{who} never {active} {far}", f"with no {far}" if step.kind == "down" else f"{who} never {active} {far}"]
    if base:
        ways += [
            f"{who} did not {base} any {far}",
            f"{who} have never {active} any {far}" if active == "made" else f"{who} did not {base} any {far}",
        ]
    if active.startswith(("are ", "were ")):
        ways = [f"without any {far}", f"with no {far}"]
    return "", talk.pick(*ways)


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
    if talk.zh:
        ways = {
            "intersect": ["哪些{l}既有{a}又有{b}", "同时有{a}和{b}的{l}", "既有{a}也有{b}的{l}有哪些", "列出同时存在{a}和{b}的{l}"],
            "except": ["有{a}但没有{b}的{l}", "哪些{l}有{a}却没有{b}", "列出有{a}、没有{b}的{l}"],
            "union": ["有{a}或者{b}的{l}有哪些", "列出有{a}或有{b}的{l}"],
        }  # fmt: skip
        return fill(talk, ways[op], l=label, a=one, b=two)
    ways = {
        "intersect": ["which {l} have both {a} and {b}", "find the {l} shared by {a} and {b}", "show the {l} that have both {a} and {b}", "what are the {l} with both {a} and {b}"],
        "except": ["which {l} have {a} but no {b}", "show the {l} with {a} but without {b}", "find {l} that have {a} but not {b}"],
        "union": ["which {l} have {a} or {b}", "list the {l} with either {a} or {b}"],
    }  # fmt: skip
    return fill(talk, ways[op], l=label, a=one, b=two)


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
        if talk.zh:
            ways = (
                ["既{a}又{b}的{n}", "{a}且同时{b}的{n}有哪些", "哪些{n}既{a}，又{b}"]
                if op == "intersect"
                else ["{a}但没有{b}的{n}", "哪些{n}{a}，但没{b}"]
            )
            return fill(talk, ways, a=a, b=b.removeprefix("有") if op == "except" else b, n=nouns)
        tail = b.removeprefix("who ").removeprefix("that ")
        ways = [
            "{n} {a} and also {b}",
            "which {n} are there {a} and also {b}",
            "find {n} {a} as well as {b}",
            "list the {n} {a} and also {b}",
        ]
        if op == "except":
            who = "who" if table.entity.person else "that"
            return fill(
                talk,
                [
                    "list {n} {a} but not those {b2}",
                    "find the {n} {a}, except those {b2}",
                    "{n} {a}, excluding those {b2}",
                ],
                n=nouns,
                a=a,
                b2=b if b.startswith(("who", "that", "with")) else f"{who} are {b}" if not b.startswith("with") else b,
            )
        return fill(talk, ways, n=nouns, a=a, b=tail)

    return Plan(query, say, ["set", op, "join"])
