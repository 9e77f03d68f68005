"""The compiled, immutable graph that stages read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.adjacency import Adjacency, Direction
from graphrag_pipeline.graph.arrays import Array, BoolArray, IntArray
from graphrag_pipeline.graph.builder import TableBuilder
from graphrag_pipeline.graph.columns.table import Table
from graphrag_pipeline.graph.node_search import NodeSearch
from graphrag_pipeline.graph.records import graph_to_dict, read_records
from graphrag_pipeline.graph.scratch import Scratch
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow

    from graphrag_pipeline.graph.knowledge import KnowledgeGraph
    from graphrag_pipeline.graph.text.links import LinkSettings
    from graphrag_pipeline.graph.text.question import Question
    from graphrag_pipeline.graph.text.settings import TextSettings
    from graphrag_pipeline.graph.text.storage import TextCache
    from graphrag_pipeline.graph.text.text_index import TextIndex


class GraphIndex:
    """Everything a stage may ask of the graph, by node position.

    A node's *position* is its rank in the graph's node order, an edge's its rank in the global edge
    order. Nothing about an index changes; threads and forked processes may share one.

    Args:
        table: The columns, in memory or mapped from disk.
        digest: The digest that was stored with them, if any.
        directory: Where they are mapped from, if they are.
        text_settings: How its text is analysed; None means the defaults.
    """

    def __init__(
        self,
        table: Table,
        digest: str | None = None,
        directory: str | None = None,
        text_settings: TextSettings | None = None,
    ) -> None:
        self.table = table
        self.text_settings = text_settings
        self._digest = digest
        self._directory = directory
        self._scratch = Scratch(table.node_count)
        self._lock = Lock()
        self._text: TextIndex | None = None
        self._text_cache: TextCache | None = None
        self._adjacencies: dict[tuple[tuple[str, ...] | None, Direction, bool], Adjacency] = {}

    def __reduce__(self) -> tuple[object, ...]:
        # Another process maps the files itself instead of being sent their content.
        if self._directory is not None:
            return (_open_again, (self._directory, self._digest, self.text_settings))
        return (GraphIndex, (self.table, self._digest, None, self.text_settings))

    def with_text(self, settings: TextSettings) -> GraphIndex:
        """Return the same graph with its text analysed by these settings; nothing is analysed yet."""
        from graphrag_pipeline.graph.text.settings import TextSettings

        if settings == (self.text_settings or TextSettings()):
            return self
        return GraphIndex(self.table, self._digest, self._directory, settings)

    @classmethod
    def from_graph(cls, graph: KnowledgeGraph) -> GraphIndex:
        """Compile a graph; later changes to it do not reach the index.

        Raises:
            GraphSourceError: A weight is not finite.
        """
        return cls(TableBuilder.of(graph.all_nodes(), graph.all_edges()))

    @classmethod
    def from_records(cls, nodes: Iterable[KnowledgeNode], edges: Iterable[KnowledgeEdge] = ()) -> GraphIndex:
        """Compile loose records; of a repeated id the last node wins, in the first one's place.

        Raises:
            GraphSourceError: A weight is not finite.
        """
        return cls(TableBuilder.of(nodes, edges))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> GraphIndex:
        """Compile a graph in the reference's JSON shape, without a :class:`KnowledgeGraph` in between.

        Raises:
            GraphSourceError: An entry is malformed; ``where`` names it, for example ``nodes[3]``.
        """
        nodes = read_records(data, "nodes", KnowledgeNode.from_dict)
        return cls.from_records(nodes, read_records(data, "edges", KnowledgeEdge.from_dict))

    @classmethod
    def from_arrow(cls, nodes: pyarrow.Table, edges: pyarrow.Table) -> GraphIndex:
        """Compile Arrow tables; see :func:`graphrag_pipeline.graph.arrow.table_from_arrow`."""
        from graphrag_pipeline.graph.arrow import table_from_arrow

        return cls(table_from_arrow(nodes, edges))

    @classmethod
    def open(cls, directory: Path | str, *, verify: bool = False) -> GraphIndex:
        """Map an index directory; see :func:`graphrag_pipeline.graph.storage.read.open_index`."""
        from graphrag_pipeline.graph.storage.read import open_index

        return open_index(directory, verify=verify)

    def save(self, directory: Path | str, *, source: str = "") -> None:
        """Write an index directory; see :func:`graphrag_pipeline.graph.storage.write.write_index`."""
        from graphrag_pipeline.graph.storage.write import write_index

        write_index(self.table, directory, source=source)

    # -- size and records ----------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return self.table.node_count

    @property
    def edge_count(self) -> int:
        """How many edges there are, dangling ones included."""
        return self.table.edge_count

    @property
    def ids(self) -> Sequence[str]:
        """Node ids by position."""
        return self.table.nodes.id

    def names_at(self, positions: IntArray) -> tuple[list[str], list[str], list[str]]:
        """Return ids, types and labels at some positions, in the order given."""
        nodes = self.table.nodes
        return nodes.id.many(positions), nodes.type.many(positions), nodes.label.many(positions)

    def ids_at(self, positions: IntArray) -> list[str]:
        """Return the ids at some positions, in the order given; faster than one by one."""
        return self.table.nodes.id.many(positions)

    def node(self, position: int) -> KnowledgeNode:
        """Return the node at a position.

        Raises:
            IndexError: There is none; a negative position, such as a seed's parent, is nowhere.
        """
        if position < 0:
            raise IndexError(f"there is no node at position {position}")
        return self.nodes(np.array([position]))[0]

    def nodes(self, positions: IntArray) -> list[KnowledgeNode]:
        """Return the nodes at some positions, in the order given; faster than one by one."""
        return self.table.nodes.records(positions)

    def edge(self, position: int) -> KnowledgeEdge:
        """Return the edge at a position.

        Raises:
            IndexError: There is none; a negative position, such as a seed's edge, is nowhere.
        """
        if position < 0:
            raise IndexError(f"there is no edge at position {position}")
        return self.table.edges.record(position, self.table.nodes.id)

    def to_dict(self) -> dict[str, Any]:
        """Return the graph in the reference's JSON shape."""
        return graph_to_dict(self.all_nodes(), self.all_edges())

    def all_nodes(self) -> list[KnowledgeNode]:
        """Return every node, in node order."""
        return self.nodes(np.arange(self.node_count))

    def all_edges(self) -> list[KnowledgeEdge]:
        """Return every edge, in global edge order."""
        return [self.edge(position) for position in range(self.edge_count)]

    def get_node(self, node_id: str) -> KnowledgeNode | None:
        """Return the node with this id, or None."""
        position = self.position(node_id)
        return None if position is None else self.node(position)

    def position(self, node_id: str) -> int | None:
        """Return the position of a node id, or None when it is not a node."""
        return self.table.nodes.lookup.get(node_id)

    # -- structure -----------------------------------------------------------------------------

    @property
    def adjacency(self) -> Adjacency:
        """Neighbours of each node, both directions, in the reference's order."""
        return self.table.adjacency

    def adjacency_over(
        self, edge_types: Sequence[str] | None = None, direction: Direction = "both", parallel: bool = False
    ) -> Adjacency:
        """Return the neighbours over some edges only; made once for each choice, in time linear in the edges.

        Args:
            edge_types: Types of the edges; None means all.
            direction: Along which direction.
            parallel: Keep every edge between two nodes, not the first alone.
        """
        if edge_types is None and direction == "both" and not parallel:
            return self.adjacency
        key = (None if edge_types is None else tuple(edge_types), direction, parallel)
        found = self._adjacencies.get(key)
        if found is None:
            edges = self.table.edges
            chosen = None
            if edge_types is not None:
                wanted = [code for code, name in enumerate(edges.type.names) if name in edge_types]
                chosen = np.isin(edges.type.code, wanted)
            found = Adjacency.from_edges(
                self.node_count, edges.source, edges.target, chosen, direction, parallel
            )
            self._adjacencies[key] = found
        return found

    def firsts(self, nodes: Array) -> IntArray:
        """Return where each distinct position stands first in ``nodes``, ascending."""
        return self._scratch.firsts(nodes)

    def rows(self, nodes: Array, wanted: Array) -> IntArray:
        """Return the row in ``nodes`` (positions, each once) of each wanted position, or -1."""
        return self._scratch.rows(nodes, wanted)

    def joins(self, edges: IntArray, one: IntArray, other: IntArray) -> BoolArray:
        """Tell of each edge whether its two ends, in either direction, are these nodes."""
        source, target = self.table.edges.source[edges], self.table.edges.target[edges]
        joined: BoolArray = ((source == one) & (target == other)) | ((source == other) & (target == one))
        return joined

    @property
    def dangling_edges(self) -> int:
        """How many edges name an id that is not a node."""
        return self.table.adjacency.dangling

    def dangling(self) -> IntArray:
        """Return the positions of the edges with an end that is not a node, ascending."""
        edges, count = self.table.edges, self.node_count
        return np.flatnonzero((edges.source >= count) | (edges.target >= count))

    @property
    def self_loops(self) -> int:
        """How many edges join a node, or an unknown id, to itself."""
        return int(np.count_nonzero(self.table.edges.source == self.table.edges.target))

    def node_types(self) -> dict[str, int]:
        """Count the nodes of each type, most first, then by first use."""
        return self.table.nodes.type.counts()

    def edge_types(self) -> dict[str, int]:
        """Count the edges of each type, most first, then by first use."""
        return self.table.edges.type.counts()

    # -- text ----------------------------------------------------------------------------------

    @cached_property
    def _search(self) -> NodeSearch:
        return NodeSearch(self.table.nodes)

    def find(self, needle: str, limit: int) -> IntArray:
        """Return the first nodes that have ``needle`` in their lower-cased label or id.

        Args:
            needle: Text, already lower-cased; the empty text is in every name.
            limit: Most nodes to return; the search stops there.

        Returns:
            Positions, ascending.
        """
        return self._search.find(needle, limit)

    def named(self, needle: str, positions: IntArray | None = None) -> BoolArray:
        """Tell which nodes have ``needle`` in their lower-cased label or id.

        Args:
            needle: Text, already lower-cased; the empty text is in every name.
            positions: The nodes to look at; None means all.

        Returns:
            One bool for each position, in the order given.
        """
        return self._search.named(needle, np.arange(self.node_count) if positions is None else positions)

    def mentioning(self, needle: str, positions: IntArray) -> BoolArray:
        """Tell which nodes have ``needle`` in label, id, a property key or the ``str`` of a property value.

        Args:
            needle: Text, already lower-cased; the empty text is in every name.
            positions: The nodes to look at.

        Returns:
            One bool for each position, in the order given.
        """
        return self._search.mentioning(needle, positions)

    @property
    def text(self) -> TextIndex:
        """Terms, names and mentions; made when they are first asked for."""
        with self._lock:
            if self._text is None:
                from graphrag_pipeline.graph.text.settings import TextSettings
                from graphrag_pipeline.graph.text.text_index import TextIndex

                settings = self.text_settings or TextSettings()
                cache = self._text_cache
                found = cache.find(self.table, self.digest, settings) if cache else None
                self._text = found or TextIndex.build(self.table, settings)
                if cache and not found:
                    cache.keep(self._text, self.digest)
        return self._text

    def questions(self) -> dict[str, Question]:
        """Return the texts that were asked last, with what was made of each so far; nothing is analysed."""
        return {} if self._text is None else self._text.remembered()

    def remember(self, questions: Mapping[str, Question]) -> None:
        """Go back to what :meth:`questions` returned: what was made since is made again when it is needed."""
        if self._text is not None:
            self._text.remember(questions)

    def anew(self, text: str) -> None:
        """Let a text be asked as for the first time, of a graph that knows its words; nothing is built."""
        if self._text is not None:
            self._text.anew(text)

    def keeping_text(self, cache: TextCache) -> GraphIndex:
        """Let the analysis of the text be kept in a cache, and looked for there; return the same index."""
        if self.node_count >= cache.from_nodes:
            self._text_cache = cache
            if self._text is not None:
                cache.keep(self._text, self.digest)
        return self

    def linked(self, settings: LinkSettings) -> GraphIndex:
        """Return the graph with the edges that its text implies, after its own."""
        if not settings.any:
            return self
        from graphrag_pipeline.graph.text.links import link_edges

        edges = [*self.all_edges(), *link_edges(self.text, settings)]
        linked = GraphIndex(TableBuilder.of(self.all_nodes(), edges), text_settings=self.text_settings)
        linked._text = self.text.over(linked.table)
        return linked

    # -- cells ---------------------------------------------------------------------------------

    @property
    def perspectives(self) -> Array:
        """Row of each node's ``zachman_cell`` (0-5), or a negative code from :mod:`.cells`."""
        return self.table.nodes.row

    @property
    def interrogatives(self) -> Array:
        """Column of each node's ``zachman_cell`` (0-5), negative when it names none."""
        return self.table.nodes.column

    # -- identity ------------------------------------------------------------------------------

    @property
    def digest(self) -> str:
        """SHA-256 over every column: two indexes with one digest give the same answers."""
        if self._digest is None:
            from graphrag_pipeline.graph.columns.digest import table_digest

            self._digest = table_digest(self.table)
        return self._digest


def _open_again(directory: str, digest: str, text_settings: TextSettings | None) -> GraphIndex:
    """Map an index that another process had open.

    Raises:
        GraphSourceError: It cannot be opened, or is another one by now.
    """
    index = GraphIndex.open(directory)
    if index.digest != digest:
        raise GraphSourceError("The index was replaced by another one meanwhile.", where=directory)
    return index if text_settings is None else index.with_text(text_settings)
