"""One thread that acts when a time has come; what it starts runs beside it, so no action delays another."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable

Action = Callable[[], None]


class Watchdog:
    """Runs actions after a delay unless they are called off."""

    def __init__(self) -> None:
        self._due: list[tuple[float, int, Alarm]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def after(self, seconds: float, action: Action) -> Alarm:
        """Run `action` in `seconds`; the alarm returned can be called off."""
        alarm = Alarm(action)
        with self._changed:
            heapq.heappush(self._due, (time.monotonic() + seconds, next(self._numbers), alarm))
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True, name="inquery-watchdog")
                self._thread.start()
            self._changed.notify()
        return alarm

    def _watch(self) -> None:
        while True:
            with self._changed:
                while not self._due or self._due[0][0] > time.monotonic():
                    wait = self._due[0][0] - time.monotonic() if self._due else None
                    self._changed.wait(wait)
                alarm = heapq.heappop(self._due)[2]
            if alarm.action is not None:
                beside(alarm.action)


class Alarm:
    """An action waiting for its time."""

    def __init__(self, action: Action) -> None:
        self.action: Action | None = action

    def call_off(self) -> None:
        """Let the time pass without acting."""
        self.action = None


def beside(action: Action) -> None:
    """Run an action in a thread of its own, for calls that may block."""
    threading.Thread(target=action, daemon=True, name="inquery-watchdog-action").start()


WATCHDOG = Watchdog()
