"""A circuit breaker: a server that is down is left alone for a while.

Source: Nygard, "Release It!", 2nd edition, chapter 5, with one trial call while it is half open.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Breaker:
    """Counts failures, and says whether a call may be made. It may be shared between threads.

    Args:
        failures: Failures in a row that open it.
        reset_s: Seconds that it stays open.
        clock: Seconds that never go back.
    """

    def __init__(self, failures: int, reset_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = failures
        self._reset_s = reset_s
        self._clock = clock
        self._lock = threading.Lock()
        self._failed = 0
        self._opened: float | None = None
        self._is_trying = False

    def wait(self) -> float:
        """Return 0 when a call may be made, else the seconds until one may.

        Whoever is told 0 makes the call, and then tells how it went: :meth:`succeeded`, :meth:`failed`, or
        :meth:`told_nothing` where it says nothing about the server.
        """
        with self._lock:
            if self._opened is None:
                return 0.0
            left = self._opened + self._reset_s - self._clock()
            if left > 0:
                return left
            if self._is_trying:
                return self._reset_s
            self._is_trying = True
            return 0.0

    def succeeded(self) -> None:
        """Close it."""
        with self._lock:
            self._failed, self._opened, self._is_trying = 0, None, False

    def failed(self) -> None:
        """Count a failure; the last of too many opens it, and so does that of the trial call."""
        with self._lock:
            self._failed += 1
            if self._failed >= self._most or self._is_trying:
                self._opened = self._clock()
            self._is_trying = False

    def told_nothing(self) -> None:
        """Let another call be the trial."""
        with self._lock:
            self._is_trying = False
