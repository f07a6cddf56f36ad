"""Reports in the server: filled beside the questions of conversations, under the same limits, and by their schedules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, FastAPI, Request

from inquery.api.identity import Identity, User
from inquery.api.request_limits import RequestLimits
from inquery.api.rights import RIGHTS
from inquery.api.shared import Shared
from inquery.errors import Forbidden, InqueryError
from inquery.llm.writer import SqlWriter
from inquery.reports.desk import ReportDesk
from inquery.reports.report_run import ReportRunner, Who
from inquery.reports.schedule import Scheduler
from inquery.store.reports import StoredReport, StoredRun
from inquery.store.spending import Spent, spending_day

LOG = logging.getLogger("inquery.reports")


class ReportRoom:
    """The desk of reports with the fillings that are under way in this worker."""

    def __init__(self, here: Shared, identity: Identity, writer: SqlWriter | None) -> None:
        self.desk = ReportDesk(ReportRunner(here.services, here.store, writer=writer))
        self.limits: RequestLimits = here.limits
        self.identity = identity
        self.scheduler = Scheduler(self.desk, self._owner)
        self._filling: set[asyncio.Task[None]] = set()

    async def start(self, report: StoredReport, given: dict[str, str], user: User, *, anew: bool) -> StoredRun:
        """Begin to fill a report; what it becomes is looked up by its id."""
        run, holder = await self.desk.runner.begin(report, given, anew=anew)
        try:
            await self.limits.enter(user.id, run.id)
        except InqueryError:
            await asyncio.to_thread(self.desk.runs.finish, run.id, "failed", run.content)
            raise
        self._later(report, run, holder, user)
        return run

    async def resume(self, run: StoredRun, user: User) -> None:
        """Go on with a run that a dead worker left."""
        await self.limits.enter(user.id, run.id)
        try:
            await self.desk.resume(user.id, run.id, who_is(user))
        finally:
            await self.limits.leave(user.id, run.id)

    def _later(self, report: StoredReport, run: StoredRun, holder: str, user: User) -> None:
        async def fill() -> None:
            try:
                done = await self.desk.runner.fill(report, run, holder, who_is(user))
                await asyncio.to_thread(self.limits.spending.add, _spent(user.id, done))
            except InqueryError as error:
                LOG.warning("report run %s failed: %s", run.id, error.code)
                await asyncio.to_thread(self.desk.runs.finish, run.id, "failed", run.content | {"error": error.code})
            finally:
                await self.limits.leave(user.id, run.id)

        task = asyncio.create_task(fill())
        self._filling.add(task)
        task.add_done_callback(self._filling.discard)

    async def _owner(self, user_id: str) -> Who:
        """A schedule's owner as they are today; raises Forbidden where they may no longer have reports."""
        if not self.identity.on:
            return Who(user_id)
        stored = await asyncio.to_thread(self.identity.users.get, user_id)
        user = await self.identity.known(stored, "")
        if stored.disabled or not user.may(RIGHTS["reports"].role):
            raise Forbidden("reports")
        return who_is(user)

    async def close(self) -> None:
        """Stop what is under way; a later run takes it up."""
        for task in list(self._filling):
            task.cancel()
        await asyncio.gather(*self._filling, return_exceptions=True)


def who_is(user: User) -> Who:
    """A caller as reports know them."""
    return Who(user.id, user.tenant, access=user.policy, may_download=user.may_download)


def _spent(user_id: str, run: StoredRun) -> Spent:
    said = run.content
    return Spent(
        user_id, spending_day(), runs=1, model_calls=int(said.get("model_calls", 0)), tokens=int(said.get("tokens", 0))
    )


@asynccontextmanager
async def opened(app: FastAPI, writer: SqlWriter | None) -> AsyncIterator[None]:
    """Open the room for the life of the server, and look after schedules where the settings say so."""
    here: Shared = app.state.shared
    room = ReportRoom(here, app.state.identity, writer)
    app.state.reports = room
    ticking = None
    if here.settings.reports.schedules:
        ticking = asyncio.create_task(room.scheduler.forever(here.settings.reports.tick_s))
    try:
        yield
    finally:
        if ticking is not None:
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)
        await room.close()


async def _room(request: Request) -> ReportRoom:
    found: ReportRoom = request.app.state.reports
    return found


Room = Annotated[ReportRoom, Depends(_room)]
