"""Checksums: XXH3 of 64 bits (https://github.com/Cyan4973/xxHash) over bytes; numbers are little-endian.

They are the same on every machine. Two contents that differ have the same one once in 2**64 times, unless
somebody makes them up. Nothing has 0.
"""

from __future__ import annotations

import numpy as np
from xxhash import xxh3_64, xxh3_64_intdigest

from graphrag_pipeline.graph.arrays import FloatArray, IntArray

_NUMBER, _FLOAT = np.dtype("<i8"), np.dtype("<f8")


def checksum_of_bytes(content: bytes) -> int:
    """Return the checksum of bytes."""
    return xxh3_64_intdigest(content) if content else 0


def checksum_of_numbers(*columns: IntArray) -> int:
    """Return the checksum of whole numbers in columns of one length."""
    if not columns[0].size:
        return 0
    hashed = xxh3_64()
    for column in columns:
        hashed.update(np.ascontiguousarray(column, _NUMBER).data)
    return hashed.intdigest()


def checksum_of_floats(column: FloatArray) -> int:
    """Return the checksum of floats by their bits."""
    return xxh3_64_intdigest(np.ascontiguousarray(column, _FLOAT).data) if column.size else 0
