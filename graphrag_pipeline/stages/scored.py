"""What a context assembler gets and gives: nodes with their scores and where they come from, and the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

BUDGET = "budget"
"""Reason of a node that would not have fitted beside what is written."""
TOO_LONG = "too_long"
"""Reason of a node whose entry alone passes the budget."""
DUPLICATE = "duplicate"
"""Reason of a node whose entry is that of a better node."""
REDUNDANT = "redundant"
"""Reason of a node whose entry says nothing that is not written already."""
NO_TEXT = "no_text"
"""Reason of a node without a text, where only texts are written."""
NO_EDGE = "no_edge"
"""Reason of a node without an edge to another one, where only edges are written."""
POOL = "pool"
"""Reason of a node behind the last one that was looked at."""


class PathStep(NamedTuple):
    """A node on a path, and the edge over which it was reached from the one before."""

    node_id: str
    node_type: str
    label: str
    edge_type: str = ""
    """Type of the edge; empty for the first node."""
    forward: bool = True
    """Whether the edge runs from the node before to this one."""


class Trails(Protocol):
    """How nodes were found; answers by row of the working set."""

    def hop(self, row: int) -> int:
        """Return the edges between a node and its seed; -1 for a node of a bridge."""
        ...

    def path(self, row: int) -> tuple[PathStep, ...]:
        """Return the path from the seed to a node."""
        ...

    def edge(self, row: int) -> KnowledgeEdge | None:
        """Return the edge that discovered a node."""
        ...

    def bridge_edges(self, row: int) -> tuple[KnowledgeEdge, ...]:
        """Return the edges of a bridge that have a node at one end."""
        ...


class ScoredNode:
    """A node of the result with its score.

    Id, type and label are at hand; ``node`` is the whole record, read from the index when it is asked
    for: most contexts show no properties, and reading those takes longer than all the rest. Path and edges
    are made when they are asked for, too.

    Args:
        node: Its record.
        score: Its score.
        position: Its position in the index; None for a bridge's node that is not in the graph.
        trails: Knows how it was found; None for a node made by hand, which is its own path.
        row: Its row there.
    """

    __slots__ = ("_row", "_source", "_trails", "label", "node_id", "node_type", "position", "score")

    def __init__(
        self,
        node: KnowledgeNode,
        score: float,
        position: int | None = None,
        trails: Trails | None = None,
        row: int = 0,
    ) -> None:
        self._source: KnowledgeNode | GraphIndex = node
        self.node_id, self.node_type, self.label = node.node_id, node.node_type, node.label
        self.score, self.position = score, position
        self._trails, self._row = trails, row

    @classmethod
    def stored(
        cls,
        node_id: str,
        node_type: str,
        label: str,
        score: float,
        index: GraphIndex,
        position: int,
        trails: Trails | None = None,
        row: int = 0,
    ) -> ScoredNode:
        """Return a node whose record is still in an index."""
        made = cls.__new__(cls)
        made._source = index
        made.node_id, made.node_type, made.label = node_id, node_type, label
        made.score, made.position = score, position
        made._trails, made._row = trails, row
        return made

    def __iter__(self) -> Iterator[Any]:
        """Yield node and score, for ``for node, score in scored``."""
        yield self.node
        yield self.score

    @property
    def node(self) -> KnowledgeNode:
        """The whole record."""
        if isinstance(self._source, GraphIndex):
            self._source = self._source.node(-1 if self.position is None else self.position)
        return self._source

    @property
    def hop(self) -> int:
        """Edges between it and its seed; -1 for a node that a bridge added."""
        return 0 if self._trails is None else self._trails.hop(self._row)

    def path(self) -> tuple[PathStep, ...]:
        """Return the way from its seed to it, itself included.

        Only itself where a filter dropped a node on the way. For a bridge's node it is the bridge's first
        path that ends there and whose nodes and edges are all in the result.
        """
        if self._trails is None:
            return (PathStep(self.node_id, self.node_type, self.label),)
        return self._trails.path(self._row)

    def edge(self) -> KnowledgeEdge | None:
        """Return the edge that discovered it; None for a seed, and where the other end was dropped."""
        return None if self._trails is None else self._trails.edge(self._row)

    def bridge_edges(self) -> tuple[KnowledgeEdge, ...]:
        """Return the edges that a bridge added at it, in the bridge's order."""
        return () if self._trails is None else self._trails.bridge_edges(self._row)


@dataclass(frozen=True, slots=True)
class Context:
    """An assembled context.

    Args:
        text: What a reader or a model gets.
        written: How many of the scored nodes are in it.
        node_ids: Which they are; None means the first ``written``, from the best on.
        left_out: Why a node was left out, by id, where it is not ``rest``.
        rest: Why every other node that is not in the text was left out.
        notes: What the user should know, one line each.
    """

    text: str = ""
    written: int = 0
    node_ids: tuple[str, ...] | None = None
    left_out: Mapping[str, str] = field(default_factory=dict)
    rest: str = BUDGET
    notes: tuple[str, ...] = ()
