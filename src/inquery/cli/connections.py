"""`inquery connections`: the databases that can be asked."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import json_option, note, print_json, print_table, working
from inquery.cli.session import load_settings
from inquery.cli.text_files import read_bytes
from inquery.databases.transport.address import Address, parse_address
from inquery.errors import InqueryError
from inquery.store import Connections, Probe, make_options, open_store, probe
from inquery.store.connections import absolute_address

if TYPE_CHECKING:
    from inquery.knowledge.data_dictionary import ImportedDictionary


@click.group(help=both("Add, list, test, rename and remove databases.", "添加、列出、测试、重命名与删除数据库连接。"))
def connections() -> None:
    """The group of all commands about connections."""


@connections.command(
    help=both(
        "Try the address URL and keep it under NAME. URL is a database address or a path to a data file or folder.",
        "测试地址 URL，并以 NAME 保存。URL 可以是数据库地址，也可以是数据文件或文件夹的路径。",
    )
)
@click.argument("name")
@click.argument("url")
@click.option(
    "--password-stdin", is_flag=True, help=both("Read the password from standard input.", "从标准输入读取密码。")
)
@click.option(
    "--allow-superuser",
    is_flag=True,
    help=both("Accept an administrator's account on this machine.", "接受本机数据库的管理员账号。"),
)
@click.option(
    "--privacy",
    type=click.Choice(["full", "schema_only", "local_only"]),
    help=both("What a remote model may see.", "远程模型可见的内容。"),
)
@click.option(
    "--timezone",
    metavar="ZONE",
    help=both("Time zone of the data, e.g. Asia/Shanghai.", "数据的时区，如 Asia/Shanghai。"),
)
@click.option(
    "--week-start",
    type=click.IntRange(1, 7),
    help=both("First day of the week, 1 is Monday.", "每周的第一天，1 为周一。"),
)
@click.option(
    "--fiscal-year-start", type=click.IntRange(1, 12), help=both("First month of the fiscal year.", "财年的第一个月。")
)
@click.option(
    "--model", metavar="NAME", help=both("A saved model that answers about it.", "用于该数据库的已保存模型。")
)
@click.option("--currency", metavar="CODE", help=both("Currency of the amounts, e.g. CNY.", "金额的币种，如 CNY。"))
@click.option(
    "--dictionary",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help=both(
        "What tables, columns and codes mean: CSV, XLSX, JSON, YAML or dbt.",
        "表、列与代码的含义：CSV、XLSX、JSON、YAML 或 dbt 文件。",
    ),
)
@json_option
def add(
    name: str,
    url: str,
    password_stdin: bool,
    allow_superuser: bool,
    privacy: str | None,
    timezone: str | None,
    week_start: int | None,
    fiscal_year_start: int | None,
    model: str | None,
    currency: str | None,
    dictionary: Path | None,
    as_json: bool,
) -> None:
    """Register a database after trying it."""
    if dictionary is not None:
        _readable(dictionary)  # a broken file is told before anything is kept
    options = make_options(
        privacy=privacy,
        timezone=timezone,
        week_start=week_start,
        fiscal_year_start=fiscal_year_start,
        currency=currency,
        model=model,
        allow_superuser=allow_superuser,
    )
    address = absolute_address(parse_address(url))
    if password_stdin:
        from pydantic import SecretStr

        address = replace(address, password=SecretStr(sys.stdin.readline().rstrip("\r\n")))
    found = _tried(address, allow_superuser)
    known = Connections(open_store(load_settings()))
    made = known.add(name, address.url, options=options)
    taken = _described(made.name, dictionary, known) if dictionary is not None else None
    if as_json:
        print_json(made.to_dict() | _found(found) | ({"dictionary": asdict(taken)} if taken else {}))
        return
    _warn(found)
    click.echo(
        say(
            f"Added {made.name}: {made.shown} ({found.tables:,} tables, {found.columns:,} columns).",
            f"已添加 {made.name}：{made.shown}（{found.tables:,} 张表，{found.columns:,} 列）。",
        )
    )
    if taken is not None:
        _tell(taken)


@connections.command(
    help=both(
        "Keep what FILE says of the tables, columns and codes of NAME: CSV, XLSX, JSON, YAML or dbt.",
        "保存 FILE 对 NAME 的表、列与代码的说明：CSV、XLSX、JSON、YAML 或 dbt 文件。",
    )
)
@click.argument("name")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--remove", "gone", is_flag=True, help=both("Forget what was kept.", "删除已保存的说明。"))
@json_option
def dictionary(name: str, file: Path | None, gone: bool, as_json: bool) -> None:
    """Give a database the dictionary it lacks, or take it away."""
    from inquery.errors import BadRequest
    from inquery.knowledge.data_dictionary import remove_dictionary
    from inquery.store import choose_connection

    if (file is None) != gone:
        raise BadRequest.because("give a file, or --remove", "请提供文件，或使用 --remove", detail="file")
    if file is None:
        settings = load_settings()
        removed = remove_dictionary(choose_connection(name, settings=settings).id, settings)
        if as_json:
            print_json({"removed": removed})
        elif removed:
            click.echo(say(f"Removed the dictionary of {name}.", f"已删除 {name} 的数据字典。"))
        else:
            note(say(f"{name} has no dictionary.", f"{name} 没有数据字典。"))
        return
    taken = _described(name, file)
    if as_json:
        print_json(asdict(taken))
    else:
        _tell(taken)


@connections.command("list", help=both("List the registered databases.", "列出已登记的数据库。"))
@json_option
def list_(as_json: bool) -> None:
    """Every registered database; passwords are starred out."""
    known = Connections(open_store(load_settings())).list()
    if as_json:
        print_json([connection.to_dict() for connection in known])
        return
    if not known:
        note(say("None is registered; the demo is used.", "尚未登记任何连接，将使用演示库。"))
        return
    heads = say("name engine address created", "名称 引擎 地址 创建时间").split()
    print_table("", heads, [(c.name, c.engine, c.shown, f"{c.created:%Y-%m-%d %H:%M}") for c in known])


@connections.command(help=both("Try a registered database again.", "重新测试已登记的数据库。"))
@click.argument("name")
@json_option
def test(name: str, as_json: bool) -> None:
    """Connect, check the account and read the catalogue; an error says what is wrong."""
    from inquery.store import choose_connection

    connection = choose_connection(name, settings=load_settings())
    found = _tried(connection.address, connection.options.allow_superuser)
    if as_json:
        print_json({"name": connection.name, "ok": True} | _found(found))
        return
    _warn(found)
    click.echo(
        say(f"{connection.name} works: {found.tables:,} tables.", f"{connection.name} 可用：{found.tables:,} 张表。")
    )


@connections.command(help=both("Forget a database; it is not touched.", "删除连接；数据库本身不受影响。"))
@click.argument("name")
@json_option
def remove(name: str, as_json: bool) -> None:
    """Remove a registration."""
    from inquery.catalog.stored import forget_catalog
    from inquery.store.dictionary_rows import Dictionaries

    settings = load_settings()
    store = open_store(settings)
    gone = Connections(store).remove(name)
    Dictionaries(store).remove(gone.id)
    forget_catalog(gone.id, home=settings.home)
    if as_json:
        print_json({"removed": gone.name})
    else:
        click.echo(say(f"Removed {gone.name}.", f"已删除 {gone.name}。"))


@connections.command(help=both("Give a database another name.", "重命名连接。"))
@click.argument("name")
@click.argument("new_name")
@json_option
def rename(name: str, new_name: str, as_json: bool) -> None:
    """Rename a registration."""
    made = Connections(open_store(load_settings())).rename(name, new_name)
    if as_json:
        print_json(made.to_dict())
    else:
        click.echo(say(f"Renamed to {made.name}.", f"已重命名为 {made.name}。"))


def _readable(file: Path) -> bytes:
    """The content of a dictionary that can be read; raises what is wrong with it."""
    from inquery.knowledge.dictionary_files import read_dictionary

    content = read_bytes(file)
    read_dictionary(content, file.name)
    return content


def _described(name: str, file: Path, new_in: Connections | None = None) -> ImportedDictionary:
    """Keep a dictionary; a connection that was made with one that does not fit is not kept either."""
    from inquery.cli.session import open_connection
    from inquery.knowledge.data_dictionary import import_dictionary

    try:
        content = _readable(file)
        opened = open_connection(name)
        return import_dictionary(opened.id, content, file.name, opened.catalog, opened.settings)
    except InqueryError:
        if new_in is not None:
            new_in.remove(name)
        raise


def _tell(taken: ImportedDictionary) -> None:
    counts = ((taken.tables, "table"), (taken.columns, "column"), (taken.values, "value"))
    said = ", ".join(f"{count:,} {thing}{'' if count == 1 else 's'}" for count, thing in counts)
    click.echo(
        say(
            f"Dictionary: {said} described.",
            f"数据字典：已说明 {taken.tables:,} 张表、{taken.columns:,} 列、{taken.values:,} 个取值。",
        )
    )
    for each in taken.missing:
        near = ", ".join(each.nearest)
        note(
            say(
                f"not there: {each.name}" + (f" (nearest: {near})" if near else ""),
                f"不存在：{each.name}" + (f"（相近：{near}）" if near else ""),
            )
        )
    if taken.not_there > len(taken.missing):
        more = taken.not_there - len(taken.missing)
        note(say(f"{more:,} more names are not there.", f"另有 {more:,} 个名称不存在。"))


@connections.command(
    help=both("Have a saved MODEL answer about a database; none without.", "为数据库指定已保存的模型；留空则不指定。")
)
@click.argument("name")
@click.argument("model", default="")
@json_option
def model(name: str, model: str, as_json: bool) -> None:
    """Choose the model of a database."""
    from inquery.llm.model_choice import choose_model

    settings = load_settings()
    if model:
        choose_model(model, settings)
    made = Connections(open_store(settings)).set_model(name, model)
    if as_json:
        print_json(made.to_dict())
    else:
        click.echo(say(f"{made.name}: {model or 'no model of its own'}", f"{made.name}：{model or '未指定模型'}"))


def _tried(address: Address, allow_superuser: bool) -> Probe:
    settings = load_settings().database
    with working(say("Trying the address …", "正在测试地址……")) as progress:
        return probe(address, allow_superuser=allow_superuser, settings=settings, progress=progress)


def _found(found: Probe) -> dict[str, object]:
    warnings = [text.zh if language() == "zh" else text.en for text in found.warnings]
    return {"dialect": found.dialect, "tables": found.tables, "columns": found.columns, "warnings": warnings}


def _warn(found: Probe) -> None:
    for text in found.warnings:
        note(say(f"warning: {text.en}", f"警告：{text.zh}"))
