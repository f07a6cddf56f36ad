"""`inquery metrics`: measures as people defined them, what the database suggests, and their figures."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table, working
from inquery.cli.session import load_settings, run_async
from inquery.cli.text_files import out_option, write_text
from inquery.errors import BadRequest

if TYPE_CHECKING:
    from inquery.agents.metric_desk import MetricDesk, MetricInfo

T = TypeVar("T")


@click.group(
    help=both("List, propose, accept, edit and try metrics.", "列出、建议、接受、修改与试算指标。"),
)
def metrics() -> None:
    """The group of all commands about metrics."""


@metrics.command("list", help=both("Show the metrics of a database.", "显示数据库的指标。"))
@connection_option
@json_option
def list_(connection: str | None, as_json: bool) -> None:
    """Every metric with its definition; one that cannot be used says why."""

    async def work(desk: MetricDesk) -> tuple[list[MetricInfo], list[Any]]:
        return desk.metrics(), list(desk.dimensions())

    found, dimensions = _at_desk(connection, work)
    if as_json:
        print_json({"metrics": found, "dimensions": dimensions})
        return
    _show(found)


@metrics.command(help=both("Show metrics that the columns suggest.", "显示由列推测出的指标。"))
@connection_option
@json_option
def propose(connection: str | None, as_json: bool) -> None:
    """Proposals; nothing is kept before one is accepted."""
    from inquery.agents.metric_desk import info_of

    async def work(desk: MetricDesk) -> list[MetricInfo]:
        return [info_of(metric) for metric in desk.proposals()]

    found = _at_desk(connection, work)
    if as_json:
        print_json({"proposed": found})
        return
    _show(found)


@metrics.command(help=both("Accept the proposed metric NAME.", "接受建议的指标 NAME。"))
@click.argument("name")
@connection_option
@json_option
def accept(name: str, connection: str | None, as_json: bool) -> None:
    """From then on answers may rely on it."""
    _told(_at_desk(connection, lambda desk: desk.accept(name)), as_json)


@metrics.command(
    help=both(
        "Change or make the metric NAME: FIELD=VALUE … A label or description is set in one language at a time: label.en=Revenue "
        "label.zh=销售额.",
        "修改或新建指标 NAME：字段=值 …… 标签与说明可分语言设置：label.en=Revenue label.zh=销售额。",
    ),
)
@click.argument("name")
@click.argument("changes", nargs=-1, required=True, metavar="FIELD=VALUE...")
@connection_option
@json_option
def edit(name: str, changes: tuple[str, ...], connection: str | None, as_json: bool) -> None:
    """It is tried before it is kept."""
    fields = dict(_change(each) for each in changes)
    _told(_at_desk(connection, lambda desk: desk.edit(name, fields)), as_json)


@metrics.command("try", help=both("Compute metrics, split and compared as wanted.", "试算指标，可拆分与对比。"))
@click.argument("names", nargs=-1, required=True)
@click.option(
    "--by",
    multiple=True,
    metavar="DIMENSION",
    help=both("Split by a dimension or unit of time.", "按维度或时间单位拆分。"),
)
@click.option(
    "--in", "period", default="", metavar="PERIOD", help=both("A period: last month, 2025.", "时间段：上个月、2025年。")
)
@click.option(
    "--against",
    type=click.Choice(["previous", "year_before"]),
    help=both("Compare with another period.", "与另一时间段对比。"),
)
@connection_option
@json_option
def try_(
    names: tuple[str, ...], by: tuple[str, ...], period: str, against: str | None, connection: str | None, as_json: bool
) -> None:
    """The figures with the statement that gave them."""
    from inquery.agents.metric_desk import PlanRun
    from inquery.answers.formats import json_cell

    async def work(desk: MetricDesk) -> PlanRun:
        return await desk.run(desk.simple_plan(names, by, period, against or ""))

    found = _at_desk(connection, work)
    columns = [column.name for column in found.made.columns]
    if as_json:
        rows = [[json_cell(cell) for cell in row] for row in found.result.rows]
        print_json({"text": found.text, "sql": found.made.sql, "columns": columns, "rows": rows})
        return
    note(found.text)
    print_table("", columns, [tuple(row) for row in found.result.rows])
    note(found.made.sql)


@metrics.command(
    "import",
    help=both(
        "Take the metrics of FILE or of a project's folder: our YAML, dbt, Cube, OSI, Excel.",
        "导入 FILE 或项目文件夹中的指标：本系统的 YAML、dbt、Cube、OSI、Excel。",
    ),
)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@connection_option
@json_option
def import_(file: Path, connection: str | None, as_json: bool) -> None:
    """What can be used here is kept; what cannot is listed with why."""
    from inquery.metrics.imports.metric_files import read_metric_files

    found = read_metric_files(file)
    report = _at_desk(connection, lambda desk: desk.import_metrics(found))
    if as_json:
        print_json(report)
        return
    kept, left = report["kept"], report["left_out"]
    click.echo(
        say(f"Kept {len(kept)}: {', '.join(kept)}.", f"已导入 {len(kept)} 个：{'、'.join(kept)}。")
        if kept
        else say("Nothing was kept.", "没有导入任何指标。")
    )
    if left:
        print_table(
            say("Left out", "未导入"), say("name why", "名称 原因").split(), [(e["name"], e["why"]) for e in left]
        )


@metrics.command(help=both("Write the metrics as YAML.", "将指标导出为 YAML。"))
@out_option
@connection_option
@json_option
def export(out: Path | None, connection: str | None, as_json: bool) -> None:
    """The metrics and dimensions as `inquery glossary import` reads them."""
    from inquery.knowledge.glossary import Glossary, plain_glossary
    from inquery.knowledge.glossary_files import dump_glossary

    async def work(desk: MetricDesk) -> Glossary:
        known = desk.book.glossary
        return Glossary(metrics=known.metrics, dimensions=known.dimensions)

    found = _at_desk(connection, work)
    if as_json:
        print_json(plain_glossary(found))
    else:
        write_text(dump_glossary(found), out)


def _at_desk(connection: str | None, work: Callable[[MetricDesk], Awaitable[T]]) -> T:
    """Open the database and do something at its desk."""
    from inquery.agents.bilingual import answer_language
    from inquery.agents.context import Context, Services
    from inquery.agents.metric_desk import MetricDesk

    async def opened() -> T:
        services = Services.of(load_settings())
        try:
            context = Context(services)
            await context.prepare(connection or "", "")
            return await work(MetricDesk(context, answer_language("", language())))
        finally:
            services.sources.close()

    with working(say("Reading the database …", "正在读取数据库……")):
        return run_async(opened())


def _change(said: str) -> tuple[str, object]:
    field, found, value = said.partition("=")
    if not found or not field.strip():
        raise BadRequest.because(f"{said} is not FIELD=VALUE", f"{said} 不是 字段=值 的形式")
    if field.strip() == "synonyms":
        return "synonyms", [word.strip() for word in value.replace("，", ",").split(",") if word.strip()]
    return field.strip(), value.strip()


def _told(info: MetricInfo, as_json: bool) -> None:
    if as_json:
        print_json(info)
    else:
        click.echo(say(f"Kept {info['name']}: {info['definition']}.", f"已保存 {info['name']}：{info['definition']}。"))


def _show(found: list[MetricInfo]) -> None:
    if not found:
        note(say("There is nothing yet.", "尚无内容。"))
        return
    spoken = language()
    rows = [
        (
            each["name"],
            each["label"].get(spoken, "") or "",
            each["problem"] or each["definition"],
            each["time"],
            each["status"],
        )
        for each in found
    ]
    print_table("", say("name label definition time status", "名称 标签 定义 时间列 状态").split(), rows)
