"""`inquery samples`: verified questions with their SQL, which the writer learns from and `eval samples` measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table
from inquery.cli.session import chosen_connection, load_settings, open_connection, run_async
from inquery.cli.text_files import file_argument, out_option, read_text, write_text
from inquery.errors import BadRequest, NotFound, Text

if TYPE_CHECKING:
    from inquery.knowledge.samples import Samples
    from inquery.store.sample_rows import SampleRow

SHOWN = 8
"""Characters of an id that are shown; so many are enough to name a sample."""
OWNER = "local"
id_argument = click.argument("sample_id", metavar="ID")


@click.group(
    help=both(
        "List, add, approve, check and exchange verified questions.", "列出、添加、批准、检查与交换已验证的问题。"
    )
)
def samples() -> None:
    """The group of all commands about samples."""


@samples.command("list", help=both("List the samples of a database.", "列出数据库的样例。"))
@connection_option
@json_option
def list_(connection: str | None, as_json: bool) -> None:
    """Every sample, also those that wait for approval or no longer fit the schema."""
    _, _, rows = _opened(connection)
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    if not rows:
        note(say("There are none yet.", "尚无样例。"))
        return
    heads = [say("id", "编号"), say("question", "问题"), "SQL", say("state", "状态")]
    print_table("", heads, [(row.id[:SHOWN], row.question, row.sql, _state(row)) for row in rows])


@samples.command(
    help=both(
        "Keep QUESTION with its SQL; the statement is checked against the database first.",
        "保存 QUESTION 及其 SQL；语句会先对照数据库检查。",
    )
)
@click.argument("question")
@click.argument("sql")
@connection_option
@click.option(
    "--draft", is_flag=True, help=both("Keep it for yourself until it is approved.", "在批准之前仅供自己使用。")
)
@json_option
def add(question: str, sql: str, connection: str | None, draft: bool, as_json: bool) -> None:
    """Keep a pair that the guard accepts."""
    from inquery.sql import Policy, check

    opened = open_connection(connection)
    check(sql, dialect=opened.catalog.dialect, catalog=opened.catalog, policy=Policy(row_cap=None))
    kept, connection_id, _ = _opened(connection)
    owner, dialect = OWNER if draft else "", opened.catalog.dialect
    row = run_async(
        kept.add(connection_id, question, sql, user=owner, approved=not draft, dialect=dialect, source="cli")
    )
    _told(row, as_json, say(f"Kept as {row.id[:SHOWN]}.", f"已保存为 {row.id[:SHOWN]}。"))


@samples.command(help=both("Let everyone on the connection use a sample.", "允许该连接的所有用户使用样例。"))
@id_argument
@connection_option
@json_option
def approve(sample_id: str, connection: str | None, as_json: bool) -> None:
    """Approve a sample, named by the beginning of its id."""
    kept, _, rows = _opened(connection)
    row = run_async(kept.approve(_one(rows, sample_id).id))
    _told(row, as_json, say(f"Approved: {row.question}", f"已批准：{row.question}"))


@samples.command(help=both("Forget a sample.", "删除样例。"))
@id_argument
@connection_option
@json_option
def remove(sample_id: str, connection: str | None, as_json: bool) -> None:
    """Remove a sample, named by the beginning of its id."""
    kept, _, rows = _opened(connection)
    row = _one(rows, sample_id)
    run_async(kept.remove(row.id))
    _told(row, as_json, say(f"Removed: {row.question}", f"已删除：{row.question}"))


@samples.command(
    "import",
    help=both("Read samples from a YAML file, or from standard input (-).", "从 YAML 文件或标准输入（-）导入样例。"),
)
@file_argument
@connection_option
@click.option("--draft", is_flag=True, help=both("They wait for approval.", "导入后等待批准。"))
@json_option
def import_(file: Path, connection: str | None, draft: bool, as_json: bool) -> None:
    """Add what is new; the same question and SQL are kept once."""
    from inquery.knowledge.samples import load_samples

    pairs = load_samples(read_text(file))
    kept, connection_id, before = _opened(connection)
    made = run_async(kept.add_all(connection_id, pairs, approved=not draft, source="import"))
    added = len({row.id for row in made} - {row.id for row in before})
    if as_json:
        print_json({"read": len(pairs), "added": added})
    else:
        click.echo(say(f"{added} of {len(pairs)} samples were new.", f"{len(pairs)} 个样例中新增 {added} 个。"))


@samples.command(help=both("Write the samples as YAML.", "以 YAML 导出样例。"))
@connection_option
@out_option
@json_option
def export(connection: str | None, out: Path | None, as_json: bool) -> None:
    """The samples as `import` reads them."""
    from inquery.knowledge.samples import dump_samples

    _, _, rows = _opened(connection)
    if as_json:
        print_json([{"question": row.question, "language": row.language, "sql": row.sql} for row in rows])
    else:
        write_text(dump_samples(rows), out)


@samples.command(help=both("Check every sample against the schema of now.", "对照当前结构检查所有样例。"))
@connection_option
@json_option
def check(connection: str | None, as_json: bool) -> int:
    """Which samples no longer fit; the exit code is 1 where there are any."""
    opened = open_connection(connection)
    kept, connection_id, _ = _opened(connection)
    found = run_async(kept.recheck(connection_id, opened.catalog))
    if as_json:
        print_json({"good": found.good, "broken": [asdict(row) for row in found.broken]})
        return 1 if found.broken else 0
    click.echo(
        say(f"{found.good} fit, {len(found.broken)} do not.", f"{found.good} 个可用，{len(found.broken)} 个不可用。")
    )
    for row in found.broken:
        click.echo(f"  {row.id[:SHOWN]}  {row.problem}  {row.question}")
    return 1 if found.broken else 0


def _opened(connection: str | None) -> tuple[Samples, str, Sequence[SampleRow]]:
    """The samples, the connection's id and its rows; the demo's own are put in first."""
    from inquery.knowledge.samples import open_samples
    from inquery.llm.embedded.encoder import register_encoder

    register_encoder()
    settings = load_settings()
    chosen = chosen_connection(connection)
    kept = open_samples(settings)

    async def listed() -> Sequence[SampleRow]:
        await kept.add_shipped(chosen.id)
        return await kept.list(chosen.id)

    return kept, chosen.id, run_async(listed())


def _one(rows: Sequence[SampleRow], given: str) -> SampleRow:
    """The sample whose id begins so; raises NotFound, or BadRequest where several do."""
    found = [row for row in rows if given and row.id.startswith(given.lower())]
    if not found:
        raise NotFound(given, what=Text("sample", "样例"), name=given)
    if len(found) > 1:
        raise BadRequest.because(
            f"{len(found)} ids begin with {given}", f"有 {len(found)} 个编号以 {given} 开头", detail=given
        )
    return found[0]


def _state(row: SampleRow) -> str:
    if row.problem:
        return say(f"does not fit: {row.problem}", f"不适用：{row.problem}")
    return say("approved", "已批准") if row.approved else say(f"only {row.owner}'s", f"仅限 {row.owner}")


def _told(row: SampleRow, as_json: bool, text: str) -> None:
    shown: dict[str, Any] = asdict(row)
    if as_json:
        print_json(shown)
    else:
        click.echo(text)
