"""`inquery users`: who may use the server, and what they may read."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import json_option, note, print_json, print_table
from inquery.cli.session import load_settings, open_connection, run_async
from inquery.errors import BadRequest

if TYPE_CHECKING:
    from inquery.store import Store
    from inquery.store.users import StoredUser

ROLES = click.Choice(["viewer", "analyst", "admin"])
stdin_option = click.option(
    "--password-stdin", is_flag=True, help=both("Read the password from standard input.", "从标准输入读取密码。")
)


@click.group(
    help=both("Add, list, change and remove users, and grant databases.", "添加、列出、修改与删除用户，并授权数据库。")
)
def users() -> None:
    """The group of all commands about users."""


@users.command(help=both("Add a user; the password is asked for.", "添加用户；将提示输入密码。"))
@click.argument("name")
@click.option("--role", type=ROLES, default="viewer", help=both("What they may do.", "用户的角色。"))
@click.option("--admin", is_flag=True, help=both("The same as --role admin.", "等同于 --role admin。"))
@stdin_option
@json_option
def add(name: str, role: str, admin: bool, password_stdin: bool, as_json: bool) -> None:
    """Add a user with a password."""
    from inquery.store.users import Users

    made = Users(_store()).add(name, _password(password_stdin), "admin" if admin else role)  # type: ignore[arg-type]
    _told(made, as_json, say(f"Added {made.name} as {made.role}.", f"已添加 {made.name}，角色为 {made.role}。"))


@users.command("list", help=both("List the users.", "列出用户。"))
@json_option
def list_(as_json: bool) -> None:
    """Every user by name."""
    from inquery.store.users import Users

    known = Users(_store()).list()
    if as_json:
        print_json([_plain(user) for user in known])
        return
    if not known:
        note(say("There are none; on this machine nobody needs to sign in.", "尚无用户；本机使用无需登录。"))
        return
    heads = [say("name", "名称"), say("role", "角色"), say("state", "状态"), say("created", "创建时间")]
    print_table("", heads, [(u.name, u.role, _state(u), f"{u.created:%Y-%m-%d %H:%M}") for u in known])


@users.command(help=both("Forget a user with all that is theirs.", "删除用户及其全部内容。"))
@click.argument("name")
@json_option
def remove(name: str, as_json: bool) -> None:
    """Remove a user."""
    from inquery.store.users import Users

    gone = Users(_store()).remove(name)
    run_async(_forget(gone.id))
    _told(gone, as_json, say(f"Removed {gone.name}.", f"已删除 {gone.name}。"))


async def _forget(user_id: str) -> None:
    from inquery.agents.forgetting import forget_user
    from inquery.agents.opening import open_runner
    from inquery.api.uploaded import forget_uploads

    settings = load_settings()
    async with open_runner(settings) as runner:
        assert runner.saver is not None
        await forget_user(runner.services, runner.saver, user_id)
    forget_uploads(settings, _store(), user_id)


@users.command(
    help=both("Set another password; every session of the user ends.", "设置新密码；该用户的所有会话随即结束。")
)
@click.argument("name")
@stdin_option
@json_option
def password(name: str, password_stdin: bool, as_json: bool) -> None:
    """Set a password."""
    from inquery.store.users import Users

    known = Users(_store())
    found = known.get(name)  # a wrong name is told before a password is asked for
    made = known.set_password(found.id, _password(password_stdin))
    _told(made, as_json, say(f"{made.name} has a new password.", f"{made.name} 的密码已更新。"))


@users.command(help=both("Change a user's role, or let them out or in.", "修改用户角色，或停用、启用用户。"))
@click.argument("name")
@click.option("--role", type=ROLES, help=both("What they may do.", "用户的角色。"))
@click.option("--disable/--enable", "disabled", default=None, help=both("Whether they may come in.", "是否停用。"))
@json_option
def change(name: str, role: str | None, disabled: bool | None, as_json: bool) -> None:
    """Change a role, or disable or enable a user."""
    from inquery.store.users import Users

    made = Users(_store()).change(name, role=role, disabled=disabled)  # type: ignore[arg-type]
    _told(made, as_json, f"{made.name}: {made.role}, {_state(made)}")


@users.command(
    help=both(
        "Let SUBJECT (a user, a group, a role, or everyone) read CONNECTION: all of it, or what the options say.",
        "允许 SUBJECT（用户、用户组、角色或 everyone）读取 CONNECTION：全部，或按选项限定。",
    )
)
@click.argument("subject")
@click.argument("connection")
@click.option("--role", "is_role", is_flag=True, help=both("SUBJECT is a role.", "SUBJECT 是角色。"))
@click.option("--group", "is_group", is_flag=True, help=both("SUBJECT is a group.", "SUBJECT 是用户组。"))
@click.option(
    "--table",
    "tables",
    multiple=True,
    metavar="TABLE",
    help=both("A table that may be read; again for more.", "可读取的表；可重复。"),
)
@click.option(
    "--hide", "hidden", multiple=True, metavar="TABLE.COLUMN", help=both("A column that stays hidden.", "隐藏的列。")
)
@click.option(
    "--rows",
    "filters",
    multiple=True,
    metavar="TABLE:CONDITION",
    help=both("Only rows for which an SQL condition holds.", "仅限满足 SQL 条件的行。"),
)
@click.option(
    "--view",
    "views",
    multiple=True,
    metavar="VIEW",
    help=both(
        "A view that may be read although it may show what is hidden.", "允许读取的视图，即使它可能显示隐藏的内容。"
    ),
)
@click.option(
    "--downloads/--no-downloads",
    default=True,
    help=both("Whether rows and reports may be taken away as files.", "是否允许将数据与报告下载为文件。"),
)
@click.option("--revoke", is_flag=True, help=both("Take the grant back.", "撤销授权。"))
@json_option
def grant(
    subject: str,
    connection: str,
    is_role: bool,
    is_group: bool,
    tables: tuple[str, ...],
    hidden: tuple[str, ...],
    filters: tuple[str, ...],
    views: tuple[str, ...],
    downloads: bool,
    revoke: bool,
    as_json: bool,
) -> None:
    """Grant a database, in place of what the subject had on it."""
    from inquery.catalog.granting import check_rules, warn_of_attributes, warn_of_rules
    from inquery.store.grants import Grants, Rules
    from inquery.store.users import Users, known_attributes

    store = _store()
    kind, who = _subject(store, subject, is_role, is_group)
    rules = Rules(
        tables=tables or None,
        hidden_columns=hidden,
        row_filters=dict(map(_filter, filters)),
        views=views,
        downloads=downloads,
    )
    opened = open_connection(connection)
    if revoke:
        _revoke(store, opened.id, kind, who)
        click.echo(say(f"{subject} may no longer read {connection}.", f"{subject} 不再可读取 {connection}。"))
        return
    check_rules(rules, opened.catalog)
    found = [*warn_of_attributes(rules, known_attributes(Users(store).list())), *warn_of_rules(rules, opened.catalog)]
    warnings = [say(text.en, text.zh) for text in found]
    made = Grants(store).put(opened.id, kind, who, rules)  # type: ignore[arg-type]
    if as_json:
        print_json(asdict(made) | {"rules": made.rules.model_dump(mode="json"), "warnings": warnings})
    else:
        click.echo(say(f"{subject} may read {connection}.", f"{subject} 可读取 {connection}。"))
        for warning in warnings:
            click.echo(say(f"Warning: {warning}", f"警告：{warning}"), err=True)


@users.command(help=both("List what is granted.", "列出授权。"))
@json_option
def grants(as_json: bool) -> None:
    """Every grant with its rules."""
    from inquery.store import Connections
    from inquery.store.grants import Grants
    from inquery.store.groups import Groups
    from inquery.store.users import Users

    store = _store()
    found = Grants(store).list()
    if as_json:
        print_json([asdict(each) | {"rules": each.rules.model_dump(mode="json")} for each in found])
        return
    names = {user.id: user.name for user in Users(store).list()} | {c.id: c.name for c in Connections(store).list()}
    names |= {group.id: group.name for group in Groups(store).list()}
    heads = [say("who", "对象"), say("database", "数据库"), say("rules", "规则")]
    print_table(
        "",
        heads,
        [
            (
                names.get(g.subject, g.subject),
                names.get(g.connection_id, g.connection_id),
                g.rules.model_dump_json(exclude_defaults=True),
            )
            for g in found
        ],
    )


@users.command(
    help=both("Make the group NAME, change who is in it, or remove it.", "创建用户组 NAME，修改其成员，或将其删除。")
)
@click.argument("name")
@click.option("--add", "added", multiple=True, metavar="USER", help=both("Put a user into it.", "加入成员。"))
@click.option("--drop", "dropped", multiple=True, metavar="USER", help=both("Take a user out.", "移除成员。"))
@click.option("--remove", "removing", is_flag=True, help=both("Forget the group and its grants.", "删除该组及其授权。"))
@json_option
def group(name: str, added: tuple[str, ...], dropped: tuple[str, ...], removing: bool, as_json: bool) -> None:
    """Make or change a group."""
    from inquery.store.groups import Groups
    from inquery.store.users import Users

    store = _store()
    kept, people = Groups(store), Users(store)
    if removing:
        made = kept.remove(name)
        told = say(f"Removed the group {made.name}.", f"已删除用户组 {made.name}。")
    else:
        coming, going = ([people.get(each).id for each in given] for given in (added, dropped))
        known = next((each for each in kept.list() if name in (each.id, each.name)), None) or kept.add(name)
        made = kept.change(known.id, members=[each for each in (*known.members, *coming) if each not in going])
        names = {user.id: user.name for user in people.list()}
        inside = ", ".join(names.get(each, each) for each in made.members)
        told = f"{made.name}: {inside or '-'}"
    if as_json:
        print_json(asdict(made) | {"created": made.created.isoformat()})
    else:
        click.echo(told)


def _subject(store: Store, subject: str, is_role: bool, is_group: bool) -> tuple[str, str]:
    from inquery.store.grants import EVERYONE
    from inquery.store.groups import Groups
    from inquery.store.users import Users

    if is_group:
        return "group", Groups(store).get(subject).id
    if is_role:
        if subject not in {"viewer", "analyst"}:
            raise BadRequest.because(
                "a role is viewer or analyst; administrators read everything",
                "角色应为 viewer 或 analyst；管理员可读取全部",
            )
        return "role", subject
    return ("all", EVERYONE) if subject == "everyone" else ("user", Users(store).get(subject).id)


def _revoke(store: Store, connection_id: str, kind: str, subject: str) -> None:
    from inquery.store.grants import Grants

    known = Grants(store)
    same = [each for each in known.list(connection_id) if (each.kind, each.subject) == (kind, subject)]
    if not same:
        raise BadRequest.because("there is no such grant", "没有这样的授权")
    known.remove(same[0].id)


def _filter(given: str) -> tuple[str, str]:
    table, found, condition = given.partition(":")
    if not found or not condition.strip():
        raise BadRequest.because("--rows takes TABLE:CONDITION", "--rows 的格式为 表:条件")
    return table, condition.strip()


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(
        click.prompt(say("Password", "密码"), hide_input=True, confirmation_prompt=say("Again", "再次输入"), err=True)
    )


def _store() -> Store:
    from inquery.store import open_store

    return open_store(load_settings())


def _state(user: StoredUser) -> str:
    return say("disabled", "已停用") if user.disabled else say("active", "正常")


def _told(user: StoredUser, as_json: bool, text: str) -> None:
    if as_json:
        print_json(_plain(user))
    else:
        click.echo(text)


def _plain(user: StoredUser) -> dict[str, Any]:
    return asdict(user) | {"created": user.created.isoformat()}
