"""How reports look on the command line: runs, placeholders and the files they are written to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import say
from inquery.cli.output import note, print_json, print_table

if TYPE_CHECKING:
    from inquery.reports.desk import PlaceholderState, ReportDesk
    from inquery.store.reports import StoredReport, StoredRun

USER = "local"


async def written(desk: ReportDesk, done: StoredRun, outputs: tuple[str, ...], out: Path | None) -> list[str]:
    from inquery.reports.deliver import file_name, to_folder

    kept = await asyncio.to_thread(desk.reports.get, USER, done.report_id)
    named = out.suffix.removeprefix(".").lower() if out else ""
    wanted = outputs or ((named,) if named in {"html", "md", "docx", "pdf"} else (kept.format,))
    files = []
    for output in wanted:
        name = file_name(kept.name, done.started.isoformat(timespec="seconds"), output)
        folder = Path()
        if out is not None:
            folder, name = (out.parent, f"{out.stem}.{output}") if named else (out, name)
        document = await desk.document(done, output, beside=name.rpartition(".")[0])
        files.append(str(await asyncio.to_thread(to_folder, folder, name, document)))
    return files


async def run_as_data(desk: ReportDesk, done: StoredRun) -> dict[str, Any]:
    """A run as plain data: every placeholder with its value, statement and time, and what changed."""
    from inquery.answers.formats import json_cell

    values = await asyncio.to_thread(desk.runs.values, done.id)
    changed = await desk.compared(done)
    places = [
        {"key": value.key, "status": value.status, "ms": value.ms, "row_count": len(value.rows)}
        | {
            name: value.content.get(name)
            for name in (
                "title",
                "line",
                "shape",
                "question",
                "sql",
                "via",
                "reopened",
                "problem",
                "notes",
                "usage",
                "steps",
            )
        }
        | {"preview": [[json_cell(cell) for cell in row] for row in value.rows[:5]]}
        for value in sorted(values.values(), key=lambda value: (value.content["line"], value.key))
    ]
    return {
        "run_id": done.id,
        "report_id": done.report_id,
        "status": done.status,
        "started": done.started.isoformat(),
        "finished": done.finished.isoformat() if done.finished else None,
        **done.content,
        "values": places,
        "changes": [change.to_dict() for change in changed],
    }


def show_run(found: dict[str, Any]) -> None:
    rows = [
        (place["line"], place["title"][:60], status(place["status"]), _preview(place), f"{place['ms']:,.0f}")
        for place in found["values"]
    ]
    heads = [
        say("line", "行"),
        say("placeholder", "占位符"),
        say("state", "状态"),
        say("value", "值"),
        say("ms", "毫秒"),
    ]
    print_table("", heads, rows, numbers=(0, 4))
    for each in found.get("problems", []):
        note(say(f"line {each['line']}: {each['en']}", f"第 {each['line']} 行：{each['zh']}"))
    for place in found["values"]:
        if place["problem"]:
            told = say(place["problem"]["en"], place["problem"]["zh"])
            note(say(f"line {place['line']}: {told}", f"第 {place['line']} 行：{told}"))
    calls, tokens = found.get("model_calls", 0), found.get("tokens", 0)
    click.echo(
        say(
            f"Run {found['run_id']}: {status(found['status'])}, {calls} model calls, {tokens:,} tokens, "
            f"{len(found['changes'])} changes since the last run.",
            f"运行 {found['run_id']}：{status(found['status'])}，模型调用 {calls} 次，{tokens:,} 个令牌，"
            f"与上次相比有 {len(found['changes'])} 处变化。",
        )
    )
    for path in found.get("files", []):
        click.echo(path)


def _preview(place: dict[str, Any]) -> str:
    if place["shape"] == "value" and place["preview"]:
        return str(place["preview"][0][0])
    return say(f"{place['row_count']} rows", f"{place['row_count']} 行") if place["preview"] else ""


_STATES = {
    "solved": "已求解",
    "doubtful": "待确认",
    "unverified": "未验证",
    "unsolved": "未求解",
    "refused": "已拒绝",
    "done": "完成",
    "partial": "部分完成",
    "failed": "失败",
    "running": "进行中",
    "bound": "已绑定",
    "pinned": "已固定",
    "rejected": "已否决",
    "open": "未绑定",
}


def status(name: str) -> str:
    return say(name, _STATES.get(name, name))


def plain_report(each: StoredReport) -> dict[str, Any]:
    return {
        "id": each.id,
        "name": each.name,
        "connection_id": each.connection_id,
        "format": each.format,
        "version": each.version,
    }


def plain_run(each: StoredRun) -> dict[str, Any]:
    finished = each.finished.isoformat() if each.finished else None
    return {
        "id": each.id,
        "status": each.status,
        "started": each.started.isoformat(),
        "finished": finished,
        **each.content,
    }


def sql_of(place: PlaceholderState) -> str:
    return str(place.binding.content["bound"]["sql"]) if place.binding else ""


def plain_place(place: PlaceholderState) -> dict[str, Any]:
    goal = place.goal
    return {
        "key": goal.key,
        "line": goal.line,
        "title": goal.title,
        "shape": goal.shape,
        "state": place.state,
        "sql": sql_of(place),
    }


def show_place(place: PlaceholderState, as_json: bool) -> None:
    if as_json:
        print_json(plain_place(place))
        return
    click.echo(f"{place.goal.key[:8]} {status(place.state)}: {place.goal.title}")
    click.echo(sql_of(place))
