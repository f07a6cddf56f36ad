"""The command group: subcommands load when they are used, help and errors speak the user's language."""

from __future__ import annotations

import difflib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from inquery.cli.language import both, choose, language, language_option, say, set_language
from inquery.errors import BadRequest, InqueryError, InternalError, NotFound, QueryCancelled, Text

HEADINGS = {"Options": "选项", "Commands": "命令"}
LISTS = {"connection": "inquery connections list", "report": "inquery report list", "table": "inquery schema"}
"""Commands that list what a name may mean."""


class Formatter(click.HelpFormatter):
    """Help with headings in the user's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, prefix or say("Usage: ", "用法："))

    def write_heading(self, heading: str) -> None:
        super().write_heading(say(heading, HEADINGS.get(heading, heading)))


class Context(click.Context):
    """A context whose help is written by `Formatter`."""

    formatter_class = Formatter


class LazyGroup(click.Group):
    """A group that knows its subcommands by name and imports one only to run it or show its own help."""

    context_class = Context

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = dict(lazy)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return localise(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, say(en, zh)) for name, (_, en, zh) in self.lazy.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Root(LazyGroup):
    """The whole program: whatever goes wrong ends in one line on standard error."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> NoReturn:
        arguments = list(sys.argv[1:] if args is None else args)
        set_language(language_option(arguments))
        localise(self)
        extra["standalone_mode"] = False
        sys.exit(self._guarded(arguments, *rest, **extra))

    def _guarded(self, arguments: list[str], *rest: Any, **extra: Any) -> int:
        try:
            code = super().main(arguments, *rest, **extra)
        except InqueryError as error:
            return fail(error)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.ctx.get_help() if error.ctx else "")
            return 0
        except click.UsageError as error:
            return fail(_explained(error), hint=error.ctx)
        except click.ClickException as error:
            return fail(BadRequest.because(error.format_message(), error.format_message()))
        except (KeyboardInterrupt, click.Abort):
            fail(QueryCancelled())
            return 130
        except BrokenPipeError:
            # Whoever read us has left; there is nobody to tell, and Python must not try again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except OSError as error:
            if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EROFS}:
                raise
            from inquery.home import explain_failure

            return fail(explain_failure(error) or InternalError(str(error)))
        return code if isinstance(code, int) else 0


def localise(command: click.Command) -> click.Command:
    """Give a command its texts in the current language, and --lang; it can be called again for another."""
    command.context_class = Context
    if not any(parameter.name == "lang" for parameter in command.params):
        command.params.append(_lang_option())
    for thing in (command, *command.params, *(_help_option(command))):
        for name in ("help", "short_help"):
            original = thing.__dict__.setdefault(f"_both_{name}", getattr(thing, name, None))
            if original:
                setattr(thing, name, choose(original))
    if isinstance(command, click.Group) and not isinstance(command, LazyGroup):
        for child in command.commands.values():
            localise(child)
    return command


def _lang_option() -> click.Option:
    text = both("Language of messages.", "消息语言。")
    return click.Option(["--lang"], type=click.Choice(["en", "zh"]), expose_value=False, help=text)


def _help_option(command: click.Command) -> list[click.Option]:
    option = command.get_help_option(click.Context(command, info_name=command.name))
    if option is None:
        return []
    option.__dict__.setdefault("_both_help", both("Show this text and exit.", "显示本帮助并退出。"))
    return [option]


def fail(error: InqueryError, hint: click.Context | None = None) -> int:
    """Tell an error on one line of standard error; the stack only where it was asked for."""
    if os.environ.get("INQUERY_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    click.echo(f"error [{error.code}]: {error.public_message(language())}", err=True)
    if follow := _next_step(error):
        click.echo(follow, err=True)
    if hint is not None:
        command = f"{hint.command_path} --help"
        click.echo(say(f"See: {command}", f"参见：{command}"), err=True)
    return 1


def unexpected(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    """What `sys.excepthook` calls for a bug of ours."""
    if os.environ.get("INQUERY_DEBUG") == "1":
        sys.__excepthook__(kind, error, trace)
    click.echo(f"error [{InternalError.code}]: {InternalError().public_message(language())}", err=True)
    click.echo(say("Set INQUERY_DEBUG=1 to see where.", "设置 INQUERY_DEBUG=1 可查看出错位置。"), err=True)


def _explained(error: click.UsageError) -> BadRequest:
    """A usage error in both languages; click speaks English only."""
    en = error.format_message()
    if isinstance(error, click.NoSuchOption):
        return BadRequest.because(en, f"没有选项 {error.option_name}" + _nearest(error.possibilities))
    if isinstance(error, click.MissingParameter):
        name = error.param.make_metavar(error.ctx) if error.param and error.ctx else ""
        return BadRequest.because(en, f"缺少参数 {name}")
    if isinstance(error, click.BadParameter):
        name = error.param.opts[0] if error.param else ""
        return BadRequest.because(en, f"参数 {name} 的值无效：{error.message}")
    if en.startswith("No such command") and error.ctx is not None:
        return _no_command(en.split("'")[1], error.ctx)
    return BadRequest.because(en, f"用法不正确：{en}")


def _no_command(name: str, context: click.Context) -> BadRequest:
    """The commands that are nearly spelled so, else all there are."""
    group = context.command
    known = group.list_commands(context) if isinstance(group, click.Group) else []
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.75)
    if near:
        return BadRequest.because(
            f"there is no command {name}. Did you mean: {', '.join(near)}?",
            f"没有命令 {name}。您是否指：{'、'.join(near)}？",
        )
    return BadRequest.because(
        f"there is no command {name}; there are: {', '.join(known)}", f"没有命令 {name}；现有命令：{'、'.join(known)}"
    )


def _next_step(error: InqueryError) -> str:
    """What to type after a name that is not known; an address in its place has to be kept under a name first."""
    what, name = error.fields.get("what"), str(error.fields.get("name", ""))
    if not isinstance(error, NotFound) or not isinstance(what, Text) or what.en not in LISTS:
        return ""
    if what.en == "connection" and ("://" in name or "." in name):
        command = "inquery connections add NAME ADDRESS"
        return say(f"An address is kept under a name first: {command}", f"请先将地址保存为连接：{command}")
    return say(f"Those there are: {LISTS[what.en]}", f"查看已有的：{LISTS[what.en]}")


def _nearest(names: Sequence[str] | None) -> str:
    return f"。您是否指：{'、'.join(sorted(names))}？" if names else ""
