"""Running a filter."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
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
        if len(candidates) and (verdict := self._judge(candidates, query, index)) is not None:
            drops.append(Drops(candidates.node, verdict, index))
            candidates = candidates.keep(verdict.keep)
        if _any(extras):
            among = extras.as_candidates()
            verdict = self._judge(among, query, extras.index)
            if verdict is not None:
                drops.append(Drops(among.node, verdict, extras.index, extras=True))
            if drops:
                mask = np.ones(len(among), dtype=np.bool_) if verdict is None else verdict.keep
                kept = replace(working, candidates=candidates)
                extras = extras.keep(mask, NodesThere(kept, index))
        if not drops:
            return Outcome(working, idle="does not apply to this query")
        return Outcome(replace(working, candidates=candidates, extras=extras), drops=tuple(drops))

    def _judge(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        verdict = self.component.keep(candidates, query, index)
        if verdict is None:
            return None
        if not isinstance(verdict, Verdict):
            self.place.refuse(f"returned {type(verdict).__name__}, not a Verdict or None")
        shape = (len(candidates),)
        keep, reason = np.asarray(verdict.keep), np.asarray(verdict.reason)
        if keep.dtype != np.bool_ or keep.shape != shape:
            self.place.refuse(f"returned a mask of {keep.dtype} {keep.shape}, not of bool {shape}")
        dropped = reason[~keep] if reason.shape == shape and reason.dtype.kind in "iu" else None
        known = len(verdict.reasons)
        if dropped is None or (dropped.size and (dropped.min() < 0 or dropped.max() >= known)):
            self.place.refuse("dropped a candidate without a reason")
        reasons: object = verdict.reasons
        if not isinstance(reasons, tuple | list) or not all(
            isinstance(name, str) and name for name in reasons
        ):
            self.place.refuse(f"returned the reasons {reasons!r:.60}, not a tuple of texts")
        return Verdict(keep, reason, tuple(reasons))


def _any(extras: Extras) -> bool:
    return bool(extras.nodes or extras.edges or extras.paths)
