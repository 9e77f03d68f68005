"""RDF's lists: chains of blank nodes that are made a row of edges, or one property."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from graphrag_pipeline.graph.sources.rdf.resources import Edge, Gathered
from graphrag_pipeline.graph.sources.rdf.terms import FIRST, NIL, RDF, REST, Literal, is_blank

Item: TypeAlias = str | Literal
LIST = f"{RDF}List"


class Lists:
    """Takes the lists apart.

    A list of resources becomes an edge to each of them, a list of literals one property. A list that
    holds both, or other lists, or whose parts are also something else, stays the chain that it is.

    Args:
        gathered: What the file says; the parts of the lists are removed from it.
    """

    def __init__(self, gathered: Gathered) -> None:
        self.spread: dict[Edge, list[str]] = {}
        """The items of each list of resources, by the edge that leads to it."""
        self.statements = 0
        """Statements that make up lists, and became no edge."""
        self._gathered = gathered
        self._next: dict[str, str] = {}
        self._item: dict[str, Item] = {}
        if REST in gathered.predicates or any(edge[2] == NIL for edge in gathered.edges):
            self._find_cells()
            for edge in list(gathered.edges):
                if edge[1] != REST and (edge[2] in self._next or edge[2] == NIL):
                    self._take_apart(edge)

    def _find_cells(self) -> None:
        """Find the blank nodes that are nothing but a part of one list."""
        out: dict[str, list[Edge]] = {}
        into: Counter[str] = Counter()
        for edge in self._gathered.edges:
            if is_blank(edge[0]):
                out.setdefault(edge[0], []).append(edge)
            if is_blank(edge[2]):
                into[edge[2]] += 1
        for name, edges in out.items():
            resource = self._gathered.resources[name]
            ends = [edge[2] for edge in edges if edge[1] == REST]
            items: list[Item] = [edge[2] for edge in edges if edge[1] == FIRST]
            for literals in resource.literals.values():
                items.extend(literals)
            whole = len(ends) == len(items) == 1 and len(edges) + resource.count() - len(resource.types) == 2
            pure = resource.literals.keys() <= {FIRST} and resource.types.keys() <= {LIST}
            if whole and pure and into[name] == 1:
                self._next[name], self._item[name] = ends[0], items[0]

    def _take_apart(self, edge: Edge) -> None:
        cells = []
        cell = edge[2]
        while cell in self._next:
            cells.append(cell)
            cell = self._next[cell]
        items = [self._item[name] for name in cells]
        resources = [item for item in items if isinstance(item, str)]
        literals = [item for item in items if isinstance(item, Literal)]
        # An empty list in a list is the edge of its cell to nil, and stays one.
        inner = any(item in self._next or item == NIL for item in resources)
        if cell != NIL or (resources and literals) or inner:
            return
        removed = sum(map(self._remove, cells))
        if resources:
            self.spread[edge] = resources
            self.statements += removed + 1 - len(resources)
        else:
            del self._gathered.edges[edge]
            self._gathered.resources[edge[0]].lists.setdefault(edge[1], []).extend(literals)
            self.statements += removed + 1

    def _remove(self, cell: str) -> int:
        edges = self._gathered.edges
        item = self._item[cell]
        del edges[cell, REST, self._next[cell]]
        if isinstance(item, str):
            del edges[cell, FIRST, item]
        return self._gathered.forget(cell) + 1 + isinstance(item, str)
