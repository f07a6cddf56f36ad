"""`inquery eval`: how often the answers are right."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inquery.cli.language import both, say
from inquery.cli.output import connection_option, json_option, note, print_json, print_table
from inquery.errors import BadRequest

if TYPE_CHECKING:
    from inquery.evals.product import Item
    from inquery.evals.spider import Databases, GoldQuestion
    from inquery.settings import LLMSettings, Settings
    from inquery.store import Connection

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.group("eval", help=both("Measure how often answers are right.", "衡量回答的正确率。"))
def evaluate() -> None:
    """The group of evaluations."""


model_option = click.option(
    "--model",
    default="",
    metavar="NAME",
    help=both("provider:model, or the name or folder of an embedded model.", "提供方:模型，或内置模型的名称或文件夹。"),
)
candidates_option = click.option(
    "--candidates",
    type=click.IntRange(1, 16),
    help=both("Statements asked for per question.", "每个问题生成的语句数。"),
)
out_option = click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=both("File of rows; a later run continues it.", "结果行文件；之后的运行会接着执行。"),
)


@evaluate.command(
    help=both("Execution match on questions in Spider's format.", "在 Spider 格式的问题上计算执行准确率。")
)
@click.option(
    "--questions",
    type=FILE,
    required=True,
    help=both("JSON lines with db_id, question and query.", "含 db_id、question、query 的 JSON 行文件。"),
)
@click.option(
    "--databases",
    type=FOLDER,
    required=True,
    help=both("Folder that holds <db_id>.sqlite.", "存放 <db_id>.sqlite 的文件夹。"),
)
@model_option
@click.option("--limit", type=click.IntRange(1), help=both("Take so many, evenly spaced.", "均匀抽取的问题数。"))
@candidates_option
@out_option
@json_option
def spider(
    questions: Path,
    databases: Path,
    model: str,
    limit: int | None,
    candidates: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Run the evaluation and print its figures."""
    from inquery.evals.spider import read_questions
    from inquery.evals.subject import Subjects

    wanted = read_questions(questions, limit)
    measure(wanted, Subjects(databases), chosen_model(model), candidates, out, as_json)


@evaluate.command(
    help=both("Execution match on a connection's verified questions.", "在某个连接的已验证问题上计算执行准确率。")
)
@connection_option
@click.option(
    "--file", "path", type=FILE, help=both("YAML list of question and sql.", "含 question 与 sql 的 YAML 列表。")
)
@model_option
@candidates_option
@out_option
@json_option
def samples(
    connection: str | None, path: Path | None, model: str, candidates: int | None, out: Path | None, as_json: bool
) -> None:
    """Run the evaluation and print its figures."""
    from inquery.evals.own_questions import OneDatabase, connection_named, verified_questions
    from inquery.settings import get_settings

    chosen = connection_named(connection, get_settings())
    wanted = verified_questions(chosen, path)
    measure(wanted, OneDatabase(chosen, get_settings()), chosen_model(model), candidates, out, as_json)


@evaluate.command(
    help=both(
        "Whole answers, as people get them: right, declined, asked back, and whether confidence can be trusted.",
        "按用户实际得到的回答衡量：正确、拒答、反问，以及置信度是否可信。",
    )
)
@click.argument("questions", type=FILE, required=False)
@click.option(
    "--databases",
    type=FOLDER,
    help=both("Folder that holds <db_id>.sqlite.", "存放 <db_id>.sqlite 的文件夹。"),
)
@click.option(
    "--dictionaries",
    type=FOLDER,
    help=both(
        "Folder that holds <db_id>.comments.json: what is said of tables and columns, given to those that have one.",
        "存放 <db_id>.comments.json（表与列的说明）的文件夹，有说明的数据库会使用它。",
    ),
)
@click.option(
    "--connection",
    "-c",
    metavar="NAME|FILE|ADDRESS",
    help=both(
        "A database of your own: without QUESTIONS its verified samples are asked, which then are not shown to the writer.",
        "您自己的数据库：未给出 QUESTIONS 时使用其已验证的样例提问（此时样例不会提供给模型）。",
    ),
)
@click.option(
    "--promise",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help=both("At most this share of shown answers may be wrong.", "所显示的回答中允许出错的最大比例。"),
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh", "both"]),
    default="both",
    help=both("Ask `question`, `question_zh`, or both.", "使用 question、question_zh 或两者。"),
)
@click.option("--limit", type=click.IntRange(1), help=both("Take so many, evenly spaced.", "均匀抽取的问题数。"))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help=both("Write every outcome as a JSON line.", "将每个结果写为一行 JSON。"),
)
@json_option
def product(
    questions: Path | None,
    databases: Path | None,
    dictionaries: Path | None,
    connection: str | None,
    promise: float | None,
    language: str,
    limit: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask every question through the whole run and print the figures."""
    import json
    from dataclasses import asdict

    from inquery.cli.session import chosen_connection, load_settings
    from inquery.evals.product import figures_of, measure_answers, measure_connection, parts_of, read_items

    languages: Any = ("en", "zh") if language == "both" else (language,)
    settings = promising(load_settings(), promise)
    if (databases is None) == (connection is None) or (databases is not None and questions is None):
        raise BadRequest.because(
            "give QUESTIONS with --databases, or --connection with or without QUESTIONS",
            "请给出 QUESTIONS 与 --databases，或 --connection（QUESTIONS 可省略）",
        )
    if databases is not None and questions is not None:
        items = read_items(questions, languages, limit)
        with bar(len(items)) as progress:
            outcomes = asyncio.run(
                measure_answers(
                    items,
                    databases,
                    settings,
                    lambda each, *at: progress(each.right, *at),
                    dictionaries=dictionaries,
                )
            )
    else:
        chosen = chosen_connection(connection)
        items = own_questions(chosen, questions, languages, limit)
        with bar(len(items)) as progress:
            outcomes = asyncio.run(
                measure_connection(items, chosen, settings, lambda each, *at: progress(each.right, *at))
            )
    if out is not None:
        out.write_text("".join(json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in outcomes), "utf-8")
    figures = figures_of(outcomes) | ({"promise": settings.answers.promise} if promise is not None else {})
    parts = [(what, which, figures_of(those)) for what, which, those in parts_of(outcomes)]
    if as_json:
        listed = [{"by": what, "which": which, **part} for what, which, part in parts]
        told = {"questions": [asdict(each) for each in outcomes]} if connection is not None else {}
        print_json({**figures, "parts": listed, **told})
        return
    if connection is not None:
        marks = {True: "✓", False: "✗"}
        heads = ["", *say("question status confidence", "问题 状态 置信度").split()]
        print_table("", heads, [(marks[each.right], each.question, each.status, each.confidence) for each in outcomes])
    print_table("", [say("figure", "指标"), say("value", "值")], list(figures.items()))
    columns = ["n", "right", "answered", "wrong_at_08", "p50_ms"]
    print_table("", [say("part", "部分"), *columns], [(which, *(part[c] for c in columns)) for _, which, part in parts])


def promising(settings: Settings, promise: float | None) -> Settings:
    """The settings with the promise a run is held to."""
    if promise is None:
        return settings
    return settings.model_copy(update={"answers": settings.answers.model_copy(update={"promise": promise})})


def own_questions(chosen: Connection, path: Path | None, languages: Any, limit: int | None) -> list[Item]:
    """The questions of one's own: the connection's verified ones, a YAML list of question and sql, or JSON lines."""
    from inquery.cli.session import load_settings
    from inquery.evals.own_questions import verified_questions
    from inquery.evals.product import own_items, read_items

    if path is not None and path.suffix.lower() == ".jsonl":
        return read_items(path, languages, limit, db_id=chosen.name)
    items = [
        each for each in own_items(verified_questions(chosen, path, load_settings())) if each.language in languages
    ]
    if limit is not None and limit < len(items):
        items = [items[i * len(items) // limit] for i in range(limit)]
    return items


def measure(
    wanted: list[GoldQuestion],
    databases: Databases,
    settings: LLMSettings,
    candidates: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Ask every question and show the figures."""
    from inquery.evals.progress import run_name
    from inquery.evals.spider import evaluate_questions as run_all
    from inquery.evals.spider import figures_of
    from inquery.llm.writers import model_name, writer_for

    n = candidates or settings.statements
    run = run_name(exact_model(settings), {"candidates": n})
    writer = writer_for(settings)
    with bar(len(wanted)) as progress:
        rows = asyncio.run(
            run_all(
                wanted, databases, writer, run=run, out=out, n=n, progress=lambda row, *at: progress(row.correct, *at)
            )
        )
    show(figures_of(rows, model_name(settings)), as_json)


def chosen_model(name: str) -> LLMSettings:
    """The model settings with `name` in place: provider:model, or an embedded model."""
    from inquery.settings import get_settings

    settings = get_settings().llm
    if not name:
        return settings
    provider, colon, _ = name.partition(":")
    if not colon or len(provider) == 1:
        embedded = name in {"embedded", settings.provider}
        return settings.model_copy(update={"provider": "embedded", "model": "" if embedded else name})
    from inquery.llm.model_choice import choose_any_model

    return choose_any_model(name, get_settings())


def exact_model(settings: LLMSettings) -> str:
    """A name that changes whenever the weights or the script do."""
    import hashlib

    from inquery.llm.writers import model_name

    if settings.provider == "embedded":
        from inquery.llm.embedded.weights import find_model

        return f"embedded:{find_model(settings.model).digest}"
    script = Path(settings.model)
    if settings.provider == "scripted" and script.is_file():
        return f"scripted:{hashlib.sha256(script.read_bytes()).hexdigest()}"
    return f"{model_name(settings)} {settings.base_url} {settings.temperature}"


@contextmanager
def bar(total: int) -> Iterator[Callable[[bool, int, int], None]]:
    """A progress bar on standard error; a line now and then where that is no terminal."""
    right = 0

    def text(is_right: bool, done: int) -> str:
        nonlocal right
        right += is_right
        return say(f"{right}/{done} right", f"正确 {right}/{done}")

    if not sys.stderr.isatty():

        def lines(is_right: bool, done: int, total: int) -> None:
            shown = text(is_right, done)
            if done == total or done % max(1, total // 20) == 0:
                note(f"{done}/{total} {shown}")

        yield lines
        return
    from rich.console import Console
    from rich.progress import Progress as RichBar

    with RichBar(console=Console(file=sys.stderr)) as shown:
        task = shown.add_task("", total=total)
        yield lambda is_right, done, total: shown.update(task, completed=done, description=text(is_right, done))


def show(figures: dict[str, Any], as_json: bool) -> None:
    """The figures as one JSON document or as two tables."""
    if as_json:
        print_json(figures)
        return
    names = [name for name, value in figures.items() if not isinstance(value, dict | list)]
    print_table("", [say("figure", "指标"), say("value", "值")], [(name, figures[name]) for name in names])
    levels = [(level, part["n"], part["ex"]) for level, part in figures["by_hardness"].items()]
    print_table("", [say("hardness", "难度"), "n", "ex"], levels, numbers=(1, 2))
    for gold in figures["gold_refused"]:
        note(say("gold query refused", "标准答案被拒绝") + f": {gold['db_id']} {gold['question']} ({gold['rule']})")
