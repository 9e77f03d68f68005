"""Values in nested properties."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MAX_STEPS = 8
"""Most steps of a dotted path."""
SINGLE = frozenset({str, int, float, bool})
"""Types of a value that is the only one under its key; most are, and need no search."""


# Any throughout: a property holds whatever the graph's owner stored there.
def values_at(properties: Mapping[str, Any], path: str) -> Iterator[Any]:
    """Yield the values under a key or dotted path; each element of a list is a value, and null is none.

    ``a.b`` is the key ``a.b`` where there is one, else ``b`` in what is under ``a``, in every element of it
    where it is a list.
    """
    for found in _under(properties, path):
        yield from _flat(found)


def _under(held: object, path: str) -> Iterator[Any]:
    for item in _flat(held):
        if not isinstance(item, Mapping):
            continue
        if path in item:
            yield item[path]
            continue
        for at, character in enumerate(path):
            if character == "." and path[:at] in item:
                yield from _under(item[path[:at]], path[at + 1 :])


def _flat(value: object) -> Iterator[Any]:
    # Not by recursion: how deep lists are nested is up to the graph.
    left = [value]
    while left:
        item = left.pop()
        if isinstance(item, list | tuple | set | frozenset):
            left.extend(reversed(list(item)))
        elif item is not None:
            yield item
