"""Fills a report in a process that is killed when a number of placeholders are known; the parent resumes it."""

import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.integration.report_office import SCRIPT, TODAY, office

from inquery.reports.goals import Goal
from inquery.reports.report_run import Who


async def main(folder: Path, survive: int) -> None:
    def progress(goal: Goal, status: str, done: int, total: int) -> None:
        if done >= survive:
            os.kill(os.getpid(), signal.SIGKILL)

    async with office(folder, SCRIPT, reports={"parallel": 1}) as here:
        report = here.desk.reports.get("local", "orders")
        await here.desk.run(report, {}, Who(), progress=progress, today=TODAY)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
