"""`inquery models`: the embedded models at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from inquery.llm.embedded.weights import WeightsInfo

name_argument = click.argument("name", default="", required=False)


@click.group(help=both("Show the embedded models.", "查看内置模型。"))
def models() -> None:
    """The group of model commands."""


@models.command("list", help=both("List the models at hand.", "列出可用模型。"))
@json_option
def list_models(as_json: bool) -> None:
    """Every model, the packaged first."""
    from inquery.llm.embedded.weights import installed

    found = [summary(info) for info in installed()]
    if as_json:
        print_json(found)
        return
    columns = [
        say("name", "名称"),
        say("kind", "类型"),
        say("bytes", "字节"),
        say("digest", "摘要"),
        say("folder", "文件夹"),
    ]
    rows = [(m["name"], m["kind"], f"{m['bytes']:,}", m["digest"], m["folder"]) for m in found]
    print_table("", columns, rows, numbers=(2,))


@models.command(help=both("Show one model and check its files.", "显示一个模型并校验其文件。"))
@name_argument
@json_option
def info(name: str, as_json: bool) -> None:
    """What config.json says and whether every file is the exported one."""
    from inquery.llm.embedded.weights import damaged_files, find_model

    found = find_model(name)
    wrong = damaged_files(found)
    about = {key: value for key, value in found.config.items() if key not in {"name", "kind", "files"}}
    whole = {**summary(found), **about, "files": found.config["files"], "damaged": wrong}
    if as_json:
        print_json(whole)
        return
    print_table(found.name, [say("field", "字段"), say("value", "值")], list(whole.items()))


@models.command(help=both("Print the folder of a model.", "输出模型所在文件夹。"))
@name_argument
@json_option
def path(name: str, as_json: bool) -> None:
    """The folder alone, for scripts."""
    from inquery.llm.embedded.weights import find_model

    folder = str(find_model(name).folder)
    if as_json:
        print_json({"path": folder})
    else:
        click.echo(folder)


def summary(model: WeightsInfo) -> dict[str, Any]:
    """What the list shows of a model."""
    kind = model.config.get("kind", "writer")
    return {"name": model.name, "kind": kind, "bytes": model.bytes, "digest": model.digest, "folder": str(model.folder)}
