"""The oracle, live: the reference system asked the same question about the same graph."""

from __future__ import annotations

import json
import warnings
from typing import Any

from fcc.classification.zachman import ZachmanCell as OracleCell
from fcc.knowledge.graph import KnowledgeGraph as OracleGraph
from fcc.knowledge.models import EdgeType, NodeType
from fcc.plugins.v1_5_preview.lyra_bridge import LyraMockBridge as OracleMock
from fcc.plugins.v1_5_preview.lyra_bridge import NoOpLyraBridge as OracleNoOp
from fcc.rag.graphrag import GraphRAG as OracleGraphRAG

from graphrag_pipeline import GraphRAG, KnowledgeGraph, LyraMockBridge, NoOpLyraBridge, ZachmanCell

Json = dict[str, Any]

NODE_TYPES = [kind.value for kind in NodeType]
EDGE_TYPES = [kind.value for kind in EdgeType]


def as_bytes(result: Json) -> str:
    """The serialized form that must be equal; key order counts."""
    return json.dumps(result, ensure_ascii=True)


class Oracle:
    """The reference system over one graph and one bridge."""

    def __init__(
        self, graph: Json, bridge: str | object = "default", bridge_graph: Json | None = None
    ) -> None:
        adapters: Any = {
            "default": lambda: None,
            "noop": OracleNoOp,
            "mock": lambda: OracleMock(OracleGraph.from_dict(bridge_graph or {})),
        }
        chosen: Any = adapters[bridge]() if isinstance(bridge, str) else bridge
        self.rag = OracleGraphRAG(OracleGraph.from_dict(graph), lyra_bridge=chosen)

    def ask(self, query: Json) -> Json:
        cell = query["zachman_cell"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = self.rag.query(
                query["text"],
                k=query["k"],
                persona_id=query["persona_id"],
                zachman_cell=None if cell is None else OracleCell.from_coordinate(cell),
                max_hops=query["max_hops"],
            )
        return dict(result.to_dict())


class Ours:
    """This project over one graph and one bridge."""

    def __init__(
        self, graph: Json, bridge: str | object = "default", bridge_graph: Json | None = None
    ) -> None:
        adapters: Any = {
            "default": lambda: None,
            "noop": NoOpLyraBridge,
            "mock": lambda: LyraMockBridge(KnowledgeGraph.from_dict(bridge_graph or {})),
        }
        chosen: Any = adapters[bridge]() if isinstance(bridge, str) else bridge
        self.rag = GraphRAG(KnowledgeGraph.from_dict(graph), lyra_bridge=chosen)

    def ask(self, query: Json) -> Json:
        cell = query["zachman_cell"]
        return self.rag.query(
            query["text"],
            k=query["k"],
            persona_id=query["persona_id"],
            zachman_cell=None if cell is None else ZachmanCell.from_coordinate(cell),
            max_hops=query["max_hops"],
        ).to_dict()
