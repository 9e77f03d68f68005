"""Rows of a result: which are in the context, their ids, and how they hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from graphrag_pipeline.graph.arrays import IntArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.pipeline.working import WorkingSet, best_rows
from graphrag_pipeline.stages.candidates import NOWHERE


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
        return best_rows(working.scores, context.written) if context.written else rows_of([])
    first = len(working.candidates)
    extras = {node.node_id: first + place for place, node in enumerate(working.extras.nodes)}
    ids = dict.fromkeys(context.node_ids)
    positions = [index.position(node_id) for node_id in ids]
    rows = working.candidates.rows(rows_of([NOWHERE if place is None else place for place in positions]))
    found = [
        extras.get(node_id, NOWHERE) if row == NOWHERE else row
        for node_id, row in zip(ids, rows.tolist(), strict=True)
    ]
    return rows_of([row for row in found if row != NOWHERE])


def rows_of(rows: Sequence[int]) -> IntArray:
    """Return rows as a column."""
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
