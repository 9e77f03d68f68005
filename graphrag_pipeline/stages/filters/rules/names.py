"""The rules ``node_type``, ``namespace`` and ``edge_type``: names from a list."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.columns.values import NameColumn
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.filters.rules.judgement import Judgement, Scene


@dataclass(frozen=True, slots=True)
class NodeNameTest:
    """Whether a node's type, or its namespace, is one of those asked for.

    Args:
        label: ``node_type`` or ``namespace``.
        names: The names.
    """

    label: str
    names: tuple[str, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """One."""
        return (self.label,)

    def applies(self, query: Query) -> bool:
        """Always."""
        return True

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Look the names up."""
        return Judgement.of(_among(self._column(scene.index), scene.candidates.node[rows], self.names))

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Name those that no node has."""
        known = self._column(scene.index).names
        return tuple(unknown(self.names, known, f"no node has the {self.label.replace('_', ' ')}"))

    def _column(self, index: GraphIndex) -> NameColumn:
        nodes = index.table.nodes
        return nodes.type if self.label == "node_type" else nodes.namespace


@dataclass(frozen=True, slots=True)
class EdgeTypeTest:
    """Whether the edge over which a candidate was discovered has one of the types asked for.

    Args:
        names: The types.
    """

    names: tuple[str, ...]

    label = "edge_type"
    reasons = ("edge_type",)

    def applies(self, query: Query) -> bool:
        """Always."""
        return True

    def judge(self, scene: Scene, rows: IntArray) -> Judgement:
        """Judge all but seeds and extras, which no edge led to."""
        edge = scene.candidates.edge[rows]
        judged = edge >= 0
        holds = np.zeros(rows.size, dtype=np.bool_)
        holds[judged] = _among(scene.index.table.edges.type, edge[judged], self.names)
        return Judgement(holds, judged, np.zeros(rows.size, dtype=np.int64))

    def remarks(self, scene: Scene) -> tuple[str, ...]:
        """Name those that no edge has."""
        return tuple(unknown(self.names, scene.index.table.edges.type.names, "no edge has the type"))


def _among(column: NameColumn, positions: IntArray, names: Iterable[str]) -> BoolArray:
    """Tell of each position whether its name is one of some."""
    wanted = frozenset(names)
    codes, place = np.unique(column.code[positions], return_inverse=True)
    found = np.array([column.names[code] in wanted for code in codes.tolist()], dtype=np.bool_)
    return found[place]


def unknown(names: Iterable[str], known: Iterable[str], what: str) -> Iterable[str]:
    """Yield a line for each name that is not known, with the one most like it."""
    known = dict.fromkeys(known)
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1)
            yield f"{what} {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else "")
