"""A table as plain named arrays, and back: what is written to disk and what digests are taken over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from graphrag_pipeline.graph.adjacency import Adjacency
from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.canonical import canonical
from graphrag_pipeline.graph.columns.lookup import HashLookup
from graphrag_pipeline.graph.columns.table import EdgeColumns, NodeColumns, Table
from graphrag_pipeline.graph.columns.text import TextColumn
from graphrag_pipeline.graph.columns.values import NameColumn, PropertyColumn, SparseText, WeightColumn


@dataclass(frozen=True, slots=True)
class Layout:
    """A table taken apart.

    Args:
        arrays: Every array by name; a text column ``x`` is ``x.blob`` and ``x.start``.
        names: The distinct values of the columns that are coded, by column name.
        counts: ``nodes``, ``edges`` and ``dangling_edges``.
    """

    arrays: Mapping[str, Array]
    names: Mapping[str, list[str]]
    counts: Mapping[str, int]


def take_apart(table: Table) -> Layout:
    """Return a table's arrays.

    A property that JSON cannot hold is represented by a text that no other value has: good for a
    digest, but not a way back.
    """
    nodes, edges, adjacency = table.nodes, table.edges, table.adjacency
    lookup = nodes.lookup if isinstance(nodes.lookup, HashLookup) else HashLookup.of(nodes.id)
    node_properties, edge_properties = _json_texts(nodes.properties), _json_texts(edges.properties)
    assert isinstance(node_properties, TextColumn)
    assert isinstance(edge_properties, SparseText)
    arrays = dict(
        [
            *_text("node.id", nodes.id),
            *_text("node.label", nodes.label),
            *_text("node.name", nodes.name),
            *_text("node.mention", nodes.mention),
            *_text("node.properties", node_properties),
            *_sparse("node.uri", nodes.uri),
            ("node.type", nodes.type.code),
            ("node.namespace", nodes.namespace.code),
            ("node.row", nodes.row),
            ("node.column", nodes.column),
            ("lookup.key", lookup.key),
            ("lookup.position", lookup.position),
            ("edge.source", edges.source),
            ("edge.target", edges.target),
            *_text("edge.unknown", edges.unknown),
            ("edge.type", edges.type.code),
            ("edge.namespace", edges.namespace.code),
            ("edge.weight", edges.weight.value),
            ("edge.whole", edges.weight.whole),
            *_sparse("edge.exact", edges.weight.exact),
            *_sparse("edge.properties", edge_properties),
            ("adjacency.start", adjacency.start),
            ("adjacency.neighbour", adjacency.neighbour),
            ("adjacency.edge", adjacency.edge),
        ]
    )
    names = {
        "node.type": list(nodes.type.names),
        "node.namespace": list(nodes.namespace.names),
        "edge.type": list(edges.type.names),
        "edge.namespace": list(edges.namespace.names),
    }
    counts = {"nodes": table.node_count, "edges": table.edge_count, "dangling_edges": adjacency.dangling}
    return Layout(arrays, names, counts)


def put_together(layout: Layout) -> Table:
    """Return the table of some arrays."""
    arrays = layout.arrays

    def text(name: str) -> TextColumn:
        return TextColumn(arrays[f"{name}.blob"].data, arrays[f"{name}.start"])

    def sparse(name: str) -> SparseText:
        return SparseText(arrays[f"{name}.at"], text(name))

    def named(name: str) -> NameColumn:
        return NameColumn(arrays[name], tuple(layout.names[name]))

    ids = text("node.id")
    nodes = NodeColumns(
        id=ids,
        label=text("node.label"),
        type=named("node.type"),
        namespace=named("node.namespace"),
        uri=sparse("node.uri"),
        properties=PropertyColumn(text("node.properties")),
        name=text("node.name"),
        mention=text("node.mention"),
        row=arrays["node.row"],
        column=arrays["node.column"],
        lookup=HashLookup(ids, arrays["lookup.key"], arrays["lookup.position"]),
    )
    edges = EdgeColumns(
        source=arrays["edge.source"],
        target=arrays["edge.target"],
        unknown=text("edge.unknown"),
        type=named("edge.type"),
        namespace=named("edge.namespace"),
        weight=WeightColumn(arrays["edge.weight"], arrays["edge.whole"], sparse("edge.exact")),
        properties=PropertyColumn(sparse("edge.properties")),
    )
    adjacency = Adjacency(
        arrays["adjacency.start"],
        arrays["adjacency.neighbour"],
        arrays["adjacency.edge"],
        layout.counts["dangling_edges"],
    )
    return Table(nodes, edges, adjacency)


def _text(name: str, column: TextColumn) -> Iterator[tuple[str, Array]]:
    yield f"{name}.blob", np.frombuffer(column.blob, dtype=np.uint8)
    yield f"{name}.start", column.start


def _sparse(name: str, column: SparseText) -> Iterator[tuple[str, Array]]:
    yield f"{name}.at", column.at
    yield from _text(name, column.text)


def _json_texts(column: PropertyColumn) -> TextColumn | SparseText:
    if not column.objects:
        return column.text
    stand_ins = {row: json.dumps(canonical(dict(value))) for row, value in column.objects.items()}
    if isinstance(column.text, TextColumn):
        return TextColumn.of(stand_ins.get(row, text) for row, text in enumerate(column.text))
    texts = dict(zip(column.text.at.tolist(), column.text.text, strict=True)) | stand_ins
    rows = sorted(texts)
    return SparseText(np.array(rows, dtype=np.int64), TextColumn.of(texts[row] for row in rows))
