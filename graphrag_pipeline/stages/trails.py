"""How the nodes of a working set were found: paths and edges, made when they are asked for, and once."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeEdge
from graphrag_pipeline.stages.candidates import Candidates, Extras
from graphrag_pipeline.stages.scored import PathStep


class WorkingTrails:
    """Paths and edges by row of candidates-then-extras.

    Args:
        candidates: The candidates.
        extras: What bridges added.
        index: The graph of the candidates.
    """

    def __init__(self, candidates: Candidates, extras: Extras, index: GraphIndex) -> None:
        self._candidates = candidates
        self._extras = extras
        self._index = index
        self._steps: dict[int, PathStep] = {}

    def hop(self, row: int) -> int:
        """Return the edges between a node and its seed; -1 for an extra."""
        return int(self._candidates.hop[row]) if row < len(self._candidates) else -1

    def path(self, row: int) -> tuple[PathStep, ...]:
        """Return the path from the seed to a node; itself alone where it is not whole."""
        own = len(self._candidates)
        if row >= own:
            return self._extra_path(row - own)
        rows = self._rows(row)
        if rows is None:
            return (self._step(row)._replace(edge_type="", forward=True),)
        return tuple(map(self._step, rows))

    def edge(self, row: int) -> KnowledgeEdge | None:
        """Return the edge that discovered a node, where both its ends are there."""
        if row >= len(self._candidates) or self._candidates.parent_row[row] < 0:
            return None
        return self._index.edge(int(self._candidates.edge[row]))

    def bridge_edges(self, row: int) -> tuple[KnowledgeEdge, ...]:
        """Return the edges of extras at a node."""
        if not self._extras.edges:
            return ()
        own = len(self._candidates)
        place = row - own
        node_id = (
            self._extras.nodes[place].node_id if place >= 0 else self._index.ids[self._candidates.node[row]]
        )
        return self._edges_at.get(node_id, ())

    # -- candidates --------------------------------------------------------------------------------

    def _rows(self, row: int) -> list[int] | None:
        """Return the rows from the seed to a candidate, or None where one is not there."""
        rows = [row]
        for _ in range(int(self._candidates.hop[row])):
            row = int(self._candidates.parent_row[row])
            if row < 0:
                return None
            rows.append(row)
        return rows[::-1]

    def _step(self, row: int) -> PathStep:
        step = self._steps.get(row)
        if step is None:
            step = self._steps[row] = self._made(row)
        return step

    def _made(self, row: int) -> PathStep:
        nodes, edges = self._index.table.nodes, self._index.table.edges
        position, edge = int(self._candidates.node[row]), int(self._candidates.edge[row])
        step = PathStep(nodes.id[position], nodes.type[position], nodes.label[position])
        if edge < 0:
            return step
        return step._replace(edge_type=edges.type[edge], forward=int(edges.target[edge]) == position)

    # -- extras ------------------------------------------------------------------------------------

    @cached_property
    def _edges_at(self) -> dict[str, tuple[KnowledgeEdge, ...]]:
        found: dict[str, tuple[KnowledgeEdge, ...]] = {}
        for edge in self._extras.edges:
            for end in dict.fromkeys((edge.source_id, edge.target_id)):
                found[end] = (*found.get(end, ()), edge)
        return found

    @cached_property
    def _extra_rows(self) -> dict[str, int]:
        return {node.node_id: row for row, node in enumerate(self._extras.nodes)}

    @cached_property
    def _extra_paths(self) -> dict[str, tuple[PathStep, ...]]:
        """The first path to each extra that is all in the result."""
        found: dict[str, tuple[PathStep, ...]] = {}
        for ids in self._extras.paths:
            if ids[-1] in self._extra_rows and ids[-1] not in found:
                steps = self._steps_of(ids)
                if steps is not None:
                    found[ids[-1]] = steps
        return found

    def _extra_path(self, place: int) -> tuple[PathStep, ...]:
        node = self._extras.nodes[place]
        alone = (PathStep(node.node_id, node.node_type, node.label),)
        return self._extra_paths.get(node.node_id, alone)

    def _steps_of(self, ids: tuple[str, ...]) -> tuple[PathStep, ...] | None:
        first = self._named(ids[0])
        steps = [] if first is None else [first]
        for before, after in pairwise(ids):
            named, link = self._named(after), self._link(before, after)
            if named is None or link is None:
                return None
            steps.append(named._replace(edge_type=link[0], forward=link[1]))
        return tuple(steps) or None

    def _named(self, node_id: str) -> PathStep | None:
        row = self._row_of(node_id)
        if row >= 0:
            return self._step(row)._replace(edge_type="", forward=True)
        place = self._extra_rows.get(node_id)
        if place is None:
            return None
        extra = self._extras.nodes[place]
        return PathStep(node_id, extra.node_type, extra.label)

    def _row_of(self, node_id: str) -> int:
        return self._candidates.row(self._index.position(node_id))

    def _link(self, before: str, after: str) -> tuple[str, bool] | None:
        """Return type and direction of an edge between two nodes of the result, or None."""
        for edge in self._edges_at.get(after, ()):
            if {edge.source_id, edge.target_id} == {before, after}:
                return edge.edge_type, edge.target_id == after
        one, other = self._row_of(before), self._row_of(after)
        for child, parent in ((other, one), (one, other)):
            if child >= 0 and parent >= 0 and int(self._candidates.parent_row[child]) == parent:
                edge = self._index.edge(int(self._candidates.edge[child]))
                return edge.edge_type, edge.target_id == after
        return None
