"""Joining what a second expansion found to how its seeds were reached."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.stages.candidates import NOWHERE, Candidates


def grafted(found: Candidates, seeds: Candidates, index: GraphIndex) -> Candidates:
    """Return candidates with the paths to the seeds before their own, by hop.

    To an expander all candidates are seeds. Those that an earlier expansion reached keep their parent, edge
    and hop, and what was found from them is so much further away. Where an expander reached a seed anew,
    nothing is joined: the two paths might go round in a circle.

    Args:
        found: What the expander gave.
        seeds: What it was given.
        index: The graph.
    """
    if not (seeds.hop > 0).any():
        return found
    at = index.rows(seeds.node, found.node)
    if ((at != NOWHERE) & (found.hop > 0)).any():
        return found
    root = np.flatnonzero(found.hop == 0)
    parent, edge, hop = found.parent.copy(), found.edge.copy(), found.hop.astype(np.int64)
    parent[root], edge[root], hop[root] = seeds.parent[at[root]], seeds.edge[at[root]], seeds.hop[at[root]]
    for level in range(1, int(found.hop.max(initial=0)) + 1):
        rows = np.flatnonzero(found.hop == level)
        hop[rows] = hop[found.parent_row[rows]] + 1
    order = np.argsort(hop, kind="stable")
    return replace(
        found,
        node=found.node[order],
        parent=parent[order],
        edge=edge[order],
        hop=hop[order],
        score=found.score[order],
        evidence={name: column[order] for name, column in found.evidence.items()},
    )
