"""What a measure of rankings does not see: candidates, the context, and the edges between its nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.experiment.datasets.checks import GoldEdge
from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.pipeline.working import EdgesThere, NodesThere, WorkingSet, best_rows
from graphrag_pipeline.stages.candidates import NOWHERE


@dataclass(frozen=True, slots=True)
class GraphValues:
    """Values of one query; the defaults are those of a query that failed.

    Args:
        candidates: Nodes of the result, extras of a bridge among them.
        context_nodes: Nodes in the context.
        tokens: Tokens of the context, by the configured counter.
        connectedness: Share of the context's nodes in the largest group that is joined by edges of the
            result; 0 without nodes.
        gold_candidates: Share of relevant nodes in the result; None without judgements.
        gold_context: Share of relevant nodes in the context; None without judgements.
        path_edges: Share of gold edges among the edges of the result; None without gold paths.
    """

    candidates: int = 0
    context_nodes: int = 0
    tokens: int = 0
    connectedness: float = 0.0
    gold_candidates: float | None = None
    gold_context: float | None = None
    path_edges: float | None = None


def graph_values(trace: Trace, relevant: Sequence[str] | None, edges: Sequence[GoldEdge]) -> GraphValues:
    """Return the values of a query.

    Args:
        trace: What was answered.
        relevant: Ids of the relevant nodes; None for a query that is not judged.
        edges: Gold edges; none for a query without gold paths.
    """
    working, index = trace.working, trace.index
    rows = context_rows(working, index)
    there = NodesThere.of(working, index)
    kept = frozenset(ids_of_rows(rows, working, index)) if relevant else frozenset()
    return GraphValues(
        candidates=len(working),
        context_nodes=len(rows),
        tokens=next((slot.context.tokens for slot in reversed(trace.slots) if slot.context is not None), 0),
        connectedness=connectedness(rows, working, index),
        gold_candidates=None if relevant is None else share(node in there for node in relevant),
        gold_context=None if relevant is None else share(node in kept for node in relevant),
        path_edges=path_edges(edges, working, index) if edges else None,
    )


def failed_values(judged: bool, has_edges: bool) -> GraphValues:
    """Return the values of a query that failed: it found nothing."""
    share_of_gold = 0.0 if judged else None
    return GraphValues(
        gold_candidates=share_of_gold, gold_context=share_of_gold, path_edges=0.0 if has_edges else None
    )


def share(found: Iterable[bool]) -> float:
    """Return the share of what holds; 0 of nothing."""
    answers = list(found)
    return sum(answers) / len(answers) if answers else 0.0


def ids_of_rows(rows: IntArray, working: WorkingSet, index: GraphIndex) -> list[str]:
    """Return the ids of rows of candidates-then-extras."""
    first = len(working.candidates)
    if not working.extras.nodes:
        return index.ids_at(working.candidates.node[rows])
    own = iter(index.ids_at(working.candidates.node[rows[rows < first]]))
    return [next(own) if row < first else working.extras.nodes[row - first].node_id for row in rows.tolist()]


def context_rows(working: WorkingSet, index: GraphIndex) -> IntArray:
    """Return the rows of candidates-then-extras that are in the context, each once."""
    context = working.context
    if context.node_ids is None:
        return best_rows(working.scores, context.written) if context.written else _rows([])
    first = len(working.candidates)
    extras = {node.node_id: first + place for place, node in enumerate(working.extras.nodes)}
    ids = dict.fromkeys(context.node_ids)
    positions = [index.position(node_id) for node_id in ids]
    rows = working.candidates.rows(_rows([NOWHERE if place is None else place for place in positions]))
    found = [
        extras.get(node_id, NOWHERE) if row == NOWHERE else row
        for node_id, row in zip(ids, rows.tolist(), strict=True)
    ]
    return _rows([row for row in found if row != NOWHERE])


def _rows(rows: Sequence[int]) -> IntArray:
    return np.array(rows, dtype=np.int64)


def connectedness(rows: IntArray, working: WorkingSet, index: GraphIndex) -> float:
    """Return the share of rows in the largest group that edges of the result join, inside the rows."""
    if not rows.size:
        return 0.0
    group = {row: row for row in rows.tolist()}

    def root(row: int) -> int:
        while group[row] != row:
            group[row] = group[group[row]]
            row = group[row]
        return row

    for one, other in _joined(rows, working, index):
        if one in group and other in group:
            group[root(one)] = root(other)
    return max(Counter(map(root, group)).values()) / len(group)


def _joined(rows: IntArray, working: WorkingSet, index: GraphIndex) -> Iterable[tuple[int, int]]:
    """Yield the rows of both ends of edges of the result, of which one end is in the rows."""
    candidates, extras = working.candidates, working.extras
    own = rows[rows < len(candidates)]
    yield from zip(own.tolist(), candidates.parent_row[own].tolist(), strict=True)
    if extras.edges:
        first = len(candidates)
        places = {node.node_id: first + place for place, node in enumerate(extras.nodes)}
        for edge in extras.edges:
            ends = (
                places.get(end, candidates.row(index.position(end)))
                for end in (edge.source_id, edge.target_id)
            )
            yield next(ends), next(ends)


def path_edges(edges: Sequence[GoldEdge], working: WorkingSet, index: GraphIndex) -> float:
    """Return the share of gold edges that are edges of the result."""
    there = EdgesThere.of(working, index)
    return share(
        any((source, target, gold.edge_type) in there for source in gold.sources for target in gold.targets)
        for gold in edges
    )
