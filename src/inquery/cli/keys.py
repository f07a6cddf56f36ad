"""`inquery keys`: keys that programs sign in with."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, note, print_json, print_table
from inquery.cli.session import load_settings

if TYPE_CHECKING:
    from inquery.store import Store
    from inquery.store.credentials import ApiKey


@click.group(help=both("Create, list and revoke API keys.", "创建、列出与撤销 API 密钥。"))
def keys() -> None:
    """The group of all commands about keys."""


@keys.command(help=both("Make a key for USER; it is shown this once.", "为 USER 创建密钥；密钥仅显示一次。"))
@click.argument("user")
@click.option("--name", default="cli", metavar="NAME", help=both("What the key is for.", "密钥用途。"))
@click.option(
    "--days",
    type=click.FloatRange(0),
    metavar="N",
    help=both("How long it lasts; 0 for ever.", "有效天数；0 表示永久。"),
)
@json_option
def create(user: str, name: str, days: float | None, as_json: bool) -> None:
    """Make a key; standard output holds it and nothing else."""
    from inquery.store.credentials import ApiKeys
    from inquery.store.users import Users

    store = _store()
    lasts = load_settings().identity.key_days if days is None else days or None
    made, text = ApiKeys(store).create(Users(store).get(user).id, name, lasts)
    if as_json:
        print_json(_plain(made) | {"key": text})
        return
    note(say("Keep it: it is not shown again.", "请妥善保存：密钥不会再次显示。"))
    click.echo(text)


@keys.command("list", help=both("List the keys, without their secrets.", "列出密钥（不含密钥内容）。"))
@click.option("--user", metavar="NAME", help=both("Only those of one user.", "只列出某个用户的密钥。"))
@json_option
def list_(user: str | None, as_json: bool) -> None:
    """Every key, oldest first."""
    from inquery.store.credentials import ApiKeys
    from inquery.store.users import Users

    store = _store()
    known = Users(store)
    found = ApiKeys(store).list(known.get(user).id if user else None)
    if as_json:
        print_json([_plain(key) for key in found])
        return
    if not found:
        note(say("There are none yet.", "尚无密钥。"))
        return
    names = {each.id: each.name for each in known.list()}
    heads = [
        say("prefix", "前缀"),
        say("user", "用户"),
        say("name", "名称"),
        say("expires", "到期"),
        say("last used", "最近使用"),
        say("state", "状态"),
    ]
    print_table(
        "",
        heads,
        [(k.prefix, names.get(k.user_id, ""), k.name, _day(k.expires), _day(k.used), _state(k)) for k in found],
    )


@keys.command(help=both("End a key at once; KEY is its id or prefix.", "立即撤销密钥；KEY 为其编号或前缀。"))
@click.argument("key")
@json_option
def revoke(key: str, as_json: bool) -> None:
    """Revoke a key."""
    from inquery.store.credentials import ApiKeys

    gone = ApiKeys(_store()).revoke(key)
    if as_json:
        print_json(_plain(gone))
    else:
        click.echo(say(f"Revoked {gone.prefix}.", f"已撤销 {gone.prefix}。"))


def _store() -> Store:
    from inquery.store import open_store

    return open_store(load_settings())


def _plain(key: ApiKey) -> dict[str, Any]:
    return {name: getattr(value, "isoformat", lambda v=value: v)() for name, value in asdict(key).items()}


def _day(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else "—"


def _state(key: ApiKey) -> str:
    import datetime

    if key.revoked:
        return say("revoked", "已撤销")
    expired = key.expires is not None and key.expires < datetime.datetime.now(datetime.UTC)
    return say("expired", "已过期") if expired else say("active", "有效")
