"""Pins of what needs no run: the doors' descriptions, the guard's verdicts, forms and their SQL, embedded prompts."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import click
from benchmarks.items import spaced
from benchmarks.pin.answers import HELD, UNSEEN, Pin, digest
from benchmarks.pin.tape import Tape, TapedWriter
from docs.generate import errors_page, settings_page
from tests.security.guard.catalogue import SCHEMAS, catalogue
from tests.security.guard.corpus import hostile, ordinary
from training.business import SPECS, build, specs
from training.coverage import Database

from inquery.agents.events import EVENT
from inquery.agents.opening import open_runner
from inquery.api.app import create_app
from inquery.cli import cli
from inquery.cli.language import set_language
from inquery.demo.build import ensure_demo
from inquery.errors import SqlRefused
from inquery.evals.subject import Subjects
from inquery.form.ast import Query
from inquery.form.from_sql import Unsupported, from_sql
from inquery.form.name_words import FormError
from inquery.form.printing import write
from inquery.form.reader import read_form
from inquery.form.to_sql import to_sql
from inquery.llm.embedded.prompt import question_text, schema_text
from inquery.mcp.door import LocalDoor
from inquery.mcp.server import Server
from inquery.settings import Settings
from inquery.sql import check

DIALECTS = ("sqlite", "postgres", "mysql", "duckdb", "clickhouse")
FORMS = 1000
"""So many queries of the business databases are turned into forms and back."""


async def door_pins(settings: Settings) -> AsyncIterator[Pin]:
    """What the doors say of themselves: HTTP, events, commands, settings, errors, MCP tools."""
    described = create_app(settings).openapi()
    for path, verbs in described["paths"].items():
        for verb, content in verbs.items():
            yield f"http/{verb} {path}", {"described": _text(content)}
    for name, schema in described["components"]["schemas"].items():
        yield f"http/schema/{name}", {"described": _text(schema)}
    yield "events", {"schema": _text(EVENT.json_schema())}
    for language in ("en", "zh"):
        for words, text in _help_texts(cli, ["inquery"], language):
            yield f"help/{language}/{' '.join(words)}", {"text": text}
    for kind, page in (("setting", settings_page()), ("error", errors_page())):
        for line in page.splitlines():
            if line.startswith("| `"):
                yield f"{kind}/{line.split('`')[1]}", {"line": line}
    async with open_runner(settings) as runner:
        for tool in await Server(LocalDoor(runner)).list_tools():
            yield f"mcp/{tool.name}", {"described": _text(tool.model_dump(mode="json"))}


def _help_texts(command: click.Command, words: list[str], language: str) -> Iterator[tuple[list[str], str]]:
    set_language(language)
    try:
        context = command.context_class(command, info_name=" ".join(words), terminal_width=100)
        yield words, command.get_help(context)
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                found = command.get_command(context, name)
                assert found is not None
                yield from _help_texts(found, [*words, name], language)
    finally:
        set_language(None)


def guard_pins() -> Iterator[Pin]:
    """Every statement of both corpora: the rule that refuses it, or the text that would run."""
    for dialect in SCHEMAS:
        catalog = catalogue(dialect)
        for kind, found in (("hostile", hostile(dialect)), ("ordinary", ordinary(dialect))):
            for at, sql in enumerate(found):
                try:
                    verdict = check(sql, dialect=dialect, catalog=catalog).text
                except SqlRefused as refused:
                    verdict = f"refused: {refused.rule}"
                yield f"guard/{dialect}/{kind}/{at:03}", {"verdict": verdict}


def form_pins(folder: Path) -> Iterator[Pin]:
    """Queries as forms, read back, and as SQL of five dialects."""
    asked = [(spec, at) for spec in specs(SPECS) for at in range(len(spec["questions"]))]
    chosen: dict[str, tuple[dict[str, Any], list[int]]] = {}
    for spec, at in spaced(asked, FORMS):
        chosen.setdefault(spec["db_id"], (spec, []))[1].append(at)
    for name, (spec, numbers) in chosen.items():
        build(spec, str(folder / f"{name}.sqlite")).close()
        database = Database(folder / f"{name}.sqlite")
        for at in numbers:
            yield f"form/{name}/{at:02}", _form_values(database, spec["questions"][at]["sql"])
        database.connection.close()


def _form_values(database: Database, sql: str) -> dict[str, str]:
    try:
        form = from_sql(sql, database.schema, database.has_nulls)
    except Unsupported as error:
        return {"form": f"unsupported: {error}"}
    text = write(form, database.names)
    again = read_form(text, database.names)
    lowered = {dialect: _lowered(again, database, dialect) for dialect in DIALECTS}
    return {"form": text, "again": digest(write(again, database.names)), "sql": _text(lowered)}


def _lowered(form: Query, database: Database, dialect: str) -> str:
    try:
        return to_sql(form, database.schema, dialect, strict=True)
    except FormError as error:
        return f"error: {error}"


async def prompt_pins(settings: Settings, folder: Path, spider: Path | None) -> AsyncIterator[Pin]:
    """What the embedded model is shown; of Spider's questions the digest alone."""
    demo = ensure_demo(settings.home, settings.day())
    questions = [json.loads(line)["question"] for line in HELD.read_text("utf-8").splitlines()]
    async for pin in _prompts(settings, demo.parent, [(demo.stem, f"prompt/demo/{q}", q) for q in questions]):
        yield pin
    unseen = [
        (spec["db_id"], f"prompt/{spec['db_id']}/{at:02}-{language}", question[language])
        for spec in specs(UNSEEN) for at, question in enumerate(spec["questions"]) for language in ("en", "zh")
    ]  # fmt: skip
    async for pin in _prompts(settings, folder, unseen):
        yield pin
    if spider is not None:
        rows = map(json.loads, (spider / "questions.jsonl").read_text("utf-8").splitlines())
        tune = [
            (row["db_id"], f"prompt/tune/{at:04}", row["question"])
            for at, row in enumerate(rows)
            if row["split"] == "tune"
        ]
        async for name, values in _prompts(settings, spider / "databases", tune):
            yield name, {field: digest(value) for field, value in values.items()}


async def _prompts(settings: Settings, folder: Path, asked: list[tuple[str, str, str]]) -> AsyncIterator[Pin]:
    writer, subjects = TapedWriter(Tape()), Subjects(folder)
    try:
        for db_id, name, question in asked:
            request = (await subjects.get(db_id)).request(question, n=4, today=settings.day())
            view = writer.view(request)
            reading = writer._read(request, view)
            text = question_text(question, reading.hints, reading.parts)
            yield name, {"schema": schema_text(view.prompt), "question": text}
    finally:
        subjects.close()


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True, default=str)
