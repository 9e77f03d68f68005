"""Making JSON of data that is nearly JSON."""

from __future__ import annotations

import math
from typing import Any

DEEPEST = 200
"""Levels of nesting that are kept; a list that contains itself would go on for ever."""


# Any: property values are whatever a graph's owner stored.
def jsonable(value: Any, level: int = 0) -> tuple[Any, int]:
    """Return the value with what JSON cannot hold replaced, and how many replacements that took."""
    if level >= DEEPEST:
        return None, 1
    if isinstance(value, dict):
        return _mapping(value, level + 1)
    if isinstance(value, list | tuple):
        return _sequence(list(value), level + 1)
    if isinstance(value, set | frozenset):
        items, count = _sequence(sorted(value, key=lambda item: (str(type(item)), str(item))), level + 1)
        return items, count + 1
    return _scalar(value)


def _scalar(value: Any) -> tuple[Any, int]:
    if value is None or isinstance(value, str | bool | int):
        return value, 0
    if isinstance(value, float):
        return (value, 0) if math.isfinite(value) else (None, 1)
    text = str(value)
    # The default text of an object holds its address, which is another one in every run.
    return f"<{type(value).__qualname__}>" if " object at 0x" in text else text, 1


def _sequence(values: list[Any], level: int) -> tuple[list[Any], int]:
    items = [jsonable(item, level) for item in values]
    return [item for item, _ in items], sum(count for _, count in items)


def _mapping(value: dict[Any, Any], level: int) -> tuple[dict[str, Any], int]:
    plain: dict[str, Any] = {}
    total = 0
    for key, item in value.items():
        plain[key if isinstance(key, str) else str(key)], count = jsonable(item, level)
        total += count + (not isinstance(key, str))
    return plain, total
