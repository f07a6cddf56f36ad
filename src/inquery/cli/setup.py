"""`inquery setup`: a few questions that only a person can answer, kept in the glossary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, note, print_json, working
from inquery.cli.session import load_settings, run_async, take_database
from inquery.errors import BadRequest

if TYPE_CHECKING:
    from inquery.agents.sources import Source
    from inquery.knowledge.setup_questions import SetupQuestion

STOP = {"q", "quit", "exit", "退出"}
SKIP = {"s", "skip", "跳过"}


@click.command(
    help=both(
        "Answer up to ten questions about DATABASE that Inquery found: which amount is revenue, which date counts, which rows "
        "do not, what codes mean. Enter or s skips one, q leaves; the next time goes on from there.",
        "回答 Inquery 发现的、关于 DATABASE 的至多十个问题：哪个金额是销售额、按哪个日期统计、哪些行不计入、代码各是什么意思。"
        "回车或 s 跳过，q 离开；下次从此处继续。",
    )
)
@click.argument("database", required=False)
@click.option("--again", is_flag=True, help=both("Ask those that were seen, too.", "已看过的问题也再次询问。"))
@click.option(
    "--reply",
    "replies",
    multiple=True,
    metavar="ID=REPLY",
    help=both("Reply to one without being asked; may be repeated.", "直接回答某个问题，可重复。"),
)
@json_option
def setup(database: str | None, again: bool, replies: tuple[str, ...], as_json: bool) -> None:
    """Ask what was not seen yet; with --json, list all."""
    source = run_async(_opened(database))
    for each in replies:
        question_id, sign, given = each.partition("=")
        if not sign:
            raise BadRequest.because("write --reply ID=REPLY", "请写成 --reply 编号=回答")
        source = _answer(source, question_id, given)
    found = _questions(source)
    if as_json:
        print_json([each.model_dump() for each in found])
        return
    if replies:
        return
    open_ones = [each for each in found if again or each.state == "open"]
    if not open_ones:
        note(say("There is nothing to ask.", "没有需要询问的问题。"))
        return
    for number, question in enumerate(open_ones, 1):
        reply = _ask(question, f"{number}/{len(open_ones)}")
        if reply is None:
            return
        source = _answer(source, question.id, reply)
    note(say("Kept in the glossary.", "已存入术语表。"))


async def _opened(database: str | None) -> Source:
    from inquery.agents.sources import Sources

    sources = Sources(load_settings())
    try:
        with working(say("Reading the database …", "正在读取数据库……")):
            return await sources.open(await take_database(sources, database) or None)
    finally:
        sources.close()


def _questions(source: Source) -> list[SetupQuestion]:
    from inquery.knowledge.setup_questions import setup_questions

    return setup_questions(source.catalog, source.glossary)


def _answer(source: Source, question_id: str, reply: str) -> Source:
    """Keep a reply at once, so that whoever leaves loses none."""
    from dataclasses import replace

    from inquery.agents.questions.connection_glossary import glossary_for
    from inquery.knowledge.glossary_files import glossary_of, save_glossary
    from inquery.knowledge.setup_questions import answer_question
    from inquery.store import open_store

    settings = load_settings()
    store = open_store(settings)
    kept = glossary_of(source.id, store)
    save_glossary(source.id, answer_question(question_id, reply, source.catalog, source.glossary, kept), store)
    return replace(source, glossary=glossary_for(source.connection, settings))


def _ask(question: SetupQuestion, place: str) -> str | None:
    """One question on the terminal; the reply, empty where it is passed over, None where the person leaves."""
    from inquery.knowledge.setup_questions import parse_codes

    click.echo(f"\n{place}  {say(question.en, question.zh)}")
    if question.codes:
        click.echo("  " + say("values: ", "取值：") + ", ".join(question.codes))
    for number, option in enumerate(question.options, 1):
        click.echo(f"  {number}. {say(option.en, option.zh)}")
    while True:
        try:
            typed = (input("› ") if sys.stdin.isatty() else sys.stdin.readline() or "q").strip()
        except EOFError:
            return None
        if typed.casefold() in STOP:
            return None
        if not typed or typed.casefold() in SKIP:
            return ""
        if typed.isdigit() and 1 <= int(typed) <= len(question.options):
            return question.options[int(typed) - 1].key
        try:
            if question.codes and parse_codes(question, typed):
                return typed
        except BadRequest:
            note(say("Write value=meaning.", "请写成 值=含义。"))
            continue
        note(say("Give a number, s to skip or q to leave.", "请输入数字；s 跳过，q 离开。"))
