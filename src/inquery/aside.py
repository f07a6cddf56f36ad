"""Reading of long texts leaves the event loop, so that one person's text does not make all others wait.

A guard that reads 83 KB, or rules that read a question of 4,000 characters, need a second or more of the processor.
Short texts stay where they are: handing one to a thread costs more than reading it.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LONG_QUESTION = 300
"""Characters above which a question is read aside: some 30 ms of rules on a slow core."""
LARGE_CATALOG = 400
"""Tables above which every question is read aside: among 5,000 the first one makes indexes for more than a second."""
LONG_STATEMENT = 1500
"""Characters above which a statement is checked aside: the guard reads some 30 KB in a second."""
READERS = 2
"""Texts that are read at a time. Each competes with the loop for the interpreter, so a crowd of them has to wait."""


async def run_aside(long: bool, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function of a text gives: here where it is short, in a thread where it is `long`."""
    if not long:
        return work(*args, **kwargs)
    called = partial(contextvars.copy_context().run, partial(work, *args, **kwargs))
    return await asyncio.get_running_loop().run_in_executor(_readers(), called)


@cache
def _readers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(READERS, "inquery-reader")
