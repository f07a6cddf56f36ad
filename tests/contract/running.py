"""What the contract's tests share: unchecked statements and the executor, called plainly."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from tests.contract.case import EngineCase

from inquery.databases.engine import Limits, Result
from inquery.databases.executor import execute as executor
from inquery.sql.policy import CheckedSql, _mint


def unchecked(case: EngineCase, text: str, row_cap: int | None = None) -> CheckedSql:
    """A statement with the guard off."""
    return _mint(text, dialect=case.dialect, row_cap=row_cap)


async def run(case: EngineCase, connection_id: str, text: str, **limits: Any) -> Result:
    """Execute unchecked text; keyword arguments are limits, of which the time is ample on a loaded machine."""
    bounds = Limits(**{"timeout_s": 120, **limits})
    return await executor.execute(connection_id, unchecked(case, text), limits=bounds, fresh=True)


async def eventually(condition: Callable[[], bool], seconds: float = 60) -> float:
    """Wait until a condition holds; the seconds it took."""
    started = time.monotonic()
    while not await asyncio.to_thread(condition):
        assert time.monotonic() - started < seconds, "it did not come to hold in time"
        await asyncio.sleep(0.05)
    return time.monotonic() - started
