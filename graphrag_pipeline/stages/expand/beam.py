"""Expansion along the best paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import Array, FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ExpanderParams
from graphrag_pipeline.stages.expand.edge_words import edge_word_shares
from graphrag_pipeline.stages.expand.walk import Beam, BeamLimits
from graphrag_pipeline.stages.seeds.params import Factor, Share


class BeamParams(ExpanderParams):
    """How a path's value falls from step to step, and where the beam ends."""

    width: int = Field(default=60, ge=1, le=100_000)
    """Most nodes that spread further at each hop."""
    keep: int = Field(default=150, ge=1, le=1_000_000)
    """Most candidates, the seeds and the nodes on the way to the others not counted."""
    floor: float = Field(default=0.002, ge=0, le=1)
    """Least value that is kept."""
    decay: Share = 0.7
    """Factor of each step."""
    reverse: Share = 0.7
    """Further factor of a step against the direction of its edge."""
    hub_power: float = Field(default=0.25, ge=0, le=4)
    """A step to a node is multiplied by max(degree - 2, 1) ^ -hub_power."""
    through_power: float = Field(default=0.0, ge=0, le=4)
    """A step on from a node is multiplied by max(degree - 2, 1) ^ -through_power."""
    salience_power: float = Field(default=0.3, ge=0, le=4)
    """A step over a mention is multiplied by its salience ^ salience_power: early in a text counts more."""
    identity: dict[str, Share] = Field(default_factory=dict)
    """Edge types that join two nodes for one thing: their factor takes the place of all others."""
    edge_types: dict[str, Factor] = Field(default_factory=dict)
    """Further factors by edge type, at most 1 in effect; 0 forbids a type."""
    other_edge_types: Share = 1.0
    """Further factor of the edge types that ``edge_types`` does not name."""
    query_edges: Share = 0.0
    """How much an edge type must share words with what the query's mentions leave: the factor is
    1 - query_edges + query_edges · share."""


class BeamExpander(Component[BeamParams]):
    """Keeps the nodes with the best paths from the seeds, and the path to each.

    The value of a path is the value of its seed times the factor of each step: decay · (reverse, against
    the edge) · max(degree - 2, 1) ^ -hub_power · salience ^ salience_power · the factor of the edge's
    type. Evidence, each 0 … 1: ``path_max`` the best path's value, ``path_from_mention`` the same from
    mentions alone, ``path_sum`` 1 - Π(1 - value) over the edges it was reached over, at least
    ``path_max``. Time is linear in the edges at the ``width`` nodes of each hop.
    """

    name = "beam"
    Params = BeamParams

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return candidates by hop, then value."""
        limits = BeamLimits(query.hops, self.params.width, self.params.floor, self.params.keep)
        mention = seeds.evidence_of("mention")
        trusted = np.minimum(seeds.score, mention)
        beam = Beam(seeds, trusted, index, limits)
        beam.spread(_Factor(self.params, query, index))
        return beam.candidates()


class _Factor:
    """How much of a value a step keeps; what does not depend on the step is looked up once a query."""

    def __init__(self, params: BeamParams, query: Query, index: GraphIndex) -> None:
        self._params = params
        self._edges = index.table.edges
        self._start = index.adjacency.start
        self._salience = index.text.salience if params.salience_power else None
        names = self._edges.type.names
        self._type = np.minimum(_by_type(names, params.edge_types, params.other_edge_types), 1.0)
        self._identity = _by_type(names, params.identity, np.nan)
        if params.query_edges:
            share = edge_word_shares(query, index)
            self._type = self._type * (1 - params.query_edges + params.query_edges * share)

    def __call__(self, origin: Array, neighbour: Array, edge: Array) -> FloatArray:
        params = self._params
        kind = self._edges.type.code[edge]
        factor = params.decay * self._type[kind]
        factor[self._edges.source[edge] != origin] *= params.reverse
        degree = self._start[neighbour + 1] - self._start[neighbour]
        factor *= np.maximum(degree.astype(np.float64) - 2.0, 1.0) ** -params.hub_power
        if params.through_power:
            degree = self._start[origin + 1] - self._start[origin]
            factor *= np.maximum(degree.astype(np.float64) - 2.0, 1.0) ** -params.through_power
        if self._salience is not None:
            factor *= self._salience[edge] ** params.salience_power
        identity = self._identity[kind]
        kept: FloatArray = np.where(np.isnan(identity), factor, identity)
        return kept


def _by_type(names: Sequence[str], given: Mapping[str, float], other: float) -> FloatArray:
    """Return a number for each edge type; a graph may have thousands of types, and few are given one."""
    column = np.full(len(names), other, dtype=np.float64)
    for name, value in given.items():
        if name in names:
            column[names.index(name)] = value
    return column
