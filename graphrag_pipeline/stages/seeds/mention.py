"""Seeds that the query names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import Array, FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.contract import Seed, SeedParams


class MentionValueParams(Params):
    """How much a mention says for each node that it may mean."""

    share_power: float = Field(default=0.25, ge=0, le=4)
    """Power of the mention's share of the heaviest mention's weight; 0 makes all mentions equal."""
    owners_power: float = Field(default=0.25, ge=0, le=4)
    """Power of the number of nodes that have the name, which the value is divided by."""
    hub_slope: float = Field(default=1.25, ge=0, le=100)
    """Hub specificity: min(1, slope · (1 - ln degree / ln N)); a high slope spares hubs."""
    hub_pardon: float = Field(default=2.0, ge=0, le=16)
    """Power of the share of the query that a mention explains, by which a hub is pardoned: one that the
    query is all about counts in full; a high power pardons little else."""

    explains_power: float = Field(default=0.0, ge=0, le=4)
    """Power of the mention's share of the whole query's weight; 0 counts a passing mention in full."""
    partial: float = Field(default=0.0, ge=0, le=1)
    """Weight of nodes that the query names in part: two or more words of the label; 0 leaves them out."""
    partial_least: float = Field(default=0.5, ge=0, le=1)
    """Share of the label's weight that must be named."""
    partial_quota: int = Field(default=5, ge=0, le=1000)
    """Most nodes named in part."""


class MentionSeedsParams(SeedParams, MentionValueParams):
    """How mentions are valued."""


class MentionSeeds(Component[MentionSeedsParams]):
    """Nodes whose label or alias stands in the query; score and evidence ``mention``.

    The value of a mention for a node is share ^ share_power · surface / owners ^ owners_power · specificity:
    how heavy the mention is, how well the name stands for the node, how many nodes have the name, and
    how far the node is from being a hub, which counts the less the more of the query it explains. Range
    0 … 1. Of several mentions of one node the best counts.
    """

    name = "mention"
    Params = MentionSeedsParams

    def retrieve(self, query: Query, index: GraphIndex, k: int) -> Sequence[Seed]:
        """Return at most ``k`` nodes, best first; ties in node order."""
        values = mention_values(query, index, self.params)
        best = sorted(values.items(), key=lambda entry: (-entry[1], entry[0]))[:k]
        ids = index.ids_at(np.array([node for node, _ in best], dtype=np.int64))
        return [
            Seed(node_id, value, {"mention": value})
            for node_id, (_, value) in zip(ids, best, strict=True)
            if value > 0
        ]


def mention_values(query: Query, index: GraphIndex, params: MentionValueParams) -> dict[int, float]:
    """Return the value of each node that the query mentions, by position."""
    values: dict[int, float] = {}
    for mention in index.text.ask(query.text).mentions:
        worth = mention.share**params.share_power / mention.node.size**params.owners_power
        worth *= mention.explains**params.explains_power
        specific = specificity(mention.node, index, params.hub_slope)
        # A hub that is all the query asks about is meant.
        specific = specific + (1.0 - specific) * mention.explains**params.hub_pardon
        value = worth * mention.surface * specific
        for node, one in zip(mention.node.tolist(), value.tolist(), strict=True):
            values[node] = max(values.get(node, 0.0), one)
    if params.partial:
        for node, one in _partly_named(query, index, params):
            values[node] = max(values.get(node, 0.0), one)
    return values


def _partly_named(query: Query, index: GraphIndex, params: MentionValueParams) -> list[tuple[int, float]]:
    nodes, of_label, of_query = index.text.ask(query.text).partly_named
    enough = of_label >= params.partial_least
    nodes, of_label, of_query = nodes[enough], of_label[enough], of_query[enough]
    best = np.lexsort((nodes, -of_label * of_query))[: params.partial_quota]
    value = params.partial * of_label[best] * of_query[best] ** params.explains_power
    value = value * specificity(nodes[best], index, params.hub_slope)
    return list(zip(nodes[best].tolist(), value.tolist(), strict=True))


def specificity(nodes: Array, index: GraphIndex, slope: float) -> FloatArray:
    """Return min(1, slope · (1 - ln degree / ln N)) of nodes, 0 … 1; nodes without neighbours have 1."""
    start = index.adjacency.start
    degree = (start[nodes + 1] - start[nodes]).astype(np.float64)
    share = np.log(np.maximum(degree, 1.0)) / np.log(max(index.node_count, 2))
    specific: FloatArray = np.clip(slope * (1.0 - share), 0.0, 1.0)
    return specific
