"""A row filter hides what the other rows hold from every door: from the SQL, from the model, from the catalogue."""

import ast
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.integration.api_server import API, streamed
from tests.integration.people import Town, town
from tests.stubs.openai_server import Reply, Stub, openai_server

SOURCES = Path(__file__).parents[2] / "src" / "inquery"
RULES = {"row_filters": {"orders": "region = 'north'"}}
HIDDEN, ABSENT = (4, 5, 7), (6, 9, 12)
"""Numbers of notes that only hidden rows have, and of notes that no row has."""
WRITTEN = "SELECT COUNT(*) AS n FROM orders WHERE note = '{}'"


def make_orders(path: Path) -> str:
    """Sixty orders; the twenty of the north have plain notes, and every third number is no note at all."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, region TEXT, note TEXT, amount REAL)")
        for n in range(1, 61):
            region = ("south", "east", "north")[n % 3]
            note = f"plain-{n}" if region == "north" else f"HIDDEN-NOTE-{n}"
            db.execute("INSERT INTO orders VALUES (?, ?, ?, ?)", (n, region, note, n * 10.0))
        db.execute("UPDATE orders SET note = 'Zebulon Quartermaine' WHERE id = 1")
        db.execute("CREATE VIEW v_orders AS SELECT id, note FROM orders")
        db.commit()
    return str(path)


def filtered(people: Town) -> Town:
    with people.client("root") as root:
        for language, word in (("en", "closed"), ("zh", "不可读取")):
            body = {"connection_id": people.shop, "kind": "user", "subject": "vic", "rules": RULES}
            made = root.put(API + "/grants", json=body, headers={"accept-language": language})
            assert [(word in told, "v_orders" in told) for told in made.json()["warnings"]] == [(True, True)]
    return people


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    folder = tmp_path_factory.mktemp("embedded")
    with town(folder, url=make_orders(folder / "orders.sqlite"), own_model=True) as people:
        yield filtered(people)


@pytest.fixture
def chatting(tmp_path: Path) -> Iterator[tuple[Town, Stub]]:
    """A chat model that writes the same statement whatever it is told, and a log of what it was told."""
    with openai_server(Reply("{}")) as stub:
        llm = {"provider": "openai", "model": "stub", "base_url": stub.url, "api_key": "k", "retries": 0}
        with town(tmp_path, url=make_orders(tmp_path / "orders.sqlite"), own_model=True, llm=llm) as people:
            yield filtered(people), stub


def ask(people: Town, question: str, who: str = "vic") -> list[dict[str, Any]]:
    with people.client(who) as client:
        return streamed(client, "/query/stream", {"question": question, "connection_id": people.shop, "refresh": True})


def writes(stub: Stub, sql: str) -> None:
    answer = {"candidates": [{"sql": sql, "why": "as asked"}], "unanswerable": None, "question": None}
    stub.replies[:] = [Reply(json.dumps(answer), arguments=answer)]
    stub.asked.clear()


def outcome(events: list[dict[str, Any]], number: int) -> str:
    """What an answer shows, with the number of the note and what differs from run to run left out.

    Confidence is left out: it holds how likely the model finds each digit, which knows nothing of the rows.
    """
    (answer,) = [event["answer"] for event in events if event["type"] == "done"]
    kept = {key: answer[key] for key in ("status", "sql", "rows", "row_count", "text", "reading", "warnings", "error")}
    kept["steps"] = [step["name"] for step in answer["steps"]]
    return re.sub(rf"note-{number}(?!\d)", "note-#", json.dumps(kept, sort_keys=True))


def test_the_embedded_model_does_not_spell_what_hidden_rows_hold(embedded: Town) -> None:
    found = {n: ask(embedded, f"How many orders have the note hidden-note-{n}?") for n in (*HIDDEN, *ABSENT)}
    for number, events in found.items():
        assert "HIDDEN-NOTE" not in json.dumps(events), f"note {number}"
    shapes = {outcome(events, number) for number, events in found.items()}
    assert len(shapes) == 1, f"{len(shapes)} outcomes tell hidden values from absent ones"


def test_a_value_of_a_visible_row_is_still_counted(embedded: Town) -> None:
    (done,) = [e for e in ask(embedded, "How many orders have the note plain-2?") if e["type"] == "done"]
    assert done["answer"]["rows"] == [[1]]


def test_a_chat_models_statement_is_not_corrected_to_a_hidden_value(chatting: tuple[Town, Stub]) -> None:
    people, stub = chatting
    shapes = set()
    for number in (*HIDDEN, *ABSENT):
        writes(stub, WRITTEN.format(f"hidden-note-{number}"))
        events = ask(people, f"How many orders have the note hidden-note-{number}?")
        assert "HIDDEN-NOTE" not in json.dumps(events) + json.dumps(stub.asked)
        shapes.add(outcome(events, number) + f" after {len(stub.asked)} requests")
    assert len(shapes) == 1, shapes


@pytest.mark.parametrize("said", ["Quarter", "Nobody"])
def test_a_chat_model_is_not_told_what_hidden_rows_hold_when_nothing_was_found(
    chatting: tuple[Town, Stub], said: str
) -> None:
    people, stub = chatting
    writes(stub, WRITTEN.format(said))
    events = ask(people, f"How many orders have the note {said}?")
    sent = json.dumps(stub.asked)
    assert stub.asked
    assert "Quartermaine" not in sent + json.dumps(events)
    assert "HIDDEN-NOTE" not in sent + json.dumps(events)
    assert "holds:" not in sent


def test_the_index_is_used_where_nothing_is_hidden(chatting: tuple[Town, Stub]) -> None:
    people, stub = chatting
    writes(stub, WRITTEN.format("Quarter"))
    ask(people, "How many orders have the note Quarter?", who="root")
    assert "Zebulon Quartermaine" in json.dumps(stub.asked), "an administrator's model is told what the column holds"


def test_the_catalogue_shows_no_cell_of_a_filtered_table(embedded: Town) -> None:
    with embedded.client("vic") as vic, embedded.client("root") as root:
        at = f"{API}/connections/{embedded.shop}/tables"
        assert any(column["samples"] for column in root.get(at + "/orders").json()["columns"])
        assert not any(column["samples"] for column in vic.get(at + "/orders").json()["columns"])
        assert [t["name"] for t in vic.get(at).json()["tables"]] == ["orders"], "the view over it cannot be read"
        for words in ("HIDDEN-NOTE-4", "hidden-note-6"):
            found = vic.get(at, params={"search": words}).json()
            assert [t["name"] for t in found["tables"]] == ["orders"]


def test_only_the_source_of_a_run_holds_the_whole_index() -> None:
    """Whoever needs values asks the source or the context for those of a policy."""
    allowed = {SOURCES / "agents" / "sources.py", *(SOURCES / "catalog").glob("*.py")}
    readers = []
    for room in ("agents", "answers", "api", "cache", "llm", "mcp", "memory", "reports"):
        for file in sorted((SOURCES / room).rglob("*.py")):
            if file in allowed:
                continue
            tree = ast.parse(file.read_text("utf-8"))
            for node in ast.walk(tree):
                raw = isinstance(node, ast.Attribute) and node.attr == "_values"
                index = isinstance(node, ast.ImportFrom) and (
                    any(name.name in {"ValueIndex", "visible_values", "Stored", "load"} for name in node.names)
                    and (node.module or "").startswith("inquery.catalog")
                )
                of_a_source = (
                    isinstance(node, ast.Attribute)
                    and node.attr == "values"
                    and isinstance(node.value, ast.Attribute | ast.Name)
                    and (node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id)
                    in {"here", "source"}
                )
                if raw or index or of_a_source:
                    readers.append(f"{file.relative_to(SOURCES)}:{node.lineno}")
    assert readers == []
