"""Running queries through a plan."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

from graphrag_pipeline.errors import ConfigError, GraphRAGError, Problem
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.pipeline.plan import Plan
from graphrag_pipeline.pipeline.steps.step import Outcome, Step
from graphrag_pipeline.pipeline.trace import SlotTrace, Trace
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.plugin.host import PluginHost

logger = logging.getLogger(__name__)


class Pipeline:
    """A plan, the graph it runs on, and the personas it knows; safe to share between threads.

    Args:
        plan: The steps.
        index: The compiled graph.
        host: Observers are told through it.
        query: Defaults for queries given as text only.
        personas: Known personas; empty means that every persona id stands for itself.
        anchors: Persona fields that stand for a persona in scoring.
    """

    def __init__(
        self,
        plan: Plan,
        index: GraphIndex,
        host: PluginHost,
        *,
        query: Query | None = None,
        personas: PersonaRegistry | None = None,
        anchors: Sequence[str] = ("id",),
    ) -> None:
        self.plan = plan
        self.index = index
        self.host = host
        self.query = Query("") if query is None else query
        self.personas = PersonaRegistry() if personas is None else personas
        self.anchors = tuple(anchors)
        host.observe("plan_built", plan=plan)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "A Pipeline cannot be sent to another process: it holds locks and plugin objects. "
            "Build one there; an index and a result can be sent."
        )

    def run(self, query: Query | str) -> QueryResult:
        """Answer a query; a text takes every other setting from the pipeline's defaults.

        Raises:
            StageError: A stage raised, or returned something its contract forbids.
        """
        return self.trace(query).result

    def trace(self, query: Query | str, *, after: Callable[[str, WorkingSet], None] | None = None) -> Trace:
        """Answer a query and say how; see :meth:`run`.

        Args:
            query: What is asked.
            after: Called after each step with its slot and what it left.
        """
        started = time.perf_counter()
        asked = replace(self.query, text=query) if isinstance(query, str) else query
        if not isinstance(asked, Query):
            raise ConfigError([Problem("query", f"must be a Query or a text, got {asked!r:.60}")])
        resolved, warnings = self.resolve(asked)
        if self.index.node_count == 0:
            empty = Trace(resolved, WorkingSet(), self.index, warnings=(*warnings, "the graph is empty"))
            self.host.observe("run_finished", trace=empty)
            return empty
        working = WorkingSet()
        slots: list[SlotTrace] = []
        for number, step in enumerate(self.plan.steps):
            working, slot = self._step(number, step, working, resolved)
            slots.append(slot)
            if after is not None:
                after(step.place.slot, working)
        seconds = time.perf_counter() - started
        trace = Trace(resolved, working, self.index, tuple(slots), warnings, seconds)
        self.host.observe("run_finished", trace=trace)
        return trace

    def resolve(self, query: Query) -> tuple[Query, tuple[str, ...]]:
        """Return the query with what stands for its persona, and the persona's cell; and warnings.

        There is a warning for a persona that nobody knows.
        """
        persona = query.persona
        if not persona or not len(self.personas):
            return query, ()
        if query.persona_cell is None:
            query = replace(query, persona_cell=self.personas.cell(persona))
        if query.anchors:
            return query, ()
        warnings: tuple[str, ...] = ()
        if persona not in self.personas:
            nearest = ", ".join(self.personas.nearest(persona))
            advice = f"nearest: {nearest}" if nearest else "none is like it"
            warnings = (
                f"unknown persona {persona!r} among the {len(self.personas)} known ones; {advice}; "
                "the query goes on with the id as given (personas=none ends this warning)",
            )
            logger.warning("%s", warnings[0])
        return replace(query, anchors=self.personas.anchors(persona, self.anchors)), warnings

    def _step(
        self, number: int, step: Step, working: WorkingSet, query: Query
    ) -> tuple[WorkingSet, SlotTrace]:
        place = step.place
        self.host.observe("before_stage", slot=place.slot, step=number)
        started = time.perf_counter()
        try:
            outcome = step.run(working, query, self.index)
        except plugin_errors() as error:
            self.host.observe("stage_failed", slot=place.slot, step=number, error=error)
            if isinstance(error, GraphRAGError):
                raise
            where = f"slot {place.slot}, step {number + 1} of {len(self.plan.steps)}"
            raise place.failure(error, where) from error
        slot = _slot_trace(step, working, outcome, time.perf_counter() - started)
        self.host.observe("after_stage", slot=place.slot, step=number, trace=slot)
        return outcome.working, slot


def _slot_trace(step: Step, before: WorkingSet, outcome: Outcome, seconds: float) -> SlotTrace:
    return SlotTrace(
        slot=step.place.slot,
        kind=step.place.kind,
        use=step.place.use,
        seconds=seconds,
        candidates_in=len(before),
        candidates_out=len(outcome.working),
        drops=outcome.drops,
        bridge=outcome.bridge,
        cut=outcome.cut,
        context=outcome.context,
        idle=outcome.idle,
        remarks=outcome.remarks,
        failure=outcome.failure,
    )
