"""What is known of the answer of a query, by positions in the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.experiment.datasets.checks import GoldEdge
from graphrag_pipeline.graph.arrays import FloatArray, IntArray
from graphrag_pipeline.graph.cells import column_code, row_code
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.zachman import ZachmanCell

_ROW = 8
"""What a row is multiplied by; columns are 0 to 5, and 6 stands for a cell that names a row only."""
_ROW_ONLY = 6
Way = tuple[int, int, int]
"""Positions of source and target, and the code of the type."""


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """What is known of one query's answer.

    Args:
        count: How many nodes are relevant; None for a query that is not judged.
        nodes: Positions of the relevant nodes that are in the graph.
        strangers: Ids of those that are not; a bridge may bring them.
        levels: Judged levels, of ``nodes`` and then of ``strangers``.
        cells: Codes of their Zachman cells, each once, ascending; nodes without a cell have none.
        edges: Gold edges.
        ways: For each gold edge, what it may be in the graph.
        ends: Positions of all ends of gold edges, each once.
        paths: Gold paths: places in ``edges``, in the order of the walk.
    """

    count: int | None
    nodes: IntArray
    strangers: tuple[str, ...]
    levels: FloatArray
    cells: IntArray
    edges: tuple[GoldEdge, ...]
    ways: tuple[tuple[Way, ...], ...]
    ends: IntArray
    paths: tuple[tuple[int, ...], ...]

    @classmethod
    def of(
        cls,
        index: GraphIndex,
        relevant: Sequence[str] | None,
        edges: Sequence[GoldEdge] = (),
        relevance: Mapping[str, float] | None = None,
    ) -> Gold:
        """Look everything up in a graph.

        Args:
            index: The graph.
            relevant: Ids of the relevant nodes; None for a query that is not judged.
            edges: Gold edges.
            relevance: Judged level by id; without it every relevant node has 1.
        """
        found = [(node, index.position(node)) for node in relevant or ()]
        there = [(node, place) for node, place in found if place is not None]
        nodes = np.array([place for _, place in there], dtype=np.int64)
        strangers = tuple(node for node, place in found if place is None)
        order = [*(node for node, _ in there), *strangers]
        cells = cell_codes(index, nodes)
        ways = tuple(_ways(edge, index) for edge in edges)
        return cls(
            None if relevant is None else len(relevant),
            nodes,
            strangers,
            np.array([1.0 if relevance is None else relevance[node] for node in order]),
            _each_once(cells[cells >= 0].tolist()),
            tuple(edges),
            ways,
            _each_once([end for edge in ways for way in edge for end in way[:2]]),
            _paths(edges),
        )

    def wanted_cells(self, target: ZachmanCell | None) -> IntArray:
        """Return the cells that an answer should have nodes in: those of gold nodes, or else the target."""
        if self.cells.size or target is None:
            return self.cells
        return np.array([row_code(target.perspective) * _ROW + column_code(target.interrogative)])


def cell_codes(index: GraphIndex, nodes: IntArray) -> IntArray:
    """Return a number for the Zachman cell of each node; negative for a node without one."""
    rows = index.perspectives[nodes].astype(np.int64)
    columns = index.interrogatives[nodes].astype(np.int64)
    codes: IntArray = rows * _ROW + np.where(columns < 0, _ROW_ONLY, columns)
    return np.where(rows < 0, -1, codes)


def _each_once(numbers: list[int]) -> IntArray:
    # Few numbers: a set is faster than numpy here.
    return np.array(sorted({*numbers}), dtype=np.int64)


def _ways(edge: GoldEdge, index: GraphIndex) -> tuple[Way, ...]:
    names = list(index.table.edges.type.names)
    if edge.edge_type not in names:
        return ()
    code = names.index(edge.edge_type)
    ends = [(index.position(s), index.position(t)) for s in edge.sources for t in edge.targets]
    return tuple((s, t, code) for s, t in ends if s is not None and t is not None)


def _paths(edges: Sequence[GoldEdge]) -> tuple[tuple[int, ...], ...]:
    paths: dict[int, list[int]] = {}
    for place, edge in enumerate(edges):
        for number in edge.paths:
            paths.setdefault(number, []).append(place)
    return tuple(tuple(path) for _, path in sorted(paths.items()))
