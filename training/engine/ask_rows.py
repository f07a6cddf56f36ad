"""Questions whose answer is rows: lists and look-ups."""

from __future__ import annotations

from inquery.form.ast import Agg, Block, ColumnRef, Literal, Or, Predicate, Sort, Source
from training.engine.condition import literal
from training.engine.plan import (
    Kit,
    Plan,
    fill,
    names_of,
    predicate,
    refs,
    show,
    sorting,
)
from training.engine.schema import Column
from training.engine.scope import Mod, Scope, Step, conjunction, is_tree, own_filter, steps
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh


def listing(kit: Kit) -> Plan | None:
    """Columns of the rows of a scope, perhaps sorted."""
    rng = kit.rng
    table = kit.table()
    scope = kit.scope(table, fan=True, joins=0.4) if table else None
    if not table or not scope:
        return None
    columns = [c for c in kit.columns(table) if not fixed(scope, c)] or kit.columns(table)
    order = kit.ranked(table) if rng.random() < 0.28 else None
    if order is None and rng.random() < 0.05 and table.display:
        order = table.display[0]
    down = rng.random() < 0.55
    sort = [Sort(scope.ref(order), down)] if order else []
    distinct = scope.fans_out and not order
    query = show(scope, refs(scope.source, columns), distinct=distinct, sort=sort)

    def say(talk: Talk) -> tuple[str, bool]:
        tail = sorting(talk, order, down) if order else ""
        text, asks = said_list(talk, scope, columns)
        return text + tail, asks and (not tail or not talk.zh)

    return Plan(query, say, ["list", *(["sort"] if order else []), *scope.tags])


def fixed(scope: Scope, column: Column) -> bool:
    """Whether the scope leaves only one value of the column, so that showing it tells nothing."""
    return any(f"op='=', left={scope.ref(column)!r}" in repr(mod.condition) for mod in scope.mods)


def said_list(talk: Talk, scope: Scope, columns: list[Column]) -> tuple[str, bool]:
    """A request for columns of the rows of a scope."""
    table = scope.table
    np = scope.phrase(talk)
    bare = columns == table.display
    if bare and talk.rng.random() < 0.45:
        if not talk.zh and len(scope.mods) == 1 and talk.rng.random() < 0.4:
            part = scope.mods[0].say(talk)
            return fill(talk, "rows.which", n=talk.noun(table), p=predicate(talk, part))
        who = talk.ways("rows.people") if table.entity.person else []
        return fill(talk, [*talk.ways("rows.bare"), *who], np=np)
    if talk.zh:
        every = talk.pick("所有", "全部", "每" + talk.measure(table), "") if not scope.mods else ""
        return fill(talk, "rows.list", np=every + np, cols=names_of(talk, columns, many=False))
    if not scope.mods:
        np = talk.pick(
            f"all {np}",
            f"all the {np}",
            f"each {talk.noun(table, many=False)}",
            f"every {talk.noun(table, many=False)}",
            np,
        )
    many = np.split()[0] not in ("each", "every") and talk.rng.random() < 0.75
    return fill(
        talk, "rows.list", np=np, cols=names_of(talk, columns, many), be="are" if many or len(columns) > 1 else "is"
    )


def owned(talk: Talk, step: Step, column: Column) -> str:
    """A column of the table a step leads to: home team name, 主队名称."""
    if not step.role:
        return talk.owned(column, step.far)
    label = talk.label(column)
    if talk.rng.random() < 0.7:
        return talk.of_role(step.key.chinese if talk.zh else step.key.label, label)
    return f"{step.key.chinese}的{label}" if talk.zh else f"{label} of the {step.key.label}"


def with_parent(kit: Kit) -> Plan | None:
    """Columns of a table together with columns of the table it refers to."""
    rng = kit.rng
    table = kit.table(lambda t: any(s.kind == "up" for s in steps(kit.schema, t, roles=True)))
    scope = kit.scope(table, 1, joins=0.2) if table else None
    if not table or not scope:
        return None
    ways = [s for s in steps(kit.schema, table, roles=True) if s.kind == "up"]
    chosen = rng.sample(ways, 2 if len(ways) > 1 and rng.random() < 0.35 else 1)
    own = [c for c in kit.columns(table) if c not in table.references]
    far = [(s, c) for s in chosen for c in kit.columns(s.far, 1)]
    extra = [Mod(None, lambda talk: ("", ""), ["join", "up"], [s.source]) for s in chosen]
    wide = Scope(table, scope.mods + [m for m in extra if m.sources[0] not in scope.sources])
    if not is_tree(kit.schema, wide.sources) or not far:
        return None
    order = kit.ranked(table) if rng.random() < 0.2 else None
    sort = [Sort(wide.ref(order), True)] if order else []
    items = [*refs(table.name, own), *(ColumnRef(s.name, c.name) for s, c in far)]
    query = show(wide, items, sort=sort)

    def say(talk: Talk) -> tuple[str, bool]:
        np = scope.phrase(talk)
        tail = sorting(talk, order, True) if order else ""
        text, asks = _said_with_parent(talk, scope, np, own, far)
        return text + tail, asks and not talk.zh

    return Plan(query, say, ["list", "join", *wide.tags])


def _said_with_parent(
    talk: Talk, scope: Scope, np: str, own: list[Column], far: list[tuple[Step, Column]]
) -> tuple[str, bool]:
    labels = [talk.label(c) for c in own]
    others = [owned(talk, s, c) for s, c in far]
    ways = talk.ways("rows.list") + talk.ways("rows.with_parent")
    if talk.zh:
        cols = listed_zh([*labels, *others], talk.rng)
        return fill(talk, ways, np=np, cols=cols, m=talk.measure(scope.table))
    cols = listed([*labels, *others], talk.rng)
    single = np if scope.mods else f"each {talk.noun(scope.table, many=False)}"
    whose = "their" if scope.table.entity.person else "its"
    theirs = [f"the {talk.label(c)} of {whose} {_end_noun(talk, step)}" for step, c in far]
    return fill(talk, ways, np=single, cols=cols, their=listed([*labels, *theirs], talk.rng), be="are")


def _end_noun(talk: Talk, step: Step) -> str:
    return step.key.label if step.role else talk.noun(step.far, many=False)


def lookup(kit: Kit) -> Plan | None:
    """One thing by its name: its other columns."""
    rng = kit.rng
    if rng.random() < 0.12:
        return _by_key(kit)
    table = kit.table(lambda t: len(t.display) == 1 and len(t.data) > 1)
    if not table:
        return None
    name = table.display[0]
    cell = rng.choice(name.cells)
    columns = [c for c in kit.columns(table, rng.choice([1, 1, 2, 3])) if c is not name] or [
        c for c in table.data if c is not name
    ][:1]
    ref = ColumnRef(table.name, name.name)

    query = Block((Source(table.name),), refs(table.name, columns), where=Predicate("=", ref, literal(cell)))

    def say(talk: Talk) -> tuple[str, bool]:
        value, noun = talk.value(table, name, cell), talk.noun(table, many=False)
        cols = names_of(talk, columns, many=False)
        if talk.zh:
            if len(columns) == 1 and columns[0].attribute and columns[0].attribute.pool == "person":
                return fill(talk, "rows.lookup_person", noun=noun, v=value, cols=cols)
            return fill(
                talk,
                "rows.lookup",
                noun=noun,
                v=value,
                cols=cols,
                m=talk.measure(table),
                what="多少" if len(columns) == 1 and columns[0].attribute and columns[0].attribute.numeric else "什么",
            )
        be = "are" if len(columns) > 1 else "is"
        ways = talk.ways("rows.lookup")
        if len(columns) == 1 and columns[0].kind == "int" and columns[0].label == "age":
            ways += talk.ways("rows.lookup_age")
        return fill(talk, ways, be=be, cols=cols, noun=noun, v=value)

    return Plan(query, say, ["lookup", "equals"])


def _by_key(kit: Kit) -> Plan | None:
    """One thing by its number."""
    table = kit.table(lambda t: t.key_column() is not None and len(t.data) > 0)
    key = table.key_column() if table else None
    if not table or not key or not table.rows:
        return None
    number = kit.rng.randint(1, table.rows)
    columns = [c for c in kit.columns(table) if c is not key] or table.data[:1]
    query = Block(
        (Source(table.name),),
        refs(table.name, columns),
        where=Predicate("=", ColumnRef(table.name, key.name), Literal(number, "number")),
    )

    def say(talk: Talk) -> tuple[str, bool]:
        cols, noun = names_of(talk, columns, many=False), talk.noun(table, many=False)
        if talk.zh:
            return fill(talk, "rows.by_key", n=noun, k=talk.label(key), v=str(number), cols=cols)
        return fill(talk, "rows.by_key", be="are" if len(columns) > 1 else "is", cols=cols, n=noun, v=str(number))

    return Plan(query, say, ["lookup", "key"])


def said_count(talk: Talk, scope: Scope) -> tuple[str, bool]:
    """How many rows a scope has."""
    np = scope.phrase(talk)
    if talk.zh:
        measure = talk.measure(scope.table)
        ways = talk.ways("rows.count")
        if scope.table.entity.person:
            ways += talk.ways("rows.count_people" if not scope.mods or len(np) < 6 else "rows.count_people_named")
        return fill(talk, ways, np=np, m=measure)
    ways = talk.ways("rows.count")
    return fill(talk, ways, np=np)


def either(kit: Kit) -> Plan | None:
    """Rows that pass one of two tests."""

    table = kit.table(lambda t: len(t.data) > 2)
    if not table:
        return None
    taken: set[str] = set()
    first, second = own_filter(table, kit.rng, taken), own_filter(table, kit.rng, taken)
    if not first or not second:
        return None
    columns = kit.columns(table)
    counted = kit.rng.random() < 0.35
    where = Or((first.condition, second.condition))
    query = Block(
        (Source(table.name),), (Agg("count"),) if counted else refs(table.name, columns), where=conjunction([where])
    )

    def say(talk: Talk) -> tuple[str, bool]:
        one, two = first.say(talk), second.say(talk)
        if talk.zh:
            part = (
                "",
                f"{one[0] + one[1]}或者{two[0] + two[1]}"
                if one[1] and two[1]
                else f"{one[0] or one[1]}或{two[0] or two[1]}",
            )
        else:
            part = ("", f"{_clause(one)} or {_clause(two)}")
        described = Scope(table, [Mod(None, lambda _: part, [])])
        return said_count(talk, described) if counted else said_list(talk, described, columns)

    return Plan(query, say, ["or"])


def _clause(part: tuple[str, str]) -> str:
    before, after = part
    return f"that are {before}" if before else after
