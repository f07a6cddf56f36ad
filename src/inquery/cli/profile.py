"""`inquery profile`: what is in a database, and questions that were tried on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import json_option, note, print_json, print_table, working
from inquery.cli.session import load_settings, run_async, take_database

if TYPE_CHECKING:
    from inquery.agents.data_profile import DataProfile


@click.command(
    help=both(
        "Show what is in DATABASE (a registered name, a data file or an address): its main tables, its time span, how files "
        "were read, and questions that were tried and answered.",
        "显示 DATABASE（已登记的名称、数据文件或地址）中有什么：主要的表、时间范围、文件的读取方式，以及已试过并得到回答的问题。",
    )
)
@click.argument("database", required=False)
@click.option("--no-questions", is_flag=True, help=both("Try no questions.", "不试问。"))
@json_option
def profile(database: str | None, no_questions: bool, as_json: bool) -> None:
    """A first look at one database."""
    found = run_async(_looked(database, questions=not no_questions))
    if as_json:
        print_json(found.model_dump())
        return
    _show(found)


async def _looked(database: str | None, *, questions: bool) -> DataProfile:
    from inquery.agents.data_profile import outline_database, try_questions
    from inquery.agents.opening import open_runner
    from inquery.agents.run import Request
    from inquery.sql import Policy

    settings = load_settings()
    async with open_runner(settings) as runner:
        sources = runner.services.sources
        with working(say("Reading the database …", "正在读取数据库……")):
            source = await sources.open(await take_database(sources, database) or None)
            found = await outline_database(source, Policy(row_cap=settings.query.rows), language())
        if questions:
            with working(say("Trying questions …", "正在试问……")) as progress:
                tried = await try_questions(
                    runner, source, Request(), language(), lambda done, total: progress("", done, total)
                )
            found = found.model_copy(update={"questions": tried})
        return found


def _show(found: DataProfile) -> None:
    rows = "?" if found.rows is None else f"{found.rows:,}"
    span = say(f", {found.first} to {found.last}", f"，{found.first} 至 {found.last}") if found.first else ""
    click.echo(
        say(
            f"{found.name}: {found.tables:,} tables, {rows} rows{span}",
            f"{found.name}：{found.tables:,} 张表，{rows} 行{span}",
        )
    )
    heads = say("table rows measures by from to", "表 行数 度量 维度 起 止").split()
    print_table(
        "",
        heads,
        [
            (
                m.table,
                "?" if m.rows is None else f"{m.rows:,}",
                ", ".join(m.measures),
                ", ".join(m.groups),
                m.first,
                m.last,
            )
            for m in found.main
        ],
        numbers=(1,),
    )
    several = len({each.table for each in found.notes}) > 1
    for each in found.notes:
        note((f"{each.table}: " if several else "") + say(each.en, each.zh))
    if found.questions:
        click.echo(say("Tried and answered:", "已试问并得到回答："))
        for number, tried in enumerate(found.questions, 1):
            click.echo(f"  {number}. {tried.question}\n     {tried.answer}")
