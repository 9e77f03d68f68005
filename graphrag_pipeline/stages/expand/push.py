"""Personalized PageRank by pushing."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.stages.candidates import Candidates


class PageRankParams(Params):
    """Personalized PageRank."""

    restart: float = Field(default=0.5, gt=0, le=1)
    """Chance to go back to the seeds at each step."""
    degree_power: float = Field(default=0.3, ge=0, le=4)
    """A neighbour is taken with a chance in proportion to degree ^ -degree_power."""
    epsilon: float = Field(default=1e-4, ge=1e-9, le=1)
    """Mass that is not pushed on; the total error is at most this times the nodes touched."""
    rounds: int = Field(default=12, ge=1, le=1000)
    """Most rounds of pushing."""


def page_rank(seeds: Candidates, index: GraphIndex, params: PageRankParams) -> FloatArray:
    """Return the personalized PageRank of every node, by position; the sum is at most 1.

    All nodes with at least ``epsilon`` mass push at once, in rounds, so the outcome does not depend on an
    order. Source: Andersen, Chung and Lang 2006, "Local Graph Partitioning using PageRank Vectors".

    Args:
        seeds: Where walks start, in proportion to ``score``; alike when no score is above 0.
        index: The graph, walked in both directions.
        params: How.
    """
    adjacency = index.adjacency
    size = index.node_count
    rank, mass = np.zeros(size), np.zeros(size)
    start = np.maximum(seeds.score, 0.0)
    mass[seeds.node] = start / start.sum() if start.sum() > 0 else 1.0 / max(len(seeds), 1)
    active = seeds.node
    for _ in range(params.rounds):
        active = active[mass[active] >= params.epsilon]
        if not active.size:
            break
        pushed = mass[active]
        mass[active] = 0.0
        rank[active] += params.restart * pushed
        owner, neighbour, _edge = adjacency.gather(active)
        neighbour = neighbour.astype(np.int64)
        degree = (adjacency.start[neighbour + 1] - adjacency.start[neighbour]).astype(np.float64)
        chance = degree**-params.degree_power
        total = np.bincount(owner, weights=chance, minlength=active.size)
        # A node without neighbours keeps what it would have passed on.
        rank[active[total == 0]] += (1 - params.restart) * pushed[total == 0]
        share = chance * ((1 - params.restart) * pushed / np.where(total > 0, total, 1.0))[owner]
        reached = np.flatnonzero(np.bincount(neighbour, minlength=size)) if neighbour.size else neighbour
        mass += np.bincount(neighbour, weights=share, minlength=size)
        active = reached
    return rank + params.restart * mass
