"""Grows the node columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping

import numpy as np

from graphrag_pipeline.graph.arrays import frozen
from graphrag_pipeline.graph.cells import cell_code
from graphrag_pipeline.graph.columns.canonical import shown
from graphrag_pipeline.graph.columns.lookup import DictLookup
from graphrag_pipeline.graph.columns.names import NameBuilder
from graphrag_pipeline.graph.columns.property_builder import PropertyBuilder
from graphrag_pipeline.graph.columns.search import END
from graphrag_pipeline.graph.columns.table import NodeColumns
from graphrag_pipeline.graph.columns.text import TextBuilder, TextColumn, encode
from graphrag_pipeline.graph.columns.values import SparseText
from graphrag_pipeline.model.records import KnowledgeNode


class NodeBuilder:
    """Takes nodes one by one; a repeated id replaces the earlier node where it stands."""

    def __init__(self) -> None:
        self.positions: dict[str, int] = {}
        self.repeated: dict[str, int] = {}
        self._id, self._label = TextBuilder(), TextBuilder()
        self._name, self._mention = TextBuilder(), TextBuilder()
        self._type, self._namespace = NameBuilder(), NameBuilder()
        self._row, self._column = array("b"), array("b")
        self._uri: dict[int, str] = {}
        self._properties = PropertyBuilder(sparse=False)

    def add(self, node: KnowledgeNode) -> None:
        """Add or replace a node."""
        position = self.positions.setdefault(node.node_id, len(self.positions))
        self._properties.put(position, node.properties)
        row, column = cell_code(node.properties.get("zachman_cell"))
        label, name = encode(node.label), _ended(node.label, node.node_id)
        mention = _ended(*_mentions(node.properties))
        if position < len(self._row):
            self.repeated[node.node_id] = self.repeated.get(node.node_id, 0) + 1
            self._row[position], self._column[position] = row, column
            for builder, text in ((self._label, label), (self._name, name), (self._mention, mention)):
                builder.replace(position, text)
        else:
            self._row.append(row)
            self._column.append(column)
            self._id.append(encode(node.node_id))
            for builder, text in ((self._label, label), (self._name, name), (self._mention, mention)):
                builder.append(text)
        self._type.put(position, node.node_type)
        self._namespace.put(position, node.namespace)
        self._put_uri(position, node)

    def _put_uri(self, position: int, node: KnowledgeNode) -> None:
        if node.uri == f"{node.namespace}:{node.node_type}/{node.node_id}":
            self._uri.pop(position, None)
        else:
            self._uri[position] = node.uri

    def finish(self) -> NodeColumns:
        """Return the columns; the builder is used up."""
        at = sorted(self._uri)
        return NodeColumns(
            id=self._id.finish(),
            label=self._label.finish(),
            type=self._type.finish(),
            namespace=self._namespace.finish(),
            uri=SparseText(np.array(at, dtype=np.int64), TextColumn.of(self._uri[row] for row in at)),
            properties=self._properties.finish(),
            name=self._name.finish(),
            mention=self._mention.finish(),
            row=frozen(np.array(self._row, dtype=np.int8)),
            column=frozen(np.array(self._column, dtype=np.int8)),
            lookup=DictLookup(self.positions),
        )


def _mentions(properties: Mapping[str, object]) -> Iterator[str]:
    for key, value in properties.items():
        yield str(key)
        text = str(value)
        # Only what shows a brace can hold a set, and the order of a set differs from process to process.
        yield shown(value) if "{" in text and type(value) is not str else text


def _ended(*parts: str) -> bytes:
    # Each part is lowered before they are joined: a final sigma depends on what follows it.
    return b"".join(encode(part.lower()) + END for part in parts)
