"""Which nodes hold a text."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock, local

import numpy as np

from graphrag_pipeline.graph.arrays import BoolArray, IntArray
from graphrag_pipeline.graph.columns.search import Search
from graphrag_pipeline.graph.columns.table import NodeColumns
from graphrag_pipeline.graph.columns.text import encode

FEW = 64
KEPT_MASKS = 32
"""How many masks of whole graphs are remembered; each takes one byte a node."""


class NodeSearch:
    """Substring search over the nodes of one graph; safe to share between threads.

    Args:
        nodes: The nodes' columns.
    """

    def __init__(self, nodes: NodeColumns) -> None:
        self._names = Search(nodes.name)
        self._mentions = Search(nodes.mention)
        self._count = len(nodes.id)
        self._masks: OrderedDict[str, BoolArray] = OrderedDict()
        self._lock = Lock()
        self._last = local()

    def find(self, needle: str, limit: int) -> IntArray:
        """See :meth:`~graphrag_pipeline.graph.index.GraphIndex.find`."""
        raw = encode(needle)
        found = self._names.first(raw, limit)
        # A query is mostly scored by the text it was seeded with: the search goes on where it stopped.
        self._last.found = (raw, found)
        return found.positions

    def named(self, needle: str, positions: IntArray) -> BoolArray:
        """See :meth:`~graphrag_pipeline.graph.index.GraphIndex.named`."""
        raw = encode(needle)
        if positions.size * self._names.ratio < self._count:
            return self._names.among(raw, positions)
        # Past as many hits as this, looking at each text costs less than going on.
        last, found = getattr(self._last, "found", (None, None))
        mask = self._names.all(raw, positions.size // 2 + FEW, found if last == raw else None)
        return self._names.among(raw, positions) if mask is None else mask[positions]

    def mentioning(self, needle: str, positions: IntArray) -> BoolArray:
        """See :meth:`~graphrag_pipeline.graph.index.GraphIndex.mentioning`."""
        with self._lock:
            if (mask := self._masks.get(needle)) is not None:
                self._masks.move_to_end(needle)
        if mask is not None:
            return mask[positions]
        raw = encode(needle)
        if positions.size * self._mentions.ratio < self._count:
            found = self._names.among(raw, positions)
            rest = np.flatnonzero(~found)
            found[rest] = self._mentions.among(raw, positions[rest])
            return found
        return self._remembered(needle, raw)[positions]

    def _remembered(self, needle: str, raw: bytes) -> BoolArray:
        names, mentions = (search.all(raw, self._count) for search in (self._names, self._mentions))
        every = np.arange(self._count)
        mask = self._names.among(raw, every) if names is None else names
        mask |= self._mentions.among(raw, every) if mentions is None else mentions
        with self._lock:
            self._masks[needle] = mask
            while len(self._masks) > KEPT_MASKS:
                self._masks.popitem(last=False)
        return mask
