"""The tools: each goes through the same guard, the same rights and the same runs as every other door."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from mcp.server.fastmcp import Context
from pydantic import Field

from inquery.agents.bilingual import answer_language, say
from inquery.agents.events import DoneEvent, Event, SqlEvent, StepEvent
from inquery.agents.metric_desk import MetricDesk, open_desk
from inquery.agents.questions.question_bounds import check_length, check_question
from inquery.agents.run import Request
from inquery.agents.step_words import step_words
from inquery.answers.answer import Answer
from inquery.catalog.browse import TableDetails, table_details, table_info
from inquery.errors import BadRequest, InternalError
from inquery.knowledge.narrowing import is_readable
from inquery.mcp.door import Caller, Door
from inquery.mcp.shapes import AskResult, MetricList, SampleFound, SampleList, SqlResult, TableList

MOST_TABLES = 500
LEAST_SCORE = 0.3
"""A caller judges for itself, so that more is shown than the writer would be."""

Question = Annotated[str, Field(description="a question about the data, in Chinese or English")]
Connection = Annotated[
    str | None, Field(description="name or id of a database; by default the only one, else the demo", max_length=200)
]
Thread = Annotated[
    str | None,
    Field(description="the thread_id of an earlier answer, to follow it up or to reply to it", max_length=200),
]
Reply = Annotated[
    str | dict[str, Any] | None,
    Field(
        description="the reply a thread waits for: an option's id or label; for an approval approve, reject, or "
        '{"decision": "edit", "sql": "…"}'
    ),
]
Call = Context[Any, Any, Any]


class Tools:
    """The tools as methods; their names, parameters and first lines are what a client sees."""

    def __init__(self, door: Door) -> None:
        self.door = door

    async def ask(
        self,
        ctx: Call,
        question: Question = "",
        thread_id: Thread = None,
        reply: Reply = None,
        connection: Connection = None,
        can_ask: Annotated[bool, Field(description="false: take the best reading instead of asking back")] = True,
    ) -> AskResult:
        """Answer a question about a database: SQL, rows, words and a chart. 回答关于数据库的问题。

        When status is clarification or approval, nothing was run yet: call ask again with thread_id and reply.
        """
        caller = await self.door.caller(_http(ctx), "ask")
        self._check(question, thread_id, reply)
        request = Request(
            question,
            thread_id=thread_id or "",
            connection_id=connection or "",
            user=caller.id,
            tenant=caller.tenant,
            can_ask=can_ask,
        )
        answer = await self._followed(ctx, request, self.door.answer(caller, request, reply))
        return AskResult.of(answer, self.door.services.settings.query.page_size)

    async def run_sql(
        self,
        ctx: Call,
        sql: Annotated[str, Field(description="one statement that reads, in the database's dialect")],
        limit: Annotated[int, Field(ge=1, le=1000, description="most rows to give back")] = 100,
        connection: Connection = None,
    ) -> SqlResult:
        """Check a statement and run it; anything that could write is refused. 检查并执行一条只读 SQL。"""
        caller = await self.door.caller(_http(ctx), "sql")
        return SqlResult.of(await self.door.run_sql(caller, connection, sql, limit))

    async def list_tables(
        self,
        ctx: Call,
        search: Annotated[str, Field(description="words; the tables that fit best come first", max_length=500)] = "",
        connection: Connection = None,
    ) -> TableList:
        """The tables of a database, or those that fit some words. 列出数据库中的表。"""
        caller = await self.door.caller(_http(ctx), "browse")
        source, policy = await self.door.open(caller, connection)
        tables = list(source.seen(policy).tables)
        if search.strip():
            ranking = await asyncio.to_thread(source.ranking, search, policy)
            by_name = {table.full_name: table for table in tables}
            tables = [by_name[name] for name, _ in ranking.tables if name in by_name]
        shown = [table_info(table) for table in tables[:MOST_TABLES]]
        return TableList(connection=source.connection.name, dialect=source.dialect, total=len(tables), tables=shown)

    async def describe_table(
        self,
        ctx: Call,
        name: Annotated[str, Field(description="the table's name", max_length=500)],
        connection: Connection = None,
    ) -> TableDetails:
        """A table's columns, with types, comments and samples, and its joins. 查看表的列与关联。"""
        caller = await self.door.caller(_http(ctx), "browse")
        source, policy = await self.door.open(caller, connection)
        return table_details(source.seen(policy), name)

    async def search_samples(
        self,
        ctx: Call,
        question: Question,
        limit: Annotated[int, Field(ge=1, le=20)] = 5,
        connection: Connection = None,
    ) -> SampleList:
        """Verified questions near this one, with their SQL. 查找相似的已验证问题及其 SQL。"""
        caller = await self.door.caller(_http(ctx), "browse")
        source, policy = await self.door.open(caller, connection)
        samples = await self.door.services.samples_for(source)
        if samples is None:
            return SampleList(samples=[])
        found = await samples.find(source.id, question, k=limit, least=LEAST_SCORE, user=caller.id)
        seen = [each for each in found if is_readable(each.sql, source.catalog, policy)]
        return SampleList(
            samples=[SampleFound(question=s.question, sql=s.sql, score=s.score, verified=s.verified) for s in seen]
        )

    async def list_metrics(self, ctx: Call, connection: Connection = None) -> MetricList:
        """The metrics of a database and the dimensions they can be split by. 列出数据库的指标与维度。"""
        _, desk = await self._desk(ctx, "browse", connection)
        return MetricList(metrics=desk.metrics(), dimensions=desk.dimensions())

    async def query_metric(
        self,
        ctx: Call,
        metrics: Annotated[list[str], Field(description="names from list_metrics", min_length=1, max_length=20)],
        by: Annotated[
            list[str],
            Field(description="dimensions of list_metrics, or day, week, month, quarter, year", max_length=20),
        ] = [],  # noqa: B006 - a default that a schema can show
        period: Annotated[str, Field(description="as people say it: last month, 2025, 上季度", max_length=200)] = "",
        against: Annotated[
            Literal["", "previous", "year_before"], Field(description="compare with the period or the year before")
        ] = "",
        where: Annotated[
            dict[str, list[str]] | None, Field(description="members of dimensions that count: {orders.channel: [web]}")
        ] = None,
        top: Annotated[int | None, Field(ge=1, le=1000, description="only the first n")] = None,
        connection: Connection = None,
    ) -> AskResult:
        """The figures of metrics as people defined them, split, filtered and compared. 按定义计算指标。"""
        caller, desk = await self._desk(ctx, "ask", connection, period)
        answer = await self.door.measure(caller, desk, desk.simple_plan(metrics, by, period, against, where, top))
        return AskResult.of(answer, self.door.services.settings.query.page_size)

    async def _desk(self, ctx: Call, right: str, connection: str | None, said: str = "") -> tuple[Caller, MetricDesk]:
        caller = await self.door.caller(_http(ctx), right)
        source, policy = await self.door.open(caller, connection)
        services = self.door.services
        language = answer_language(said, services.settings.language)
        return caller, open_desk(services, source, policy, language, user=caller.id, tenant=caller.tenant)

    def _check(self, question: str, thread_id: str | None, reply: Any) -> None:
        most = self.door.services.settings.agent.question_characters
        if reply is not None and not thread_id:
            raise BadRequest.because("a reply needs the thread_id it belongs to", "回复需要提供所属的 thread_id")
        if reply is None:
            check_question(question, most)
        for text in (question, str(reply or "")):
            check_length(text, most)

    async def _followed(self, ctx: Call, request: Request, events: Any) -> Answer:
        """Follow a run to its answer, telling the client how far it is."""
        language = answer_language(request.question, self.door.services.settings.language)
        told = 0
        async for event in events:
            if isinstance(event, DoneEvent):
                return event.answer
            if message := _progress(event, language):
                told += 1
                await ctx.report_progress(told, message=message)
        raise InternalError("the run ended without an answer")


def _progress(event: Event, language: str) -> str:
    if isinstance(event, StepEvent) and event.status == "started":
        return step_words(event.name, language)
    if isinstance(event, SqlEvent):
        return say(language, f"statement: {event.sql}", f"语句：{event.sql}")
    return ""


def _http(ctx: Call) -> Any:
    """The HTTP request that carried a call; there is none over stdio."""
    return ctx.request_context.request
