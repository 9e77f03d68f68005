"""Running a seed retriever."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
from graphrag_pipeline.stages.contract import SeedRetriever


@dataclass(frozen=True, slots=True)
class SeedStep:
    """Adds seeds, scored as the retriever scored them, to the candidates; those already there stay."""

    place: Place
    component: SeedRetriever

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Ask for at most ``query.k`` seeds; none are asked for when ``k`` is 0 or less."""
        if query.k <= 0:
            return Outcome(working, idle="k is 0 or less")
        raw = self.component.retrieve(query, index, query.k)
        found = dict(self._seeds(raw, index))
        if len(found) > query.k:
            self.place.refuse(f"returned {len(found)} seeds where k is {query.k}")
        there = working.candidates
        fresh = {node: score for node, score in found.items() if there.row(node) == NOWHERE}
        seeds = Candidates.seeds(np.fromiter(fresh, np.int64, len(fresh)))
        scores = self.place.column(list(fresh.values()), len(fresh), "scores")
        return Outcome(replace(working, candidates=_append(working.candidates, replace(seeds, score=scores))))

    def _seeds(self, raw: object, index: GraphIndex) -> Iterator[tuple[int, object]]:
        if not isinstance(raw, list | tuple):
            self.place.refuse(f"returned {type(raw).__name__}, not a list of (node_id, score) pairs")
        seen: set[int] = set()
        for entry in raw:
            if not isinstance(entry, tuple | list) or len(entry) != 2:
                self.place.refuse(f"returned {entry!r:.80}, not a (node_id, score) pair")
            position = index.position(entry[0]) if isinstance(entry[0], str) else None
            if position is None:
                self.place.refuse(f"returned the seed {entry[0]!r:.80}, which is not a node of the graph")
            if position in seen:
                self.place.refuse(f"returned the seed {entry[0]!r:.80} twice")
            seen.add(position)
            yield position, entry[1]


def _append(first: Candidates, second: Candidates) -> Candidates:
    nowhere = np.full(len(second), NOWHERE, dtype=np.int64)
    return Candidates(
        node=np.concatenate([first.node, second.node]),
        parent=np.concatenate([first.parent, nowhere]),
        edge=np.concatenate([first.edge, nowhere]),
        hop=np.concatenate([first.hop, second.hop]),
        score=np.concatenate([first.score, second.score]),
    )
