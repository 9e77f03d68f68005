"""Graphs that live in the caller's Python program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.sources.findings import Account
from graphrag_pipeline.model.component import Component, Params

if TYPE_CHECKING:
    import networkx as nx


class NetworkXGraphParams(Params):
    """The graph object is handed over in Python, so there is nothing to configure."""


class NetworkXGraph(Component[NetworkXGraphParams]):
    """Reads a networkx graph object.

    Args:
        params: None needed.
        graph: The object. A configuration can say ``graph=networkx``; the caller then hands the object
            over as ``load_pipeline(..., graph=G)``.
    """

    name = "networkx"
    Params = NetworkXGraphParams

    def __init__(self, params: NetworkXGraphParams | None = None, graph: nx.Graph[Any] | None = None) -> None:
        super().__init__(params)
        self.graph = graph

    def load(self) -> LoadedGraph:
        """Convert the object.

        Raises:
            GraphSourceError: No object was handed over, or it cannot be converted.
        """
        if self.graph is None:
            raise GraphSourceError(
                "graph=networkx needs a networkx graph object, which a command line cannot give.",
                where="graph.use",
                hint="In Python: load_pipeline([...], graph=G). For a file: graph=json graph.path=FILE.",
            )
        from graphrag_pipeline.graph.knowledge import KnowledgeGraph

        graph = KnowledgeGraph.from_networkx(self.graph)
        read = {"nodes": self.graph.number_of_nodes(), "edges": self.graph.number_of_edges()}
        # An exported graph has a node of networkx for each end that is no node of ours.
        ends = read["nodes"] - graph.node_count
        left = {"ends of dangling edges": ends} if ends else {}
        account = Account(read, {}, left, graph.node_count, graph.edge_count)
        return LoadedGraph(graph, SourceReport("networkx object", account=account))
