"""Which candidates are texts."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline import Candidates, GraphIndex, KnowledgeNode, Query
from graphrag_pipeline.stages.signals.textual import Textual


def record(node_id: str, node_type: str, **properties: str) -> KnowledgeNode:
    return KnowledgeNode(node_id, node_type, node_id, properties=properties)


def test_a_candidate_is_a_text_when_nearly_all_nodes_of_its_type_say_something():
    index = GraphIndex.from_records(
        [
            record("p1", "passage", text="harbour crane warehouse quay " * 5),
            record("p2", "passage", text="港の倉庫" * 6),
            record("p3", "passage", text="Warehouses stand near water. " * 5),
            record("e1", "entity"),
            record("e2", "entity"),
            record("e3", "entity", description="A city."),
        ]
    )
    column = Textual().compute(Candidates.seeds(np.array([5, 2, 1, 0, 3])), Query("x"), index)
    assert column.tolist() == [0, 1, 1, 1, 0]
