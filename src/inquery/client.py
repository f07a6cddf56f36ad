"""The Python door: `Inquery.connect(...)`, then ask, stream and resume, each with an async twin."""

from __future__ import annotations

import asyncio
import html
import queue
import sys
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from inquery.agents.bilingual import answer_language
from inquery.agents.events import DoneEvent, Event
from inquery.agents.opening import open_runner
from inquery.agents.run import Request, Runner, last_answer
from inquery.agents.sources import Source, Sources
from inquery.answers.answer import Answer, AnswerColumn
from inquery.answers.formats import format_cell, format_figure
from inquery.answers.frame import to_frame
from inquery.llm.chat import ChatModel
from inquery.llm.writer import SqlWriter
from inquery.settings import Settings, get_settings
from inquery.sql import Policy
from inquery.store.given import address_of_files

if TYPE_CHECKING:
    from inquery.agents.metric_desk import MetricDesk, MetricInfo
    from inquery.metrics.plan_types import Plan

T = TypeVar("T")
SHOWN_ROWS = 50


class Reply(Answer):
    """An answer with what a notebook needs: a data frame and a picture of itself."""

    @classmethod
    def of(cls, answer: Answer) -> Reply:
        """The same answer, with more ways to show it."""
        return cls.model_validate(answer.model_dump())

    def frame(self, *, labels: bool = False) -> Any:
        """The rows as a pandas data frame, its columns by their names or by the labels that a reader knows."""
        return to_frame([(column.label if labels else "") or column.name for column in self.columns], self.rows)

    def _repr_html_(self) -> str:
        """Text, SQL, table and chart; every cell is escaped."""
        parts = [f"<p>{html.escape(self.text)}</p>"]
        if self.sql:
            parts.append(f"<details><summary>SQL</summary><pre>{html.escape(self.sql)}</pre></details>")
        if self.columns:
            parts.append(self._table())
        if self.chart is not None:
            from inquery.answers.picture import draw_svg

            parts.append(draw_svg(self.chart))
        return "\n".join(parts)

    def _table(self) -> str:
        head = "".join(f"<th>{html.escape(column.label or column.name)}</th>" for column in self.columns)
        rows = "".join(
            "<tr>"
            + "".join(
                f"<td>{html.escape(_told(cell, column, self.language))}</td>"
                for cell, column in zip(row, self.columns, strict=True)
            )
            + "</tr>"
            for row in self.rows[:SHOWN_ROWS]
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _told(cell: Any, column: AnswerColumn, language: str) -> str:
    """A cell as its reader knows it: what a code stands for, an amount with its currency, a share as per cent."""
    word = column.words.get(str(cell))
    if word:
        return word
    known = column.format in {"money", "percent", "fraction"}
    return format_figure(cell, column.format, column.unit, language) if known else format_cell(cell, language)


def _live(loop: asyncio.AbstractEventLoop) -> None:
    """The life of a loop in its thread."""
    try:
        loop.run_forever()
    finally:
        # A library's own task may still be ending: closed under it, the loop would complain when it is collected.
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


class Inquery:
    """One database that can be asked; its runs live on a loop of their own, so that it works in notebooks too."""

    def __init__(
        self,
        runner: Runner,
        request: Request,
        loop: asyncio.AbstractEventLoop,
        thread: threading.Thread,
        stack: AsyncExitStack,
    ) -> None:
        self._runner = runner
        self._request = request
        self._loop = loop
        self._thread = thread
        self._stack = stack

    @classmethod
    def connect(
        cls,
        database: str | Path | Sequence[str | Path] | None = None,
        *,
        settings: Settings | None = None,
        user: str = "local",
        policy: Policy | None = None,
        writer: SqlWriter | None = None,
        chat: ChatModel | None = None,
    ) -> Inquery:
        """A database by its registered name, its address, its file or folder, or several data files; else the CLI's default."""
        settings = settings or get_settings()
        loop = asyncio.new_event_loop()
        thread = threading.Thread(target=_live, args=(loop,), name="inquery", daemon=True)
        thread.start()
        stack = AsyncExitStack()

        async def opened() -> Runner:
            return await stack.enter_async_context(open_runner(settings, writer=writer, chat=chat))

        runner = asyncio.run_coroutine_threadsafe(opened(), loop).result()
        made = cls(runner, Request(user=user, policy=policy), loop, thread, stack)
        try:
            made._choose(database)
        except BaseException:
            made.close()
            raise
        return made

    def _choose(self, database: str | Path | Sequence[str | Path] | None) -> None:
        sources = self._runner.services.sources
        name = str(database) if isinstance(database, Path) else database
        if name is not None and not isinstance(name, str):
            name = address_of_files(name)
        source = self._wait(self._opened(sources, name))
        self._request = replace(self._request, connection_id=source.id)

    async def _opened(self, sources: Sources, name: str | None) -> Source:
        return await sources.open(name if name is None else await sources.take(name))

    def ask(self, question: str, **options: Any) -> Reply:
        """The answer. Options: thread_id, refresh, can_ask, page, page_size, agent_id, llm, model (a saved one), count_rows.

        A question with two readings is asked back (status `clarification`) with can_ask=True, in a thread that the
        caller goes on with, and in an interactive interpreter or notebook. Else nobody could reply: the likelier
        reading is answered, and `warnings` and `reading["assumptions"]` say which. can_ask=False never waits, not
        for an approval either.
        """
        return self._wait(self._asked(question, options))

    async def aask(self, question: str, **options: Any) -> Reply:
        """The same, awaited from any loop; cancelling it cancels the run."""
        return await asyncio.wrap_future(self._send(self._asked(question, options)))

    def resume(self, thread_id: str, reply: Any = None, **options: Any) -> Reply:
        """Go on with a thread: reply to its clarification or approval, or finish what a crash cut short."""
        return self._wait(self._resumed(thread_id, reply, options))

    async def aresume(self, thread_id: str, reply: Any = None, **options: Any) -> Reply:
        """The same, awaited from any loop."""
        return await asyncio.wrap_future(self._send(self._resumed(thread_id, reply, options)))

    def stream(self, question: str, **options: Any) -> Iterator[Event]:
        """The events of a run as they happen, the last one `done` with the answer."""
        events: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()
        running = self._send(self._pump(question, options, events.put))
        try:
            while (event := events.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            running.cancel()

    async def astream(self, question: str, **options: Any) -> AsyncIterator[Event]:
        """The same, awaited from any loop."""
        here = asyncio.get_running_loop()
        events: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()

        def put(event: Event | BaseException | None) -> None:
            here.call_soon_threadsafe(events.put_nowait, event)

        running = self._send(self._pump(question, options, put))
        try:
            while (event := await events.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            running.cancel()

    def list_metrics(self) -> list[MetricInfo]:
        """What can be measured here; a metric that cannot be used says why in `problem`."""
        return self._wait(self._listed())

    def query_metric(self, *metrics: str, plan: Plan | None = None, **options: Any) -> Reply:
        """The figures of metrics by their names. Options: by, period, against, where, top, language; or a whole plan."""
        return self._wait(self._measured(metrics, plan, options))

    def close(self) -> None:
        """Let the database go, close the saver and stop the loop."""
        if self._loop.is_running():
            self._wait(self._stack.aclose())
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()

    def __enter__(self) -> Inquery:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn(self, question: str, options: dict[str, Any]) -> Request:
        """One question; whoever does not say if they can be asked back can if they are seen to be in a conversation."""
        if options.get("can_ask") is not None:
            return replace(self._request, question=question, **options)
        # Python sets ps1 where a person types, and so do IPython and notebooks; a script may have a terminal and no one
        # who waits for its questions.
        there = bool(options.get("thread_id")) or hasattr(sys, "ps1")
        return replace(self._request, question=question, **options | {"can_ask": True, "clarify": there})

    async def _asked(self, question: str, options: dict[str, Any]) -> Reply:
        return Reply.of(await self._runner.ask(self._turn(question, options)))

    async def _desk(self, language: str = "") -> MetricDesk:
        from inquery.agents.metric_desk import open_desk

        services, request = self._runner.services, self._request
        source = await services.sources.open(request.connection_id)
        policy = request.policy or Policy(row_cap=services.settings.query.rows)
        spoken = answer_language("", language or services.settings.language)
        return open_desk(services, source, policy, spoken, user=request.user, tenant=request.tenant)

    async def _listed(self) -> list[MetricInfo]:
        return (await self._desk()).metrics()

    async def _measured(self, metrics: Sequence[str], plan: Plan | None, options: dict[str, Any]) -> Reply:
        desk = await self._desk(options.pop("language", ""))
        return Reply.of(await desk.answer(plan or desk.simple_plan(metrics, **options)))

    async def _resumed(self, thread_id: str, reply: Any, options: dict[str, Any]) -> Reply:
        request = replace(self._request, thread_id=thread_id, **options)
        return Reply.of(await last_answer(self._runner.resume(request, reply)))

    async def _pump(self, question: str, options: dict[str, Any], put: Any) -> None:
        """Hand events over; an error is handed over too, since nobody awaits this task."""
        try:
            async for event in self._runner.stream(self._turn(question, options)):
                put(
                    event.model_copy(update={"answer": Reply.of(event.answer)})
                    if isinstance(event, DoneEvent)
                    else event
                )
        except Exception as error:  # noqa: BLE001 - raised again where the events are read
            put(error)
        finally:
            put(None)

    def _send(self, work: Coroutine[Any, Any, T]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        running = self._send(work)
        try:
            found: T = running.result()
        except KeyboardInterrupt:
            running.cancel()
            raise
        return found
