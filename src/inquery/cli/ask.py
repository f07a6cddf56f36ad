"""`inquery ask`: one question, one answer."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

import click

from inquery.answers.answer import Answer
from inquery.cli.language import both, set_language
from inquery.cli.output import connection_option, json_option, print_json
from inquery.cli.session import load_settings, run_async, take_database
from inquery.errors import InqueryError
from inquery.home import PREFIXES
from inquery.language.text import language_of
from inquery.settings import LLMSettings

CODES = {"answered": 0, "chat": 0, "clarification": 2, "approval": 2, "declined": 3}


@click.command(
    help=both(
        "Ask QUESTION in plain words; - reads it from standard input. Exit code 0: answered, 2: it asks back, "
        "3: it cannot be answered, 1: otherwise. "
        "It asks back on a terminal, with --json and with --thread.",
        "用自然语言提问 QUESTION；- 表示从标准输入读取。退出码 0 表示已回答，2 表示需要您确认，3 表示无法回答，1 表示其他情况。"
        "仅在终端中、使用 --json 或 --thread 时才会反问。",
    )
)
@click.argument("question")
@connection_option
@click.option("--thread", metavar="ID", default="", help=both("Go on with a conversation.", "继续某个会话。"))
@click.option("--agent", metavar="ID", default="", help=both("Use a custom analyst.", "使用自定义分析师。"))
@click.option(
    "--model",
    metavar="NAME",
    default="",
    help=both("A saved model, embedded, or provider:model.", "已保存的模型、embedded 或 provider:model。"),
)
@click.option("--refresh", is_flag=True, help=both("Do not answer from a cache.", "不使用缓存。"))
@click.option(
    "--no-clarify",
    is_flag=True,
    help=both("Take the best reading instead of asking back.", "不反问，直接采用最可能的理解。"),
)
@click.option("--count", is_flag=True, help=both("Count all rows of a result that is cut.", "结果被截断时统计总行数。"))
@click.option("--page", type=click.IntRange(1), metavar="N", help=both("Show one page of the rows.", "只显示某一页。"))
@click.option("--page-size", type=click.IntRange(1, 1000), metavar="N", help=both("Rows of a page.", "每页行数。"))
@click.option("--sql", "whole_sql", is_flag=True, help=both("Show the whole statement.", "显示完整的 SQL。"))
@json_option
def ask(
    question: str,
    connection: str | None,
    thread: str,
    agent: str,
    model: str,
    refresh: bool,
    no_clarify: bool,
    count: bool,
    page: int | None,
    page_size: int | None,
    whole_sql: bool,
    as_json: bool,
) -> int:
    """Ask one question."""
    with _prepare_model(model):
        from inquery.agents.run import Request

        text = sys.stdin.read() if question == "-" else question
        request = Request(
            text,
            thread_id=thread,
            agent_id=agent,
            llm=_chosen(model),
            refresh=refresh,
            can_ask=not no_clarify,
            clarify=as_json or bool(thread) or _someone_reads(),
            page=page,
            page_size=page_size,
            count_rows=count,
        )
        try:
            answer = run_async(_answered(request, connection))
        except InqueryError as error:
            set_language(
                spoken := language_of(text)
            )  # an answer speaks as its question does, and so does the want of one
            if not as_json:
                raise
            told = error.to_dict(spoken)
            failed = {"text": told["message"], "error": told, "thread_id": thread}
            answer = Answer(status="failed", question=text, language=spoken, **failed)
        if as_json:
            print_json(answer.model_dump(mode="json"))
        else:
            from inquery.cli.answer_output import show_answer

            show_answer(answer, whole_sql=whole_sql)
        sys.stdout.flush()  # whoever reads a pipe has the answer before anything is kept for the next question
    return CODES.get(answer.status, 1)


def _chosen(model: str) -> LLMSettings | None:
    """The model that the command names, or None for the database's or the settings' own."""
    if not model:
        return None
    from inquery.llm.model_choice import choose_any_model

    return choose_any_model(model, load_settings())


def _prepare_model(model: str) -> AbstractContextManager[None]:
    """Let the embedded model load while the graph is imported, which takes longer and needs one core.

    Within, the schemas it reads are kept on disk: this process ends, and the next would have to read them again.
    """
    settings = load_settings()
    if settings.llm.provider != "embedded" or model not in {"", "embedded"}:
        return nullcontext()
    from inquery.llm.embedded.weights import load_aside

    load_aside(settings.llm.model)
    from inquery.llm.embedded.prefixes import keep_prefixes

    return keep_prefixes(settings.home / PREFIXES)


def _someone_reads() -> bool:
    """Whether a person is at both ends: into a file or a pipe goes the likelier reading and what was assumed."""
    return sys.stdin.isatty() and sys.stdout.isatty()


async def _answered(request: Any, connection: str | None) -> Answer:
    from inquery.agents.events import DoneEvent, StepEvent
    from inquery.agents.opening import open_runner
    from inquery.cli.answer_output import step_text
    from inquery.cli.output import working

    with working("") as progress:
        async with open_runner(load_settings()) as runner:
            database = await take_database(runner.services.sources, connection)
            async for event in runner.stream(replace(request, connection_id=database)):
                if isinstance(event, StepEvent) and event.status == "started":
                    progress(step_text(event.name) + " …", 0, 0)
                if isinstance(event, DoneEvent):
                    return event.answer
    raise AssertionError("a run ends with its answer")
