"""Records as the importers of this package keep them, so that what is written is what is read back.

An importer replaces characters that no XML file holds, and has no property where a value is null or NaN.
Every format but the reference's own JSON writes fitted records; what fitting changes is a loss that is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.columns.not_finite import finite, is_finite
from graphrag_pipeline.graph.export.contract import Losses, all_edges, all_nodes, edge_name
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.clean import clean_text, clean_value
from graphrag_pipeline.graph.reading.scalars import missing
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode


@dataclass(frozen=True, slots=True)
class Carries:
    """What a format carries that most do not.

    Args:
        empty_labels: A node whose label is the empty text.
        nulls: A property whose value is null.
        infinities: A property whose value is infinite. Within lists and objects no format has any: these
            are JSON everywhere.
    """

    empty_labels: bool = False
    nulls: bool = False
    infinities: bool = False


LEAST = Carries()
NODE_LEFT_OUT = "a node whose id is the empty text is left out"
WEIGHT_REPLACED = "a weight that is not finite becomes 1.0"
NUMBER_REPLACED = "a number that is NaN or infinite is written as null"
EDGE_LEFT_OUT = "an edge with an end whose id is the empty text is left out"


def fitted_nodes(
    index: GraphIndex, losses: Losses | None = None, carries: Carries = LEAST
) -> Iterator[KnowledgeNode]:
    """Yield every node, fitted, in node order; those without an id are left out.

    Args:
        index: The graph.
        losses: Counts what is changed.
        carries: What the format carries besides.

    Raises:
        GraphSourceError: Two ids are one after fitting.
    """
    losses = Losses() if losses is None else losses
    changed: dict[str, str] = {}
    for node in all_nodes(index):
        place = f"node {node.node_id!r}"
        if not node.node_id:
            losses.add(NODE_LEFT_OUT, place)
            continue
        fitted = _fit_node(node, place, losses, carries)
        if fitted.node_id != node.node_id:
            _check_id(index, fitted.node_id, node.node_id, changed)
        yield fitted


def fitted_edges(
    index: GraphIndex, losses: Losses | None = None, carries: Carries = LEAST
) -> Iterator[KnowledgeEdge]:
    """Yield every edge, fitted, in global edge order; those with an end without an id are left out."""
    losses = Losses() if losses is None else losses
    for edge in all_edges(index):
        place = edge_name(edge)
        if not edge.source_id or not edge.target_id:
            losses.add(EDGE_LEFT_OUT, place)
            continue
        yield _fit_edge(edge, place, losses, carries)


def _check_id(index: GraphIndex, fitted: str, original: str, changed: dict[str, str]) -> None:
    other = fitted if index.position(fitted) is not None else changed.setdefault(fitted, original)
    if other != original:
        raise GraphSourceError(
            f"The ids {other!r} and {original!r} differ only in characters that this format cannot hold.",
            hint="Rename one, or write JSON in the reference's shape, which holds any text.",
        )


def _fit_node(node: KnowledgeNode, place: str, losses: Losses, carries: Carries) -> KnowledgeNode:
    def told(what: str) -> None:
        losses.add(what, place)

    if not node.label and not carries.empty_labels:
        told("an empty label is read back as the node's id")
    uri = "" if node.uri == f"{node.namespace}:{node.node_type}/{node.node_id}" else node.uri
    return replace(
        node,
        node_id=clean_text(node.node_id, told),
        node_type=clean_text(node.node_type, told),
        label=clean_text(node.label, told),
        namespace=clean_text(node.namespace, told),
        uri=clean_text(uri, told),
        properties=_fit_properties(node.properties, place, losses, carries),
    )


def _fit_edge(edge: KnowledgeEdge, place: str, losses: Losses, carries: Carries) -> KnowledgeEdge:
    def told(what: str) -> None:
        losses.add(what, place)

    weight = edge.weight
    if not is_finite(weight):
        told(WEIGHT_REPLACED)
        weight = 1.0
    return replace(
        edge,
        weight=weight,
        source_id=clean_text(edge.source_id, told),
        target_id=clean_text(edge.target_id, told),
        edge_type=clean_text(edge.edge_type, told),
        namespace=clean_text(edge.namespace, told),
        properties=_fit_properties(edge.properties, place, losses, carries),
    )


# Any: a property holds whatever the graph's owner stored there.
def _fit_properties(
    properties: Mapping[str, Any], place: str, losses: Losses, carries: Carries
) -> dict[str, Any]:
    fitted: dict[str, Any] = {}
    for name, value in properties.items():
        if missing(value) and not (value is None and carries.nulls):
            losses.add("a property that is null or NaN is left out", f"{place}: {name}")
            continue
        told = partial(_tell, losses, f"{place}: {name}")
        kept = clean_value(value, told)
        if not (carries.infinities and isinstance(kept, float)):
            kept = finite(kept, partial(told, NUMBER_REPLACED))
        fitted[clean_text(str(name), lambda what: losses.add(what, place))] = kept
    return fitted


def _tell(losses: Losses, place: str, what: str) -> None:
    losses.add(what, place)


def fitting_losses(index: GraphIndex, carries: Carries = LEAST) -> Losses:
    """Return what fitting changes in a graph.

    Raises:
        GraphSourceError: Two ids are one after fitting.
    """
    losses = Losses()
    for _ in fitted_nodes(index, losses, carries):
        pass
    for _ in fitted_edges(index, losses, carries):
        pass
    return losses
