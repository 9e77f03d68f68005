"""Scored nodes in one line, as a working set gives them, and what assemblers make of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphrag_pipeline import Candidates, GraphIndex, KnowledgeEdge, KnowledgeNode, Query, ScoredNode
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.candidates import NOWHERE, Extras
from graphrag_pipeline.stages.scored import Context


class Characters:
    """A token a character, so that budgets can be counted by hand."""

    def count(self, text: str) -> int:
        return len(text)


def ranked(
    nodes: Sequence[KnowledgeNode],
    edges: Sequence[KnowledgeEdge] = (),
    parents: Sequence[int] | None = None,
    extras: Extras | None = None,
    dropped: Sequence[int] = (),
) -> tuple[list[ScoredNode], GraphIndex]:
    """Nodes in rank order with falling scores 1.0, 0.9, …, and their index.

    Args:
        nodes: The nodes, best first.
        edges: The edges.
        parents: The place of the node each was found from over the edge of the same place; -1 for a seed.
        extras: What a bridge added; it ranks last.
        dropped: Places of nodes that a filter dropped.
    """
    index = GraphIndex.from_records(nodes, edges)
    size = len(nodes)
    parent = np.array([NOWHERE] * size if parents is None else parents, dtype=np.int64)
    hop = np.zeros(size, dtype=np.int64)
    for row in range(size):
        place = row
        while parent[place] >= 0:
            place, hop[row] = int(parent[place]), hop[row] + 1
    edge = np.array([_edge(index, int(parent[row]), row) for row in range(size)], dtype=np.int64)
    score = np.round(1 - np.arange(size) / 10, 1)
    found = Candidates(np.arange(size), parent, edge, hop, score)
    found = found.keep(~np.isin(found.node, list(dropped)))
    working = WorkingSet(candidates=found, extras=Extras() if extras is None else extras)
    return list(working.ranked(index)), index


def chain(size: int) -> tuple[list[ScoredNode], GraphIndex]:
    """A chain of nodes, each found from the one before; its far end ranks first."""
    nodes = [KnowledgeNode(f"n{place}", "t", "") for place in range(size)]
    edges = [KnowledgeEdge(f"n{place}", f"n{place + 1}", "next") for place in range(size - 1)]
    row = np.arange(size)
    found = Candidates(row, row - 1, row - 1, row, row.astype(np.float64))
    index = GraphIndex.from_records(nodes, edges)
    return list(WorkingSet(candidates=found).ranked(index)), index


def _edge(index: GraphIndex, parent: int, child: int) -> int:
    for place in range(index.edge_count) if parent >= 0 else ():
        if bool(index.joins(*(np.array([end]) for end in (place, parent, child)))[0]):
            return place
    return NOWHERE


def written(
    assembler: Any, nodes: Sequence[ScoredNode], index: GraphIndex, budget: int = 10_000, counter: Any = None
) -> Context:
    """What an assembler writes; the context is held to what it says of itself."""
    counter = Characters() if counter is None else counter
    context: Context = assembler.assemble(iter(nodes), Query("x"), index, counter, budget)
    assert counter.count(context.text) <= budget
    known = [node.node_id for node in nodes]
    ids = known[: context.written] if context.node_ids is None else list(context.node_ids)
    assert len(set(ids)) == len(ids) == context.written
    assert set(ids) <= set(known)
    assert not set(ids) & set(context.left_out)
    assert set(context.left_out) <= set(known)
    return context
