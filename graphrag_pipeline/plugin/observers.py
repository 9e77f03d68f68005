"""Telling plugins what happens, without letting them change or stop it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from threading import Lock

import pluggy

from graphrag_pipeline.plugin.call_trace import CallTrace
from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.hookspecs import EVENTS, PREFIX

logger = logging.getLogger(__name__)


class Observers:
    """The observer hooks of one host; one that raises is left out from then on.

    Args:
        manager: Knows the hooks.
        calls: Makes the calls.
    """

    def __init__(self, manager: pluggy.PluginManager, calls: CallTrace) -> None:
        self._calls = calls
        self._manager = manager
        self._lock = Lock()
        self._watching: dict[str, tuple[pluggy.HookImpl, ...]] = dict.fromkeys(EVENTS, ())
        self._out: list[pluggy.HookImpl] = []
        self._errors: list[tuple[str, str]] = []

    def refresh(self) -> None:
        """Take up the hooks of plugins that were registered since."""
        for event in EVENTS:
            # The order in which pluggy calls: last registered first, then what tryfirst and trylast say.
            hooks = reversed(getattr(self._manager.hook, PREFIX + event).get_hookimpls())
            self._watching[event] = tuple(hook for hook in hooks if hook not in self._out)

    def watching(self, event: str) -> bool:
        """Return whether anybody observes an event."""
        return bool(self._watching[event])

    def tell(self, event: str, payload: Mapping[str, object]) -> None:
        """Call every observer of an event.

        Args:
            event: One of :data:`graphrag_pipeline.plugin.hookspecs.EVENTS`.
            payload: All arguments of its hook; each observer gets those it asks for.
        """
        for hook in self._watching[event]:
            arguments = [payload[name] for name in hook.argnames]
            try:
                self._calls.call(PREFIX + event, hook.plugin_name, hook.function, *arguments)
            except plugin_errors() as error:
                self._leave_out(event, hook, error)

    def errors_of(self, plugin: str) -> tuple[str, ...]:
        """Return what the observers of a plugin raised, one line each, in order."""
        return tuple(line for owner, line in self._errors if owner == plugin)

    def _leave_out(self, event: str, hook: pluggy.HookImpl, error: BaseException) -> None:
        with self._lock:  # queries may run in several threads, and one line in the log is enough
            if hook in self._out:
                return
            self._out.append(hook)
            self._watching[event] = tuple(other for other in self._watching[event] if other is not hook)
            self._errors.append((hook.plugin_name, f"{event}: {cause(error)}"))
        logger.warning(
            "The plugin %s failed observing %s and is left out there from now on: %s (%s)",
            hook.plugin_name,
            event,
            cause(error),
            place(error) or "place unknown",
        )
        logger.debug("Traceback of the observer that failed", exc_info=error)
