"""`inquery sql`: a person's own statement, through the same guard and executor as every other."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import IO

import click

from inquery.answers.export import BINARY, FORMATS, json_value, write_export
from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table, working
from inquery.cli.session import Opened, open_connection, run_async
from inquery.databases.engine import Limits, Result
from inquery.errors import BadRequest

MOST_PAGE = 1000


@click.command(
    help=both(
        "Check STATEMENT, run it read-only and show the rows; - reads it from standard input.",
        "检查语句 STATEMENT，以只读方式执行并显示结果；- 表示从标准输入读取。",
    )
)
@click.argument("statement")
@connection_option
@click.option("--limit", type=click.IntRange(1), metavar="N", help=both("Most rows.", "最多返回的行数。"))
@click.option("--page", type=click.IntRange(1), metavar="N", help=both("Show one page of the rows.", "只显示某一页。"))
@click.option("--page-size", type=click.IntRange(1, MOST_PAGE), metavar="N", help=both("Rows of a page.", "每页行数。"))
@click.option("--no-cap", is_flag=True, help=both("Fetch every row.", "获取全部行。"))
@click.option(
    "--timeout", type=click.FloatRange(0.1), metavar="SECONDS", help=both("Longest run.", "最长执行时间（秒）。")
)
@click.option(
    "--format", "form", type=click.Choice(["table", *FORMATS]), help=both("How rows are written.", "输出格式。")
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=both("Write to a file.", "写入文件。"),
)
@json_option
def sql(
    statement: str,
    connection: str | None,
    limit: int | None,
    page: int | None,
    page_size: int | None,
    no_cap: bool,
    timeout: float | None,
    form: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run one statement."""
    from inquery.sql.quoting import quoting_explained

    text = sys.stdin.read() if statement == "-" else statement
    form = _form(form, out, as_json)
    if no_cap and (limit or page):
        raise BadRequest.because(
            "--no-cap does not go with --limit or --page", "--no-cap 不能与 --limit 或 --page 同时使用"
        )
    opened = open_connection(connection)
    seconds = timeout or opened.settings.query.timeout_s
    limits = _limits(opened, limit, seconds, whole=no_cap)
    with quoting_explained(text, dialect=opened.catalog.dialect, catalog=opened.catalog):
        if page:
            text = _paged(text, opened.catalog.dialect, page, page_size or opened.settings.query.page_size)
        if form in FORMATS:
            _export(opened, text, form, out, limits)
            return
    _show(_run(opened, text, limits), as_json, page)


def _form(form: str | None, out: Path | None, as_json: bool) -> str:
    """The format: as said, else by the file's ending, else a table."""
    if as_json:
        if out or form:
            raise BadRequest.because(
                "--json does not go with --out or --format", "--json 不能与 --out 或 --format 同时使用"
            )
        return "result"
    if form == "table" and out:
        raise BadRequest.because(
            "a table is only printed; use another --format with --out",
            "table 格式只用于显示；--out 请配合其他 --format",
        )
    if form is None and out is not None:
        form = out.suffix.removeprefix(".").lower()
        if form not in FORMATS:
            raise BadRequest.because(
                "give --format: the file's ending names none", "请用 --format 指定格式：文件扩展名无法识别"
            )
    if form in BINARY and out is None:
        raise BadRequest.because(f"{form} needs --out FILE", f"{form} 格式需要 --out 文件")
    return form or "table"


def _limits(opened: Opened, limit: int | None, seconds: float, *, whole: bool) -> Limits:
    query = opened.settings.query
    if whole:
        return Limits(seconds, None, None, None)
    return replace(Limits.of(query), timeout_s=seconds, rows=limit or query.rows)


def _paged(text: str, dialect: str, page: int, size: int) -> str:
    from inquery.sql.paging import page_of

    paged = page_of(text, dialect=dialect, page=page, page_size=size)
    if warning := paged.note(language()):
        note(warning)
    return paged.text


def _run(opened: Opened, text: str, limits: Limits) -> Result:
    from inquery.agents.own_sql import run_own_sql
    from inquery.sql import Policy

    with working(say("Running …", "正在执行……")):
        ran = run_async(run_own_sql(opened.id, text, catalog=opened.catalog, policy=Policy(), limits=limits))
    return ran.result


def _show(result: Result, as_json: bool, page: int | None) -> None:
    names = [column.name for column in result.columns]
    if as_json:
        rows = [[json_value(value) for value in row] for row in result.rows]
        shape = {"columns": names, "rows": rows, "row_count": result.row_count}
        print_json(shape | {"truncated": result.truncated, "ms": round(result.ms, 1)})
        return
    numbers = [index for index, column in enumerate(result.columns) if column.kind == "number"]
    print_table("", names, result.rows, numbers=numbers, missing="NULL")
    note(say(f"{result.row_count:,} rows, {result.ms:,.0f} ms", f"{result.row_count:,} 行，{result.ms:,.0f} 毫秒"))
    if page and result.row_count:
        note(say(f"The next page: --page {page + 1}", f"下一页：--page {page + 1}"))
    if result.truncated == "rows":
        _tell_more()
    elif result.truncated and result.truncated != "rows":
        note(say(f"The result was cut ({result.truncated}).", f"结果已被截断（{result.truncated}）。"))


def _tell_more() -> None:
    note(
        say("There are more rows: use --limit, --page or --no-cap.", "还有更多行：可使用 --limit、--page 或 --no-cap。")
    )


def _export(opened: Opened, text: str, form: str, out: Path | None, limits: Limits) -> None:
    """Stream to a file or to standard output in flat memory; a file gets its name only when it is whole."""
    from inquery.agents.own_sql import check_own_sql
    from inquery.cli.streaming import Bounded, cancellable
    from inquery.databases.executor.execute import stream
    from inquery.sql import Policy

    checked = check_own_sql(text, catalog=opened.catalog, policy=Policy(), limits=limits)
    with ExitStack() as stack:
        progress = stack.enter_context(working(say("Writing …", "正在写入……")))
        file = stack.enter_context(Target(out))
        read = cancellable(opened.id, stream(opened.id, checked, replace(limits, rows=None, bytes=None, cell=None)))
        batches = Bounded(read, limits.rows)
        count = write_export(batches, form, file, lambda done: progress(say("rows", "行"), done, 0))
    if out is not None:
        note(say(f"{count:,} rows written to {out}", f"已将 {count:,} 行写入 {out}"))
    if batches.cut:
        _tell_more()


class Target:
    """Standard output, or a file that replaces another only when it was written to the end."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.part = path.with_name(f".{path.name}.part") if path else None
        self.file: IO[bytes] = sys.stdout.buffer

    def __enter__(self) -> IO[bytes]:
        if self.part:
            try:
                self.file = self.part.open("wb")
            except OSError as error:
                raise BadRequest.because(f"{self.path} cannot be written", f"无法写入 {self.path}") from error
        return self.file

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.file.flush()
        if not (self.part and self.path):
            return
        self.file.close()
        if kind is None:
            self.part.replace(self.path)
        else:
            self.part.unlink(missing_ok=True)
