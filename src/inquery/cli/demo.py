"""`inquery demo`: the demo database as a file, or in a database of one's own."""

from __future__ import annotations

import datetime
from pathlib import Path

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, print_json, working
from inquery.errors import BadRequest


@click.command(
    help=both(
        "Write the demo database: three years of a retail business, ending today.",
        "生成演示数据库：一家零售企业截至今日的三年数据。",
    )
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=both("SQLite file to write.", "要写入的 SQLite 文件。"),
)
@click.option(
    "--url",
    help=both(
        "Fill this empty database instead (PostgreSQL, MariaDB, DuckDB, chdb).",
        "改为写入该空数据库（PostgreSQL、MariaDB、DuckDB、chdb）。",
    ),
)
@click.option(
    "--seed", type=click.IntRange(0), default=7, show_default=True, help=both("Seed of the data.", "数据的随机种子。")
)
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), help=both("Last day of the data.", "数据的最后一天。"))
@click.option("--force", is_flag=True, help=both("Replace a file that is no demo.", "允许覆盖非演示数据文件。"))
@json_option
def demo(
    out: Path | None, url: str | None, seed: int, today: datetime.datetime | None, force: bool, as_json: bool
) -> None:
    """Make the demo."""
    from inquery.cli.session import load_settings
    from inquery.demo import build_demo, ensure_demo, fill_demo
    from inquery.demo.build import is_demo

    settings = load_settings()
    day = today.date() if today else settings.day()
    if out and url:
        raise BadRequest.because("give --out or --url, not both", "--out 与 --url 只能使用一个")
    if out and out.exists() and not force and not is_demo(out):
        raise BadRequest.because(
            f"{out.name} exists and is no demo: use --force to replace it",
            f"{out.name} 已存在且不是演示库：使用 --force 覆盖",
        )
    with working(say("Making the demo database …", "正在生成演示数据库……")):
        if url:
            from inquery.databases.transport.address import parse_address

            fill_demo(url, seed=seed, today=day)
            where = parse_address(url).redacted
        elif out:
            build_demo(out, seed=seed, today=day)
            where = str(out)
        else:
            where = str(ensure_demo(settings.home, day))
    if as_json:
        print_json({"path": where, "seed": seed, "today": day.isoformat()})
    else:
        click.echo(say(f"The demo is in {where}", f"演示数据库位于 {where}"))
