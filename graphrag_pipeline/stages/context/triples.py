"""The edges among the best nodes, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Literal

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.context.neutral import arrow, one_line, typed
from graphrag_pipeline.stages.context.packed import PackedAssembler
from graphrag_pipeline.stages.context.packing import PackedParams
from graphrag_pipeline.stages.context.relations import Relation, relations_among
from graphrag_pipeline.stages.context.units import Omission, Unit
from graphrag_pipeline.stages.contract import TokenCounter
from graphrag_pipeline.stages.scored import NO_EDGE, ScoredNode


class TriplesParams(PackedParams):
    """What a line shows."""

    without_edge: Literal["label", "skip"] = "label"
    """What becomes of a node without an edge to another of them: its label is a line, or it is left out."""
    ids: bool = False
    """Write node ids beside labels and types."""
    header: str = ""
    """A line before the first edge."""


class Triples(PackedAssembler[TriplesParams]):
    """Lines ``label (type) -[edge type]-> label (type)``, in the direction of the edge.

    An edge stands where its worse end is ranked, and is worth the mean of its ends' scores. In labels and
    types, ``-[``, ``]-`` and backslashes have a backslash before them.
    """

    name = "triples"
    Params = TriplesParams

    def header(self) -> str:
        """Return the line before the first edge."""
        return one_line(self.params.header)

    def units(
        self, nodes: Sequence[ScoredNode], index: GraphIndex, counter: TokenCounter
    ) -> Iterator[Unit | Omission]:
        """Yield one entry for each edge, and for each node without one."""
        relations = relations_among(nodes, index)
        linked = {end for edges in relations for edge in edges for end in (edge.source, edge.target)}
        ranks = count()
        for place, edges in enumerate(relations):
            for edge in edges:
                yield self._line(nodes, edge, next(ranks))
            if place not in linked:
                yield self._lone(nodes[place], next(ranks))

    def _line(self, nodes: Sequence[ScoredNode], edge: Relation, rank: int) -> Unit:
        source, target = nodes[edge.source], nodes[edge.target]
        ids = self.params.ids
        text = typed(source, ids) + arrow(edge.edge_type, forward=True) + typed(target, ids)
        return Unit(text, (source.node_id, target.node_id), rank, (source.score + target.score) / 2)

    def _lone(self, node: ScoredNode, rank: int) -> Unit | Omission:
        if self.params.without_edge == "skip":
            return Omission(node.node_id, NO_EDGE)
        return Unit(typed(node, self.params.ids), (node.node_id,), rank, node.score)
