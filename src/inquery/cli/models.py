"""`inquery models`: the embedded models at hand, and hosted ones kept by name."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, language, say
from inquery.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from inquery.llm.embedded.weights import WeightsInfo
    from inquery.store.model_rows import SavedModel, SavedModels

name_argument = click.argument("name", default="", required=False)


@click.group(help=both("Show embedded models, and keep hosted ones.", "查看内置模型，保存托管模型。"))
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


@models.command(help=both("Keep a hosted model under NAME.", "以 NAME 保存一个托管模型。"))
@click.argument("name")
@click.option(
    "--provider", required=True, metavar="NAME", help=both("Who serves it, e.g. openai.", "服务商，如 openai。")
)
@click.option(
    "--model", "model_name", default="", metavar="MODEL", help=both("The provider's name of it.", "服务商的模型名。")
)
@click.option(
    "--base-url", default="", metavar="URL", help=both("Address, if not the public one.", "非公共地址时的地址。")
)
@click.option("--price-in", type=float, help=both("Price of a million prompt tokens.", "每百万输入令牌的价格。"))
@click.option("--price-out", type=float, help=both("Price of a million answer tokens.", "每百万输出令牌的价格。"))
@click.option("--key-stdin", is_flag=True, help=both("Read the key from standard input.", "从标准输入读取密钥。"))
@json_option
def add(
    name: str,
    provider: str,
    model_name: str,
    base_url: str,
    price_in: float | None,
    price_out: float | None,
    key_stdin: bool,
    as_json: bool,
) -> None:
    """Keep a model; its key is encrypted in the store."""
    from pydantic import SecretStr

    given = {"provider": provider, "model": model_name, "base_url": base_url}
    prices = {"price_in": price_in, "price_out": price_out}
    key = SecretStr(sys.stdin.readline().strip()) if key_stdin else None
    made = _saved().save(name, given | {name: value for name, value in prices.items() if value is not None}, key)
    if as_json:
        print_json(_shown(made))
    else:
        click.echo(say(f"Kept {made.name}.", f"已保存 {made.name}。"))


@models.command(help=both("List the hosted models that are kept.", "列出已保存的托管模型。"))
@json_option
def saved(as_json: bool) -> None:
    """Every kept model, without keys."""
    found = [_shown(each) for each in _saved().list()]
    if as_json:
        print_json(found)
        return
    columns = [
        say("name", "名称"),
        say("provider", "服务商"),
        say("model", "模型"),
        say("address", "地址"),
        say("key", "密钥"),
    ]
    rows = [(m["name"], m["provider"], m["model"], m["base_url"], "✓" if m["has_key"] else "") for m in found]
    print_table("", columns, rows)


@models.command("test", help=both("Have a kept model write a statement.", "让已保存的模型写一条语句。"))
@click.argument("name")
@json_option
def test_model(name: str, as_json: bool) -> int:
    """Try a model as questions use it; exits with 1 where it does not work."""
    from inquery.cli.session import load_settings, run_async
    from inquery.errors import InqueryError
    from inquery.llm.model_choice import choose_any_model
    from inquery.llm.model_trial import try_model

    settings = load_settings()
    try:
        trial = run_async(try_model(choose_any_model(name, settings), home=settings.home))
    except InqueryError as error:
        if not as_json:
            if error.said:
                click.echo(error.said, err=True)
            raise
        print_json({"ok": False, **error.to_dict(language())})
        return 1
    if as_json:
        print_json({"ok": True, "ms": trial.ms, "sql": trial.sql, "method": trial.shape.method, "calls": trial.calls})
    else:
        click.echo(f"{trial.sql}  ({trial.ms:.0f} ms, {trial.shape.method})")
    return 0


@models.command(help=both("Forget a hosted model and its key.", "删除已保存的托管模型及其密钥。"))
@click.argument("name")
@json_option
def remove(name: str, as_json: bool) -> None:
    """Forget a model."""
    gone = _saved().remove(name)
    if as_json:
        print_json(_shown(gone))
    else:
        click.echo(say(f"Removed {gone.name}.", f"已删除 {gone.name}。"))


def _saved() -> SavedModels:
    from inquery.cli.session import load_settings
    from inquery.store import open_store
    from inquery.store.model_rows import SavedModels

    return SavedModels(open_store(load_settings()))


def _shown(model: SavedModel) -> dict[str, Any]:
    has_key = bool(model.api_key.get_secret_value())
    return {"name": model.name, **model.content.model_dump(exclude_none=True), "has_key": has_key}


def summary(model: WeightsInfo) -> dict[str, Any]:
    """What the list shows of a model."""
    kind = model.config.get("kind", "writer")
    return {"name": model.name, "kind": kind, "bytes": model.bytes, "digest": model.digest, "folder": str(model.folder)}
