"""The recogniser allows what compiles, and nothing out of scope; random walks through it always end in SQL."""

import random
import sqlite3

import pytest
from tests.unit.form.shop import NAMES, SCHEMA, database
from tests.unit.form.test_to_sql import MEANINGS, SLOTS

from inquery.form.ast import Literal
from inquery.form.automaton import FormState
from inquery.form.form_grammar import FormGrammar
from inquery.form.name_words import FormError, split_words
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import DIALECTS, to_sql

GRAMMAR = FormGrammar(
    SCHEMA,
    NAMES,
    values={("customers", "country"): ("France", "New York")},
    numbers=("2", "3", "9", "2024", "5"),
    slots=SLOTS,
    spans=("Bo", "ink", "open", "paid", "pen", "A", "i", "a"),
)


def after(text: str, grammar: FormGrammar = GRAMMAR) -> FormState:
    state = grammar.start()
    for word in split_words(text):
        state = state.advance(word)
    return state


@pytest.mark.parametrize("text", [text for text, _ in MEANINGS])
def test_every_good_form_is_accepted(text: str) -> None:
    assert GRAMMAR.accepts(text)


@pytest.mark.parametrize(
    "text",
    [
        "from customers show orders.total",
        "from customers , teams show count",
        "from customers show customers.name , count",
        "from customers show sum ( customers.name )",
        "from customers show customers.name where count > 1",
        "from customers show customers.name where customers.level has 'Bo'",
        "from customers show customers.name where customers.country = 'Mars'",
        "from customers show customers.name where customers.level in ( from orders show orders.order_id , orders.total )",
        "from customers show customers.name union from orders show orders.order_id , orders.total",
        "from customers show customers.name where any ( from teams )",
        "from customers show customers.name top 77",
        "from customers",
        "from customers show customers.name where",
        "from orders show count ( customers )",
        "from orders show sum ( orders.order_id )",
        "from orders show count where orders.total < orders.total",
    ],
)
def test_what_has_no_good_sql_is_not_accepted(text: str) -> None:
    assert not GRAMMAR.accepts(text)


def test_only_columns_of_the_sources_follow_show() -> None:
    columns = {word for word in after("from customers , orders show").allowed() if "." in word and "*" not in word}
    assert {word.split(".")[0] for word in columns} == {"customers", "orders"}


def test_only_tables_that_connect_follow_a_comma() -> None:
    allowed = after("from customers ,").allowed()
    assert {"orders", "items", "products", "categories"} <= allowed
    assert not {"teams", "games", "门店"} & allowed


def test_constants_fit_their_column() -> None:
    country = after("from customers show count where customers.country =").allowed()
    assert {"'France'", "'New York'", "'Bo'"} <= country
    assert "t0" not in country
    level = after("from customers show count where customers.level =").allowed()
    assert {"2", "0", "1", "n0"} <= level
    assert "'France'" not in level
    day = after("from orders show count where orders.ordered_at in").allowed()
    assert day == {"t0", "("}


def test_columns_beside_aggregates_must_be_grouped() -> None:
    state = after("from customers show customers.name , count")
    assert not state.done
    assert "by" in state.allowed()
    assert "sort" not in state.allowed()
    assert after("from customers show customers.name , count by customers.name").done


def test_a_second_of_a_table_needs_a_role_or_a_join() -> None:
    assert after("from categories , categories").allowed() == {"as"}
    assert "parent_id" in after("from categories , categories as").allowed()
    assert after("from teams , teams as teams_2").allowed() == {"via"}


def test_a_state_can_be_left_twice() -> None:
    state = after("from customers show")
    first, second = state.advance("count"), state.advance("customers.name")
    assert first.done
    assert second.done
    assert state.allowed() == after("from customers show").allowed()


def test_a_word_that_is_not_allowed_is_an_error() -> None:
    with pytest.raises(FormError):
        after("from customers").advance("customers.name")


def walk(random_: random.Random) -> str | None:
    """A random text of the grammar, hurried to its end after forty words."""
    state, words = GRAMMAR.start(), list[str]()
    for length in range(150):
        allowed = sorted(state.allowed())
        if state.done and (not allowed or random_.random() < 0.3 or length > 40):
            return " ".join(words)
        assert allowed, f"nothing may follow: {' '.join(words)}"
        if length > 40:
            ends = [word for word in allowed if word in (")", "]", "show")]
            grows = {"and", "or", ",", "(", "any", "no", "[", "+", "-", "*", "/"}
            allowed = ends or [word for word in allowed if word not in grows] or allowed
        keywords = [word for word in allowed if "." not in word and word[0] != "'"]
        words.append(random_.choice(keywords if keywords and random_.random() < 0.5 else allowed))
        state = state.advance(words[-1])
    return None


def test_random_walks_compile_and_name_only_what_exists() -> None:
    random_ = random.Random(7)
    shop = database()
    texts = [text for text in (walk(random_) for _ in range(400)) if text]
    assert len(texts) > 350
    for text in texts:
        query = read_form(text, NAMES)
        assert read_form(write(query, NAMES), NAMES) == query
        for dialect in DIALECTS:
            to_sql(query, SCHEMA, dialect, SLOTS)
        try:
            shop.execute("explain " + to_sql(query, SCHEMA, "sqlite", SLOTS))
        except sqlite3.OperationalError as error:
            pytest.fail(f"{error}: {text}")
    shop.close()


def test_slots_are_those_given() -> None:
    bare = FormGrammar(SCHEMA, NAMES, slots={"t1": Literal(("2024-01-01", "2024-02-01"), "period")})
    assert bare.accepts("from orders show count where orders.ordered_at in t1")
    assert not bare.accepts("from orders show count where orders.ordered_at in t0")


def test_a_value_is_spelled_as_it_is_stored_not_as_it_is_asked() -> None:
    values = {("customers", "country"): ("France", "U.K.")}
    grammar = FormGrammar(SCHEMA, NAMES, values=values, spans=("france", "uk", "Spain"))
    allowed = after("from customers show count where customers.country =", grammar).allowed()
    assert {word for word in allowed if word.startswith("'")} == {"'France'", "'U.K.'", "'Spain'"}


def test_a_text_known_from_another_column_is_no_value_of_this_one_but_may_be_part_of_it() -> None:
    grammar = FormGrammar(
        SCHEMA, NAMES, spans=("France", "Nobody"), elsewhere={("customers", "name"): frozenset(["france"])}
    )
    assert not grammar.accepts("from customers show count where customers.name = 'France'")
    assert not grammar.accepts("from customers show count where customers.name in ( 'France' )")
    assert grammar.accepts("from customers show count where customers.name has 'France'")
    assert grammar.accepts("from customers show count where customers.name = 'Nobody'")
    assert grammar.accepts("from customers show count where customers.country = 'France'")
