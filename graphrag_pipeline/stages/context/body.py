"""What nodes say, and what else is known of them, for entries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.text.fields import passage_in
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.model.zachman import Interrogative, Perspective, read_cell
from graphrag_pipeline.stages.scored import ScoredNode

ROWS = tuple(row.value for row in Perspective)
COLUMNS = tuple(column.value for column in Interrogative)
"""Names of rows and columns by the codes of :mod:`graphrag_pipeline.graph.cells`."""
CHUNK = 32
"""Nodes whose texts are read at a time."""


def passages(nodes: Sequence[ScoredNode], index: GraphIndex) -> Iterator[str]:
    """Yield the body text of each node, or the empty text; the index's text need not be analysed for it."""
    settings = index.text_settings or TextSettings()
    for start in range(0, len(nodes), CHUNK):
        chunk = nodes[start : start + CHUNK]
        own = np.array([node.position for node in chunk if node.position is not None], dtype=np.int64)
        stored = iter(index.table.nodes.properties.many(own))
        for node in chunk:
            properties = node.node.properties if node.position is None else next(stored)
            yield passage_in(properties, settings).strip()


def cell(node: ScoredNode, index: GraphIndex) -> str:
    """Return the coordinate of a node's cell, ``row:column`` or ``row``; empty where it has none."""
    if node.position is not None:
        row, column = int(index.perspectives[node.position]), int(index.interrogatives[node.position])
        return "" if row < 0 else ROWS[row] + (f":{COLUMNS[column]}" if column >= 0 else "")
    found = read_cell(node.node.properties.get("zachman_cell"))
    return "" if found is None else ":".join(part.value for part in found if part is not None)


# Any throughout: properties hold whatever a graph holds.
def plain(value: Any) -> Any:
    """Return a value as plain JSON data: NaN and infinity as null, what JSON cannot hold as its text."""
    try:
        return json.loads(json.dumps(value, default=_text, skipkeys=True), parse_constant=lambda _: None)
    except (ValueError, TypeError, RecursionError):
        return None


def shown(value: Any) -> str:
    """Return a value as people read it."""
    return value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)


def _text(value: Any) -> Any:
    if isinstance(value, set | frozenset):
        return sorted(value, key=lambda item: (type(item).__qualname__, str(item)))
    text = str(value)
    # The default text of an object holds its address, which is another one in every run.
    return f"<{type(value).__qualname__}>" if " object at 0x" in text else text
