"""In which keys two configs differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

ABSENT = "—"
"""What is shown of a key that is not there."""


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A key with another value.

    Args:
        key: The dotted key; a list is one value, and so is the order of the keys of a mapping.
        first: Its value in the first config as text; None when it is not there.
        second: Its value in the second config.
        default: Its value when nobody sets it; None when it has none or that is not known.
    """

    key: str
    first: str | None
    second: str | None
    default: str | None = None


# Any: plain data
Tree = Mapping[str, Any]


def config_difference(first: Tree, second: Tree, default: Tree) -> tuple[KeyChange, ...]:
    """Return the keys that differ, in the order of the first config and then of the second."""
    usual = dict(_values(default, ""))
    one, other = dict(_values(first, "")), dict(_values(second, ""))
    return tuple(
        KeyChange(key, one.get(key), other.get(key), usual.get(key))
        for key in dict.fromkeys([*one, *other])
        if one.get(key) != other.get(key)
    ) + tuple(_reordered(first, second, ""))


def _values(tree: Tree, prefix: str) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            yield from _values(value, f"{name}.")
        else:
            yield name, _text(value)


def _text(value: object) -> str:
    # A text is shown plainly, unless it could be taken for something else.
    if isinstance(value, str) and value.isprintable() and not _is_json(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return not text
    return True


def _reordered(first: Tree, second: Tree, prefix: str) -> Iterator[KeyChange]:
    """Yield mappings with the same keys in another order: sums are taken in the order of the weights."""
    names, others = [str(key) for key in first], [str(key) for key in second]
    if prefix and names != others and sorted(names) == sorted(others):
        yield KeyChange(f"{prefix[:-1]} (order)", ", ".join(names), ", ".join(others))
    for key, value in first.items():
        other = second.get(key)
        if isinstance(value, Mapping) and isinstance(other, Mapping):
            yield from _reordered(value, other, f"{prefix}{key}.")
