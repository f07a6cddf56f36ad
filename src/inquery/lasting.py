"""What stays for hours is not walked by the collector, which stops every thread while it does.

Of a warehouse with 5,000 tables a million small objects stay: a collection that walked them held the server for three
quarters of a second.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

YOUNG = (5_000, 10, 10)
"""Objects made before a server's collector looks at the young ones: that takes some 3 ms, at those that outlived ten looks 30 ms."""
HAND_OVER_S = 0.001
"""After so long a thread that reads a long text hands the interpreter over. With Python's 5 ms a request that waits for it twenty
times, as one over a file does, is late by a tenth of a second."""

_lock = Lock()
_makers: list[bool] = []
"""For each that has the collector rest, whether it ran before."""
_serving: list[None] = []


@contextmanager
def collect_as_server() -> Iterator[None]:
    """Many short looks instead of few long ones, none at what is loaded by now, and threads that take short turns."""
    before, turns = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(*YOUNG)
    sys.setswitchinterval(HAND_OVER_S)
    gc.freeze()
    _serving.append(None)
    try:
        yield
    finally:
        _serving.pop()
        gc.unfreeze()
        sys.setswitchinterval(turns)
        gc.set_threshold(*before)


@contextmanager
def rest_collector() -> Iterator[None]:
    """The collector rests: of the many small objects that are made meanwhile nearly all stay."""
    with _lock:
        _makers.append(gc.isenabled())
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            first = _makers[0]
            _makers.pop()
            if first and not _makers:
                gc.enable()


@contextmanager
def make_lasting(large: bool) -> Iterator[None]:
    """Something large is made that stays: a server's collector walks it neither now nor later."""
    if not large:
        yield
        return
    if _serving:
        gc.collect(1)  # what is frozen is never collected, so garbage in circles goes before
    with rest_collector():
        yield
        if _serving:
            gc.freeze()
