"""From the bytes of an answer to what a bridge returns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from graphrag_lyra_http.failures import CallError


# Any: what is in a mapping is checked by the pipeline, entry by entry.
def thoughts(body: bytes) -> Mapping[str, Any]:
    """Return the object of a graph of thought.

    Raises:
        CallError: It is no JSON, or no object.
    """
    value = _parsed(body)
    if not isinstance(value, dict):
        raise CallError(f"the answer must be an object, and is {_shown(value)}")
    return value


def ids(body: bytes, key: str) -> list[str]:
    """Return a list of ids: the whole answer, or what is under ``key``.

    Raises:
        CallError: It is no JSON, or there is no such list.
    """
    value = _parsed(body)
    if isinstance(value, dict):
        value = value.get(key)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise CallError(f"the answer must be a list of texts, or an object with one under {key!r}")
    return value


def _parsed(body: bytes) -> Any:  # Any: JSON
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refused)
    except RecursionError as error:
        raise CallError("the answer is nested too deeply") from error
    except ValueError as error:
        raise CallError(f"the answer is no JSON: {error}") from error


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _shown(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
