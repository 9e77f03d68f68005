"""One JSON text for each property value, the same in every process."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

_TAG = "\0"
"""Starts the text that stands for a value JSON cannot hold; a text that starts so itself gets one more."""


# Any: JSON data.
def canonical(value: object) -> Any:
    """Return JSON data that stands for ``value`` and for no other value.

    What came from JSON stays as it is. A set is put in order, because it has none that two processes
    share; anything unknown is its type and ``repr``.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return _TAG + value if value.startswith(_TAG) else value
    if isinstance(value, list):
        return [canonical(entry) for entry in value]
    if isinstance(value, Mapping):
        return {_key(key): canonical(entry) for key, entry in value.items()}
    return _tagged(value, _shown(value))


def shown(value: object, show: Callable[[object], str] = str) -> str:
    """Return what ``str`` shows of a value, with the members of sets in one order in every process."""
    if isinstance(value, set | frozenset) and value:
        members = f"{{{', '.join(sorted(shown(member, repr) for member in value))}}}"
        return members if type(value) is set else f"{type(value).__name__}({members})"
    if type(value) is list:
        return f"[{', '.join(shown(item, repr) for item in value)}]"
    if type(value) is tuple and value:
        return f"({', '.join(shown(item, repr) for item in value)}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        pairs = (f"{shown(key, repr)}: {shown(item, repr)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    return show(value)


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return json.dumps(canonical(list(value)))
    if isinstance(value, set | frozenset):
        return json.dumps(sorted(json.dumps(canonical(entry)) for entry in value))
    return repr(value)


def _key(key: object) -> str:
    return str(canonical(key)) if isinstance(key, str | tuple) else _tagged(key, repr(key))


def _tagged(value: object, text: str) -> str:
    return f"{_TAG}{type(value).__qualname__} {text}"
