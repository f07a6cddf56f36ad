"""`inquery chat`: a conversation in the terminal."""

from __future__ import annotations

import asyncio
import signal
import sys
import threading
from dataclasses import replace
from typing import Any

import click
from rich.console import Console

from inquery.answers.answer import Answer
from inquery.cli.language import both, language, say
from inquery.cli.output import connection_option, note
from inquery.cli.session import load_settings, take_database
from inquery.errors import BadRequest, InqueryError

LEAVE = {"exit", "quit", "/exit", "/quit", ":q", "退出"}
HELP = {"/help", "/?", "帮助"}


@click.command(
    help=both(
        "Talk with DATABASE: a registered name, an address, a data file or folder, or several files of one folder. "
        "Pick suggestions and readings by number; Ctrl-C stops a question, exit leaves.",
        "与 DATABASE 对话：已登记的名称、数据库地址、数据文件或文件夹，或同一文件夹中的多个文件。"
        "可用数字选择推荐问题或含义；Ctrl-C 停止当前问题，输入 exit 离开。",
    )
)
@click.argument("database", nargs=-1)
@connection_option
@click.option("--thread", metavar="ID", default="", help=both("Go on with a conversation.", "继续某个会话。"))
@click.option("--agent", metavar="ID", default="", help=both("Use a custom analyst.", "使用自定义分析师。"))
def chat(database: tuple[str, ...], connection: str | None, thread: str, agent: str) -> None:
    """Talk until the person leaves."""
    import secrets

    from inquery.agents.run import Request
    from inquery.store.given import address_of_files

    if database and connection:
        raise BadRequest.because("name the database once", "数据库只需指定一次")
    if len(database) > 1:
        database = (address_of_files(database),)
    request = Request(thread_id=thread or secrets.token_urlsafe(16), agent_id=agent)
    asyncio.run(_talk(request, connection or (database[0] if database else None)))


async def _talk(request: Any, database: str | None) -> None:
    from inquery.agents.opening import open_runner

    note(
        say(
            f"Conversation {request.thread_id}; type /help for help.",
            f"会话 {request.thread_id}；输入 /help 查看帮助。",
        )
    )
    last: Answer | None = None
    async with open_runner(load_settings()) as runner:
        request = replace(request, connection_id=await take_database(runner.services.sources, database))
        while (typed := await _typed()) is not None:
            text = typed.strip()
            if text.casefold() in LEAVE:
                return
            if text.casefold() in HELP or not text:
                note(_help() if text else "")
                continue
            last = await _turn(runner, request, _meant(text, last), last) or last


async def _typed() -> str | None:
    """One line, read in a thread that does not hold up leaving: Ctrl-C at the prompt ends the program."""
    loop = asyncio.get_running_loop()
    line: asyncio.Future[str | None] = loop.create_future()

    def read() -> None:
        found = _read()
        loop.call_soon_threadsafe(lambda: None if line.done() else line.set_result(found))

    threading.Thread(target=read, daemon=True).start()
    return await line


def _read() -> str | None:
    """One line; None at the end of the input."""
    try:
        if sys.stdin.isatty():
            return input("\n› ")
    except (EOFError, KeyboardInterrupt):
        return None
    line = sys.stdin.readline()
    return line if line else None


def _help() -> str:
    return say(
        "Ask in plain words. A number picks a suggestion or a reading. Ctrl-C stops a question; exit leaves.",
        "直接用自然语言提问。输入数字可选择推荐问题或含义。Ctrl-C 停止当前问题；输入 exit 离开。",
    )


def _meant(text: str, last: Answer | None) -> str:
    """A number after suggestions is the suggestion; while a reading is asked for it is the reading."""
    if last is None or last.pending is not None or not text.isdigit():
        return text
    place = int(text)
    return last.followups[place - 1] if 1 <= place <= len(last.followups) else text


async def _turn(runner: Any, request: Any, text: str, last: Answer | None) -> Answer | None:
    """One question or reply; Ctrl-C stops it and the conversation goes on."""
    if last is not None and last.pending is not None and last.pending.kind == "approval":
        events = runner.resume(replace(request, refresh=False), _decision(text))
    else:
        events = runner.stream(replace(request, question=text))
    task = asyncio.ensure_future(_shown(events))
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, task.cancel)
    try:
        return await task
    except asyncio.CancelledError:
        note(say("Stopped.", "已停止。"))
    except InqueryError as error:
        note(f"error [{error.code}]: {error.public_message(language())}")
    finally:
        loop.remove_signal_handler(signal.SIGINT)
    return None


def _decision(text: str) -> Any:
    """approve, reject, or an edited statement."""
    return {"sql": text} if text.lstrip().casefold().startswith(("select", "with")) else text


async def _shown(events: Any) -> Answer | None:
    from inquery.agents.events import DoneEvent, RetryEvent, StepEvent
    from inquery.cli.answer_output import show_answer, step_text

    answer: Answer | None = None
    console = Console(file=sys.stderr)
    with console.status("…") as status:
        async for event in events:
            if isinstance(event, StepEvent) and event.status == "started":
                status.update(step_text(event.name) + " …")
            elif isinstance(event, StepEvent) and event.ms is not None and event.ms >= 50 and console.is_terminal:
                console.print(f"[dim]✓ {step_text(event.name)} {event.ms:,.0f} ms[/dim]")
            elif isinstance(event, RetryEvent):
                note(say(f"repairing ({event.error_class})", f"正在修复（{event.error_class}）"))
            elif isinstance(event, DoneEvent):
                answer = event.answer
    if answer is not None:
        show_answer(answer, numbered=True)
        if answer.pending is not None and answer.pending.kind == "approval":
            click.echo(
                say(
                    "approve, reject, or type the statement to run instead",
                    "输入 approve 批准、reject 拒绝，或输入要改为执行的语句",
                )
            )
    return answer
