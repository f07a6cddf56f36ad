"""The given data as groups, and groups as training text rendered by the code of run time."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.training.small import QUESTIONS, ROOT, make_business, make_spider, write_lines
from training.prepare import (
    begin,
    declared_columns,
    missing,
    needs,
    noisy,
    noisy_parts,
    renamed,
    render,
    tables_of,
    varied,
    without_a_column,
    work,
)
from training.references import as_known
from training.seeds import business_groups, spider_groups

from inquery.form.ast import Nothing
from inquery.form.name_words import NameMap
from inquery.form.reader import read_answer, read_form
from inquery.llm.embedded.fitting import CHOSEN_TOKENS
from inquery.llm.embedded.prompt import FORMAT_D, FORMAT_E, Hints
from inquery.llm.embedded.spoken import spoken_names
from inquery.llm.embedded.view import Reading


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return list(spider_groups(*make_spider(tmp_path_factory.mktemp("spider"))))


@pytest.fixture(scope="module")
def library(groups: list[dict[str, Any]]) -> dict[str, Any]:
    return groups[0]


def rendered(group: dict[str, Any], source: str, copy: int = 0) -> list[dict[str, Any]]:
    return render(group, source, copy, Counter())


def test_a_question_is_kept_in_all_its_wordings_when_its_form_gives_the_rows_of_its_sql(
    library: dict[str, Any],
) -> None:
    wordings = [text for english, paraphrase, chinese, _ in QUESTIONS[:-1] for text in (english, paraphrase, chinese)]
    assert [q["question"] for q in library["questions"]] == [text for text in wordings if text]
    assert {q["lang"] for q in library["questions"] if not q["question"].isascii()} == {"zh"}


def test_a_group_describes_its_tables(library: dict[str, Any]) -> None:
    author, book = library["tables"]
    assert (author["name"], author["rows"], book["rows"]) == ("author", 4, 6)
    keys = {column["name"]: (column["pk"], column["fk"]) for column in book["columns"]}
    assert keys["book_id"] == (True, None)
    assert keys["author_id"] == (False, "author.author_id")
    assert library["values"]["book.genre"] == ["novel", "essay", "poetry"]


def test_a_tenth_of_the_business_databases_is_held_out_by_name(tmp_path: Path) -> None:
    found = {group["schema_id"]: group for group in business_groups(*make_business(tmp_path))}
    assert {name: group["split"] for name, group in found.items()} == {"depot": "train", "harbour": "tune"}
    assert Counter(q["lang"] for q in found["depot"]["questions"]) == {"en": 7, "zh": 7}


def test_a_pair_is_the_prompt_of_run_time_and_the_words_of_the_form(library: dict[str, Any]) -> None:
    items = rendered(library, "held_spider")
    assert len(items) == 2, "one rendering a language"
    for item in items:
        assert item["schema"].splitlines() == [
            "author .author_id*# .name! .country .born#",
            "book .book_id*# .author_id#>author .title! .genre=novel|essay|poetry .pages# .published@",
        ]
    pairs = {question.splitlines()[0]: (question, words) for item in items for question, words in item["pairs"]}
    question, words = pairs["? What are the names of authors from France?"]
    assert question.splitlines()[1:] == ["~ author.country=France", "parts: author.name", "="]
    assert words == ["from", "author", "show", "author.name", "where", "author.country", "=", "'France'"]
    question, words = pairs["? 2024 年出版了多少本书？"]
    assert question.splitlines()[1:] == [
        "~ t0=2024 年 ; 出版=publish ; 书=book",
        "parts: in t0 ; book.published ; count book",
        "=",
    ]
    assert words == ["from", "book", "show", "count", "where", "book.published", "in", "t0"]


def test_format_d_is_what_round_d_was_trained_with(library: dict[str, Any]) -> None:
    items = render(library, "held_spider", 0, Counter(), FORMAT_D)
    text = "".join(item["schema"] + "".join(question for question, _ in item["pairs"]) for item in items)
    assert "!" not in text
    assert "parts:" not in text


def test_half_of_the_copies_lose_their_keys_and_get_back_what_names_tell(library: dict[str, Any]) -> None:
    tables = [{**table, "columns": [dict(column) for column in table["columns"]]} for table in library["tables"]]
    for column in tables[1]["columns"]:
        if column["name"] == "author_id":
            column["name"] = "scribe"  # no name tells what it refers to
    group = {**library, "tables": tables}

    def keys(group: dict[str, Any], seed: int | None, used: tuple[str, ...] = ()) -> int:
        rng = random.Random(seed or 0)
        kept = declared_columns(group, None if seed is None else rng)
        return len(as_known(tables_of(group), kept, used, rng)[1].foreign_keys)

    found = [keys(group, seed) for seed in range(60)]
    assert 15 < found.count(0) < 45
    assert [keys(library, seed) for seed in range(10)] == [1] * 10  # the name tells
    assert keys(group, None) == 1
    both = tuple(table["name"] for table in tables)
    assert [keys(group, seed, both) for seed in range(10)] == [1] * 10  # a form that needs it could not be written


def test_what_needs_a_lost_column_has_no_answer(library: dict[str, Any]) -> None:
    names = NameMap(tables_of(library))
    chosen = [(item, read_form(item["form"], names)) for item in library["questions"]]
    tables, made = without_a_column(tables_of(library), chosen, random.Random(1))
    lost = {c.name for t in tables_of(library) for c in t.columns} - {c.name for t in tables for c in t.columns}
    assert len(lost) == 1
    unanswered = [item["question"] for item, query in made if isinstance(query, Nothing)]
    answered = [query for _, query in made if not isinstance(query, Nothing)]
    assert 0 < len(unanswered) <= len(chosen) // 3
    assert not any(needs(query, table.name, lost.copy().pop()) for query in answered for table in tables)


def test_a_schema_that_does_not_fit_is_shown_for_each_question_as_run_time_would(library: dict[str, Any]) -> None:
    columns = [{"name": f"some_property_of_it_{n}", "type": "TEXT", "pk": False, "fk": None} for n in range(30)]
    others = [{"name": f"thing_{n}", "rows": 5, "columns": columns} for n in range(12)]
    group = {**library, "tables": [*library["tables"], *others]}
    tally: Counter[str] = Counter()
    items = render(group, "held_spider", 0, tally)
    assert all(len(begin(item["schema"])) <= CHOSEN_TOKENS for item in items)
    assert all(len(item["pairs"]) == 1 for item in items)
    assert tally["kept"] == len(library["questions"])


def test_some_questions_have_no_parts_or_wrong_ones(library: dict[str, Any]) -> None:
    names = spoken_names(tables_of(library), "en")
    made = [noisy_parts(("count book", "by book.genre"), names, random.Random(seed)) for seed in range(600)]
    assert 0.1 < made.count(()) / 600 < 0.2
    assert 0.02 < sum(parts not in ((), ("count book", "by book.genre")) for parts in made) / 600 < 0.09


def test_every_form_reads_back_in_the_schema_it_is_shown_with(library: dict[str, Any]) -> None:
    spellings = set()
    for copy in range(1, 6):
        version = renamed(library, copy)
        spellings.add(tuple(c["name"] for t in version["tables"] for c in t["columns"]))
        spoken = [spoken_names(tables_of(version), language) for language in ("en", "zh")]
        for item in rendered(version, "spider", copy):
            names = next(names for names in spoken if any(item["schema"].startswith(t) for t in names.word_tables))
            for _, words in item["pairs"]:
                assert read_answer(" ".join(words), names)
    assert len(spellings) == 5


def test_held_out_groups_are_rendered_once_and_plainly_and_never_trained_on(groups: list[dict[str, Any]]) -> None:
    for group in groups:
        source, made, tally = work((json.dumps(group), "spider", range(3), True, FORMAT_E))
        held = group["split"] == "tune"
        assert source == ("held_spider" if held else "spider")
        assert {item["source"] for item in made} == {source}
        assert tally["kept"] == len(group["questions"]) * (1 if held else 3)


def test_a_question_is_dropped_when_code_cannot_give_the_model_its_literals(library: dict[str, Any]) -> None:
    lost = [
        {"lang": "en", "question": "How many are there?", "form": "from author show count where author.name = 'Eve'", "sql": ""},
        {"lang": "en", "question": "How many are there?", "form": "from book show count where book.pages > 777", "sql": ""},
        {"lang": "en", "question": "How many are there?", "form": "from book show count where book.published in 2019-01-01..2020-01-01", "sql": ""},
        {"lang": "en", "question": "How many are there?", "form": "from nowhere show count", "sql": ""},
    ]  # fmt: skip
    tally: Counter[str] = Counter()
    assert render({**library, "questions": lost}, "spider", 0, tally) == []
    assert tally == {"value not found": 1, "number not found": 1, "period not read": 1, "form does not parse": 1}


def test_a_literal_may_come_from_a_value_a_span_or_a_number_of_the_question(library: dict[str, Any]) -> None:
    names = NameMap(tables_of(library))
    query = read_form("from author show count where author.name = 'Eve' and author.born > 1950", names)
    whole = Reading(Hints(), {("author", "name"): ("eve",)}, ("1950",))
    assert missing(query, whole) == ""
    assert missing(query, Reading(Hints(), {}, ("1950",), {}, ("Eve",))) == ""
    assert missing(query, Reading(Hints(), {}, ("1950",))) == "value not found"
    assert missing(query, Reading(Hints(), {("author", "name"): ("Eve",)})) == "number not found"


def test_tables_that_a_question_needs_are_never_left_out(library: dict[str, Any]) -> None:
    tables = tables_of(library)
    orders = set()
    for seed in range(40):
        made = varied(tables, {"book"}, random.Random(seed))
        book = next(table for table in made if table.name == "book")
        assert {c.name for c in book.columns} == {c.name for c in tables[1].columns}
        orders.add(tuple(table.name for table in made))
    assert {("author", "book"), ("book", "author")} <= orders


def test_some_hints_are_lost_but_most_stay() -> None:
    hints = Hints(values=(("a.b", "x"), ("a.c", "y")), gloss=(("书", "book"), ("页", "page")))
    made = [noisy(hints, random.Random(seed)) for seed in range(400)]
    assert 0.03 < sum(h.values != hints.values for h in made) / 400 < 0.15
    assert 0.05 < sum(h.gloss != hints.gloss for h in made) / 400 < 0.2


def test_the_same_groups_make_the_same_bytes_in_any_process(groups: list[dict[str, Any]], tmp_path: Path) -> None:
    write_lines(tmp_path / "spider.groups.jsonl", groups * 3)
    made = []
    for number, workers in (("1", "1"), ("2", "3")):
        out = tmp_path / f"{number}.jsonl"
        command = [sys.executable, "-m", "training.prepare", "--groups", str(tmp_path / "spider.groups.jsonl")]
        command += ["--copies", "spider=3", "--workers", workers, "--out", str(out)]
        environment = {"PYTHONHASHSEED": number, "PATH": ""}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") >= 3 * 4
