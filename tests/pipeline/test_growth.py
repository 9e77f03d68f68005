"""Queries leave nothing behind."""

from __future__ import annotations

import gc
import tracemalloc

from graphrag_pipeline import GraphIndex, GraphRAG, NoOpLyraBridge
from graphrag_pipeline.graph.sources.demo_graph import DemoGraph


def test_thousands_of_queries_do_not_make_memory_grow() -> None:
    graph = DemoGraph().load().graph
    assert isinstance(graph, GraphIndex)
    rag = GraphRAG(graph, lyra_bridge=NoOpLyraBridge())

    def ask(rounds: int) -> None:
        for number in range(rounds):
            # More personas than an index remembers, and results that are read.
            result = rag.query("audit", persona_id=f"P-{number % 100}", max_hops=2)
            assert result.scored

    ask(200)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    ask(2_000)
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Masks of other personas take the places of those that were there; nothing else may stay.
    assert after - before < 100_000
