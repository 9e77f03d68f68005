"""From any networkx graph to a :class:`KnowledgeGraph`.

Label and type are taken from the attributes people commonly use; every other attribute becomes a
property. Ids that are not text become text; two ids that would become the same text are refused.
Numbers and arrays of numpy become plain numbers and lists, tuples lists, and sets sorted lists, because
their order differs from run to run.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import networkx as nx
import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.attributes import (
    DEFAULT_EDGE_TYPE,
    DEFAULT_NODE_TYPE,
    EDGE_ORDER,
    EDGE_TYPE_KEYS,
    LABEL_KEYS,
    NODE_TYPE_KEYS,
    own_properties,
    take,
)
from graphrag_pipeline.graph.columns.not_finite import is_finite
from graphrag_pipeline.model.records import DEFAULT_NAMESPACE, KnowledgeEdge, KnowledgeNode

if TYPE_CHECKING:
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph

Graph = TypeVar("Graph", bound="KnowledgeGraph")


def read(source: nx.Graph[Any], into: Graph) -> Graph:
    """Fill ``into`` with the nodes and edges of a networkx graph, and return it.

    Nodes keep the graph's node order, edges the order of ``source.edges`` (or of their keys, for a
    graph that ``to_networkx`` exported). In such an export, nodes without a label are the unknown
    ends of dangling edges and stay unknown. An undirected edge keeps the order of ends that
    networkx reports.

    Raises:
        GraphSourceError: Two node ids have the same text, or an attribute holds the wrong type.
    """
    exported = source.graph.get(EDGE_ORDER) == "key"
    names = _names(source)
    for node_id, data in source.nodes(data=True):
        if "label" in data or not exported:
            into.add_node(_node(names[node_id], data))
    for source_id, target_id, data in _edges(source, exported):
        into.add_edge(_edge(names[source_id], names[target_id], data))
    return into


def _names(source: nx.Graph[Any]) -> dict[Hashable, str]:
    names: dict[Hashable, str] = {}
    owners: dict[str, Hashable] = {}
    for node_id in source.nodes:
        text = str(node_id)
        if owners.setdefault(text, node_id) is not node_id:
            raise GraphSourceError(
                f"The node ids {owners[text]!r} and {node_id!r} are both {text!r} as text.",
                where="networkx graph",
                hint="Rename one with networkx.relabel_nodes before loading.",
            )
        names[node_id] = text
    return names


def _edges(source: nx.Graph[Any], exported: bool) -> list[tuple[Hashable, Hashable, dict[str, Any]]]:
    # A DiGraph made of an export still carries the mark, but has no keys.
    if not exported or not source.is_multigraph():
        return list(source.edges(data=True))
    keyed = list(source.edges(keys=True, data=True))  # type: ignore[call-overload]
    # Edges that somebody added under keys of their own come after ours.
    keyed.sort(key=lambda edge: (0, edge[2]) if isinstance(edge[2], int) else (1, 0))
    return [(source_id, target_id, data) for source_id, target_id, _, data in keyed]


def _node(node_id: str, data: Mapping[str, Any]) -> KnowledgeNode:
    rest = dict(data)
    properties = own_properties(rest)
    return KnowledgeNode(
        node_id,
        node_type=take(rest, NODE_TYPE_KEYS, DEFAULT_NODE_TYPE),
        label=take(rest, LABEL_KEYS, node_id),
        namespace=take(rest, ("namespace",), DEFAULT_NAMESPACE),
        uri=take(rest, ("uri",), ""),
        properties=plain({**properties, **rest}),
    )


def _edge(source_id: str, target_id: str, data: Mapping[str, Any]) -> KnowledgeEdge:
    rest = dict(data)
    properties = own_properties(rest)
    weight = rest.pop("weight", 1.0)
    weight = plain(weight)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not is_finite(weight):
        raise GraphSourceError(
            f"The weight must be a number, and finite, not {weight!r:.60}.",
            where=f"networkx edge {source_id} -> {target_id}",
        )
    return KnowledgeEdge(
        source_id,
        target_id,
        edge_type=take(rest, EDGE_TYPE_KEYS, DEFAULT_EDGE_TYPE),
        namespace=take(rest, ("namespace",), DEFAULT_NAMESPACE),
        weight=weight,
        properties=plain({**properties, **rest}),
    )


# Any: attributes hold anything; what is not known here stays as it is.
def plain(value: Any) -> Any:
    """Return a value with numpy's types as Python's, sets as sorted lists and tuples as lists, at any depth.

    Raises:
        GraphSourceError: It is nested too deeply, or in itself.
    """
    try:
        return _plain(value)
    except RecursionError as error:
        raise GraphSourceError("An attribute is nested too deeply.", where="networkx graph") from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, set | frozenset):
        return sorted((_plain(item) for item in value), key=lambda item: (str(type(item)), str(item)))
    if type(value) is dict:
        return {key: _plain(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return [_plain(item) for item in value]
    return value
