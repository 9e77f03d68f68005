"""A result whose parts are read from the index when they are asked for, and once."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.pipeline.working import WorkingSet


class LazyResult(QueryResult):
    """The result of a working set; equal to, and pickled as, a plain :class:`QueryResult`."""

    def __init__(self, working: WorkingSet, index: GraphIndex) -> None:
        self.__dict__.update(_working=working, _index=index, context_text=working.context.text)

    _working: WorkingSet
    _index: GraphIndex

    @cached_property
    def nodes(self) -> tuple[KnowledgeNode, ...]:
        """Graph nodes in visit order, then the bridge's extras."""
        return tuple(self._working.nodes(np.arange(len(self._working)), self._index))

    @cached_property
    def edges(self) -> tuple[KnowledgeEdge, ...]:
        """The edge that discovered each node, in visit order, then the bridge's extras."""
        return (*self._working.candidates.edges(self._index), *self._working.extras.edges)

    @cached_property
    def paths(self) -> tuple[tuple[str, ...], ...]:
        """Node ids from a seed to each node, in visit order, then the bridge's extras."""
        return (*self._working.candidates.paths(self._index), *self._working.extras.paths)

    @cached_property
    def scored(self) -> tuple[tuple[str, float], ...]:
        """``(node_id, score)``, best first; ties keep the order of ``nodes``."""
        candidates, extras = self._working.candidates, self._working.extras
        ids = self._index.ids_at(candidates.node)
        ids += [node.node_id for node in extras.nodes]
        scores = self._working.scores.tolist()
        return tuple((ids[row], scores[row]) for row in self._working.ranking().tolist())
