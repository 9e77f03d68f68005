"""What the statements of a file say, gathered by the resource they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from graphrag_pipeline.graph.sources.rdf.density import OFTEN
from graphrag_pipeline.graph.sources.rdf.parse import Statement
from graphrag_pipeline.graph.sources.rdf.terms import FIRST, OWL, RDF, TYPE, Literal, Quoted, is_blank

Edge: TypeAlias = tuple[str, str, str]
"""Subject, predicate and object, all resources."""

PROPERTY_TYPES = frozenset(
    [
        f"{RDF}Property",
        *(
            f"{OWL}{name}Property"
            for name in (
                *("Object", "Datatype", "Annotation", "Ontology", "Deprecated"),
                *("Functional", "InverseFunctional", "Transitive", "Symmetric", "Asymmetric"),
                *("Reflexive", "Irreflexive"),
            )
        ),
    ]
)

T = TypeVar("T")


def _add(known: dict[T, None], value: T) -> bool:
    new = value not in known
    known[value] = None
    return new


@dataclass(slots=True)
class Resource:
    """What is said of one subject, apart from its edges.

    Args:
        types: IRIs of its types, in the order of the file.
        literals: Its literals by predicate.
        lists: Lists of literals by predicate, in their order.
        triples: Triples that it is said to be about, by predicate.
        graphs: Named graphs that say something of it.
    """

    types: dict[str, None] = field(default_factory=dict)
    literals: dict[str, dict[Literal, None]] = field(default_factory=dict)
    lists: dict[str, list[Literal]] = field(default_factory=dict)
    triples: dict[str, dict[Quoted, None]] = field(default_factory=dict)
    graphs: dict[str, None] = field(default_factory=dict)

    def count(self) -> int:
        """Count the statements that it was made of, without those that make up lists."""
        literals = sum(len(values) for values in self.literals.values())
        return len(self.types) + literals + sum(len(values) for values in self.triples.values())

    def add(self, predicate: str, value: Literal | Quoted) -> bool:
        """Add a literal or a triple; return whether it is new."""
        if isinstance(value, Literal):
            return _add(self.literals.setdefault(predicate, {}), value)
        return _add(self.triples.setdefault(predicate, {}), value)


@dataclass(slots=True)
class Gathered:
    """Everything that a file says.

    Args:
        resources: Every subject, in the order of the file.
        edges: Every statement between two resources, in the order of the file, with its named graphs.
        predicates: Every predicate.
        statements: How many statements there were.
        repeated: How many of them said what another one had said.
    """

    resources: dict[str, Resource] = field(default_factory=dict)
    edges: dict[Edge, tuple[str, ...]] = field(default_factory=dict)
    predicates: dict[str, None] = field(default_factory=dict)
    statements: int = 0
    repeated: int = 0

    def take(self, statements: Iterable[Statement], check: Callable[[int, int, int], None]) -> None:
        """Gather statements.

        Args:
            statements: All that the file says.
            check: Told now and then how many statements there were, how many blank nodes they are about,
                and how many of those are parts of lists; raises when that is too much.
        """
        blank = items = 0
        for subject, predicate, object_, graph in statements:
            self.statements += 1
            if not self.statements % OFTEN:
                check(self.statements, blank, items)
            self.predicates[predicate] = None
            resource = self.resources.get(subject)
            if resource is None:
                resource = self.resources[subject] = Resource()
                blank += is_blank(subject)
            items += predicate == FIRST
            if graph:
                resource.graphs[graph] = None
            if isinstance(object_, str):
                new = self._link(resource, (subject, predicate, object_), graph)
            else:
                new = resource.add(predicate, object_)
            self.repeated += not new

    def _link(self, resource: Resource, edge: Edge, graph: str) -> bool:
        if edge[1] == TYPE and not is_blank(edge[2]):
            return _add(resource.types, edge[2])
        graphs = self.edges.get(edge)
        if graphs is None:
            self.edges[edge] = (graph,) if graph else ()
        elif graph and graph not in graphs:
            self.edges[edge] = (*graphs, graph)
        return graphs is None

    def is_property(self, name: str) -> bool:
        """Whether a subject is a property, by its type or since it is used as one."""
        return name in self.predicates or not PROPERTY_TYPES.isdisjoint(self.resources[name].types)

    def forget(self, name: str) -> int:
        """Remove a subject with its own literals and types; return how many statements that were."""
        return self.resources.pop(name).count()
