"""Grows the edge columns."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.arrays import Array, frozen
from graphrag_pipeline.graph.columns.names import NameBuilder
from graphrag_pipeline.graph.columns.property_builder import PropertyBuilder
from graphrag_pipeline.graph.columns.table import EdgeColumns
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.columns.values import SparseText, WeightColumn
from graphrag_pipeline.model.records import KnowledgeEdge

EXACT = 2**53
"""Whole numbers up to here are exact in a float64."""


class EdgeBuilder:
    """Takes edges one by one, in global order.

    Args:
        positions: Positions of the nodes by id, shared with the node builder: edges may come first.
    """

    def __init__(self, positions: Mapping[str, int]) -> None:
        self._positions = positions
        self._unknown: dict[str, int] = {}
        self._source, self._target = array("q"), array("q")
        self._type, self._namespace = NameBuilder(), NameBuilder()
        self._weight, self._whole = array("d"), bytearray()
        self._exact: dict[int, str] = {}
        self._properties = PropertyBuilder(sparse=True)

    def add(self, edge: KnowledgeEdge) -> None:
        """Append an edge.

        Raises:
            GraphSourceError: Its weight is NaN or infinite, with which nobody could reckon.
        """
        if not isinstance(edge.weight, int) and not math.isfinite(edge.weight):
            raise _not_finite(edge)
        position = len(self._source)
        self._source.append(self._end(edge.source_id))
        self._target.append(self._end(edge.target_id))
        self._type.put(position, edge.edge_type)
        self._namespace.put(position, edge.namespace)
        self._put_weight(position, edge.weight)
        self._properties.put(position, edge.properties)

    def _end(self, node_id: str) -> int:
        position = self._positions.get(node_id)
        # Unknown ends count down from -1 until all nodes are known.
        return -1 - self._unknown.setdefault(node_id, len(self._unknown)) if position is None else position

    def _put_weight(self, position: int, weight: float) -> None:
        whole = isinstance(weight, int)
        if not whole and weight == 1.0 and not self._weight:
            return
        if not self._weight:
            # Most graphs have no weights: nothing is kept until the first that is not 1.0.
            self._weight, self._whole = array("d", [1.0]) * position, bytearray(position)
        if whole and abs(weight) > EXACT:
            self._exact[position] = str(weight)
            weight = 0.0
        self._weight.append(weight)
        self._whole.append(whole)

    def finish(self) -> EdgeColumns:
        """Return the columns; the builder is used up."""
        ends, unknown = self._resolved()
        return EdgeColumns(
            source=ends[0],
            target=ends[1],
            unknown=unknown,
            type=self._type.finish(),
            namespace=self._namespace.finish(),
            weight=self._weights(),
            properties=self._properties.finish(),
        )

    def _resolved(self) -> tuple[tuple[Array, Array], TextColumn]:
        """Give unknown ends their final places: a node that came later, or a row of the unknown ids."""
        still = [node_id for node_id in self._unknown if node_id not in self._positions]
        place = {node_id: len(self._positions) + row for row, node_id in enumerate(still)}
        final = np.array(
            [place.get(node_id, self._positions.get(node_id, 0)) for node_id in self._unknown], dtype=np.int64
        )
        size = np.int32 if len(self._positions) + len(still) < 2**31 else np.int64
        ends = []
        for given in (self._source, self._target):
            places = np.array(given, dtype=np.int64)
            del given[:]
            lost = places < 0
            places[lost] = final[-1 - places[lost]]
            ends.append(frozen(places.astype(size)))
        return (ends[0], ends[1]), TextColumn.of(still)

    def _weights(self) -> WeightColumn:
        value, whole = np.array(self._weight), np.frombuffer(bytes(self._whole), dtype=np.bool_)
        if not whole.any():
            whole = whole[:0]
        return WeightColumn(value, whole, _sparse(self._exact))


def _not_finite(edge: KnowledgeEdge) -> GraphSourceError:
    return GraphSourceError(
        f"The weight must be a finite number, not {'NaN' if math.isnan(edge.weight) else 'an infinite one'}.",
        where=f"edge {edge.source_id!r} -> {edge.target_id!r}",
        hint="Leave the weight out where there is none: it is 1.0 then.",
    )


def _sparse(texts: Mapping[int, str]) -> SparseText:
    return SparseText(np.array(list(texts), dtype=np.int64), TextColumn.of(texts.values()))
