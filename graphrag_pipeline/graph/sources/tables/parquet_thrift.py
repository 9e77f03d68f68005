"""Structures of Thrift's compact protocol, in which Parquet files describe themselves.

See https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
"""

from __future__ import annotations

import struct
from typing import Any, TypeAlias

# Any throughout: a field holds anything until it is looked at.
Fields: TypeAlias = dict[int, Any]

MOST = 1_000_000
"""Values that a structure may hold: the footer of 20,000 columns and row groups has fewer."""
DEEPEST = 16


def read_fields(data: bytes, most: int = MOST) -> tuple[Fields, int]:
    """Read a structure.

    Args:
        data: Bytes that begin with it.
        most: Values that it may hold.

    Returns:
        Its fields by number, and how many bytes it takes.

    Raises:
        ValueError: It is damaged, or holds too much.
        IndexError: It goes on after the end of the data.
    """
    reader = _Reader(data, most)
    return reader.fields(), reader.at


class _Reader:
    def __init__(self, data: bytes, most: int) -> None:
        self._data = data
        self.at = 0
        self._left = most

    def fields(self, depth: int = 0) -> Fields:
        found: Fields = {}
        number = 0
        while head := self._byte():
            self._count(depth)
            number = number + (head >> 4) if head >> 4 else self._number()
            kind = head & 15
            # A truth value is told by the type of its field.
            found[number] = kind == 1 if kind in (1, 2) else self._value(kind, depth)
        return found

    def _count(self, depth: int) -> None:
        self._left -= 1
        if depth > DEEPEST or self._left < 0:
            raise ValueError("too deep, or too much")

    def _value(self, kind: int, depth: int) -> Any:
        self._count(depth)
        if kind in (1, 2, 3):
            return self._byte()
        if kind in (4, 5, 6):
            return self._number()
        if kind == 7:
            return struct.unpack("<d", self._bytes(8))[0]
        if kind == 8:
            return self._bytes(self._varint())
        if kind in (9, 10):
            return self._list(depth + 1)
        if kind == 12:
            return self.fields(depth + 1)
        raise ValueError(kind)  # maps, of which footers have none

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._varint()
        if count > len(self._data) - self.at:
            raise ValueError(count)
        return [self._value(head & 15, depth) for _ in range(count)]

    def _byte(self) -> int:
        value = self._data[self.at]
        self.at += 1
        return value

    def _bytes(self, count: int) -> bytes:
        value = self._data[self.at : self.at + count]
        if len(value) < count:
            raise IndexError(count)
        self.at += count
        return value

    def _varint(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128 or shift > 63:
                return value

    def _number(self) -> int:
        value = self._varint()
        return value >> 1 ^ -(value & 1)
