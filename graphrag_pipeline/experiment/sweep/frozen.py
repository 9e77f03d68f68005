"""The config of a point, kept as what differs from the sweep's first."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Tree = Mapping[str, Any]  # Any: plain data
Patch = list[list[Any]]
"""Pairs of a path and the value there."""


def tree_digest(tree: Tree) -> str:
    """Return the SHA-256 of a config; the order of keys counts, as sums are taken in that of the weights."""
    return hashlib.sha256(json.dumps(tree, ensure_ascii=True).encode("ascii")).hexdigest()


def difference(first: Tree, other: Tree) -> Patch:
    """Return what turns the first config into the other.

    A mapping whose keys differ, or come in another order, is one value: a patch keeps the order of keys.
    """
    return list(_difference(first, other, ()))


def _difference(first: object, other: object, path: tuple[str, ...]) -> Iterator[list[Any]]:
    if isinstance(first, Mapping) and isinstance(other, Mapping) and list(first) == list(other):
        for key, value in other.items():
            yield from _difference(first[key], value, (*path, key))
    # As JSON, 1 and true and 1.0 are three values.
    elif json.dumps(first) != json.dumps(other):
        yield [list(path), other]


def patched(first: Tree, patch: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return the config that a patch makes of the first one."""
    whole: dict[str, Any] = {"": json.loads(json.dumps(first))}
    for path, value in patch:
        *parents, last = ["", *map(str, path)]
        at = whole
        for key in parents:
            at = at[key]
        at[last] = value
    tree: dict[str, Any] = whole[""]
    return tree
