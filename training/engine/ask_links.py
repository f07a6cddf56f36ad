"""Questions across a link table: students and the courses they take."""

from __future__ import annotations

from inquery.form.ast import Agg, Block, Expr, Literal, Predicate, Sort, Source, TableRef
from training.engine.plan import Kit, Plan, fill, refs
from training.engine.schema import Table
from training.engine.scope import Step, is_tree, steps
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh

_PRESENT = {"wrote": "write", "bought": "buy", "joined": "join", "attended": "attend", "visited": "visit", "booked": "book", "finished": "finish", "backed": "back", "sponsored": "sponsor", "scored": "score", "signed up for": "sign up for", "enrolled in": "enroll in", "appeared in": "appear in", "performed in": "perform in", "competed in": "compete in", "took part in": "take part in", "flew on": "fly on", "spoke at": "speak at", "served": "serve", "grew": "grow", "recorded": "record", "hold shares in": "hold shares in"}  # fmt: skip


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
        if talk.zh:
            tail = f"，以及{listed_zh(more, talk.rng)}" if more else ""
            ways = (
                [
                    "列出{n}的{a}和其{v}的{f}的{b}{t}",
                    "每{m}{n}{v}了哪些{f}？列出{a}、{b}{t}",
                    "{n}{a}及其{v}的{f}{b}{t}",
                ]
                if active
                else ["列出{n}的{a}和{v}它的{f}的{b}{t}", "{n}{a}以及{v}过它的{f}{b}{t}"]
            )
            return fill(talk, ways, n=own, f=far, a=a, b=b, v=reference.verb, t=tail, m=talk.measure(table))
        tail = f", with the {listed(more, talk.rng)}" if more else ""
        if active:
            verb = reference.active
            return fill(
                talk,
                [
                    "show the {a} of {n} and the {b} of the {f} they {v}{t}",
                    "list the {a} of {n} together with the {b} of {f} they {v}{t}",
                    "what are the {a} of {n} and the {b} of the {f} they {v}{t}",
                ],
                a=a,
                b=b,
                n=own,
                f=far,
                v=verb,
                t=tail,
            )
        return fill(
            talk,
            [
                "show the {a} of {n} and the {b} of the {f} they are {v}{t}",
                "list {n} with the {f} they were {v}: {a}, {b}{t}",
            ],
            a=a,
            b=b,
            n=own,
            f=far,
            v=reference.passive,
            t=tail,
        )

    return Plan(query, say, ["join", "link", "list"])


def counts(kit: Kit) -> Plan | None:
    """How many of the other side each has: all, those above a number, or the first."""
    found = _link(kit)
    if not found:
        return None
    table, step, active = found
    link = step.link
    assert link
    assert step.key.reference
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
    reference = step.key.reference

    def say(talk: Talk) -> tuple[str, bool]:
        far, noun, nouns = talk.noun(step.far), talk.noun(table, many=False), talk.noun(table)
        if talk.zh:
            return _said_zh(talk, table, step, active, kind, number + 1, shown)
        tail = ", and how many" if shown and kind != "each" else ""
        if active:
            verb = reference.active
            base = _PRESENT.get(verb, verb)
            ways = {
                "each": ["how many {f} did each {n} {b}", "number of {f} each {n} {v}", "for each {n}, count the {f} they {v}"],
                "having": ["which {ns} {v} at least {k} {f}{t}", "list {ns} who {v} at least {k} {f}{t}" if table.entity.person else "list {ns} that {v} at least {k} {f}{t}"],
                "best": ["which {n} {v} the most {f}{t}" if verb not in ("take", "follow", "stock", "hold", "handle", "run", "visit", "serve", "store", "distribute", "host") else "which {n} has the most {f}{t}", "find the {n} with the most {f}{t}"],
            }  # fmt: skip
            return fill(talk, ways[kind], f=far, n=noun, ns=nouns, v=verb, b=base, k=talk.number(number + 1), t=tail)
        ways = {
            "each": ["how many {f} does each {n} have", "number of {f} per {n}", "show each {n} and its number of {f}"],
            "having": ["which {ns} have at least {k} {f}{t}", "{ns} with at least {k} {f}{t}", "{ns} {p} at least {k} {f}{t}"],
            "best": ["which {n} has the most {f}{t}", "find the {n} {p} the most {f}{t}", "what is the {n} with the most {f}{t}"],
        }  # fmt: skip
        return fill(talk, ways[kind], f=far, n=noun, ns=nouns, p=reference.passive, k=talk.number(number + 1), t=tail)

    return Plan(query, say, ["join", "link", "group", "count"])


def _said_zh(
    talk: Talk, table: Table, step: Step, active: bool, kind: str, number: int, shown: bool
) -> tuple[str, bool]:
    reference = step.key.reference
    assert reference
    noun, far, measure, far_measure = talk.noun(table), talk.noun(step.far), talk.measure(table), talk.measure(step.far)
    verb = reference.verb if active else "被"
    tail = "，并给出数量" if shown and kind != "each" else ""
    did = f"{verb}了" if active else "有"
    ways = {
        "each": ["每{m}{n}{d}多少{fm}{f}", "统计每{m}{n}{v2}的{f}数量", "各{n}{v2}的{f}数"],
        "having": ["哪些{n}至少{d}{k}{fm}{f}{t}", "{d}{k}{fm}及以上{f}的{n}{t}", "至少{d}{k}{fm}{f}的{n}有哪些{t}"],
        "best": ["哪{m}{n}{d}最多的{f}{t}", "{v2}{f}最多的{n}是哪{m}{t}", "{f}最多的{n}{t}" if not active else "{v2}{f}最多的{n}{t}"],
    }  # fmt: skip
    return fill(
        talk,
        ways[kind],
        m=measure,
        n=noun,
        d=did,
        f=far,
        fm=far_measure,
        v2=verb if active else "对应",
        k=talk.number(number),
        t=tail,
    )
