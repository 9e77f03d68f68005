"""Ids of ranked nodes; those that many queries rank are read from the graph once."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.experiment.text_lines import lines_of
from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex


class NodeIds:
    """Gives ids of nodes of one graph.

    Args:
        index: The graph.
    """

    def __init__(self, index: GraphIndex) -> None:
        self._index = index
        self._known = np.full(index.node_count, None, dtype=np.object_)

    def of(self, nodes: IntArray) -> list[str]:
        """Return the ids of nodes, by position."""
        ids: list[str] = self._known[nodes].tolist()
        if None in ids:
            lines = lines_of(self._index.table.nodes.id, nodes)
            ids = self._index.ids_at(nodes) if lines is None else lines.split("\n")
            self._known[nodes] = ids
        return ids
