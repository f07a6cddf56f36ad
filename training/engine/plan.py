"""What a question family returns, and the helpers every family uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from inquery.form.ast import Agg, Block, ColumnRef, Expr, Literal, Query, Sort
from training.engine import phrasebook as book
from training.engine.schema import Column, Schema, Table
from training.engine.scope import Scope, make_scope, steps
from training.engine.talk import Talk
from training.engine.words import listed, listed_zh

_WHOSE = re.compile(r"whose (.+?) (?:is|are) (.+)$")
_ADDITIVE = frozenset(
    [
        "amount",
        "total",
        "fee",
        "cost",
        "revenue",
        "profit",
        "quantity",
        "qty",
        "sales",
        "fare",
        "spend",
        "spending",
        "income",
        "hours",
        "minutes",
        "views",
        "likes",
        "votes",
        "attendance",
        "tickets",
        "stock",
        "budget",
        "salary",
        "bonus",
        "donation",
        "output",
        "yield",
        "consumption",
        "usage",
        "plays",
        "shares",
        "downloads",
        "goals",
        "premium",
        "paid",
        "fine",
        "tip",
        "commission",
        "freight",
        "deliveries",
        "cups",
        "bottles",
        "sold",
        "raised",
        "loss",
        "damage",
        "expense",
        "tax",
        "charge",
        "subtotal",
        "points",
        "credits",
        "deposit",
        "seats",
        "rooms",
        "participants",
        "visitors",
        "population",
        "distance",
        "mileage",
        "rainfall",
        "throughput",
        "bought",
    ]
)


@dataclass
class Plan:
    """A query and how to ask for it; `say` gives the text and whether it is a question."""

    query: Query
    say: Callable[[Talk], tuple[str, bool]]
    tags: list[str] = field(default_factory=list)


class Kit:
    """One schema with the means to pick its parts."""

    def __init__(self, schema: Schema, rng: Random) -> None:
        self.schema = schema
        self.rng = rng

    def table(self, test: Callable[[Table], bool] = lambda table: True) -> Table | None:
        """A table that passes the test; link tables seldom."""
        found = [t for t in self.schema.tables if test(t)]
        return self.rng.choices(found, [0.25 if t.entity.link else 1 for t in found])[0] if found else None

    def scope(self, table: Table, most: int = 2, *, joins: float = 0.35, fan: bool = False) -> Scope | None:
        """A scope with none to `most` conditions."""
        wanted = self.rng.choices(range(most + 1), [5, 7, 4][: most + 1])[0]
        return make_scope(self.schema, table, self.rng, wanted, joins=joins, fan=fan)

    def filtered(self, table: Table, *, joins: float = 0.3, fan: bool = False, most: int = 2) -> Scope | None:
        """A scope with at least one condition."""
        wanted = 1 if self.rng.random() < 0.6 or most < 2 else 2
        scope = make_scope(self.schema, table, self.rng, wanted, joins=joins, fan=fan)
        return scope if scope and scope.mods else None

    def columns(self, table: Table, count: int | None = None) -> list[Column]:
        """Columns worth showing, the name first as a rule."""
        others = [c for c in table.data if c not in table.display and c.kind != "flag" and not _noisy(c)]
        wanted = count or self.rng.choices([1, 2, 3, 4], (46, 32, 17, 5))[0]
        chosen = list(table.display) if self.rng.random() < 0.75 else []
        if not chosen and self.rng.random() < 0.12 and table.key_column():
            chosen = [table.key_column()]  # type: ignore[list-item]
        self.rng.shuffle(others)
        chosen += others[: max(0, wanted - len(chosen))]
        if not chosen:
            chosen = list(table.display) or table.data[:1] or table.columns[:1]
        if len(chosen) > 1 and self.rng.random() < 0.12:
            self.rng.shuffle(chosen)
        return chosen

    def shown_name(self, table: Table) -> list[Column]:
        """What names a row: its name, its code, else its key."""
        if table.display:
            return table.display
        codes = [c for c in table.data if c.kind == "code"]
        key = table.key_column()
        return codes[:1] or ([key] if key else table.data[:1])

    def numeric(self, table: Table) -> Column | None:
        """A column to compare, rank or average."""
        found = [c for c in table.data if c.attribute and c.attribute.numeric]
        return self.rng.choices(found, [2 if additive(c) else 1 for c in found])[0] if found else None

    def ranked(self, table: Table) -> Column | None:
        """A number, a year or a date to rank by."""
        found = [
            c for c in table.data if c.attribute and (c.attribute.numeric or c.attribute.dated or c.kind == "year")
        ]
        return (
            self.rng.choices(found, [3 if c.attribute and c.attribute.numeric else 1 for c in found])[0]
            if found
            else None
        )

    def category(self, table: Table) -> Column | None:
        """A column to group by."""
        found = [c for c in table.data if c.kind == "category" and c not in table.display]
        found += [c for c in table.data if c.kind == "year" and self.rng.random() < 0.2]
        found += [c for c in table.data if c.kind == "flag" and self.rng.random() < 0.25]
        return self.rng.choice(found) if found else None

    def up(self, table: Table) -> Table | None:
        """A table one step up, with a name."""
        found = [s.far for s in steps(self.schema, table) if s.kind == "up" and s.far.display]
        return self.rng.choice(found) if found else None


def _noisy(column: Column) -> bool:
    return bool(column.attribute) and column.attribute.pool in ("note", "url")  # type: ignore[union-attr]


def additive(column: Column) -> bool:
    """Whether a sum of the column means something."""
    attribute = column.attribute
    if attribute is None or not attribute.numeric or attribute.kind == "percent":
        return False
    return any(word in _ADDITIVE for word in attribute.names[0].split()[-1:]) or attribute.names[0].startswith(
        "number of "
    )


def refs(source: str, columns: Sequence[Column]) -> tuple[ColumnRef, ...]:
    """Columns as seen from a block."""
    return tuple(ColumnRef(source, c.name) for c in columns)


def count_rows(scope: Scope) -> Expr:
    """The number of rows of the scope's table, each once."""
    key = scope.table.key_column()
    if scope.fans_out and key:
        return Agg("count", scope.ref(key), distinct=True)
    return Agg("count")


def show(
    scope: Scope,
    items: Sequence[Expr],
    *,
    distinct: bool = False,
    sort: Sequence[Sort] = (),
    top: int = 0,
    **more: object,
) -> Block:
    """A block over a scope."""

    limit = Literal(top, "number") if top else None
    return Block(scope.sources, tuple(items), distinct, scope.where, sort=tuple(sort), top=limit, **more)  # type: ignore[arg-type]


def names_of(talk: Talk, columns: Sequence[Column], many: bool) -> str:
    """name, age and country."""
    labels = [talk.label(c, many) for c in columns]
    return listed_zh(labels, talk.rng) if talk.zh else listed(labels, talk.rng)


def direction(talk: Talk, column: Column, down: bool) -> str:
    """From high to low, as one says it for this kind of column."""
    dated = bool(column.attribute) and (column.attribute.dated or column.kind == "year")  # type: ignore[union-attr]
    text = column.kind in ("text", "category", "code")
    if talk.zh:
        if text:
            return talk.pick("降序", "倒序") if down else talk.pick("升序", "字母顺序", "顺序")
        if dated:
            return talk.pick("从晚到早", "从新到旧", "倒序") if down else talk.pick("从早到晚", "先后顺序", "升序")
        return talk.pick("从高到低", "降序", "从大到小") if down else talk.pick("从低到高", "升序", "从小到大")
    if text:
        return (
            talk.pick("in descending order", "in reverse alphabetical order")
            if down
            else talk.pick("in alphabetical order", "alphabetically", "in ascending order")
        )
    if dated:
        return (
            talk.pick("from newest to oldest", "most recent first", "in descending order")
            if down
            else talk.pick("from oldest to newest", "earliest first", "in ascending order")
        )
    return (
        talk.pick("in descending order", "from high to low", "highest first", "from highest to lowest")
        if down
        else talk.pick("in ascending order", "from low to high", "lowest first", "")
    )


def sorting(talk: Talk, column: Column, down: bool, owner: Table | None = None) -> str:
    """The clause that asks for an order."""
    label = talk.owned(column, owner) if owner else talk.label(column)
    way = direction(talk, column, down)
    if talk.zh:
        return talk.pick(
            f"，按{label}{way}排列", f"，按{label}{way}排序", f"，按{label}{way}", f"，结果按{label}{way}排"
        )
    lead = (
        talk.pick(", sorted by", " ordered by", ", ordered by", " sorted by", " by")
        if way
        else talk.pick(" sorted by", " ordered by")
    )
    return f"{lead} {label} {way}".rstrip()


def superlative(talk: Talk, column: Column, most: bool) -> str:
    """An adjective for the extreme of a column ("oldest"), or nothing where there is none."""
    concept = book.concept_of(column.attribute.names if column.attribute else ())
    if talk.zh:
        ways = concept.most_zh if most else concept.least_zh
        label = talk.label(column)
        if ways and talk.rng.random() < 0.45 and any(c in label for c in concept.key):
            return talk.pick(*ways)
        if column.attribute and (column.attribute.dated or column.kind == "year"):
            verb = book.verb_zh(label)
            return (
                f"最{'晚' if most else '早'}{verb}"
                if verb and talk.rng.random() < 0.6
                else f"{label}最{'晚' if most else '早'}"
            )
        return f"{label}最{talk.pick(*extreme_zh(label, most))}"
    ways = concept.most if most else concept.least
    return talk.pick(*ways) if ways else ""


_EXTREMES_ZH = (
    (("年龄", "马龄", "面积", "容量", "规模", "体积"), "大", "小"),
    (("时长", "长度", "片长", "寿命", "里程", "工龄", "教龄", "年限", "周期", "学制", "期限"), "长", "短"),
    (("距离",), "远", "近"),
    (("重量", "体重", "质量"), "大高", "小低"),
    (("数", "量", "次数", "积分", "分钟", "用时"), "多高", "少低"),
    (("金额", "额", "费", "收入", "总价", "预算"), "高大", "低小"),
)


def extreme_zh(label: str, most: bool) -> str:
    """The characters that fit after 最 for a label."""
    for endings, high, low in _EXTREMES_ZH:
        if label.endswith(endings):
            return high if most else low
    return "高" if most else "低"


def predicate(talk: Talk, part: tuple[str, str]) -> str:
    """What is said of a noun as a verb phrase: "are from France", "have a price above 20"."""
    before, after = part
    if before:
        return f"are {before}"
    for start, verb in (("with ", "have "), ("who ", ""), ("that ", ""), ("costing ", "cost "), ("earning ", "earn ")):
        if after.startswith(start):
            return verb + after.removeprefix(start)
    found = _WHOSE.match(after)
    if found:
        return f"have {talk.a(found[1])} {'of ' if found[2][:1].isdigit() else ''}{found[2]}"
    return f"are {after}"


def extreme(talk: Talk, column: Column, most: bool) -> str:
    """with the highest price, with the most seats."""
    label = talk.label(column)
    if column.attribute and (column.attribute.dated or column.kind == "year"):
        return f"with the {talk.pick('latest', 'most recent') if most else talk.pick('earliest', 'oldest')} {label}"
    if (label.split()[-1] in book.COUNTED or label.startswith("number of ")) and talk.rng.random() < 0.6:
        return f"with the {'most' if most else 'fewest'} {label.removeprefix('number of ')}"
    words = (
        ("highest", "largest", "highest", "maximum", "greatest")
        if most
        else ("lowest", "smallest", "lowest", "minimum")
    )
    return f"with the {talk.pick(*words)} {label}"


QUESTION_STARTS = ("what", "which", "how", "who", "can", "when", "where", "do ", "does", "is ", "are ")


def fill(talk: Talk, ways: str | Sequence[str], **slots: str) -> tuple[str, bool]:
    """One wording, of a phrase or of those given, with its slots; whether it asks shows from its words."""
    text = talk.rng.choice(talk.ways(ways) if isinstance(ways, str) else ways).format(**slots)
    if talk.zh:
        asks = text.endswith(("什么", "多少", "吗", "几个", "哪个", "哪些", "谁", "呢")) or any(
            w in text for w in ("多少", "哪些", "哪", "几")
        )
        return text, asks
    lowered = text.lower()
    return text, lowered.startswith(QUESTION_STARTS) or any(
        mark in lowered for mark in (", what ", ", how many ", ", which ")
    )
