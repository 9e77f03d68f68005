"""Running a bridge."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.trace import BridgeReport
from graphrag_pipeline.pipeline.working import EdgesThere, NodesThere, WorkingSet
from graphrag_pipeline.stages.bridges.answer import Answer, read_answer
from graphrag_pipeline.stages.bridges.call import BridgeCaller, guarded
from graphrag_pipeline.stages.candidates import Extras

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BridgeStep:
    """Adds a bridge's extras; a bridge that fails adds none, and the query goes on.

    Args:
        place: Where it stands.
        caller: Asks the bridge.
        extra_score: Score of each extra.
        goes_on: Whether the log may say that the query goes on when the bridge fails.
    """

    place: Place
    caller: BridgeCaller
    extra_score: float
    goes_on: bool = True

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Ask for the query's graph of thought and keep what is new in it."""
        try:
            raw = self.caller.ask(query.text, query.hops)
            # An answer may be fetched while it is read, and a bridge's state while it is told.
            answer, report = guarded(lambda: self._read(raw, working, index))
        except StageError as error:
            if self.goes_on:
                logger.warning(
                    "The bridge %r failed, the query goes on without it: %s", self.place.use, error.what
                )
            return Outcome(working, bridge=BridgeReport("failed", error=error.what))
        if answer.skipped:
            logger.warning(
                "Malformed parts of the answer of bridge %r were skipped: %d; the first: %s",
                self.place.use,
                len(answer.skipped),
                answer.skipped[0],
            )
        return Outcome(replace(working, extras=_join(working.extras, answer.extras, index)), bridge=report)

    def _read(self, raw: object, working: WorkingSet, index: GraphIndex) -> tuple[Answer, BridgeReport]:
        nodes, edges = NodesThere.of(working, index), EdgesThere.of(working, index)
        answer = read_answer(raw, nodes, edges, self.extra_score)
        return answer, self._report(answer)

    def _report(self, answer: Answer) -> BridgeReport:
        bridge = self.caller.bridge
        return BridgeReport(
            mode=str(getattr(bridge, "mode", self.place.use)),
            note=str(getattr(bridge, "why", "")),
            nodes=len(answer.extras.nodes),
            edges=len(answer.extras.edges),
            paths=len(answer.extras.paths),
            skipped=answer.skipped,
        )


def _join(first: Extras, second: Extras, index: GraphIndex) -> Extras:
    return Extras(
        nodes=first.nodes + second.nodes,
        edges=first.edges + second.edges,
        paths=first.paths + second.paths,
        score=np.concatenate([first.score, second.score]),
        text_settings=index.text_settings,
    )
