"""Makes what RDF says the nodes and edges of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.rdf import ours as rdf_ours
from graphrag_pipeline.graph.sources.rdf.blank import blank_ids
from graphrag_pipeline.graph.sources.rdf.lists import Lists
from graphrag_pipeline.graph.sources.rdf.nodes import Naming, readable
from graphrag_pipeline.graph.sources.rdf.reified import Reified
from graphrag_pipeline.graph.sources.rdf.resources import Edge, Gathered, Resource
from graphrag_pipeline.graph.sources.rdf.terms import is_blank, split

NO_LABEL = "a resource has no label; its local name is shown"

# Any throughout: properties hold any JSON value.


class Records:
    """Hands over what a file says.

    Args:
        intake: Takes the records.
        gathered: What the file says; it is used up.
        prefixes: Namespace of each prefix; empty where namespaces are to be IRIs.
        languages: Languages in order of preference.
        predicate_labels: Whether an edge's type is the label of its predicate.
        properties_as_nodes: Whether properties become nodes.
    """

    def __init__(
        self,
        intake: Intake,
        gathered: Gathered,
        *,
        prefixes: Mapping[str, str],
        languages: Sequence[str],
        predicate_labels: bool,
        properties_as_nodes: bool,
    ) -> None:
        self._intake = intake
        self._gathered = gathered
        self._lists = Lists(gathered)
        self._reified = Reified(gathered)
        blank = blank_ids(gathered, self._lists.spread, intake.note)
        self._naming = Naming(gathered, self._reified.about.values(), prefixes, blank, languages)
        self._predicate_labels = predicate_labels
        self._properties_as_nodes = properties_as_nodes
        self._properties: set[str] = set()
        """Subjects that are properties, and no nodes."""
        self._ours: dict[str, str] = {}
        """Ids that our own export wrote, by the IRI that it gave them."""
        self._left = {"statements that became part of a node": 0, "statements about properties": 0}
        self._edge_types: dict[str, tuple[str, str | None, dict[str, Any]]] = {}

    def hand_over(self) -> None:
        """Hand over all nodes and edges, each in the order of the file."""
        gathered, intake = self._gathered, self._intake
        intake.read("statements", gathered.statements)
        intake.total = len(gathered.resources) + len(gathered.edges)
        for name, resource in gathered.resources.items():
            self._resource(name, resource)
        for edge, graphs in gathered.edges.items():
            self._edge(edge, graphs)
        self._account()

    def _account(self) -> None:
        intake = self._intake
        left = {
            **self._left,
            "statements that make up lists": self._lists.statements,
            "statements about an edge, which became part of it": self._reified.statements,
            "statements that came again": self._gathered.repeated,
        }
        for reason, count in left.items():
            if count:
                intake.absorb(reason, count)
        if self._properties:
            count = len(self._properties)
            intake.note(f"{count} properties are no nodes; graph.properties_as_nodes=true makes them nodes")
        if not self._gathered.statements:
            intake.note("the file makes no statements; JSON-LD makes none of keys that its @context lacks")

    # -- nodes -----------------------------------------------------------------------------------

    def _resource(self, name: str, resource: Resource) -> None:
        ours = rdf_ours.our_node(resource)
        if ours is None and rdf_ours.our_id(name) is not None and not resource.count():
            return  # an id that only edges named before it was exported
        if ours is None and not self._properties_as_nodes and self._gathered.is_property(name):
            self._properties.add(name)
            self._left["statements about properties"] += resource.count()
            return
        self._left["statements that became part of a node"] += resource.count()
        if ours is None:
            self._node(name, resource)
        else:
            self._ours[name] = ours.id
            properties = self._our_properties(ours.rest, ours.id)
            self._intake.node(
                ours.id,
                ours.node_type,
                ours.label,
                namespace=ours.namespace,
                uri=ours.uri,
                properties=properties,
                made="resources",
            )

    def _node(self, name: str, resource: Resource) -> None:
        naming, node_id = self._naming, self._naming.id(name)
        label = naming.label(resource)
        if not label and not is_blank(name):
            label = readable(name)
            self._intake.blank(NO_LABEL, f"node {node_id}")
        self._intake.node(
            node_id,
            naming.node_type(resource.types),
            label,
            namespace=naming.namespace(name),
            uri="" if is_blank(name) else name,
            properties=naming.properties(resource, self._told(node_id)),
            made="resources",
        )

    def _our_properties(self, resource: Resource, node_id: str) -> dict[str, Any]:
        told = self._told(node_id)
        own = rdf_ours.our_properties(resource, told)
        return {**self._naming.properties(resource, told), **own}

    def _told(self, node_id: str) -> partial[None]:
        return partial(self._intake.repair, at=f"node {node_id}")

    # -- edges -----------------------------------------------------------------------------------

    def _edge(self, edge: Edge, graphs: tuple[str, ...]) -> None:
        subject, predicate, object_ = edge
        items = self._lists.spread.get(edge)
        if subject in self._properties:
            self._left["statements about properties"] += 1 if items is None else len(items)
            return
        edge_type, namespace, made = self._typed(predicate)
        weight, said = self._said(edge)
        properties = {**made, **said}
        if graphs:
            properties["graphs"] = sorted(map(self._naming.id, graphs))
        for position, end in enumerate(items or [object_]):
            placed = properties if items is None else {**properties, "position": position + 1}
            self._intake.edge(
                self._end(subject),
                self._end(end),
                edge_type,
                namespace=namespace,
                weight=weight,
                properties=placed,
            )

    def _typed(self, predicate: str) -> tuple[str, str | None, dict[str, Any]]:
        """Return the type of a predicate's edges, their namespace, and their properties."""
        if (known := self._edge_types.get(predicate)) is None:
            ours = rdf_ours.our_edge(predicate)
            label = self._predicate_label(predicate)
            if ours is not None:
                known = (*ours, {})
            elif label:
                known = (label, self._naming.namespace(predicate), {"predicate": predicate})
            else:
                known = (split(predicate)[1], self._naming.namespace(predicate), {})
            self._edge_types[predicate] = known
        return known

    def _predicate_label(self, predicate: str) -> str:
        resource = self._gathered.resources.get(predicate)
        return self._naming.label(resource) if resource is not None and self._predicate_labels else ""

    def _said(self, edge: Edge) -> tuple[Any, dict[str, Any]]:
        """Return the weight and the properties of an edge that statements about it give."""
        about = self._reified.about.get(edge)
        if about is None:
            return None, {}
        place = f"edge {edge[0]} -> {edge[2]}"
        told = partial(self._intake.repair, at=place)
        own = rdf_ours.our_properties(about, told)
        weight = about.literals.pop(rdf_ours.WEIGHT, None)
        label = self._naming.label(about)
        properties = {**({"label": label} if label else {}), **self._naming.properties(about, told), **own}
        return None if weight is None else min(weight).text, properties

    def _end(self, name: str) -> str:
        ours = self._ours.get(name)
        if ours is None:
            ours = rdf_ours.our_id(name)
        return self._naming.id(name) if ours is None else ours
