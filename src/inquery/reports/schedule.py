"""Fills reports by themselves: cron expressions in a time zone, claimed through the store so that one worker does it."""

from __future__ import annotations

import asyncio
import datetime
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from inquery.errors import BadRequest, Forbidden, InqueryError, MissingDriver
from inquery.reports.deliver import check_target, delivered, file_name, mailed_to
from inquery.reports.desk import ReportDesk
from inquery.reports.mail import check_recipients
from inquery.reports.render import OUTPUTS, Document
from inquery.reports.report_run import Who
from inquery.store.reports import StoredReport, StoredRun
from inquery.store.schedules import Schedules, StoredSchedule

LOG = logging.getLogger("inquery.reports")
LEASE_S = 3600.0
"""Longest a claimed schedule is held by a worker that may have died."""
LATE_S = 24 * 3600
"""A schedule that was due while no server ran is filled once, unless it is older than this."""
Owner = Callable[[str], Awaitable[Who]]
"""For whom a schedule's owner is filled today; raises where the owner may no longer do it."""


def next_time(cron: str, zone: str, after: datetime.datetime) -> datetime.datetime:
    """The first moment after another that an expression names, in its own time zone; raises BadRequest."""
    try:
        from croniter import croniter
    except ImportError as error:
        raise MissingDriver(str(error), engine="cron", extra="reports") from error
    try:
        local = after.astimezone(ZoneInfo(zone or "UTC"))
        if len(cron.split()) != 5:
            raise ValueError(cron)
        found: datetime.datetime = croniter(cron, local).get_next(datetime.datetime)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise BadRequest.because(
            f"“{cron}” is not a cron expression of five fields", f"“{cron}”不是五段式 cron 表达式", detail=str(error)
        ) from error
    except ZoneInfoNotFoundError as error:
        raise BadRequest.because(f"there is no time zone {zone}", f"没有时区 {zone}", detail=zone) from error
    return found.astimezone(datetime.UTC)


@dataclass(slots=True)
class Scheduler:
    """Looks for what is due, fills it, and delivers it."""

    desk: ReportDesk
    owner: Owner
    holder: str = ""

    def __post_init__(self) -> None:
        self.holder = self.holder or secrets.token_hex(16)

    @property
    def schedules(self) -> Schedules:
        """The schedules of the desk's store."""
        return Schedules(self.desk.runner.store)

    async def add(
        self,
        report: StoredReport,
        cron: str,
        *,
        outputs: list[str],
        target: str = "",
        recipients: Sequence[str] = (),
        timezone: str = "",
        given: Mapping[str, str] | None = None,
        local: bool = False,
    ) -> StoredSchedule:
        """Keep a schedule for a report; raises BadRequest."""
        wrong = [each for each in outputs if each not in OUTPUTS]
        if wrong or not outputs:
            listed = ", ".join(OUTPUTS)
            raise BadRequest.because(
                f"a report is written as {listed}", f"报告格式应为 {listed}", detail=",".join(wrong)
            )
        settings = self.desk.runner.services.settings
        place = await asyncio.to_thread(check_target, target, settings, local=local)  # names are looked up
        mailed = check_recipients(recipients, settings.mail, local=local)
        at = next_time(cron, timezone, datetime.datetime.now(datetime.UTC))
        content = {"given": dict(given or {}), "outputs": outputs, "recipients": mailed}
        return await asyncio.to_thread(
            self.schedules.add, report.id, report.owner, cron, timezone or "UTC", at, content, place
        )

    async def tick(self, now: datetime.datetime | None = None) -> list[str]:
        """Fill everything that is due now, and what dead workers left; gives the ids of the runs."""
        found: list[str] = []
        moment = now or datetime.datetime.now(datetime.UTC)
        while (due := await asyncio.to_thread(self._claimed, moment)) is not None:
            run_id, outcome = await self._filled(due, moment)
            await asyncio.to_thread(self.schedules.finish, due.id, self.holder, run_id, outcome)
            found += [run_id] if run_id else []
        for run in await asyncio.to_thread(self.desk.runs.abandoned):
            found += await self._resumed(run)
        return found

    def _claimed(self, now: datetime.datetime) -> StoredSchedule | None:
        return self.schedules.claim(
            now, self.holder, LEASE_S, lambda each, moment: next_time(each.cron, each.timezone, moment)
        )

    async def _filled(self, due: StoredSchedule, now: datetime.datetime) -> tuple[str, str]:
        if (now - due.next_at).total_seconds() > LATE_S:
            return "", "missed"
        try:
            who = await self.owner(due.owner)
            report = await asyncio.to_thread(self.desk.reports.get, due.owner, due.report_id)
            run = await self.desk.run(report, due.content.get("given", {}), who, schedule=due.id)
            return run.id, await self._delivered(report, run, due, who)
        except InqueryError as error:
            LOG.warning("a scheduled report failed: %s", error.code)
            return "", f"failed: {error.code}"

    async def _resumed(self, run: StoredRun) -> list[str]:
        """Finish what a dead worker began, and deliver it."""
        known = await asyncio.to_thread(self.schedules.list, run.owner)
        due = next((each for each in known if each.id == run.content.get("schedule")), None)
        try:
            who = await self.owner(run.owner)
            done = await self.desk.resume(run.owner, run.id, who)
            report = await asyncio.to_thread(self.desk.reports.get, run.owner, run.report_id)
            if due is not None:
                await self._delivered(report, done, due, who)
        except InqueryError as error:  # another worker was quicker, or the owner is gone
            LOG.info("a run was not resumed: %s", error.code)
            return []
        return [done.id]

    async def _delivered(self, report: StoredReport, run: StoredRun, due: StoredSchedule, who: Who) -> str:
        target, recipients = due.target.get_secret_value(), due.content.get("recipients", [])
        if not target and not recipients:
            return run.status
        if not who.may_download(report.connection_id):  # the right may have gone since the schedule was made
            return f"{run.status}; not delivered: {Forbidden.code}"
        settings = self.desk.runner.services.settings
        files: list[tuple[str, Document]] = []
        for output in due.content.get("outputs", []):
            name = file_name(report.name, run.started.isoformat(timespec="seconds"), output)
            files.append((name, await self.desk.document(run, output, beside=name.rpartition(".")[0])))
        outcomes = [run.status]
        for name, document in files if target else ():
            bring = partial(delivered, target, name, document, settings, run_id=run.id, status=run.status)
            outcomes.append(f"{document.form} {await asyncio.to_thread(bring)}")
        if recipients:
            outcomes.append(await asyncio.to_thread(mailed_to, recipients, report.name, run, files, settings))
        return "; ".join(outcomes)

    async def forever(self, seconds: float) -> None:
        """Tick until cancelled; a failing store is tried again at the next tick."""
        from sqlalchemy.exc import SQLAlchemyError

        while True:
            try:
                await self.tick()
            except (SQLAlchemyError, InqueryError, OSError) as error:
                LOG.warning("schedules could not be filled: %s", type(error).__name__)
            await asyncio.sleep(seconds)
