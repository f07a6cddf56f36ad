"""Questions across a link table: students and the courses they take."""

from __future__ import annotations

from inquery.form.ast import Agg, Block, Expr, Literal, Predicate, Sort, Source, TableRef
from training.engine.plan import Kit, Plan, fill, refs
from training.engine.schema import Table
from training.engine.scope import Step, is_tree, steps
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh

_PRESENT = {
    **{"wrote": "write", "bought": "buy", "joined": "join", "attended": "attend", "visited": "visit", "booked": "book"},
    **{
        "finished": "finish",
        "backed": "back",
        "sponsored": "sponsor",
        "scored": "score",
        "signed up for": "sign up for",
    },
    **{"enrolled in": "enroll in", "appeared in": "appear in", "performed in": "perform in", "served": "serve"},
    **{"competed in": "compete in", "took part in": "take part in", "flew on": "fly on", "spoke at": "speak at"},
    **{"grew": "grow", "recorded": "record"},
}
_LASTING = frozenset(
    ("take", "follow", "stock", "hold", "handle", "run", "visit", "serve", "store", "distribute", "host")
)
"""Verbs of a state: one does not say who "stock" the most, but who has the most."""


def _link(kit: Kit) -> tuple[Table, Step, bool] | None:
    """A table, the way across, and whether the table is the active side."""
    found = [
        (t, s)
        for t in kit.schema.tables
        for s in steps(kit.schema, t)
        if s.kind == "across" and t.display and s.far.display
    ]
    if not found:
        return None
    table, step = kit.rng.choice(found)
    assert step.link
    return table, step, step.link.entity.references[0].target == table.entity.key


def pairs(kit: Kit) -> Plan | None:
    """Both sides of the link, perhaps with a column of the link itself."""
    found = _link(kit)
    if not found:
        return None
    table, step, active = found
    link = step.link
    assert link
    assert step.key.reference
    sources = (Source(table.name), Source(link.name), Source(step.far.name))
    if not is_tree(kit.schema, sources):
        return None
    extra = [c for c in link.data if c.kind != "flag"][:1] if kit.rng.random() < 0.4 else []
    items = (*refs(table.name, table.display[:1]), *refs(step.far.name, step.far.display[:1]), *refs(link.name, extra))
    query = Block(sources, items)
    reference = step.key.reference

    def say(talk: Talk) -> tuple[str, bool]:
        own, far = talk.noun(table), talk.noun(step.far)
        a, b = talk.label(table.display[0], not talk.zh), talk.label(step.far.display[0], not talk.zh)
        more = [talk.label(c) for c in extra]
        name = "links.pairs" if active else "links.pairs_passive"
        if talk.zh:
            tail = f"，以及{listed_zh(more, talk.rng)}" if more else ""
            return fill(talk, name, n=own, f=far, a=a, b=b, v=reference.verb, t=tail, m=talk.measure(table))
        tail = f", with the {listed(more, talk.rng)}" if more else ""
        verb = reference.active if active else reference.passive
        return fill(talk, name, a=a, b=b, n=own, f=far, v=verb, t=tail)

    return Plan(query, say, ["join", "link", "list"])


def counts(kit: Kit) -> Plan | None:
    """How many of the other side each has: all, those above a number, or the first."""
    found = _link(kit)
    if not found:
        return None
    table, step, active = found
    link = step.link
    assert link
    sources = (Source(table.name), Source(link.name))
    kind = kit.rng.choices(["each", "having", "best"], (40, 30, 30))[0]
    number = kit.rng.choice([1, 2, 2, 3])
    shown = kind == "each" or kit.rng.random() < 0.3
    items: tuple[Expr, ...] = (*refs(table.name, table.display), *([Agg("count")] if shown else []))
    query = Block(
        sources,
        items,
        by=(TableRef(table.name),),
        having=Predicate(">=", Agg("count"), Literal(number + 1, "number")) if kind == "having" else None,
        sort=(Sort(Agg("count"), True),) if kind == "best" else (),
        top=Literal(1, "number") if kind == "best" else None,
    )

    def say(talk: Talk) -> tuple[str, bool]:
        return _said_counts(talk, table, step, active, kind, number + 1, shown)

    return Plan(query, say, ["join", "link", "group", "count"])


def _said_counts(
    talk: Talk, table: Table, step: Step, active: bool, kind: str, number: int, shown: bool
) -> tuple[str, bool]:
    reference = step.key.reference
    assert reference
    far, noun, nouns = talk.noun(step.far), talk.noun(table, many=False), talk.noun(table)
    if talk.zh:
        return _said_counts_zh(talk, table, step, active, kind, number, shown)
    name = f"links.{kind}" if active else f"links.{kind}_passive"
    if name == "links.best" and reference.active in _LASTING:
        name = "links.best_has"
    verb, tail = reference.active, ", and how many" if shown and kind != "each" else ""
    base, who = _PRESENT.get(verb, verb), "who" if table.entity.person else "that"
    said, passive = talk.number(number), reference.passive
    return fill(talk, name, f=far, n=noun, ns=nouns, v=verb, b=base, p=passive, k=said, t=tail, who=who)


def _said_counts_zh(
    talk: Talk, table: Table, step: Step, active: bool, kind: str, number: int, shown: bool
) -> tuple[str, bool]:
    reference = step.key.reference
    assert reference
    noun, far, measure, far_measure = talk.noun(table), talk.noun(step.far), talk.measure(table), talk.measure(step.far)
    verb = reference.verb if active else "对应"
    did = f"{verb}了" if active else "有"
    tail = "，并给出数量" if shown and kind != "each" else ""
    name = "links.best_passive" if kind == "best" and not active else f"links.{kind}"
    said = talk.number(number)
    return fill(talk, name, m=measure, n=noun, d=did, f=far, fm=far_measure, v2=verb, k=said, t=tail)
