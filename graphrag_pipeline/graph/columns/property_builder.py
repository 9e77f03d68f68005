"""Grows the properties of nodes or edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphrag_pipeline.graph.columns.text import TextBuilder
from graphrag_pipeline.graph.columns.values import PropertyColumn, SparseText, copied, to_json

# Any throughout: a property holds whatever the graph's owner stored there.


class PropertyBuilder:
    """Takes the properties of every row, in order, as JSON text where JSON keeps all of them.

    Args:
        sparse: Whether most rows have none.
    """

    def __init__(self, *, sparse: bool) -> None:
        self._sparse = sparse
        self._texts = TextBuilder()
        self._at: dict[int, bytes] = {}
        self._objects: dict[int, Mapping[str, Any]] = {}

    def put(self, position: int, properties: Mapping[str, Any]) -> None:
        """Set the properties of a row: one that is there, or the next."""
        text = to_json(properties)
        self._objects.pop(position, None)
        if text is None:
            text = b""
            self._objects[position] = copied(properties)
        if self._sparse:
            if text:
                self._at[position] = text
        elif position < len(self._texts):
            self._texts.replace(position, text)
        else:
            self._texts.append(text)

    def finish(self) -> PropertyColumn:
        """Return the column; the builder is used up."""
        if not self._sparse:
            return PropertyColumn(self._texts.finish(), self._objects)
        for text in self._at.values():
            self._texts.append(text)
        at = np.array(list(self._at), dtype=np.int64)
        return PropertyColumn(SparseText(at, self._texts.finish()), self._objects)
