"""Running a filter."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.judging import judge, shortage
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.trace import Drops
from graphrag_pipeline.pipeline.working import NodesThere, WorkingSet
from graphrag_pipeline.stages.candidates import Candidates, Extras
from graphrag_pipeline.stages.contract import Filter, Verdict


@dataclass(frozen=True, slots=True)
class FilterStep:
    """Drops candidates and extras; edges stay with both ends, paths with all their nodes."""

    place: Place
    component: Filter

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Judge what there is; with nothing to judge the filter is not called."""
        candidates, extras = working.candidates, working.extras
        if not len(candidates) and not _any(extras):
            return Outcome(working, idle="no candidates")
        drops: list[Drops] = []
        remarks: tuple[str, ...] = ()
        if len(candidates) and (verdict := self._judge(candidates, query, index)) is not None:
            drops.append(Drops(candidates.node, verdict, index))
            kept = candidates.keep(verdict.keep)
            remarks = shortage(self.place, self.component, candidates, len(kept), query, index)
            candidates = kept
        if _any(extras):
            among = extras.as_candidates()
            verdict = self._judge(among, query, extras.index)
            if verdict is not None:
                drops.append(Drops(among.node, verdict, extras.index, extras=True))
            if drops:
                mask = np.ones(len(among), dtype=np.bool_) if verdict is None else verdict.keep
                there = NodesThere(replace(working, candidates=candidates), index)
                extras = extras.keep(mask, there)
        if not drops:
            return Outcome(working, idle="does not apply to this query")
        left = replace(working, candidates=candidates, extras=extras)
        return Outcome(left, drops=tuple(drops), remarks=remarks)

    def _judge(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        return judge(self.place, self.component, candidates, query, index)


def _any(extras: Extras) -> bool:
    return bool(extras.nodes or extras.edges or extras.paths)
