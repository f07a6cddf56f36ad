"""`inquery report`: documents that fill themselves."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table
from inquery.cli.report_output import (
    USER,
    plain_place,
    plain_report,
    plain_run,
    run_as_data,
    show_place,
    show_run,
    sql_of,
    status,
    written,
)
from inquery.cli.session import load_settings
from inquery.cli.session import run_async as run_work

if TYPE_CHECKING:
    from inquery.reports.desk import PlaceholderState, ReportDesk
    from inquery.reports.report_run import Progress
    from inquery.store.reports import StoredReport, StoredRun

CODES = {"done": 0, "doubtful": 2, "partial": 2}
FORMAT = click.Choice(["html", "md", "docx", "pdf"])
param_option = click.option(
    "--param",
    "-p",
    "params",
    multiple=True,
    metavar="NAME=VALUE",
    help=both("Value of a parameter, e.g. week='last week'.", "参数值，如 月份=上月。"),
)


@click.group(
    help=both(
        "Fill templates whose placeholders are questions. Exit code 0: all solved, 2: some named as unsolved, 1: none.",
        "填充以问题为占位符的模板。退出码 0 表示全部求解，2 表示部分未求解（已注明），1 表示失败。",
    )
)
def report() -> None:
    """The group of all commands about reports."""


@report.command("list", help=both("List reports, and the templates that come with Inquery.", "列出报告与自带模板。"))
@json_option
def list_(as_json: bool) -> None:
    """Show every report."""

    async def work(desk: ReportDesk) -> tuple[list[StoredReport], list[str]]:
        from inquery.reports.desk import library

        return await asyncio.to_thread(desk.reports.list, USER), list(library())

    from inquery.store.connections import RESERVED

    known, templates = _with_desk(work)
    names = [report.name for report in known]
    if as_json:
        print_json({"reports": [plain_report(each) for each in known], "templates": templates})
        return
    rows = [(each.name, each.connection_id, each.format, each.version) for each in known]
    rows += [(name, RESERVED, say("template", "模板"), "") for name in templates if name not in names]
    heads = [say("name", "名称"), say("database", "数据库"), say("format", "格式"), say("version", "版本")]
    print_table("", heads, rows)


@report.command(
    help=both(
        "Keep the template FILE (.md, .html, .docx) under NAME.", "将模板文件 FILE（.md、.html、.docx）保存为 NAME。"
    )
)
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@connection_option
@json_option
def new(name: str, file: Path, connection: str | None, as_json: bool) -> None:
    """Register a template."""

    async def work(desk: ReportDesk) -> tuple[StoredReport, list[PlaceholderState], list[Any]]:
        from inquery.reports.template_files import format_of, read_template

        chosen = await desk.runner.services.sources.connection(connection)
        content = await asyncio.to_thread(file.read_bytes)
        made = await desk.add(USER, name, chosen.id, format_of(file.name), content)
        most = desk.runner.services.settings.reports.template_bytes
        template = await asyncio.to_thread(read_template, content, made.format, most=most)
        return made, await desk.placeholders(made), list(template.problems)

    made, places, problems = _with_desk(work)
    if as_json:
        print_json(
            plain_report(made)
            | {"placeholders": [plain_place(each) for each in places], "problems": [p.to_dict() for p in problems]}
        )
        return
    click.echo(say(f"Kept {made.name}: {len(places)} placeholders.", f"已保存 {made.name}：{len(places)} 个占位符。"))
    for problem in problems:
        note(problem.told(language()))


@report.command(
    help=both(
        "Fill a report: a kept NAME, a template that comes with Inquery, or a file.",
        "填充报告 NAME：已保存的报告、自带模板或文件。",
    )
)
@click.argument("name", required=False, default="")
@connection_option
@param_option
@click.option(
    "--format",
    "-f",
    "outputs",
    type=FORMAT,
    multiple=True,
    help=both("Formats to write; the template's own by default.", "输出格式，默认与模板相同。"),
)
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), help=both("File or folder to write to.", "输出文件或文件夹。")
)
@click.option(
    "--resume", metavar="RUN", default="", help=both("Go on with a run that was cut short.", "继续被中断的运行。")
)
@click.option("--today", metavar="DATE", default="", help=both("Take this day for today.", "将该日期视为今天。"))
@json_option
def run(
    name: str,
    connection: str | None,
    params: tuple[str, ...],
    outputs: tuple[str, ...],
    out: Path | None,
    resume: str,
    today: str,
    as_json: bool,
) -> int:
    """Fill a report and write it."""
    return _fill(name, connection, params, outputs, out, resume, today, as_json, anew=False, write=True)


@report.command(
    help=both(
        "Solve the placeholders of a report anew, leaving pinned ones; writes no document.",
        "重新求解报告的占位符（固定的除外），不输出文档。",
    )
)
@click.argument("name")
@connection_option
@param_option
@click.option("--today", metavar="DATE", default="", help=both("Take this day for today.", "将该日期视为今天。"))
@json_option
def solve(name: str, connection: str | None, params: tuple[str, ...], today: str, as_json: bool) -> int:
    """Open every binding again."""
    return _fill(name, connection, params, (), None, "", today, as_json, anew=True, write=False)


def _fill(
    name: str,
    connection: str | None,
    params: tuple[str, ...],
    outputs: tuple[str, ...],
    out: Path | None,
    resume: str,
    today: str,
    as_json: bool,
    *,
    anew: bool,
    write: bool,
) -> int:
    given, day = _given(params), _day(today)
    if not name and not resume:
        raise click.UsageError(say("name a report, or give --resume RUN", "请给出报告名称，或使用 --resume RUN"))

    async def work(desk: ReportDesk) -> dict[str, Any]:
        from inquery.reports.report_run import Who

        with _progress() as progress:
            if resume:
                done = await desk.resume(USER, resume, Who(), progress)
            else:
                found = await desk.find(USER, name, connection or "")
                done = await desk.run(found, given, Who(), progress=progress, today=day, anew=anew)
        files = await written(desk, done, outputs, out) if write else []
        return await run_as_data(desk, done) | {"files": files}

    found = _with_desk(work)
    if as_json:
        print_json(found)
    else:
        show_run(found)
    return CODES.get(found["status"], 1)


@report.command(help=both("List the runs of a report, the last first.", "列出报告的历次运行，最近的在前。"))
@click.argument("name")
@json_option
def history(name: str, as_json: bool) -> None:
    """Show past runs."""

    async def work(desk: ReportDesk) -> list[StoredRun]:
        found = await asyncio.to_thread(desk.reports.get, USER, name)
        return await asyncio.to_thread(desk.runs.list, found.id)

    runs = _with_desk(work)
    if as_json:
        print_json([plain_run(each) for each in runs])
        return
    heads = [
        "id",
        say("started", "开始时间"),
        say("state", "状态"),
        say("placeholders", "占位符"),
        say("model calls", "模型调用"),
        say("ms", "毫秒"),
    ]
    rows = [
        (
            each.id,
            each.started.isoformat(sep=" ", timespec="seconds"),
            status(each.status),
            each.content.get("placeholders", ""),
            each.content.get("model_calls", ""),
            each.content.get("ms", ""),
        )
        for each in runs
    ]
    print_table("", heads, rows, numbers=(3, 4, 5))


@report.command(
    help=both(
        "Show a run (its id) with values, SQL, times and changes, or the placeholders of a report (its name).",
        "显示一次运行（给出 id）的数值、SQL、用时与变化，或某报告（给出名称）的占位符。",
    )
)
@click.argument("name_or_run")
@click.option(
    "--format",
    "-f",
    "outputs",
    type=FORMAT,
    multiple=True,
    help=both("Write the run again in these formats.", "按这些格式重新输出。"),
)
@click.option(
    "--out", "-o", type=click.Path(path_type=Path), help=both("File or folder to write to.", "输出文件或文件夹。")
)
@json_option
def show(name_or_run: str, outputs: tuple[str, ...], out: Path | None, as_json: bool) -> None:
    """Show a run, or a report's placeholders."""

    async def work(desk: ReportDesk) -> dict[str, Any] | list[PlaceholderState]:
        from inquery.errors import NotFound

        try:
            done = await asyncio.to_thread(desk.runs.get, USER, name_or_run)
        except NotFound:
            return await desk.placeholders(await desk.find(USER, name_or_run))
        files = await written(desk, done, outputs, out) if outputs or out else []
        return await run_as_data(desk, done) | {"files": files}

    found = _with_desk(work)
    if isinstance(found, dict):
        print_json(found) if as_json else show_run(found)
        return
    if as_json:
        print_json([plain_place(each) for each in found])
        return
    heads = ["key", say("line", "行"), say("placeholder", "占位符"), say("state", "状态"), "SQL"]
    print_table(
        "", heads, [(p.goal.key[:8], p.goal.line, p.goal.title[:60], status(p.state), sql_of(p)[:100]) for p in found]
    )


@report.command(
    help=both(
        "Keep a placeholder's statement as it is; no run opens it again.",
        "固定某占位符的语句，之后的运行不再重新求解。",
    )
)
@click.argument("name")
@click.argument("placeholder")
@click.option("--undo", is_flag=True, help=both("Let it be opened again.", "取消固定。"))
@json_option
def pin(name: str, placeholder: str, undo: bool, as_json: bool) -> None:
    """Pin a placeholder."""

    async def work(desk: ReportDesk) -> PlaceholderState:
        found = await desk.find(USER, name)
        return await (desk.unpin(found, placeholder) if undo else desk.pin(found, placeholder))

    show_place(_with_desk(work), as_json)


@report.command(
    help=both(
        "Give a placeholder a statement of your own; '{period.start}', '{period.end}' and '{name.value}' are filled at "
        "each run. It is checked and pinned.",
        "为占位符指定自己的语句；'{period.start}'、'{period.end}'、'{参数名.value}' 会在每次运行时填入。语句会经过检查并被固定。",
    )
)
@click.argument("name")
@click.argument("placeholder")
@click.argument("sql")
@param_option
@json_option
def edit(name: str, placeholder: str, sql: str, params: tuple[str, ...], as_json: bool) -> None:
    """Edit a placeholder's statement."""
    text = sys.stdin.read() if sql == "-" else sql

    async def work(desk: ReportDesk) -> PlaceholderState:
        from inquery.reports.report_run import Who

        return await desk.edit(await desk.find(USER, name), placeholder, text, Who(), _given(params))

    show_place(_with_desk(work), as_json)


@report.command(
    help=both(
        "Say that a statement is not what was meant; the next run writes another.",
        "否决某占位符的语句，下次运行会另写一条。",
    )
)
@click.argument("name")
@click.argument("placeholder")
@json_option
def reject(name: str, placeholder: str, as_json: bool) -> None:
    """Reject a placeholder's statement."""

    async def work(desk: ReportDesk) -> PlaceholderState:
        return await desk.reject(await desk.find(USER, name), placeholder)

    show_place(_with_desk(work), as_json)


@report.command(
    help=both(
        "Fill a report by a CRON expression in the server, or list schedules without one.",
        "按 CRON 表达式由服务器定时填充报告；不给出表达式则列出计划。",
    )
)
@click.argument("name")
@click.argument("cron", required=False, default="")
@param_option
@click.option(
    "--format",
    "-f",
    "outputs",
    type=FORMAT,
    multiple=True,
    default=("html",),
    show_default=True,
    help=both("Formats to deliver.", "输出格式。"),
)
@click.option(
    "--to",
    "target",
    metavar="FOLDER|URL",
    default="",
    help=both("Folder or webhook to deliver to.", "投递到的文件夹或 Webhook。"),
)
@click.option(
    "--mail",
    "recipients",
    metavar="ADDRESS",
    multiple=True,
    help=both("Mail it to this address; may be given several times.", "邮件发送到此地址；可重复给出。"),
)
@click.option("--timezone", metavar="ZONE", default="", help=both("Time zone of the expression.", "表达式所用时区。"))
@click.option("--remove", metavar="ID", default="", help=both("Remove a schedule.", "删除计划。"))
@json_option
def schedule(
    name: str,
    cron: str,
    params: tuple[str, ...],
    outputs: tuple[str, ...],
    target: str,
    recipients: tuple[str, ...],
    timezone: str,
    remove: str,
    as_json: bool,
) -> None:
    """Add, list or remove schedules."""

    async def work(desk: ReportDesk) -> list[Any]:
        from inquery.reports.report_run import Who
        from inquery.reports.schedule import Scheduler

        async def owner(_: str) -> Who:
            return Who()

        scheduler = Scheduler(desk, owner)
        found = await desk.find(USER, name)
        if remove:
            await asyncio.to_thread(scheduler.schedules.remove, USER, remove)
        if cron:
            await scheduler.add(
                found,
                cron,
                outputs=list(outputs),
                target=target,
                recipients=recipients,
                timezone=timezone,
                given=_given(params),
                local=True,
            )
        return await asyncio.to_thread(scheduler.schedules.list, USER, found.id)

    known = _with_desk(work)
    plain = [
        {
            "id": s.id,
            "cron": s.cron,
            "timezone": s.timezone,
            "next_at": s.next_at.isoformat(),
            **s.content,
            "delivers": bool(s.target.get_secret_value()),
            "last_run": s.last_run,
            "last_outcome": s.last_outcome,
        }
        for s in known
    ]
    if as_json:
        print_json(plain)
        return
    heads = [
        "id",
        "cron",
        say("time zone", "时区"),
        say("next", "下次"),
        say("formats", "格式"),
        say("last outcome", "上次结果"),
    ]
    print_table(
        "",
        heads,
        [(s["id"], s["cron"], s["timezone"], s["next_at"], ", ".join(s["outputs"]), s["last_outcome"]) for s in plain],
    )


@asynccontextmanager
async def _desk() -> AsyncIterator[ReportDesk]:
    from inquery.agents.opening import open_services
    from inquery.reports.desk import ReportDesk
    from inquery.reports.report_run import ReportRunner
    from inquery.store import open_store

    settings = load_settings()
    async with open_services(settings) as services:
        store = await asyncio.to_thread(open_store, settings)
        try:
            yield ReportDesk(ReportRunner(services, store))
        finally:
            await asyncio.to_thread(store.close)


def _with_desk(work: Callable[[ReportDesk], Awaitable[Any]]) -> Any:
    async def opened() -> Any:
        async with _desk() as desk:
            return await work(desk)

    return run_work(opened())


@contextmanager
def _progress() -> Iterator[Progress]:
    """Placeholders as they are solved, on standard error."""
    if not sys.stderr.isatty():
        yield lambda goal, state, done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(file=sys.stderr), transient=True) as shown:
        task = shown.add_task("", total=None)
        yield lambda goal, state, done, total: shown.update(
            task, completed=done, total=total, description=f"{status(state)} {goal.question[:40]}"
        )


def _given(params: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in params:
        name, equals, value = each.partition("=")
        if not equals or not name.strip() or found.get(name.strip(), value) != value:
            raise click.UsageError(
                say(f"--param {each}: write NAME=VALUE once", f"--param {each}：应为 名称=值，且只给一次")
            )
        found[name.strip()] = value
    return found


def _day(text: str) -> Any:
    import datetime

    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError as error:
        raise click.UsageError(say(f"{text} is not a date", f"{text} 不是日期")) from error
