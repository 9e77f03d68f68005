"""Tiny graphs in one line, and pipelines made of ready objects."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeGraph, KnowledgeNode, Params, Pipeline
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.spec import ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.contract import BridgeParams


def node(node_id: str, label: str | None = None, **properties: Any) -> KnowledgeNode:
    """A node of type ``concept``; its label is its id unless given."""
    return KnowledgeNode(node_id, "concept", node_id if label is None else label, properties=properties)


def edge(ends: str, edge_type: str = "uses") -> KnowledgeEdge:
    """An edge from ``"a>b"``."""
    source, _, target = ends.partition(">")
    return KnowledgeEdge(source, target, edge_type)


def graph_of(
    nodes: str | Sequence[KnowledgeNode] = "", edges: str | Sequence[KnowledgeEdge] = ""
) -> KnowledgeGraph:
    """A graph from ``"a b c"`` and ``"a>b b>c"``, or from records."""
    graph = KnowledgeGraph()
    for entry in nodes.split() if isinstance(nodes, str) else nodes:
        graph.add_node(node(entry) if isinstance(entry, str) else entry)
    for line in edges.split() if isinstance(edges, str) else edges:
        graph.add_edge(edge(line) if isinstance(line, str) else line)
    return graph


def index_of(
    nodes: str | Sequence[KnowledgeNode] = "", edges: str | Sequence[KnowledgeEdge] = ""
) -> GraphIndex:
    """The same, compiled."""
    return GraphIndex.from_graph(graph_of(nodes, edges))


def ends(graph: KnowledgeGraph) -> list[str]:
    """The edges of a graph as ``a>b``, in order."""
    return [f"{edge.source_id}>{edge.target_id}" for edge in graph.all_edges()]


def as_bytes(value: object) -> str:
    """The serialized form that must be equal; key order counts."""
    return json.dumps(value, ensure_ascii=True)


@dataclass
class Answering:
    """A bridge with one answer for every query; it keeps what it was asked."""

    answer: Any = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)

    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        self.asked.append((query, depth))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def vocab_lookup(self, term: str, namespace: str = "") -> list[str]:
        return []

    def harmonic_expand(self, concept: str) -> list[str]:
        return []


def pipeline_of(
    graph: KnowledgeGraph | GraphIndex,
    order: str | None = None,
    *,
    given: Mapping[str, object] | None = None,
    params: Mapping[str, Params] | None = None,
    slots: Mapping[str, ComponentSpec] | None = None,
    host: PluginHost | None = None,
    **rest: Any,
) -> Pipeline:
    """The reference pipeline over a graph, without a bridge's extras unless one is given.

    Args:
        graph: The graph.
        order: Slots, separated by blanks; None means the reference's order.
        given: Ready objects by slot.
        params: Parameters by slot.
        slots: Further slots, by name.
        host: A host of your own.
        rest: Passed to ``Pipeline``.
    """
    host = PluginHost.discover(entry_points=False, environ={}) if host is None else host
    reference = reference_spec()
    specs = dict(reference.slots)
    specs["bridge"] = ComponentSpec("bridge", "noop", BridgeParams())
    for slot, changed in (params or {}).items():
        specs[slot] = ComponentSpec(specs[slot].kind, specs[slot].use, changed)
    specs.update(slots or {})
    spec = PipelineSpec(reference.order if order is None else tuple(order.split()), specs)
    index = graph if isinstance(graph, GraphIndex) else GraphIndex.from_graph(graph)
    return Pipeline(build_plan(spec, host, given), index, host, **rest)
