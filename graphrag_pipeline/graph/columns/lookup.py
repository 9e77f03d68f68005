"""From a node id to its position."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphrag_pipeline.graph.arrays import Array
from graphrag_pipeline.graph.columns.text import Buffer, TextColumn, encode


class Lookup(Protocol):
    """Finds the position of an id."""

    def get(self, node_id: str) -> int | None:
        """Return the position, or None when there is no such node."""
        ...


@dataclass(frozen=True, slots=True)
class HashLookup:
    """Finds ids by binary search over hashes, so that a mapped index needs no dictionary in memory.

    Args:
        ids: Every id.
        key: Hashes of the ids, ascending.
        position: Position of the id that each hash belongs to.
    """

    ids: TextColumn
    key: Array
    position: Array

    @classmethod
    def of(cls, ids: TextColumn) -> HashLookup:
        """Hash every id."""
        keys = np.fromiter((_hash(ids.raw(place)) for place in range(len(ids))), np.uint64, len(ids))
        order = np.argsort(keys, kind="stable")
        return cls(ids, keys[order], order.astype(np.int32 if len(ids) < 2**31 else np.int64))

    def get(self, node_id: str) -> int | None:
        """Return the position; ids with equal hashes are told apart by their text."""
        raw = encode(node_id)
        key = np.uint64(_hash(raw))
        place = int(np.searchsorted(self.key, key))
        while place < len(self.key) and self.key[place] == key:
            position = int(self.position[place])
            if self.ids.raw(position) == raw:
                return position
            place += 1
        return None


@dataclass(frozen=True, slots=True)
class DictLookup:
    """Finds ids in a dictionary."""

    positions: dict[str, int]

    @classmethod
    def of(cls, ids: Sequence[str]) -> DictLookup:
        """Number the ids."""
        return cls({node_id: position for position, node_id in enumerate(ids)})

    def get(self, node_id: str) -> int | None:
        """Return the position."""
        return self.positions.get(node_id)


def _hash(raw: Buffer) -> int:
    # Not Python's hash: that of another process differs.
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")
