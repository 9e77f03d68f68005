"""Expansion by personalized PageRank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from pydantic import Field

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import ExpanderParams
from graphrag_pipeline.stages.expand.bfs import breadth_first
from graphrag_pipeline.stages.expand.push import PageRankParams, page_rank


class PprParams(ExpanderParams, PageRankParams):
    """Personalized PageRank, and how many nodes are kept."""

    keep: int = Field(default=100, ge=1, le=1_000_000)
    """Most candidates, the seeds and the nodes on the way to the others not counted."""


class PprExpander(Component[PprParams]):
    """Keeps the nodes of the highest personalized PageRank within ``query.max_hops``; evidence ``ppr``.

    ``ppr`` is the rank as a share of the highest, 0 … 1. The path to a node is the shortest one, by the
    order of edges.
    """

    name = "ppr"
    Params = PprParams

    def expand(self, seeds: Candidates, query: Query, index: GraphIndex) -> Candidates:
        """Return candidates by hop, then rank."""
        rank = page_rank(seeds, index, self.params)
        near = breadth_first(seeds.node, query.hops, index, index.adjacency, rank <= 0)
        order = np.argsort(-rank[near.node], kind="stable")[: self.params.keep]
        kept = near.keep(_with_parents(near, order))
        kept = _in_order(kept, np.lexsort((-rank[kept.node], kept.hop)))
        highest = float(rank.max(initial=0.0))
        share = rank[kept.node] / highest if highest else np.zeros(len(kept))
        return replace(kept, evidence={"ppr": share})


def _with_parents(near: Candidates, rows: IntArray) -> BoolArray:
    wanted: BoolArray = near.hop == 0
    wanted[rows] = True
    for hop in range(int(near.hop.max(initial=0)), 0, -1):
        at = np.flatnonzero(wanted & (near.hop == hop))
        wanted[near.parent_row[at]] = True
    return wanted


def _in_order(candidates: Candidates, order: IntArray) -> Candidates:
    return Candidates.of(
        candidates.node[order], candidates.parent[order], candidates.edge[order], candidates.hop[order]
    )
