"""Questions whose answer is one number, or a few: counts, distinct values, aggregates."""

from __future__ import annotations

from inquery.form.ast import Agg
from training.engine.ask_rows import said_count
from training.engine.plan import Kit, Plan, additive, count_rows, fill, show
from training.engine.schema import Column
from training.engine.scope import Scope
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh


def counting(kit: Kit) -> Plan | None:
    """How many rows."""
    table = kit.table()
    scope = kit.scope(table, fan=True, joins=0.45) if table else None
    if not scope:
        return None
    return Plan(show(scope, [count_rows(scope)]), lambda talk: said_count(talk, scope), ["count", *scope.tags])


def distinct_values(kit: Kit) -> Plan | None:
    """The different values of a column, listed or counted."""
    table = kit.table(lambda t: kit.category(t) is not None)
    column = kit.category(table) if table else None
    scope = kit.scope(table, 1, joins=0.2) if table else None
    if not table or not column or not scope or column.kind == "flag" or names_column(scope, column):
        return None
    counted = kit.rng.random() < 0.5
    ref = scope.ref(column)
    query = show(scope, [Agg("count", ref, distinct=True)] if counted else [ref], distinct=not counted)

    def say(talk: Talk) -> tuple[str, bool]:
        np, label, labels = scope.phrase(talk), talk.label(column), talk.label(column, many=True)
        return fill(
            talk, "numbers.distinct_count" if counted else "numbers.distinct", np=np, label=label, labels=labels
        )

    return Plan(query, say, ["distinct", *(["count"] if counted else []), *scope.tags])


def aggregate_words(talk: Talk, func: str, column: Column, many: bool = False) -> str:
    """average salary, 平均工资."""
    label = talk.label(column, many)
    if talk.zh:
        text = talk.one_of(f"numbers.{func}").format(l=label)
        return (
            text.replace("总总", "总")
            .replace("平均平均", "平均")
            .replace("最高最高", "最高")
            .replace("最低最低", "最低")
            .replace("最高最大", "最大")
        )
    word = talk.one_of(f"numbers.{func}")
    if label.startswith(("total ", "average ", "maximum ", "minimum ")) and word.split()[0] == label.split()[0]:
        return label
    return f"{word} {label}"


def pick_aggregates(kit: Kit, column: Column, count: int = 0) -> list[str]:
    """Functions that suit a column."""
    weights = {"avg": 34, "sum": 80 if additive(column) else 0, "max": 14, "min": 9}
    names = [name for name, weight in weights.items() if weight]
    wanted = count or kit.rng.choices([1, 2, 3], (74, 20, 6))[0]
    chosen: list[str] = []
    while len(chosen) < min(wanted, len(names)):
        name = kit.rng.choices(names, [weights[n] for n in names])[0]
        if name not in chosen:
            chosen.append(name)
    return chosen


def names_column(scope: Scope, column: Column) -> bool:
    """Whether a condition of the scope is on the column."""
    return any(f"column={column.name!r}" in repr(mod.condition) for mod in scope.mods)


def aggregating(kit: Kit) -> Plan | None:
    """Averages, totals and extremes of a column."""
    table = kit.table(lambda t: kit.numeric(t) is not None)
    column = kit.numeric(table) if table else None
    scope = kit.scope(table, joins=0.35) if table else None
    if not table or not column or not scope:
        return None
    if names_column(scope, column):
        return None
    funcs = pick_aggregates(kit, column)
    second = kit.numeric(table) if len(funcs) == 1 and kit.rng.random() < 0.12 else None
    ref = scope.ref(column)
    items = [Agg(f, ref) for f in funcs]  # type: ignore[arg-type]
    if second and second is not column:
        items.append(Agg("avg", scope.ref(second)))
    counted = kit.rng.random() < 0.08
    if counted:
        items.insert(0, Agg("count"))

    def say(talk: Talk) -> tuple[str, bool]:
        np = scope.phrase(talk)
        words = [aggregate_words(talk, f, column) for f in funcs]
        if second and second is not column:
            words.append(aggregate_words(talk, "avg", second))
        if counted:
            words.insert(0, "数量" if talk.zh else "number")
        if talk.zh:
            return fill(talk, "numbers.aggregate", np=np, w=listed_zh(words, talk.rng))
        be = "is" if len(words) == 1 else "are"
        np = np if scope.mods or talk.rng.random() < 0.5 else talk.pick(f"all {np}", f"the {np}")
        return fill(talk, "numbers.aggregate", be=be, w=listed(words, talk.rng), np=np)

    return Plan(show(scope, items), say, ["aggregate", *scope.tags])
