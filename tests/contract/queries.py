"""A seeded generator of queries over three tables, for comparing two databases that should answer alike."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from tests.contract.case import ColumnSpec, TableSpec

CITIES = ["Rome", "Oslo", "上海", "Lima", None]
KINDS = ["web", "shop", "phone", None]

TABLES = {
    "dept": [ColumnSpec("dept_id", nullable=False), ColumnSpec("title", "text"), ColumnSpec("region")],
    "person": [
        ColumnSpec("person_id", nullable=False), ColumnSpec("title", "text"), ColumnSpec("dept_id"),
        ColumnSpec("boss_id"), ColumnSpec("salary"), ColumnSpec("city", "text"),
    ],
    "sale": [
        ColumnSpec("sale_id", nullable=False), ColumnSpec("person_id"), ColumnSpec("amount"), ColumnSpec("kind", "text"),
    ],
    "allowed": [ColumnSpec("region", nullable=False)],
}  # fmt: skip


def rows(seed: int = 7) -> dict[str, list[tuple[object, ...]]]:
    """The same rows every time, with NULLs in every column that may have them."""
    pick = random.Random(seed)
    maybe = lambda value: None if pick.random() < 0.15 else value  # noqa: E731
    return {
        "dept": [(i, f"dept {i}", maybe(pick.randint(1, 4))) for i in range(1, 9)],
        "person": [
            (i, f"person {i % 17}", maybe(pick.randint(1, 10)), maybe(pick.randint(1, 40)), maybe(pick.randint(1, 9) * 500), pick.choice(CITIES))
            for i in range(1, 41)
        ],
        "sale": [(i, maybe(pick.randint(1, 45)), maybe(pick.randint(1, 99)), pick.choice(KINDS)) for i in range(1, 121)],
        "allowed": [(1,), (3,)],
    }  # fmt: skip


def tables(content: dict[str, list[tuple[object, ...]]]) -> list[TableSpec]:
    """Specs of the three tables and the one that only a filter reads."""
    return [TableSpec(name, columns, content[name], [columns[0].name]) for name, columns in TABLES.items()]


# The same conditions as SQL and as Python; a NULL is not true in either.
FILTERS = {
    "dept": "region IN (SELECT allowed.region FROM {allowed} AS allowed)",
    "person": "city <> 'Rome' AND salary < 4000",
    "sale": "amount > 20 OR kind = 'web'",
}
PERMITTED: dict[str, Callable[..., bool]] = {
    "dept": lambda dept_id, title, region: region in (1, 3),
    "person": lambda person_id, title, dept_id, boss_id, salary, city: (
        city is not None and city != "Rome" and salary is not None and salary < 4000
    ),
    "sale": lambda sale_id, person_id, amount, kind: (amount is not None and amount > 20) or kind == "web",
    "allowed": lambda region: True,
}


def permitted(content: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """Only the rows the filters let through."""
    return {name: [row for row in found if PERMITTED[name](*row)] for name, found in content.items()}


@dataclass(frozen=True)
class Query:
    """One generated statement; `ordered` says that the order of rows counts."""

    shape: str
    text: str
    ordered: bool = False


def number(pick: random.Random) -> int:
    return pick.choice([1, 5, 20, 50, 500, 1500, 3000])


def condition(pick: random.Random, alias: str) -> str:
    return pick.choice(
        [
            f"{alias}.salary > {number(pick)}",
            f"{alias}.city IS NULL",
            f"{alias}.city <> 'Oslo'",
            f"{alias}.boss_id IS NOT NULL",
            f"{alias}.title LIKE 'person 1%'",
            f"NOT ({alias}.salary < {number(pick)})",
            f"COALESCE({alias}.dept_id, 0) IN (1, 2, 3)",
            f"({alias}.salary BETWEEN 500 AND {number(pick) + 500} OR {alias}.city = 'Lima')",
        ]
    )


def _plain(pick: random.Random) -> Query:
    text = f"SELECT p.person_id, p.title, p.salary FROM person AS p WHERE {condition(pick, 'p')}"
    return Query("plain", text + " ORDER BY p.person_id", ordered=True)


def _join(kind: str) -> Callable[[random.Random], Query]:
    def make(pick: random.Random) -> Query:
        extra = f" AND s.amount > {number(pick)}" if pick.random() < 0.5 else ""
        where = f" WHERE {condition(pick, 'p')}" if pick.random() < 0.4 else ""
        text = f"SELECT p.person_id, s.sale_id, s.amount FROM person AS p {kind} JOIN sale AS s ON s.person_id = p.person_id{extra}{where}"
        return Query(kind.lower().split()[0], text)

    return make


def _three(pick: random.Random) -> Query:
    kinds = [pick.choice(["LEFT", "INNER"]), pick.choice(["LEFT", "INNER"])]
    return Query(
        "three",
        f"SELECT d.title, p.person_id, s.sale_id FROM dept AS d {kinds[0]} JOIN person AS p ON p.dept_id = d.dept_id "
        f"{kinds[1]} JOIN sale AS s ON s.person_id = p.person_id AND s.amount < {number(pick) + 30}",
    )


def _self(pick: random.Random) -> Query:
    kind = pick.choice(["LEFT", "INNER"])
    return Query(
        "self",
        f"SELECT a.person_id, b.person_id AS boss, b.city FROM person AS a {kind} JOIN person AS b "
        f"ON a.boss_id = b.person_id WHERE {condition(pick, 'a')}",
    )


def _comma(pick: random.Random) -> Query:
    return Query(
        "comma",
        f"SELECT a.person_id, d.title FROM person AS a, dept AS d WHERE a.dept_id = d.dept_id AND {condition(pick, 'a')}",
    )


def _using(pick: random.Random) -> Query:
    kind = pick.choice(["LEFT", "INNER"])
    text = f"SELECT dept_id, COUNT(*) AS n FROM person {kind} JOIN dept USING (dept_id) GROUP BY dept_id"
    if pick.random() < 0.5:
        text = f"SELECT person_id, sale_id FROM person {kind} JOIN sale USING (person_id) WHERE sale.amount > {number(pick)}"
    return Query("using", text)


def _cte(pick: random.Random) -> Query:
    return Query(
        "cte",
        f"WITH rich AS (SELECT * FROM person WHERE salary > {number(pick)}), "
        "sold AS (SELECT person_id, SUM(amount) AS total FROM sale GROUP BY person_id) "
        "SELECT rich.person_id, rich.title, sold.total FROM rich LEFT JOIN sold ON sold.person_id = rich.person_id",
    )


def _shadow(pick: random.Random) -> Query:
    return Query(
        "shadow",
        f"WITH person AS (SELECT sale_id AS person_id, amount FROM sale WHERE amount > {number(pick)}) "
        "SELECT person.person_id, person.amount FROM person",
    )


def _setop(kind: str) -> Callable[[random.Random], Query]:
    def make(pick: random.Random) -> Query:
        text = (
            f"SELECT p.person_id AS k FROM person AS p WHERE {condition(pick, 'p')} {kind} "
            f"SELECT s.person_id AS k FROM sale AS s WHERE s.amount > {number(pick)}"
        )
        return Query(kind.split()[0].lower(), text)

    return make


def _scalar(pick: random.Random) -> Query:
    what = pick.choice(["MAX(salary)", "COUNT(*)", "AVG(salary)"])
    return Query(
        "scalar",
        f"SELECT d.dept_id, (SELECT {what} FROM person) AS x FROM dept AS d WHERE d.region < {pick.randint(2, 5)}",
    )


def _correlated(pick: random.Random) -> Query:
    return Query(
        "correlated",
        "SELECT p.person_id, (SELECT COUNT(*) FROM sale AS s WHERE s.person_id = p.person_id) AS n "
        f"FROM person AS p WHERE {condition(pick, 'p')}",
    )


def _in(pick: random.Random) -> Query:
    how = pick.choice(["IN", "NOT IN"])
    return Query(
        "in",
        f"SELECT p.person_id FROM person AS p WHERE p.person_id {how} "
        f"(SELECT s.person_id FROM sale AS s WHERE s.amount > {number(pick)} AND s.person_id IS NOT NULL)",
    )


def _exists(pick: random.Random) -> Query:
    how = pick.choice(["EXISTS", "NOT EXISTS"])
    return Query(
        "exists",
        f"SELECT p.person_id FROM person AS p WHERE {how} "
        f"(SELECT 1 FROM sale AS s WHERE s.person_id = p.person_id AND s.amount > {number(pick)})",
    )


def _derived(pick: random.Random) -> Query:
    return Query(
        "derived",
        "SELECT x.city, x.n FROM (SELECT city, COUNT(*) AS n, MIN(salary) AS low FROM person GROUP BY city) AS x "
        f"WHERE x.n > {pick.randint(0, 3)}",
    )


def _group(pick: random.Random) -> Query:
    return Query(
        "group",
        "SELECT s.kind, COUNT(DISTINCT s.person_id) AS people, SUM(s.amount) AS total FROM sale AS s "
        f"GROUP BY s.kind HAVING COUNT(*) > {pick.randint(1, 12)}",
    )


def _window(pick: random.Random) -> Query:
    return Query(
        "window",
        "SELECT s.sale_id, ROW_NUMBER() OVER (PARTITION BY s.person_id ORDER BY s.sale_id) AS r, "
        f"SUM(s.amount) OVER (PARTITION BY s.kind) AS t FROM sale AS s WHERE s.sale_id > {number(pick)}",
    )


def _star(pick: random.Random) -> Query:
    text = f"SELECT * FROM person AS p WHERE {condition(pick, 'p')} ORDER BY p.person_id LIMIT {pick.randint(1, 9)}"
    return Query("star", text, ordered=True)


def _distinct(pick: random.Random) -> Query:
    return Query("distinct", f"SELECT DISTINCT p.city, p.dept_id FROM person AS p WHERE {condition(pick, 'p')}")


def _case(pick: random.Random) -> Query:
    return Query(
        "case",
        f"SELECT SUM(CASE WHEN p.salary > {number(pick)} THEN 1 ELSE 0 END) AS high, COUNT(p.city) AS c "
        "FROM person AS p LEFT JOIN dept AS d ON d.dept_id = p.dept_id",
    )


MAKERS: tuple[Callable[[random.Random], Query], ...] = (
    _plain, _join("LEFT"), _join("RIGHT"), _join("FULL"), _join("INNER"), _three, _self, _comma, _using, _cte, _shadow,
    _setop("UNION"), _setop("UNION ALL"), _setop("INTERSECT"), _setop("EXCEPT"), _scalar, _correlated, _in, _exists,
    _derived, _group, _window, _star, _distinct, _case,
)  # fmt: skip


def queries(
    n: int, missing: frozenset[str] = frozenset(), union: str = "UNION", seed: int = 20261115
) -> Iterator[Query]:
    """n different queries, every shape in turn, leaving out shapes an engine has not."""
    pick = random.Random(seed)
    seen: set[str] = set()
    turn = 0
    while len(seen) < n:
        query = MAKERS[turn % len(MAKERS)](pick)
        turn += 1
        if query.shape == "union" and "UNION ALL" not in query.text:
            query = replace(query, text=query.text.replace("UNION", union))
        if query.shape not in missing and query.text not in seen:
            seen.add(query.text)
            yield query
