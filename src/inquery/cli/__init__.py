"""The command line. To add a command, write a click command in a module of its own and name it here."""

from __future__ import annotations

import gc
import sys

import click

from inquery.cli.group import Root, localise, unexpected
from inquery.cli.language import both

# name: (where it is, English help, 中文帮助)
COMMANDS: dict[str, tuple[str, str, str]] = {
    "ask": ("inquery.cli.ask:ask", "Ask a question.", "提出一个问题。"),
    "chat": ("inquery.cli.chat:chat", "Talk with a database.", "与数据库对话。"),
    "schema": ("inquery.cli.schema:schema", "Show tables, columns and joins.", "显示表、列与关联。"),
    "profile": ("inquery.cli.profile:profile", "Show what is in a database.", "显示数据库中有什么。"),
    "setup": ("inquery.cli.setup:setup", "Answer a few questions about a database.", "回答关于数据库的几个问题。"),
    "sql": ("inquery.cli.sql:sql", "Check and run a statement.", "检查并执行 SQL 语句。"),
    "connections": ("inquery.cli.connections:connections", "Add, list, test and remove databases.", "添加、列出、测试与删除数据库连接。"),
    "samples": ("inquery.cli.samples:samples", "Keep verified questions with their SQL.", "管理已验证的问题及其 SQL。"),
    "glossary": ("inquery.cli.glossary:glossary", "Keep business terms, metrics and value mappings.", "管理业务术语、指标与取值映射。"),
    "metrics": ("inquery.cli.metrics:metrics", "Keep and try metrics.", "管理与试算指标。"),
    "profiles": ("inquery.cli.profiles:profiles", "Keep custom analysts.", "管理自定义分析师。"),
    "users": ("inquery.cli.users:users", "Manage who may use the server, and what they may read.", "管理服务器的用户及其可读取的数据。"),
    "keys": ("inquery.cli.keys:keys", "Manage API keys of users.", "管理用户的 API 密钥。"),
    "serve": ("inquery.cli.serve:serve", "Start the HTTP server and the web page.", "启动 HTTP 服务器与网页。"),
    "mcp": ("inquery.cli.mcp:mcp", "Serve the tools of the Model Context Protocol.", "提供 MCP（模型上下文协议）工具。"),
    "demo": ("inquery.cli.demo:demo", "Write the demo database.", "生成演示数据库。"),
    "doctor": ("inquery.cli.doctor:doctor", "Check this installation.", "检查当前安装。"),
    "completion": ("inquery.cli.completion:completion", "Print a shell completion script.", "输出命令补全脚本。"),
    "report": ("inquery.cli.report:report", "Fill templates whose placeholders are questions.", "填充以问题为占位符的报告模板。"),
    "eval": ("inquery.cli.eval:evaluate", "Measure how often answers are right.", "衡量回答的正确率。"),
    "models": ("inquery.cli.models:models", "Show embedded models, and keep hosted ones.", "查看内置模型，保存托管模型。"),
}  # fmt: skip


COLLECT = (50_000, 10, 10)
"""Objects made before the collector looks at the young ones, and how often it then looks at older ones."""


def _show_version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"inquery {version('inquery')}")
        ctx.exit()


@click.group(
    cls=Root,
    lazy=COMMANDS,
    name="inquery",
    help=both(
        "Ask a database in Chinese or English; Inquery only reads.", "用中文或英文向数据库提问；Inquery 只读取数据。"
    ),
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help=both("Show the version and exit.", "显示版本并退出。"),
)
def cli() -> None:
    """The root of all commands."""


def main() -> None:
    """The program `inquery`."""
    sys.excepthook = unexpected
    # Modules are some 300,000 objects that stay. The collector would walk them all a dozen times while they are
    # loaded, and three times more at the end: half a second of a question's two.
    gc.set_threshold(*COLLECT)
    try:
        cli()
    finally:
        gc.freeze()


__all__ = ["COMMANDS", "cli", "localise", "main"]
