"""A graph with one of everything, and a directory to write it to."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.storage.write import write_index
from tests.tiny import node


def everything(more: str = "") -> GraphIndex:
    """Odd texts, weights and properties; dangling and parallel edges, self loops."""
    nodes = [
        node("risk", "Risk ΣΑΣ", owner="FCON-001", zachman_cell="architect:how"),
        node("", "\ud800\x00", deep={"x": [1, None, 0.5, float("inf")], "🚀": True}),
        KnowledgeNode("🚀\nid", "role", "İ risk", "ns", "urn:x"),
        node("plain" + more, "Control risk"),
    ]
    edges = [
        KnowledgeEdge("risk", "", "uses", weight=1),
        KnowledgeEdge("risk", "", "owns", weight=2**70),
        KnowledgeEdge("ghost", "risk", "uses", "ns", 0.5, {"why": ["x"]}),
        KnowledgeEdge("", "🚀\nid", "uses"),
        KnowledgeEdge("🚀\nid", "🚀\nid", "uses"),
        KnowledgeEdge("plain" + more, "risk", "uses"),
    ]
    return GraphIndex.from_records(nodes, edges)


@pytest.fixture
def index() -> GraphIndex:
    return everything()


@pytest.fixture
def directory(index: GraphIndex, tmp_path: Path) -> Path:
    """The index, written."""
    path = tmp_path / "written"
    write_index(index.table, path)
    return path
