"""What each role may do: one table, read by every route and printed in docs/identity.md."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, NamedTuple

from fastapi import Depends

from inquery.api.identity import CurrentUser, User
from inquery.errors import Forbidden
from inquery.store.users import Role


class Right(NamedTuple):
    """The least role that has a right, and what it lets one do."""

    role: Role
    en: str
    zh: str


RIGHTS: dict[str, Right] = {
    "ask": Right(
        "viewer", "ask, and keep conversations, results and saved questions", "提问，并保留会话、结果与已保存的问题"
    ),
    "browse": Right(
        "viewer",
        "see tables, glossary, samples and analysts of granted databases",
        "查看已授权数据库的表、术语、样例与分析师",
    ),
    "share": Right("viewer", "share a conversation, and read shared ones", "共享会话并阅读他人共享的会话"),
    "keys": Right("viewer", "make and revoke keys of one's own", "创建与撤销自己的密钥"),
    "sql": Right("analyst", "run a statement of one's own through the guard", "经安全检查执行自己的 SQL 语句"),
    "samples": Right("analyst", "propose samples, and remove one's own", "提交样例并删除自己的样例"),
    "profiles": Right("analyst", "make custom analysts, and change one's own", "创建自定义分析师并修改自己的"),
    "reports": Right("analyst", "keep, fill and schedule reports of one's own", "保存、填充与定时运行自己的报告"),
    "upload": Right("analyst", "upload a data file as a database of one's own", "上传数据文件作为自己的数据库"),
    "engines": Right("analyst", "see which kinds of database can be added", "查看可添加的数据库类型"),
    "refresh": Right("analyst", "read a catalogue anew", "重新读取目录"),
    "review": Right("admin", "approve, import and remove samples", "审核、导入与删除样例"),
    "glossary": Right("admin", "change glossaries and descriptions", "修改术语与描述"),
    "connections": Right(
        "admin",
        "add, try, rename and remove databases, and see their addresses",
        "添加、测试、重命名与删除数据库，并查看其地址",
    ),
    "users": Right("admin", "manage users, their keys and their grants", "管理用户及其密钥与授权"),
    "audit": Right("admin", "read the audit log", "查看审计日志"),
    "operate": Right(
        "admin",
        "see usage of all, metrics, cache counts and the model, and try the model",
        "查看所有人的用量、指标、缓存统计与模型，并测试模型",
    ),
}


def rights_of(user: User) -> list[str]:
    """What a user may do."""
    return [name for name, right in RIGHTS.items() if user.may(right.role)]


def _needs(name: str) -> Callable[[CurrentUser], Awaitable[User]]:
    async def checked(user: CurrentUser) -> User:
        if not user.may(RIGHTS[name].role):
            raise Forbidden(name)
        return user

    return checked


Asker = Annotated[User, Depends(_needs("ask"))]
Browser = Annotated[User, Depends(_needs("browse"))]
Sharer = Annotated[User, Depends(_needs("share"))]
KeyHolder = Annotated[User, Depends(_needs("keys"))]
SqlRunner = Annotated[User, Depends(_needs("sql"))]
Sampler = Annotated[User, Depends(_needs("samples"))]
ProfileMaker = Annotated[User, Depends(_needs("profiles"))]
Reporter = Annotated[User, Depends(_needs("reports"))]
Uploader = Annotated[User, Depends(_needs("upload"))]
EngineBrowser = Annotated[User, Depends(_needs("engines"))]
Refresher = Annotated[User, Depends(_needs("refresh"))]
Reviewer = Annotated[User, Depends(_needs("review"))]
GlossaryEditor = Annotated[User, Depends(_needs("glossary"))]
ConnectionAdmin = Annotated[User, Depends(_needs("connections"))]
UserAdmin = Annotated[User, Depends(_needs("users"))]
Auditor = Annotated[User, Depends(_needs("audit"))]
Operator = Annotated[User, Depends(_needs("operate"))]
