"""Texts in Parquet files that repeat the start of the one before (DELTA_BYTE_ARRAY): how long they get.

Some bytes can stand for megabytes so. How much each text repeats is written in front of all of them, as
numbers in the encoding DELTA_BINARY_PACKED; see https://parquet.apache.org/docs/file-format/data-pages/encodings/.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

WIDEST = 32
"""Bits of a number."""


def repeated(data: bytes, most: int) -> tuple[int, int]:
    """Return how many bytes of texts are repeated from the texts before them.

    Args:
        data: The values of a page.
        most: How many there are at most.

    Returns:
        Bytes of all texts, and of one at most.

    Raises:
        ValueError: The page is damaged.
        IndexError: The page is cut off.
    """
    total = longest = 0
    for lengths in _numbers(data, most):
        total += int(lengths.sum())
        longest = max(longest, int(lengths.max(initial=0)))
    return total, longest


def _numbers(data: bytes, most: int) -> Iterator[NDArray[np.int64]]:
    """Yield the numbers at the start of the data, block by block."""
    block, at = _varint(data, 0)
    parts, at = _varint(data, at)
    count, at = _varint(data, at)
    last, at = _signed(data, at)
    if not (0 < parts <= block and block % (8 * parts) == 0 and count <= most):
        raise ValueError("the page is damaged")
    if count:
        yield np.array([max(last, 0)])
    left = count - 1
    while left > 0:
        least, at = _signed(data, at)
        widths = data[at : at + parts]
        at += parts
        steps = []
        for width in widths:
            if left <= 0:
                break
            size = block // parts
            steps.append(_unpacked(data, at, width, min(size, left)))
            at += size * width // 8
            left -= size
        # Arrow reckons with 32 bits and lets them run over, so this must.
        found = (last + np.cumsum(np.concatenate(steps) + least)).astype(np.uint32).astype(np.int32)
        last = int(found[-1])
        yield found.astype(np.int64).clip(0)


def _unpacked(data: bytes, at: int, width: int, count: int) -> NDArray[np.int64]:
    if width == 0:
        return np.zeros(count, np.int64)
    size = (count * width + 7) // 8
    packed = np.frombuffer(data[at : at + size], np.uint8)
    if width > WIDEST or len(packed) < size:
        raise ValueError("the page is damaged")
    bits = np.unpackbits(packed, count=count * width, bitorder="little").reshape(count, width)
    return bits.astype(np.int64) @ (1 << np.arange(width, dtype=np.int64))


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift <= 63:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at
    raise ValueError("the page is damaged")


def _signed(data: bytes, at: int) -> tuple[int, int]:
    value, at = _varint(data, at)
    value = value >> 1 ^ -(value & 1)
    # Only the lowest bits count, and more would not fit into the sums.
    return (value + (1 << 31)) % (1 << 32) - (1 << 31), at
