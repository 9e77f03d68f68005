"""Asking a bridge without letting it stop the query."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.stages.contract import Bridge

T = TypeVar("T")

MAX_HANGING = 8
"""How many calls of one bridge may hang at once before new ones are refused."""


class BridgeCaller:
    """Asks one bridge, with a time limit.

    A call past its limit is left behind in a daemon thread, since Python cannot stop it; after
    :data:`MAX_HANGING` of those, calls fail at once until one of them ends.

    Args:
        bridge: The bridge to ask.
        timeout_s: Seconds to wait; None waits for ever.
    """

    def __init__(self, bridge: Bridge, timeout_s: float | None) -> None:
        self.bridge = bridge
        self.timeout_s = timeout_s
        self._free = threading.BoundedSemaphore(MAX_HANGING)

    # Any: nothing is known about an answer yet.
    def ask(self, text: str, depth: int) -> Any:
        """Return what ``graph_of_thought_query`` returns.

        Raises:
            StageError: The call raised, took too long, or too many earlier calls still hang.
        """
        return guarded(lambda: self._ask(text, depth))

    def _ask(self, text: str, depth: int) -> Any:
        if self.timeout_s is None or getattr(self.bridge, "local", False):
            return self.bridge.graph_of_thought_query(text, depth=depth)
        return self._in_thread(text, depth, min(self.timeout_s, threading.TIMEOUT_MAX))

    def _in_thread(self, text: str, depth: int, timeout_s: float) -> Any:
        if not self._free.acquire(blocking=False):
            raise TimeoutError(f"{MAX_HANGING} earlier calls still hang")
        outcome: list[tuple[Any, BaseException | None]] = []

        def call() -> None:
            try:
                outcome.append((self.bridge.graph_of_thought_query(text, depth=depth), None))
            except BaseException as error:  # noqa: BLE001  # carried over to the waiting thread
                outcome.append((None, error))
            finally:
                self._free.release()

        thread = threading.Thread(target=call, name="graphrag-bridge", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # no more threads: `call` will not run, so it cannot free its place
            self._free.release()
            raise
        thread.join(timeout_s)
        if not outcome:
            raise TimeoutError(f"no answer within {timeout_s:g} s (bridge.timeout_s)")
        answer, error = outcome[0]
        if error is not None:
            raise error
        return answer


def guarded(call: Callable[[], T]) -> T:
    """Return what ``call`` returns; whatever an outside source raises becomes a :class:`StageError`."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # asyncio's CancelledError among them: no outside source may end a query
        text = error.what if isinstance(error, StageError) else f"{type(error).__name__}: {error}"
        raise StageError(text) from error
