"""Running a seed retriever."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
from graphrag_pipeline.stages.contract import SeedRetriever

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeedStep:
    """Adds seeds, scored as the retriever scored them, to the candidates; those already there stay.

    Args:
        place: Where it stands.
        component: The retriever.
        k: Most seeds; None means ``query.k``.
    """

    place: Place
    component: SeedRetriever
    k: int | None = None

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Ask for at most ``k`` seeds; none are asked for when ``query.k`` is 0 or less."""
        if query.k <= 0:
            return self._not_asked(working, query)
        k = query.k if self.k is None else self.k
        raw = self.component.retrieve(query, index, k)
        found = dict(self._seeds(raw, index))
        if len(found) > k:
            self.place.refuse(f"returned {len(found)} seeds where k is {k}")
        there = working.candidates
        if not found and not len(there):
            return Outcome(working, remarks=(self._none(query, index),))
        fresh = {node: seed for node, seed in found.items() if there.row(node) == NOWHERE}
        seeds = Candidates.seeds(np.fromiter(fresh, np.int64, len(fresh)))
        scores = self.place.column([seed[1] for seed in fresh.values()], len(fresh), "scores")
        evidence = self._evidence([seed[2] if len(seed) == 3 else {} for seed in fresh.values()])
        seeds = replace(seeds, score=scores, evidence=evidence)
        return Outcome(replace(working, candidates=there.append(seeds)))

    def _not_asked(self, working: WorkingSet, query: Query) -> Outcome:
        """Return the working set as it is, with a remark that the log is told as well.

        A run shows no remarks of its queries, and would have 0 everywhere without a word.
        """
        remark = f"no seeds: query.k is {query.k}; give it 1 or more, such as query.k=10"
        logger.warning("%s: %s", self.place.slot, remark)
        return Outcome(working, idle="k is 0 or less", remarks=(remark,))

    def _none(self, query: Query, index: GraphIndex) -> str:
        why = getattr(self.component, "why_none", None)
        told = str(why(query, index)) if callable(why) else ""
        return f"no seeds: {told or f'{self.place.use!r} found no node for this query'}"

    def _evidence(self, given: list[Mapping[str, object]]) -> dict[str, FloatArray]:
        names = dict.fromkeys(name for entry in given for name in entry)
        return {
            name: self.place.column(
                [entry.get(name, 0.0) for entry in given], len(given), f"evidence {name!r}"
            )
            for name in names
        }

    # Any: a plugin's answer is checked entry by entry.
    def _seeds(self, raw: object, index: GraphIndex) -> Iterator[tuple[int, Sequence[Any]]]:
        if not isinstance(raw, list | tuple):
            self.place.refuse(f"returned {type(raw).__name__}, not a list of (node_id, score) pairs")
        seen: set[int] = set()
        for entry in raw:
            if not isinstance(entry, tuple | list) or len(entry) not in (2, 3):
                self.place.refuse(f"returned {entry!r:.80}, not a (node_id, score) pair")
            if len(entry) == 3 and not _is_evidence(entry[2]):
                self.place.refuse(
                    f"returned the evidence {entry[2]!r:.80}, not a mapping of names to numbers"
                )
            position = index.position(entry[0]) if isinstance(entry[0], str) else None
            if position is None:
                self.place.refuse(f"returned the seed {entry[0]!r:.80}, which is not a node of the graph")
            if position in seen:
                self.place.refuse(f"returned the seed {entry[0]!r:.80} twice")
            seen.add(position)
            yield position, entry


def _is_evidence(given: object) -> bool:
    return isinstance(given, Mapping) and all(isinstance(name, str) and name for name in given)
