"""Running a step under the failure policy of its slot."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, replace

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.spec import OnError
from graphrag_pipeline.pipeline.steps.step import Outcome, Place, Step
from graphrag_pipeline.pipeline.trace import FailureReport
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.causes import cause, plugin_errors
from graphrag_pipeline.stages.time_limit import LateError, TimedCalls

logger = logging.getLogger(__name__)


def _calls() -> TimedCalls:
    return TimedCalls("graphrag-stage")


@dataclass(frozen=True, slots=True)
class GuardedStep:
    """A step that is given so much time, and whose failure need not end the query.

    Args:
        step: The step itself.
        on_error: What happens when it fails; never ``fallback`` without one.
        timeout_s: Seconds that the step, and then its fallback, may take; None means any.
        fallback: Runs in its place.
    """

    step: Step
    on_error: OnError
    timeout_s: float | None = None
    fallback: Step | None = None
    _own: TimedCalls = field(default_factory=_calls, repr=False, compare=False)
    _spare: TimedCalls = field(default_factory=_calls, repr=False, compare=False)

    @property
    def place(self) -> Place:
        """Where the step stands."""
        return self.step.place

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Run the step; when it fails and may, leave the working set as it was or run the fallback.

        Raises:
            StageError: It failed and may not, or its fallback failed as well.
        """
        try:
            outcome = self._timed(self.step, self._own, working, query, index)
            if outcome.bridge is None or outcome.bridge.mode != "failed":
                return outcome
            failed = FailureReport(outcome.bridge.error)
            if self.on_error == "fail":
                raise StageError(
                    f"The {self.place.kind} {self.place.use!r} failed: {outcome.bridge.error}",
                    where=f"slot {self.place.slot}",
                    hint=f"{self.place.slot}.on_error=skip goes on without an answer.",
                )
        except plugin_errors() as error:
            if self.on_error == "fail":
                raise
            outcome = Outcome(working)
            failed = FailureReport(self._why(error), late=isinstance(error.__cause__, LateError))
        return self._told(self._instead(failed, outcome, working, query, index))

    def _instead(
        self, failed: FailureReport, outcome: Outcome, working: WorkingSet, query: Query, index: GraphIndex
    ) -> Outcome:
        failed = replace(failed, hanging=self._own.hanging)
        if self.fallback is None:
            return replace(outcome, failure=failed)
        use = self.fallback.place.use
        try:
            outcome = self._timed(self.fallback, self._spare, working, query, index)
        except plugin_errors() as error:
            raise StageError(
                f"The {self.place.kind} {self.place.use!r} failed, and its fallback {use!r} as well: "
                f"{failed.error}; then: {self._why(error)}",
                where=f"slot {self.place.slot}",
                hint="Both raised; run with --debug to see where.",
            ) from error
        return replace(outcome, failure=replace(failed, fallback=use))

    def _timed(
        self, step: Step, calls: TimedCalls, working: WorkingSet, query: Query, index: GraphIndex
    ) -> Outcome:
        if self.timeout_s is None:
            return step.run(working, query, index)
        try:
            return calls.within(self.timeout_s, lambda: step.run(working, query, index))
        except LateError as late:
            place = step.place
            still = f"; {calls.hanging} late calls still run" if calls.hanging > 1 else ""
            raise StageError(
                f"The {place.kind} {place.use!r} is late: {late} ({place.slot}.timeout_s){still}",
                where=f"slot {place.slot}",
                hint=f"Raise {place.slot}.timeout_s, or let the query go on: "
                f"{place.slot}.on_error=skip or fallback:NAME.",
            ) from late

    def _why(self, error: BaseException) -> str:
        late = isinstance(error.__cause__, LateError)
        return f"{error.__cause__} ({self.place.slot}.timeout_s)" if late else cause(error)

    def _told(self, outcome: Outcome) -> Outcome:
        """Return the outcome with a remark on the failure, which the log is told as well."""
        assert outcome.failure is not None
        logger.warning(
            "The %s %r in slot %s %s", self.place.kind, self.place.use, self.place.slot, outcome.failure.told
        )
        return replace(outcome, remarks=(outcome.failure.told, *outcome.remarks))


def unguarded(step: Step) -> Step:
    """Return the step itself, without the policy it runs under."""
    return step.step if isinstance(step, GuardedStep) else step
