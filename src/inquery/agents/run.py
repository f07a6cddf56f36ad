"""Runs questions through the graph and gives one stream of typed events; every door uses this."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphRecursionError
from langgraph.types import Command, Interrupt, StateSnapshot

from inquery.agents.context import Access, Context, Profile, Services
from inquery.agents.events import (
    ApprovalEvent,
    ClarificationEvent,
    DoneEvent,
    ErrorEvent,
    Event,
    TurnEvent,
    UsageEvent,
)
from inquery.agents.graph import Graph, build_graph
from inquery.agents.nodes.approve import is_decision
from inquery.agents.outcomes.finishing import failed, make_answer, pending_of, waiting
from inquery.agents.outcomes.rows import rows_of
from inquery.agents.questions.readings import is_reply
from inquery.agents.state import Input, Pagination, State
from inquery.agents.state_types import AskedApproval, AskedBack, LastAnswer
from inquery.answers.answer import Answer
from inquery.cache.answer_key import CacheKey
from inquery.cache.thread import ThreadCache
from inquery.databases.executor.execute import cancel
from inquery.errors import BadRequest, InqueryError, InternalError, NotFound, Text, ThreadBusy
from inquery.llm.chat import ChatModel
from inquery.llm.usage import UsageCounts, UsageMeter
from inquery.llm.writer import SqlWriter
from inquery.memory.leases import hold_thread
from inquery.memory.thread_history import RUN
from inquery.settings import LLMSettings
from inquery.sql import Policy
from inquery.store.moments import utc_now
from inquery.tracing import langsmith_allowed, span

LEASE_S = 10.0
"""A dead process holds its thread no longer than this; a live one renews."""

Given = Input | Command[Any] | None
"""What a run begins with: a message, a reply to what the thread waits for, or nothing after a crash."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question: who asks it, where, and how."""

    question: str = ""
    thread_id: str = ""
    connection_id: str = ""
    agent_id: str = ""
    user: str = "local"
    tenant: str = "local"
    policy: Policy | None = None
    access: Access | None = None
    can_ask: bool = True
    """Whether the caller takes a question or a statement to approve for an answer."""
    clarify: bool = True
    """Whether somebody is there to say which reading is meant; else the best is taken. Approvals are not given so."""
    refresh: bool = False
    page: int | None = None
    page_size: int | None = None
    llm: LLMSettings | None = None
    model: str = ""
    """The name of a saved model, in place of the database's and the settings'."""
    count_rows: bool = False
    """Whether a result that was cut is to be counted whole, which is one more statement."""
    profile: Profile | None = None
    run_id: str = ""
    new_thread: bool = False
    """The id was just made, so that there is nothing to look for under it."""
    meter: UsageMeter | None = None


class Runner:
    """The graph with its saver and services; one a process, shared by all its runs."""

    def __init__(
        self,
        services: Services,
        saver: BaseCheckpointSaver[Any] | None = None,
        *,
        writer: SqlWriter | None = None,
        chat: ChatModel | None = None,
    ) -> None:
        self.services = services
        self.graph: Graph = build_graph(saver, chained=True)
        self.saver = saver
        self._kept = saver is not None
        self.writer = writer
        self.chat = chat
        self._running: dict[str, str] = {}

    async def ask(self, request: Request) -> Answer:
        """The answer to one question."""
        return await last_answer(self.stream(request))

    async def stream(self, request: Request) -> AsyncIterator[Event]:
        """The events of one question; a message during a clarification that answers it is its reply."""
        thread_id = request.thread_id or secrets.token_urlsafe(16)
        kept = self._kept and request.thread_id and not request.new_thread
        known = await self._state(thread_id) if kept else None
        if known is not None:
            _own(thread_state(known), request.user)
            pending = _pending(known)
            if pending and _answers(request.question, pending):
                async for event in self._resumed(request, thread_id, request.question, thread_state(known)):
                    yield event
                return
        given: Input = {"messages": [HumanMessage(request.question)], "thread_id": thread_id}
        given["pagination"] = _pagination(request)
        if request.connection_id:
            given["connection_id"] = request.connection_id
        if request.agent_id:
            given["agent_id"] = request.agent_id
        async for event in self._events(request, thread_id, given, {}):
            yield event

    async def resume(self, request: Request, reply: Any = None) -> AsyncIterator[Event]:
        """Go on with a thread: with the reply it waits for, or, without one, after a crash."""
        known = await self._state(request.thread_id) if self._kept else None
        if known is None or not known.values:
            raise NotFound(request.thread_id, what=Text("conversation", "对话"), name=request.thread_id)
        _own(thread_state(known), request.user)
        if reply is not None and not _pending(known):
            raise BadRequest.because("this conversation waits for no reply", "该对话没有等待中的问题")
        async for event in self._resumed(request, request.thread_id, reply, thread_state(known)):
            yield event

    async def _resumed(self, request: Request, thread_id: str, reply: Any, values: State) -> AsyncIterator[Event]:
        given: Command[Any] | None = None if reply is None else Command(resume=reply)
        async for event in self._events(request, thread_id, given, values):
            yield event

    async def feedback(self, request: Request, *, good: bool) -> bool:
        """A thumb on the last answer of a thread: up keeps it as the user's own sample, down empties the caches of it."""
        known = await self._state(request.thread_id) if self._kept else None
        last = thread_state(known).get("last_answer") if known is not None else None
        if known is None or not last:
            raise NotFound(request.thread_id, what=Text("conversation", "对话"), name=request.thread_id)
        _own(thread_state(known), request.user)
        if good:
            return await self._learnt(request, last)
        if not last.get("key"):
            return False
        key, services = CacheKey(**last["key"]), self.services
        own = ThreadCache(thread_state(known).get("thread_cache"))
        await own.evict(key)
        config: RunnableConfig = {"configurable": {"thread_id": request.thread_id}}
        # As of `remember`, which only the end follows: as of another node the thread would have a next step to take.
        await self.graph.aupdate_state(config, {"thread_cache": own.kept}, as_node="remember")
        if services.exact is not None:
            await services.exact.evict(key)
        if services.semantic is not None:
            await services.semantic.evict(key, user=request.user)
        return True

    async def _learnt(self, request: Request, last: LastAnswer) -> bool:
        if self.services.samples is None:
            return False
        source = await self.services.sources.open(last["connection_id"])
        await self.services.samples.add(
            source.id, last["standalone"], last["sql"], user=request.user, dialect=source.dialect, source="thumb"
        )
        return True

    def cancel(self, run_id: str) -> bool:
        """Stop what a run executes on its database; the task itself is cancelled by whoever awaits it."""
        connection = self._running.get(run_id)
        return connection is not None and cancel(connection, run_id)

    async def _state(self, thread_id: str) -> StateSnapshot:
        return await self.graph.aget_state({"configurable": {"thread_id": thread_id}})

    async def _events(self, request: Request, thread_id: str, given: Given, before: State) -> AsyncIterator[Event]:
        """Number and stamp what the graph sends, and end with `done`; a thread has one run at a time.

        Whoever reads `done` may ask the thread again at once, so it is sent when the thread is free.
        """
        context = self._context(request, before)
        seq, last = 0, None
        async with self._held(request, thread_id, after_crash=given is None):
            async for event in self._run(request, context, thread_id, given, before):
                seq += 1
                event.seq, event.run_id, event.at = seq, context.run_id, utc_now()
                if isinstance(event, DoneEvent):
                    last = event
                else:
                    yield event
        if last is not None:
            yield last

    @asynccontextmanager
    async def _held(self, request: Request, thread_id: str, *, after_crash: bool) -> AsyncIterator[None]:
        """Hold the thread for this run; after a crash the dead process's lease is waited for."""
        threads = self.services.threads
        if threads is None:
            yield
            return
        title, connection = request.question, request.connection_id
        begin = partial(threads.begin, thread_id, request.user, connection_id=connection, title=title)
        end = time.monotonic() + (LEASE_S + 2 if after_crash else 0)
        while True:
            try:
                async with hold_thread(threads, thread_id, lease_s=LEASE_S, take=begin):
                    yield
                    return
            except ThreadBusy:
                if time.monotonic() >= end:
                    raise
            await asyncio.sleep(0.5)

    async def _run(
        self, request: Request, context: Context, thread_id: str, given: Given, before: State
    ) -> AsyncIterator[Event]:
        started = time.perf_counter()
        state: State = {**before, **given} if isinstance(given, dict) else {**before}
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        context.send = events.put_nowait
        if isinstance(given, dict):
            context.send(TurnEvent(question=request.question))
        # The end of the graph is told by the queue too, and so comes after everything that its nodes sent.
        driving = asyncio.create_task(self._drive(given, context, thread_id, state))
        driving.add_done_callback(lambda _: events.put_nowait(None))
        error: InqueryError | None = None
        interrupts: Sequence[Interrupt] = ()
        try:
            while (event := await events.get()) is not None:
                # Which database it is comes to be known on the way, when `load_profile` has opened it.
                self._note(context)
                yield event
            interrupts = driving.result()
        except InqueryError as found:
            error = found
        except GraphRecursionError as found:
            error = InternalError(str(found))
        finally:
            # Whoever stops reading lands here: the thread must not be free for another run while a node still writes.
            driving.cancel()
            await asyncio.gather(driving, return_exceptions=True)
            await context.release()
            self._running.pop(context.run_id, None)
        ms = (time.perf_counter() - started) * 1000
        state["thread_id"] = thread_id
        async for event in self._ended(request, context, state, interrupts, error, ms):
            yield event

    async def _drive(self, given: Given, context: Context, thread_id: str, state: State) -> Sequence[Interrupt]:
        """Run the graph, adding each update to the state; returns what it waits for.

        Events take the context's way, which costs less.
        """
        interrupts: Sequence[Interrupt] = ()
        config: RunnableConfig = {
            "configurable": {"thread_id": thread_id},
            "recursion_limit": self.services.settings.agent.recursion_limit,
            "metadata": {RUN: context.run_id},
        }
        durability = self.services.settings.memory.durability if self._kept else None
        async with AsyncExitStack() as stack:
            stack.enter_context(langsmith_allowed(await self._may_be_traced()))
            stack.enter_context(span("run", run_id=context.run_id, resumed=not isinstance(given, dict)))
            stream = self.graph.astream(given, config, context=context, stream_mode="updates", durability=durability)
            stack.push_async_callback(stream.aclose)  # type: ignore[attr-defined]
            async for chunk in stream:
                for name, update in chunk.items():
                    if name == "__interrupt__":
                        interrupts = update
                    elif update:
                        state.update(update)
        return interrupts

    async def _may_be_traced(self) -> bool:
        """Whether LangSmith may be sent this run: a thread may have gone from database to database, so all count."""
        services = self.services
        return services.settings.tracing.langsmith and await services.sources.all_public()

    async def _ended(
        self,
        request: Request,
        context: Context,
        state: State,
        interrupts: Sequence[Interrupt],
        error: InqueryError | None,
        ms: float,
    ) -> AsyncIterator[Event]:
        """The last events of a run: what it waits for, or its error, its usage, and the answer."""
        if interrupts and error is None:
            pending = pending_of(interrupts[0].value, interrupts[0].id)
            answer = waiting(state, context, pending, ms=ms)
            if pending.kind == "approval":
                yield ApprovalEvent(id=pending.id, sql=pending.sql or "", estimate=pending.estimate)
            else:
                yield ClarificationEvent(id=pending.id, question=pending.question, options=pending.options)
        else:
            answer, error = await self._answer(request, context, state, error, ms)
        told = error.to_dict(answer.language) if error else answer.error
        if told and answer.status in {"failed", "refused"}:
            detail = str(told.get("detail", ""))
            retryable = bool(told.get("retryable"))
            yield ErrorEvent(code=told["code"], message=told["message"], retryable=retryable, detail=detail)
        yield UsageEvent(usage=answer.usage)
        yield DoneEvent(answer=answer)

    async def _answer(
        self, request: Request, context: Context, state: State, error: InqueryError | None, ms: float
    ) -> tuple[Answer, InqueryError | None]:
        thread_id = state["thread_id"]
        question = request.question or state.get("question", "")
        if error is not None:
            return failed(question, error, context, thread_id, ms=ms), error
        try:
            has_rows = state.get("outcome") == "answered" and state.get("generated_sql")
            kept = await rows_of(context, state) if has_rows else None
        except InqueryError as found:
            return failed(question, found, context, thread_id, ms=ms), found
        answer = make_answer(state, context, kept, ms=ms)
        if answer.result_id and any(column.label or column.words for column in answer.columns):
            await self.services.results.name_columns(answer.result_id, context.user, answer.columns)
        return answer, None

    def _note(self, context: Context) -> None:
        if context.source is not None:
            self._running[context.run_id] = context.source.id

    def _context(self, request: Request, before: State) -> Context:
        llm = request.llm or self.services.settings.llm
        # Whoever names a model does not want the one that this runner was made with.
        named = request.model or before.get("model", "")  # a reply goes to the model that had asked
        writer, chat = (None, None) if named else (self.writer, self.chat)
        context = Context(
            self.services, user=request.user, tenant=request.tenant, can_ask=request.can_ask, clarify=request.clarify,
            refresh=request.refresh, writer=writer, chat=chat, llm=request.llm, profile=request.profile,
            meter=request.meter or UsageMeter.of(llm), model_named=named,
            count_rows=request.count_rows, run_id=request.run_id or secrets.token_urlsafe(12),
        )  # fmt: skip
        query = self.services.settings.query
        context.policy = request.policy or Policy(row_cap=query.rows)
        context.access = request.access
        _continue(context.meter, before.get("usage") or {})
        return context


def _continue(meter: UsageMeter, spent: UsageCounts) -> None:
    """A resumed run goes on counting where it was."""
    meter.model_calls = spent.get("model_calls", 0)
    meter.prompt_tokens = spent.get("prompt_tokens", 0)
    meter.cached_tokens = spent.get("cached_tokens", 0)
    meter.completion_tokens = spent.get("completion_tokens", 0)
    meter.cost = spent.get("cost", 0.0)
    meter.models = [name for name in spent.get("model", "").split(", ") if name]


def _pagination(request: Request) -> Pagination:
    wanted: Pagination = {}
    if request.page:
        wanted["page"] = request.page
    if request.page_size:
        wanted["page_size"] = request.page_size
    return wanted


def thread_state(snapshot: StateSnapshot) -> State:
    """The state of a thread as it was kept, which langgraph gives out as any mapping."""
    return cast("State", snapshot.values)


def _pending(snapshot: StateSnapshot) -> AskedBack | AskedApproval | None:
    """What a thread waits for, if it does."""
    return next((interrupt.value for task in snapshot.tasks for interrupt in task.interrupts), None)


def _answers(message: str, pending: AskedBack | AskedApproval) -> bool:
    """Whether a message is the reply that a thread waits for."""
    if pending["kind"] == "approval":
        return is_decision(message)
    return is_reply(message, pending["options"])


def _own(values: State, user: str) -> None:
    """A thread of another user looks as if it did not exist."""
    if values.get("user_id") and values["user_id"] != user:
        raise NotFound("thread", what=Text("conversation", "对话"), name="…")


async def last_answer(events: AsyncIterator[Event]) -> Answer:
    """The answer a stream ends with."""
    answer: Answer | None = None
    async for event in events:
        if isinstance(event, DoneEvent):
            answer = event.answer
    if answer is None:
        raise InternalError("the run ended without an answer")
    return answer
