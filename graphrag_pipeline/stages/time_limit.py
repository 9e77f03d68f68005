"""Calling something without waiting for it longer than a limit.

Python cannot stop a thread. So a call that is late is left behind: it runs on in a daemon thread, what it
returns is let go, and how many of these there may be at once is bounded (decision 022).
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_HANGING = 8
"""How many calls of one thing may hang at once before new ones are refused."""


class LateError(TimeoutError):
    """A call was not done in time, or was not begun because too many earlier ones still hang."""


class TimedCalls:
    """Calls of one thing that are waited for so long and no longer; safe to share between threads.

    Args:
        name: Name of the threads.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._hanging = 0

    @property
    def hanging(self) -> int:
        """How many late calls still run."""
        return self._hanging

    def within(self, seconds: float, call: Callable[[], T]) -> T:
        """Return what a call returns, or raise what it raises.

        It runs in a thread of its own, with the context variables of this one.

        Args:
            seconds: How long to wait for it.
            call: The call.

        Raises:
            LateError: It took too long, or :data:`MAX_HANGING` earlier calls still hang.
        """
        if self._hanging >= MAX_HANGING:
            raise LateError(f"{MAX_HANGING} earlier calls still hang")
        outcome: list[tuple[T, None] | tuple[None, BaseException]] = []
        left = False
        context = contextvars.copy_context()

        def work() -> None:
            try:
                outcome.append((context.run(call), None))
            except BaseException as error:  # noqa: BLE001  # carried over to the waiting thread
                outcome.append((None, error))
            with self._lock:
                self._hanging -= left

        thread = threading.Thread(target=work, name=self._name, daemon=True)
        thread.start()
        try:
            thread.join(min(seconds, threading.TIMEOUT_MAX))
        finally:  # also when an interrupt ends the waiting
            with self._lock:
                left = not outcome
                self._hanging += left
        if left:
            raise LateError(f"no answer within {seconds:g} s")
        answer, error = outcome[0]
        if error is not None:
            raise error
        return answer  # type: ignore[return-value]  # without an error there is an answer
