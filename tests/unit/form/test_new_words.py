"""The words of round E: their rows, the SQL that reads as them, and that models of round D never see them."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlglot
import yaml
from tests.unit.form.shop import NAMES, SCHEMA, TABLES, create, database
from tests.unit.form.test_text import TEXTS
from tests.unit.form.test_to_sql import MEANINGS, SLOTS, plain

from inquery.form.ast import Literal, Nothing, TableRef
from inquery.form.form_grammar import FormGrammar
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.join_paths import FormSchema
from inquery.form.name_words import FormError, split_words
from inquery.form.printing import write
from inquery.form.reader import read_answer, read_form
from inquery.form.to_sql import DIALECTS, to_sql

CASES: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "new_words.yaml").read_text("utf-8"))
FORMS = [case["form"] for case in CASES]
NEW = {"per", "running", "previous", "change", "growth", "rank", "hours", "minutes", "blank", "else", "none"}
SPOKEN = {
    "numbers": ("2", "3", "9", "1", "100"),
    "spans": ("paid", "open", "Bo"),
    "slots": SLOTS | {"t1": Literal(("2024-05-11", "2024-05-12"), "period")},
}


def grammar(edition: str, schema: FormSchema = SCHEMA) -> FormGrammar:
    return FormGrammar(schema, NAMES, **SPOKEN, edition=edition)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def shop() -> Iterator[sqlite3.Connection]:
    connection = database()
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def duck() -> Iterator[Any]:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    create(lambda sql, row: connection.execute(sql.replace(" REAL", " DOUBLE"), list(row)))
    yield connection
    connection.close()


def expected(case: dict[str, Any]) -> list[tuple[Any, ...]]:
    return plain([tuple(row) for row in case["rows"]])


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_a_form_means_its_rows_on_sqlite(shop: sqlite3.Connection, case: dict[str, Any]) -> None:
    sql = to_sql(read_form(case["form"], NAMES), SCHEMA, "sqlite")
    assert plain(shop.execute(sql).fetchall()) == expected(case), sql


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_a_form_means_the_same_on_duckdb(duck: Any, case: dict[str, Any]) -> None:
    sql = to_sql(read_form(case["form"], NAMES), SCHEMA, "duckdb")
    assert plain(duck.execute(sql).fetchall()) == expected(case), sql


@pytest.mark.parametrize("form", FORMS)
def test_a_form_reads_back_and_parses_in_every_dialect(form: str) -> None:
    query = read_form(form, NAMES)
    assert write(query, NAMES) == form
    for dialect in DIALECTS:
        assert sqlglot.parse_one(to_sql(query, SCHEMA, dialect), dialect=dialect)


@pytest.mark.parametrize(("sql", "form"), [(sql, case["form"]) for case in CASES for sql in case["sql"]])
def test_sql_reads_as_its_form(shop: sqlite3.Connection, sql: str, form: str) -> None:
    read = from_sql(sql, SCHEMA, edition="E")
    assert write(read, NAMES) == form
    shop.execute(sql)  # a query that does not run would show nothing


@pytest.mark.parametrize("case", CASES, ids=FORMS)
def test_only_the_grammar_of_round_e_has_the_new_words(case: dict[str, Any]) -> None:
    form = case["form"].replace("2024-05-11..2024-05-12", "t1")
    assert grammar("E").accepts(form)
    assert grammar("D").accepts(form) == case.get("old", False)


@pytest.mark.parametrize("text", [text for text, _ in MEANINGS] + TEXTS)
def test_no_new_word_may_follow_anywhere_in_round_d(text: str) -> None:
    state = grammar("D").start()
    for word in split_words(text):
        assert not NEW & state.allowed()
        if word not in state.allowed():  # a constant that this grammar was not given
            return
        state = state.advance(word)


def test_round_e_takes_all_that_round_d_does() -> None:
    old, new, random_ = grammar("D"), grammar("E"), random.Random(3)
    for _ in range(60):
        state, other = old.start(), new.start()
        for _ in range(25):
            allowed = state.allowed()
            assert allowed <= other.allowed()
            if not allowed:
                break
            word = random_.choice(sorted(allowed))
            state, other = state.advance(word), other.advance(word)
            assert state.done <= other.done


def test_sql_reads_for_round_d_as_it_did() -> None:
    with pytest.raises(Unsupported, match="nested query in FROM"):
        from_sql("SELECT AVG(n), MAX(n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY customer_id)", SCHEMA)
    with pytest.raises(Unsupported, match="Window"):
        from_sql("SELECT status, RANK() OVER (ORDER BY COUNT(*)) FROM orders GROUP BY status", SCHEMA)
    unknown = from_sql("SELECT COUNT(*) FROM customers WHERE country IS NULL OR country = ''", SCHEMA)
    assert write(unknown, NAMES) == "from customers show count where customers.country null or customers.country = ''"


@pytest.mark.parametrize(
    ("sql", "why"),
    [
        ("SELECT AVG(total) OVER (ORDER BY order_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM orders", "Window"),
        ("SELECT status, SUM(SUM(total)) OVER () FROM orders GROUP BY status", "share"),
        (
            "SELECT name FROM (SELECT name, country, RANK() OVER (PARTITION BY country ORDER BY level DESC) AS rk "
            "FROM customers) t WHERE rk = 1 AND country = 'France'",
            "ranking",
        ),
        ("SELECT CASE WHEN total < 5 THEN 'a' WHEN total < 9 THEN 'b' ELSE 'c' END FROM orders", "several branches"),
        (
            "SELECT status, month, SUM(n) OVER (ORDER BY month) FROM (SELECT status, strftime('%Y-%m', ordered_at) "
            "AS month, COUNT(*) AS n FROM orders GROUP BY status, month)",
            "keys",
        ),
    ],
)
def test_what_has_no_word_says_why(sql: str, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        from_sql(sql, SCHEMA, edition="E")


def test_a_table_shown_is_its_display_name(shop: sqlite3.Connection) -> None:
    named = FormSchema(TABLES, display=lambda table: {"customers": ("name",)}.get(table.name, ()))
    read = from_sql("SELECT name, level FROM customers WHERE level > 1", named, edition="E")
    text = "from customers show customers , customers.level where customers.level > 1"
    assert write(read, NAMES) == text
    assert read_form(text, NAMES) == read
    assert plain(shop.execute(to_sql(read, named)).fetchall()) == plain([("Bo", 2), ("Cy", 2), ("Di", 3)])
    assert grammar("E", named).accepts(text)
    assert not grammar("E").accepts(text)
    assert not grammar("D", named).accepts(text)
    grouped = read_form("from customers , orders show customers , count by customers", NAMES)
    assert plain(shop.execute(to_sql(grouped, named, "duckdb")).fetchall()) == plain([("Ann", 2), ("Bo", 2), ("Cy", 1)])
    assert TableRef("orders") not in from_sql("SELECT order_id FROM orders", named, edition="E").show  # type: ignore[union-attr]


def test_none_is_the_form_of_what_cannot_be_answered() -> None:
    assert read_answer("none", NAMES) == Nothing()
    assert write(Nothing(), NAMES) == "none"
    assert grammar("E").accepts("none")
    assert not grammar("D").accepts("none")
    assert grammar("E").start().allowed() - grammar("E").start(answered=True).allowed() == {"none"}
    assert not grammar("E").accepts("none from customers show count")
    with pytest.raises(FormError):
        read_form("none", NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "from orders show running ( sum ( orders.total ) )",
        "from orders show orders.status , rank",
        "from orders show orders.status , orders.total top 2 per orders.status",
        "from orders show orders.status , count , rank by orders.status sort growth ( count )",
        "from orders show month ( orders.ordered_at ) , running ( previous ( count ) ) by month ( orders.ordered_at )",
        "from orders show month ( orders.ordered_at ) , running ( orders.total ) by month ( orders.ordered_at )",
        "from customers show customers.name where customers.level blank",
        "from customers show customers.name where customers.level > ( from orders show running ( count ) by orders.status )",
        "from categories , categories as parent_id.parent_id show count",
    ],
)
def test_what_has_no_good_sql_is_not_accepted(text: str) -> None:
    assert not grammar("E").accepts(text)


def walk(random_: random.Random, rules: FormGrammar) -> str | None:
    """A random text, fond of the new words."""
    state, words = rules.start(), list[str]()
    for length in range(150):
        allowed = sorted(state.allowed())
        if state.done and (not allowed or random_.random() < 0.25 or length > 40):
            return " ".join(words)
        if length > 40:
            ends = [word for word in allowed if word in (")", "]", "show")]
            grows = {"and", "or", ",", "(", "any", "no", "[", "+", "-", "*", "/"}
            allowed = ends or [word for word in allowed if word not in grows] or allowed
        fresh = [word for word in allowed if word in NEW | {"if", "same"}]
        words.append(random_.choice(fresh if fresh and random_.random() < 0.3 else allowed))
        state = state.advance(words[-1])
    return None


def test_random_walks_compile_and_run(shop: sqlite3.Connection) -> None:
    named = FormSchema(TABLES, display=lambda table: {"customers": ("name",)}.get(table.name, ()))
    rules, random_ = grammar("E", named), random.Random(11)
    texts = [text for text in (walk(random_, rules) for _ in range(300)) if text and text != "none"]
    assert len(texts) > 100
    for text in texts:
        query = read_form(text, NAMES)
        assert read_form(write(query, NAMES), NAMES) == query
        for dialect in DIALECTS:
            to_sql(query, named, dialect, SPOKEN["slots"])  # type: ignore[arg-type]
        try:
            shop.execute("explain " + to_sql(query, named, "sqlite", SPOKEN["slots"]))  # type: ignore[arg-type]
        except sqlite3.OperationalError as error:
            pytest.fail(f"{error}: {text}")
