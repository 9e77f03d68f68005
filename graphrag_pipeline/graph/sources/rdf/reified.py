"""Statements about statements: what is said of an edge becomes properties of it."""

from __future__ import annotations

from graphrag_pipeline.graph.sources.rdf.resources import Edge, Gathered, Resource
from graphrag_pipeline.graph.sources.rdf.terms import REIFIES, Literal, is_blank


class Reified:
    """Gives what blank nodes say of one edge each to that edge.

    Anything else that stands for a triple stays a node, which has the triple as a text.

    Args:
        gathered: What the file says; what is said of edges is removed from it.
    """

    def __init__(self, gathered: Gathered) -> None:
        self.about: dict[Edge, Resource] = {}
        """What is said of each edge."""
        self.statements = 0
        """Statements that are about edges."""
        if REIFIES not in gathered.predicates:
            return
        named = {edge[2] for edge in gathered.edges}
        out: dict[str, list[Edge]] = {}
        for edge in gathered.edges:
            out.setdefault(edge[0], []).append(edge)
        for name, resource in list(gathered.resources.items()):
            if is_blank(name) and name not in named and resource.triples.keys() == {REIFIES}:
                first, *more = resource.triples[REIFIES]
                edge = (first.subject, first.predicate, str(first.object))
                if not more and isinstance(first.object, str) and edge in gathered.edges:
                    self._give(gathered, name, edge, out.get(name, []))

    def _give(self, gathered: Gathered, name: str, edge: Edge, out: list[Edge]) -> None:
        said = gathered.resources[name]
        self.statements += len(out) + gathered.forget(name)
        for other in out:
            del gathered.edges[other]
            said.add(other[1], Literal(other[2]))
        about = self.about.setdefault(edge, Resource())
        about.types.update(said.types)
        about.graphs.update(said.graphs)
        for predicate, literals in said.literals.items():
            about.literals.setdefault(predicate, {}).update(literals)
        for predicate, values in said.lists.items():
            about.lists.setdefault(predicate, []).extend(values)
