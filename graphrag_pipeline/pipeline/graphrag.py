"""The reference pipeline as one class, with the reference's signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.model.result import QueryResult
from graphrag_pipeline.model.zachman import ZachmanCell
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.trace import Trace
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import Bridge
from graphrag_pipeline.stages.seeds.retriever import Retriever, RetrieverSeeds

if TYPE_CHECKING:
    import networkx as nx

    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


class GraphRAG:
    """Answers queries by the reference pipeline, without any configuration.

    Args:
        knowledge_graph: The graph, a networkx graph, or a compiled index. It is compiled here, once:
            later changes to it do not reach this object.
        retriever: Finds seeds, through ``retrieve(text, k)``; None matches labels.
        lyra_bridge: Augments results; None is LYRA when installed, else the mock.
    """

    def __init__(
        self,
        knowledge_graph: KnowledgeGraph | GraphIndex | nx.Graph[Any],
        retriever: Retriever | None = None,
        lyra_bridge: Bridge | None = None,
    ) -> None:
        host = PluginHost.discover(entry_points=False, environ={})
        given: dict[str, object] = {}
        if retriever is not None:
            if not callable(getattr(retriever, "retrieve", None)):
                raise PluginError(f"The retriever has no method retrieve(text, k): {retriever!r:.60}.")
            given["seed"] = RetrieverSeeds(retriever=retriever)
        if lyra_bridge is not None:
            given["bridge"] = lyra_bridge
        plan = build_plan(reference_spec(), host, given)
        self.pipeline = Pipeline(plan, as_index(knowledge_graph), host)

    def query(
        self,
        text: str,
        k: int = 10,
        persona_id: str | None = None,
        zachman_cell: ZachmanCell | None = None,
        max_hops: int = 3,
    ) -> QueryResult:
        """Answer a query.

        Args:
            text: The words.
            k: Most seeds; 0 or less means none.
            persona_id: Persona that scoring favours.
            zachman_cell: Cell whose row the filter keeps.
            max_hops: Most edges from a seed; negative means 0.
        """
        return self.pipeline.run(Query(text, k, persona_id, zachman_cell, max_hops))

    def trace(
        self,
        text: str,
        k: int = 10,
        persona_id: str | None = None,
        zachman_cell: ZachmanCell | None = None,
        max_hops: int = 3,
    ) -> Trace:
        """Answer a query as :meth:`query` does, and say how."""
        return self.pipeline.trace(Query(text, k, persona_id, zachman_cell, max_hops))
