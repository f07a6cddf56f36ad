"""The runs of this worker: each is one task with any number of watchers, and ends when the last of them leaves."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from inquery.agents.events import EVENT, DoneEvent, ErrorEvent, Event, StepEvent
from inquery.agents.run import Request, Runner
from inquery.answers.answer import Answer
from inquery.answers.formats import json_rows_aside
from inquery.api.auditing import entry_of_run, write_audit
from inquery.api.error_answers import LOG
from inquery.api.gate import Gate, Ticket
from inquery.api.identity import User
from inquery.api.journal import Journal
from inquery.api.metrics import Metrics
from inquery.api.request_limits import RequestLimits
from inquery.api.versions import make_place
from inquery.errors import BadRequest, InqueryError, InternalError, NotFound, QueryCancelled, StoreDown, Text
from inquery.llm.usage import UsageMeter
from inquery.memory.thread_history import thread_config
from inquery.store.audit import Audit
from inquery.store.event_log import EventLog
from inquery.store.moments import utc_now
from inquery.store.spending import Spent, SpentOnModel, spending_day
from inquery.store.thread_rows import Threads

PING_S = 10.0
POLL_S = 0.25
DEAD_S = 3.0
"""A run that has begun holds its thread; one that does not for so long has died with its worker."""
LONGEST_SILENCE_S = 120.0

Source = Callable[[], AsyncIterator[Event]]


class Live:
    """A run that goes on in this worker, or has just ended."""

    def __init__(
        self, run_id: str, thread_id: str, user: User, mark: str, language: str, request: Request | None = None
    ) -> None:
        self.connection_id = request.connection_id if request else ""
        self.meter = request.meter if request else None
        self.run_id = run_id
        self.thread_id = thread_id
        self.user = user
        self.mark = mark
        self.language = language
        self.events: list[Event] = []
        self.error: InqueryError | None = None
        self.ended = False
        self.answered = False
        self.last_seq = 0
        self.watchers = 0
        self.task: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()

    def add(self, event: Event) -> None:
        """Hand an event to every watcher; one that was written too late for a run that ended is nobody's."""
        if self.ended:
            return
        self.events.append(event)
        self._wake()

    def end(self) -> None:
        """There will be no more."""
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def cancel(self) -> None:
        """Stop the run, and with it its statement on the database."""
        if self.task is not None and not self.ended and not self.answered:  # what is answered has only to be written
            self.task.cancel()

    def join(self) -> Live:
        """Become a watcher; whoever joins leaves."""
        self.watchers += 1
        return self

    def leave(self) -> None:
        """Stop watching; the last to leave stops the run."""
        self.watchers -= 1
        if not self.watchers:
            self.cancel()

    async def watch(self) -> AsyncIterator[Event | None]:
        """Every event from the first; None now and then, for a sign of life."""
        seen = 0
        while True:
            while seen < len(self.events):
                seen += 1
                yield self.events[seen - 1]
            if self.ended:
                return
            try:
                await asyncio.wait_for(self._changed.wait(), PING_S)
            except TimeoutError:
                yield None

    async def last(self) -> Answer:
        """The answer, once the run has ended; raises the error that ended it without one."""
        async for event in self.watch():
            if isinstance(event, DoneEvent):
                return event.answer
        raise self.error or InternalError("the run ended without an answer")


class Runs:
    """Starts runs, lets others join them by key, and keeps their events."""

    def __init__(
        self, runner: Runner, threads: Threads, gate: Gate, metrics: Metrics, limits: RequestLimits, audit: Audit
    ) -> None:
        self.runner = runner
        self.threads = threads
        self.gate = gate
        self.metrics = metrics
        self.limits = limits
        self.audit = audit
        self.log = EventLog(threads.store)
        self.journal = Journal(self.log)
        self.live: dict[str, Live] = {}
        self._writing: set[asyncio.Task[None]] = set()

    async def ask(
        self, user: User, request: Request, *, key: str, mark: str, language: str, replaces: str = ""
    ) -> Live:
        """Start a question, or join the run that the same key started before; raises when there is no place."""
        thread_id = request.thread_id or secrets.token_urlsafe(16)
        meter = UsageMeter.of(request.llm or self.runner.services.settings.llm)
        request = replace(request, meter=meter, new_thread=not request.thread_id)
        if not key:
            run_id = secrets.token_urlsafe(16)
            request = replace(request, thread_id=thread_id, run_id=run_id)
            fresh, place = Live(run_id, thread_id, user, mark, language, request), await self._admitted(user, run_id)
            return self._start(fresh, lambda: self._asked(request, replaces), place)
        # Made from the key, so that every worker comes to the same id; with the user, whose key it is alone.
        run_id = "k" + hashlib.sha256(f"{user.tenant}\0{user.id}\0{key}".encode()).hexdigest()[:40]
        if run_id in self.live:
            return _joined(self.live[run_id], mark)
        live = Live(run_id, thread_id, user, mark, language, request)
        request = replace(request, thread_id=thread_id, run_id=run_id)
        # Before the first await: the same key may come again while this one waits for its place.
        self.live[run_id] = live
        ticket: Ticket | None = None
        try:
            ticket = await self._admitted(user, run_id)
            first = await asyncio.to_thread(self.log.claim, thread_id, run_id, mark)
        except BaseException:
            self._forget(live, ticket)
            raise
        if first is not None and first != mark:
            self._forget(live, ticket)
            raise _other_request()
        source = (lambda: self._asked(request, replaces)) if first is None else (lambda: self._followed(live, request))
        return self._start(live, source, ticket, keep=first is None)

    async def _asked(self, request: Request, replaces: str) -> AsyncIterator[Event]:
        """A question, in the place of another run where it replaces one."""
        if replaces:
            await make_place(self.runner.graph, self.threads, request, replaces)
        async for event in self.runner.stream(request):
            yield event

    async def resume(self, user: User, request: Request, reply: Any, language: str) -> Live:
        """Go on with a thread: with a reply, or after a crash."""
        run_id = secrets.token_urlsafe(16)
        request = replace(request, run_id=run_id)
        live = Live(run_id, request.thread_id, user, "", language, request)
        go_on = (lambda: self._gone_on(request)) if reply is None else (lambda: self.runner.resume(request, reply))
        return self._start(live, go_on, await self._admitted(user, run_id))

    async def _gone_on(self, request: Request) -> AsyncIterator[Event]:
        """What a dead worker began: on from its last step, or, where it had made none, from the question that was kept."""
        known = await self.runner.graph.aget_state(thread_config(request.thread_id))
        question = "" if known.values else await asyncio.to_thread(self.log.last_question, request.thread_id)
        if question:
            thread = await asyncio.to_thread(self.threads.get, request.thread_id, request.user)
            events = self.runner.stream(replace(request, question=question, connection_id=thread.connection_id))
        else:
            events = self.runner.resume(request)
        async for event in events:
            yield event

    @asynccontextmanager
    async def place(self, user: User) -> AsyncIterator[None]:
        """A place for work that is no run of the graph; it counts and waits like one."""
        name = secrets.token_urlsafe(16)
        ticket = await self._admitted(user, name)
        try:
            await ticket.enter()
            yield
        finally:
            ticket.leave()
            await self.limits.leave(user.id, name)

    async def _admitted(self, user: User, run_id: str) -> Ticket:
        """A place in the worker's queue and among the user's runs; raises ServerBusy or QuotaExceeded."""
        ticket = self.gate.ticket()
        try:
            await self.limits.enter(user.id, run_id)
        except BaseException:
            ticket.leave()
            raise
        return ticket

    async def stop(self, user: User, run_id: str) -> None:
        """Cancel a run of the user; raises NotFound."""
        live = self.live.get(run_id)
        if live is None or live.user.id != user.id or live.ended:
            raise NotFound(run_id, what=Text("run", "运行"), name=run_id)
        live.cancel()

    def stop_thread(self, user: User, thread_id: str) -> bool:
        """Cancel what goes on in a thread; says whether anything did."""
        found = [live for live in self.live.values() if live.thread_id == thread_id and live.user.id == user.id]
        for live in found:
            live.cancel()
        return any(not live.ended for live in found)

    def stop_user(self, user_id: str) -> None:
        """Cancel whatever a user runs here."""
        for live in list(self.live.values()):
            if live.user.id == user_id:
                live.cancel()

    async def close(self) -> None:
        """Stop everything and write what is left."""
        tasks = [live.task for live in self.live.values() if live.task is not None and not live.ended]
        for live in list(self.live.values()):
            live.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=5)
        if self._writing:
            await asyncio.wait(self._writing, timeout=5)

    def _start(self, live: Live, source: Source, ticket: Ticket, *, keep: bool = True) -> Live:
        self.live[live.run_id] = live
        live.task = asyncio.create_task(self._pumped(live, source, ticket, keep), name=f"run {live.run_id}")
        # A callback, not a `finally` in the task: of a task that is cancelled before it began, nothing runs.
        live.task.add_done_callback(lambda task: self._over(live, ticket, task, keep))
        return live

    async def _pumped(self, live: Live, source: Source, ticket: Ticket, keep: bool) -> None:
        """Wait for a place, then hand over what the run sends, and log it."""

        def tell() -> None:
            if not live.events:
                live.add(StepEvent(name="queue", status="started", run_id=live.run_id, at=utc_now()))

        if self.gate.held > 1:  # others go on or wait: say at once that this one was accepted
            tell()
        await ticket.enter(tell)
        last: asyncio.Future[None] | None = None
        async for event in source():
            live.last_seq, live.answered = event.seq, isinstance(event, DoneEvent)
            if not keep:
                live.add(event)
                continue
            if last is not None and last.done():
                last.result()  # a store that keeps nothing any more ends the run
            last = self.journal.put(live.thread_id, live.run_id, event, _logged(event), live.add)
        if last is not None:
            await last

    def _over(self, live: Live, ticket: Ticket, task: asyncio.Task[None], keep: bool) -> None:
        """Whatever ended the task, watchers hear of it: an answer, an error of the tree, or a bug of ours."""
        ticket.leave()
        error = QueryCancelled() if task.cancelled() else task.exception()
        if error is not None:
            live.error = _named(error)
            if not isinstance(error, InqueryError):
                LOG.error("run %s failed", live.run_id, exc_info=error)
            seq = live.last_seq + 1
            told = live.error.to_dict(live.language)
            live.add(ErrorEvent(**told, seq=seq, run_id=live.run_id, at=utc_now()))
        live.end()
        self.live.pop(live.run_id, None)
        self.metrics.ran(live.events)
        self._later(self._finish(live, unwritten=keep and error is not None, counted=keep))

    async def _finish(self, live: Live, *, unwritten: bool, counted: bool) -> None:
        """Write the end of a run that could not do it itself, who asked and what it spent, and free the user's place."""
        await self.limits.leave(live.user.id, live.run_id)
        try:
            if unwritten:
                await asyncio.to_thread(self._write, live, live.events)
            if counted:
                await asyncio.to_thread(self.limits.spending.add, _spent(live))
                await asyncio.to_thread(self.limits.spending.add_models, _spent_on_models(live))
        except SQLAlchemyError as error:
            LOG.error("the end of run %s was not written", live.run_id, exc_info=error)
        if counted:
            await write_audit(self.audit, entry_of_run(live.user, live.connection_id, live.thread_id, live.events))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    def _write(self, live: Live, batch: list[Event]) -> None:
        self.log.append(live.thread_id, live.run_id, [_logged(event) for event in batch if event.seq])

    def _forget(self, live: Live, ticket: Ticket | None) -> None:
        if ticket is not None:
            ticket.leave()
            self._later(self.limits.leave(live.user.id, live.run_id))
        live.end()
        self.live.pop(live.run_id, None)

    async def _followed(self, live: Live, request: Request) -> AsyncIterator[Event]:
        """The events of a run that another request started, here or in another worker, from the log."""
        live.thread_id = await asyncio.to_thread(self.log.thread_of, live.run_id) or live.thread_id
        seq, silent, free, last = 0, 0.0, 0.0, ""
        while True:
            for event in await self.replay(live.user, live.run_id, after=seq):
                seq, silent, free, last = event.seq, 0.0, 0.0, event.type
                yield event
            if last in {"done", "error"}:
                return
            await asyncio.sleep(POLL_S)
            silent += POLL_S
            # Only behind a first event: a run that waits for its turn does not hold its thread yet.
            free = free + POLL_S if seq and await self._abandoned(live.thread_id) else 0.0
            if free >= DEAD_S or silent >= LONGEST_SILENCE_S:
                async for event in self._taken_over(replace(request, thread_id=live.thread_id, run_id="")):
                    yield event
                return

    async def _abandoned(self, thread_id: str) -> bool:
        # A lease of no seconds for nobody: it can be had where the thread is free, and changes nothing.
        return await asyncio.to_thread(self.threads.take, thread_id, "", 0)

    async def _taken_over(self, request: Request) -> AsyncIterator[Event]:
        """Finish what a dead worker began; a run that left no trace is asked again."""
        known = await self.runner.graph.aget_state(thread_config(request.thread_id))
        events = self.runner.resume(request) if known.values else self.runner.stream(request)
        async for event in events:
            yield event

    async def replay(self, user: User, run_id: str, *, after: int = 0) -> list[Event]:
        """Logged events, the answer with its rows again."""
        logged = await asyncio.to_thread(self.log.read, run_id, after=max(0, after))
        found = [EVENT.validate_python(content) for content in logged]
        for event in found:
            if isinstance(event, DoneEvent) and event.answer.result_id:
                kept = await self.runner.services.results.load(event.answer.result_id, user.id)
                rows = kept.rows if kept else []
                event.answer.rows = await json_rows_aside(rows)
        return found


def _spent(live: Live) -> Spent:
    """What a run spent; one that was stopped is counted by its meter, lest stopping makes it free."""
    last = live.events[-1] if live.events else None
    if isinstance(last, DoneEvent):
        used, cached = last.answer.usage, bool(last.answer.cache)
        tokens = used.prompt_tokens + used.completion_tokens
        return Spent(live.user.id, spending_day(), 1, used.model_calls, tokens, used.cost, int(cached))
    meter = live.meter or UsageMeter()
    return Spent(
        live.user.id, spending_day(), 1, meter.model_calls, meter.prompt_tokens + meter.completion_tokens, meter.cost
    )


def _spent_on_models(live: Live) -> list[SpentOnModel]:
    by_model = live.meter.by_model if live.meter else {}
    day = spending_day()
    return [
        SpentOnModel(live.user.id, day, name, each.calls, each.tokens, each.cost) for name, each in by_model.items()
    ]


def _named(error: BaseException) -> InqueryError:
    if isinstance(error, InqueryError):
        return error
    return StoreDown() if isinstance(error, SQLAlchemyError) else InternalError(str(error))


def _logged(event: Event) -> dict[str, Any]:
    """An event for the log: rows are kept by the result store alone."""
    content = event.model_dump(mode="json")
    if isinstance(event, DoneEvent) and event.answer.result_id:
        content["answer"]["rows"] = []
    return content


def _joined(live: Live, mark: str) -> Live:
    if live.mark != mark:
        raise _other_request()
    return live


def _other_request() -> BadRequest:
    return BadRequest.because("this idempotency key was used for another request", "该幂等键已用于另一个请求")
