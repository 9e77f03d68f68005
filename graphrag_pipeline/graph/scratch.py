"""Working memory for positions, one per thread, so that queries allocate nothing the size of the graph."""

from __future__ import annotations

import threading

import numpy as np

from graphrag_pipeline.graph.arrays import Array, IntArray


class Scratch:
    """Answers questions about lists of node positions in time linear in the lists.

    The working array is never cleared: an entry counts only where reading it back proves that the
    current call wrote it.

    Args:
        size: Number of nodes.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._local = threading.local()

    def firsts(self, nodes: Array) -> IntArray:
        """Return where each distinct position stands first in ``nodes``, ascending."""
        place = self._array()
        rows = np.arange(nodes.size, dtype=place.dtype)
        # Of several writes to one entry the last stays, so writing backwards leaves the first row.
        place[nodes[::-1]] = rows[::-1]
        return np.flatnonzero(place[nodes] == rows)

    def rows(self, nodes: Array, wanted: Array) -> IntArray:
        """Return the row in ``nodes`` of each wanted position, -1 where it is not there.

        Args:
            nodes: Positions, each once.
            wanted: Positions; negative ones are nowhere.
        """
        if not nodes.size:
            return np.full(wanted.size, -1, dtype=np.int64)
        place = self._array()
        place[nodes] = np.arange(nodes.size, dtype=place.dtype)
        rows = np.clip(place[np.maximum(wanted, 0)], 0, nodes.size - 1)
        return np.where(nodes[rows] == wanted, rows, -1).astype(np.int64)

    def _array(self) -> Array:
        array: Array | None = getattr(self._local, "array", None)
        if array is None:
            array = np.zeros(self._size, dtype=np.int32 if self._size < 2**31 else np.int64)
            self._local.array = array
        return array
