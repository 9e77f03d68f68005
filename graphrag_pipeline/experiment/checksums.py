"""Checksums of columns, several times as fast as a CRC."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.graph.arrays import Array, FloatArray, IntArray

STREAMS = 4
"""Columns that one checksum is over, at most."""
_LENGTH = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_HALF = np.uint64(32)


class Checksums:
    """Sums of products with fixed weights, modulo 2**64: multilinear hashing.

    See Lemire and Kaser, Strongly universal string hashing is fast, 2014. The weights are made by SplitMix64,
    and are odd, so a change of one entry is never missed; two columns that differ otherwise have the same
    sum once in 2**32 times at most, unless somebody makes them up. The sums are the same on every machine.
    """

    def __init__(self) -> None:
        self._weights = np.zeros((STREAMS, 0), dtype=np.uint64)
        self._mixed = np.zeros(0, dtype=np.uint64)

    def of_numbers(self, *columns: IntArray) -> int:
        """Return the checksum of whole numbers in some columns of one length; 0 of none."""
        size = columns[0].size
        self._make_room(size)
        parts = (
            np.dot(np.ascontiguousarray(column, np.int64).view(np.uint64), by[:size])
            for column, by in zip(columns, self._weights, strict=False)
        )
        return sum(map(int, parts), size * _LENGTH) & _MASK

    def of_floats(self, column: FloatArray) -> int:
        """Return the checksum of a column of floats by their bits; 0 of none."""
        size = column.size
        self._make_room(size)
        # The sum keeps of the highest bit, which is the sign, whether an even number changed; so the upper
        # half goes into the lower one. In place, since arrays of this size are slow to allocate.
        bits = np.ascontiguousarray(column, np.float64).view(np.uint64)
        mixed = np.right_shift(bits, _HALF, out=self._mixed[:size])
        np.bitwise_xor(bits, mixed, out=mixed)
        return (int(np.dot(mixed, self._weights[0, :size])) + size * _LENGTH) & _MASK

    def _make_room(self, size: int) -> None:
        if size > self._mixed.size:
            room = 1 << (size - 1).bit_length()
            self._weights, self._mixed = weights(room), np.empty(room, dtype=np.uint64)


def weights(size: int) -> Array:
    """Return odd numbers that look random, for each of the columns; one depends on its place only."""
    counted = np.arange(size, dtype=np.uint64) * np.uint64(STREAMS)
    mixed = (counted + np.arange(1, STREAMS + 1, dtype=np.uint64)[:, np.newaxis]) * np.uint64(_LENGTH)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed ^ (mixed >> np.uint64(31))) | np.uint64(1)
