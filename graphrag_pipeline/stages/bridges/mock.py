"""A working stand-in for LYRA over any knowledge graph."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.stages.contract import BridgeParams

if TYPE_CHECKING:
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph

SKOS_LIKE = frozenset({"depends_on", "maps_to", "interacts_with"})
"""Edge types that stand for SKOS broader, related and narrower."""

_SEED_NODES = {
    "persona": "Persona",
    "riscear": "R.I.S.C.E.A.R.",
    "discernment": "Discernment",
    "curiosity": "Curiosity",
    "humility": "Humility",
    "workflow": "Workflow",
    "fcc": "FCC",
}
_SEED_EDGES = (
    ("persona", "riscear", "depends_on"),
    ("persona", "discernment", "maps_to"),
    ("discernment", "curiosity", "interacts_with"),
    ("discernment", "humility", "interacts_with"),
    ("persona", "fcc", "depends_on"),
    ("workflow", "fcc", "maps_to"),
)


def seed_graph() -> GraphIndex:
    """Return the seven-node graph the mock uses when it is given none; the reference's, node for node."""
    nodes = [
        KnowledgeNode(key, "concept", label, namespace="lyra-seed") for key, label in _SEED_NODES.items()
    ]
    return GraphIndex.from_records(nodes, [KnowledgeEdge(*edge) for edge in _SEED_EDGES])


class LyraMockBridge:
    """Answers the three LYRA calls from a graph of its own.

    Args:
        graph: The graph to answer from; None means :func:`seed_graph`. It is read once, here.
        params: Parameters every bridge has.
    """

    name = "mock"
    Params = BridgeParams
    mode = "mock"
    local = True

    def __init__(
        self, graph: KnowledgeGraph | GraphIndex | None = None, *, params: BridgeParams | None = None
    ) -> None:
        source = seed_graph() if graph is None else graph
        self.params = BridgeParams() if params is None else params
        self._nodes = {node.node_id: node for node in source.all_nodes()}
        self._edges = source.all_edges()
        self._out: dict[str, list[KnowledgeEdge]] = {}
        for edge in self._edges:
            self._out.setdefault(edge.source_id, []).append(edge)

    # Any: the answer has the shape a live bridge gives, plain JSON data.
    def graph_of_thought_query(self, query: str, depth: int = 3) -> dict[str, Any]:
        """Walk along edge directions from every node whose label or id contains ``query``.

        Returns:
            ``nodes`` in visit order, ``edges`` walked (one to a node that several edges reach is
            listed for each of them, as in the reference) and ``paths`` of one edge each.
        """
        visited, edges = self._walk(self._matching(query), max(depth, 0))
        return {
            "query": query,
            "depth": depth,
            "nodes": [self._nodes[node_id].to_dict() for node_id in visited if node_id in self._nodes],
            "edges": [edge.to_dict() for edge in edges],
            "paths": [[edge.source_id, edge.target_id] for edge in edges],
        }

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        """Return ids of nodes whose label or id contains ``term``; an empty namespace means all."""
        return [
            node_id for node_id in self._matching(term) if namespace in ("", self._nodes[node_id].namespace)
        ]

    def harmonic_expand(self, concept: str) -> list[str]:
        """Return the targets of :data:`SKOS_LIKE` edges out of nodes matching ``concept``, in edge order."""
        seeds = set(self._matching(concept))
        related = (
            edge.target_id
            for edge in self._edges
            if edge.edge_type in SKOS_LIKE and edge.source_id in seeds and edge.target_id not in seeds
        )
        return list(dict.fromkeys(related))

    def _matching(self, text: str) -> list[str]:
        needle = text.lower()
        if not needle:
            return []
        return [
            node_id
            for node_id, node in self._nodes.items()
            if needle in node.label.lower() or needle in node_id.lower()
        ]

    def _walk(self, seeds: list[str], depth: int) -> tuple[list[str], list[KnowledgeEdge]]:
        visited: dict[str, None] = {}
        walked: list[KnowledgeEdge] = []
        queue = deque((seed, 0) for seed in seeds)
        while queue:
            node_id, hop = queue.popleft()
            if node_id in visited:
                continue
            visited[node_id] = None
            if hop >= depth:
                continue
            for edge in self._out.get(node_id, ()):
                if edge.target_id not in visited:
                    walked.append(edge)
                    queue.append((edge.target_id, hop + 1))
        return list(visited), walked
