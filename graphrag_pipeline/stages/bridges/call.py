"""Asking a bridge without letting it stop the query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.stages.contract import Bridge
from graphrag_pipeline.stages.time_limit import MAX_HANGING, LateError, TimedCalls

__all__ = ["MAX_HANGING", "BridgeCaller", "guarded"]

T = TypeVar("T")


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
        self._calls = TimedCalls("graphrag-bridge")

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
        try:
            return self._calls.within(
                self.timeout_s, lambda: self.bridge.graph_of_thought_query(text, depth=depth)
            )
        except LateError as late:
            raise TimeoutError(f"{late} (bridge.timeout_s)") from None


def guarded(call: Callable[[], T]) -> T:
    """Return what ``call`` returns; whatever an outside source raises becomes a :class:`StageError`."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # asyncio's CancelledError among them: no outside source may end a query
        text = error.what if isinstance(error, StageError) else f"{type(error).__name__}: {error}"
        raise StageError(text) from error
