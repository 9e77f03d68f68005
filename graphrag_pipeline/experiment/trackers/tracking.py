"""The trackers of a run: told of everything, and unable to stop it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from graphrag_pipeline.config.settings import Settings
from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun, TrackedStep, Tracker
from graphrag_pipeline.tracking.redaction import without_secrets

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrackerState:
    """What became of a tracker.

    Args:
        name: What the config calls it.
        error: Why it was left out; empty when it was told everything.
    """

    name: str
    error: str = ""


class Tracking:
    """Tells trackers of runs; as a context manager it also tells them of runs that nobody ended.

    A tracker that raises, or cannot be made, is told nothing more, and the log says so once. On leaving the
    ``with`` block every run that has started and not finished has failed, or was interrupted, the inner ones
    first.

    Args:
        trackers: Trackers by the name that the config gives them.
        errors: Why others could not be made, by name.
    """

    def __init__(self, trackers: Mapping[str, Tracker], errors: Mapping[str, str] | None = None) -> None:
        self._trackers = dict(trackers)
        self._errors = dict(errors or {})
        self._names = sorted({*self._trackers, *self._errors})
        self._open: dict[str, TrackedRun] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._open:
            return
        end = _unfinished(error)
        for run in reversed(list(self._open.values())):
            self.finish(run, end)

    @property
    def active(self) -> bool:
        """Whether anybody is told; who makes what is told only then saves time."""
        return any(name not in self._errors for name in self._trackers)

    @property
    def states(self) -> tuple[TrackerState, ...]:
        """What became of each tracker, by name."""
        return tuple(TrackerState(name, self._errors.get(name, "")) for name in self._names)

    def start(self, run: TrackedRun) -> None:
        """Tell that a run begins."""
        self._open[run.run_id] = run
        self._tell(lambda tracker: tracker.start(run))

    def log(self, run: TrackedRun, step: TrackedStep) -> None:
        """Tell of a step of a run that has started."""
        self._tell(lambda tracker: tracker.log(run, step))

    def finish(self, run: TrackedRun, end: TrackedEnd) -> None:
        """Tell how a run ended."""
        self._open.pop(run.run_id, None)
        self._tell(lambda tracker: tracker.finish(run, end))

    def _tell(self, call: Callable[[Tracker], None]) -> None:
        for name, tracker in self._trackers.items():
            if name in self._errors:
                continue
            try:
                call(tracker)
            except plugin_errors() as error:
                # The address of a server may hold a password.
                self._errors[name] = without_secrets(cause(error))
                where = place(error)
                logger.warning(
                    "The tracker %r failed, the run goes on without it: %s%s",
                    name,
                    self._errors[name],
                    f" ({where})" if where else "",
                )
                logger.debug("Traceback of the tracker that failed", exc_info=error)


def tracking_of(settings: Settings, host: PluginHost) -> Tracking:
    """Return the trackers that a config names; one that cannot be made is left out like one that raises."""
    trackers: dict[str, Tracker] = {}
    errors: dict[str, str] = {}
    for name, spec in settings.trackers.items():
        try:
            trackers[name] = host.build(spec.kind, spec.use, spec.params)
        except PluginError as error:
            errors[name] = error.what
            hint = f" {error.hint}" if error.hint else ""
            logger.warning("The run goes on without the tracker %r: %s%s", name, error.what, hint)
    return Tracking(trackers, errors)


def _unfinished(error: BaseException | None) -> TrackedEnd:
    if error is None:
        return TrackedEnd("failed", error="it ended without a result")
    interrupted = isinstance(error, KeyboardInterrupt | GeneratorExit)
    return TrackedEnd("interrupted" if interrupted else "failed", error=cause(error))
