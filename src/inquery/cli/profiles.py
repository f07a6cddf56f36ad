"""`inquery profiles`: custom analysts, each a name with a prompt, a model and what it may read; every change is kept."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, note, print_json, print_table
from inquery.cli.session import load_settings
from inquery.cli.text_files import read_text
from inquery.errors import BadRequest, NotFound

if TYPE_CHECKING:
    from inquery.store.profiles import Profiles, StoredProfile

CHARTS = ["none", "auto", "bar", "line", "pie", "scatter"]


@click.group(help=both("List, show, save and remove custom analysts.", "列出、显示、保存与删除自定义分析师。"))
def profiles() -> None:
    """The group of all commands about profiles."""


@profiles.command("list", help=both("List the analysts.", "列出分析师。"))
@json_option
def list_(as_json: bool) -> None:
    """The newest version of each."""
    known = _open().list()
    if as_json:
        print_json([_plain(profile) for profile in known])
        return
    if not known:
        note(say("There are none yet.", "尚无分析师。"))
        return
    heads = say("name version connections tables changed", "名称 版本 连接 表 修改时间").split()
    print_table("", heads, [_line(profile) for profile in known])


@profiles.command(help=both("Show an analyst, or an earlier version of it.", "显示分析师或其早期版本。"))
@click.argument("name")
@click.option(
    "--version", type=click.IntRange(1), help=both("Which version; the newest by default.", "版本，默认最新。")
)
@json_option
def show(name: str, version: int | None, as_json: bool) -> None:
    """All that one version says."""
    found = _plain(_open().get(name, version))
    if as_json:
        print_json(found)
        return
    print_table(found["name"], [say("field", "字段"), say("value", "值")], list(found.items()))


@profiles.command(
    help=both(
        "Save an analyst: a new one, or a new version of the one that has the name. What is not given stays.",
        "保存分析师：新建，或为同名分析师生成新版本。未给出的内容保持不变。",
    )
)
@click.argument("name")
@click.option("--prompt", metavar="TEXT", help=both("How it writes and explains.", "书写与解释的方式。"))
@click.option(
    "--prompt-file",
    type=click.Path(dir_okay=False, path_type=Path, allow_dash=True),
    metavar="FILE",
    help=both("The prompt from a file, or standard input (-).", "从文件或标准输入（-）读取提示词。"),
)
@click.option(
    "--connection",
    "connections",
    multiple=True,
    metavar="NAME",
    help=both("A database it may ask; may be repeated.", "可查询的数据库，可重复。"),
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="TABLE",
    help=both("A table it may read; may be repeated.", "可读取的表，可重复。"),
)
@click.option("--chart", type=click.Choice(CHARTS), help=both("How it draws.", "绘图方式。"))
@click.option(
    "--analysis", type=click.Choice(["none", "short", "full"]), help=both("How much it explains.", "解释的详细程度。")
)
@click.option(
    "--speaks", type=click.Choice(["en", "zh"]), help=both("The language of its answers.", "回答所用的语言。")
)
@click.option("--provider", metavar="NAME", help=both("The model's provider.", "模型的提供方。"))
@click.option("--model", metavar="NAME", help=both("The model.", "模型。"))
@json_option
def save(name: str, prompt: str | None, prompt_file: Path | None, as_json: bool, **given: Any) -> None:
    """Add a profile, or change the one of that name."""
    if prompt is not None and prompt_file is not None:
        raise BadRequest.because(
            "give --prompt or --prompt-file", "请只给出 --prompt 或 --prompt-file 之一", detail=name
        )
    said = read_text(prompt_file) if prompt_file is not None else prompt
    wanted = {key: given[key] for key in ("connections", "tables", "chart", "analysis") if given[key]}
    wanted |= {"language": given["speaks"]} if given["speaks"] else {}
    wanted |= {"prompt": said} if said is not None else {}
    made = _saved(name, wanted, {key: given[key] for key in ("provider", "model") if given[key]})
    if as_json:
        print_json(_plain(made))
    else:
        click.echo(say(f"Saved {made.name}, version {made.version}.", f"已保存 {made.name}，版本 {made.version}。"))


@profiles.command(
    help=both("Retire an analyst; its versions stay for old conversations.", "停用分析师；旧会话仍保留其版本。")
)
@click.argument("name")
@json_option
def remove(name: str, as_json: bool) -> None:
    """Remove a profile from the list."""
    gone = _open().remove(name)
    if as_json:
        print_json({"removed": gone.name})
    else:
        click.echo(say(f"Removed {gone.name}.", f"已删除 {gone.name}。"))


def _open() -> Profiles:
    from inquery.store import open_store
    from inquery.store.profiles import Profiles

    return Profiles(open_store(load_settings()))


def _saved(name: str, wanted: dict[str, Any], llm: dict[str, Any]) -> StoredProfile:
    known = _open()
    try:
        last = known.get(name)
    except NotFound:
        return known.add(name, wanted | {"llm": llm}, owner="local")
    before = last.content.model_dump()
    return known.change(last.id, before | wanted | {"llm": {**before["llm"], **llm}})


def _plain(profile: StoredProfile) -> dict[str, Any]:
    whole = asdict(profile)
    content = profile.content.model_dump(mode="json")
    return (
        {key: whole[key] for key in ("id", "name", "version", "owner")}
        | content
        | {"created": f"{profile.created:%Y-%m-%dT%H:%M:%SZ}"}
    )


def _line(profile: StoredProfile) -> tuple[str, int, str, str, str]:
    every = say("all", "全部")
    content = profile.content
    return (
        profile.name,
        profile.version,
        ", ".join(content.connections) or every,
        ", ".join(content.tables) or every,
        f"{profile.created:%Y-%m-%d %H:%M}",
    )
