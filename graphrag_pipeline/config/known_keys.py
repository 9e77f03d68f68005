"""Which keys a model knows in its inner mappings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel

from graphrag_pipeline.config.tree import Step

# Any throughout: a JSON Schema is plain data.


def known_keys(model: type[BaseModel], path: Sequence[Step]) -> list[str]:
    """Return the keys that may stand in the mapping at a path, in order; empty where any may.

    Args:
        model: The model.
        path: Keys and list positions that lead to the mapping, from the model.
    """
    schema = model.model_json_schema()
    places = list(_meant(schema, schema))
    for step in path:
        places = [found for place in places for found in _meant(_inner(place, step), schema)]
    return list(dict.fromkeys(key for place in places for key in place.get("properties", {})))


def _inner(place: dict[str, Any], step: Step) -> Any:
    properties = place.get("properties", {})
    if step in properties:
        return properties[step]
    return place.get("items", place.get("additionalProperties"))


def _meant(place: Any, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a place of a schema may be: what it refers to, and each of its alternatives."""
    if not isinstance(place, dict):
        return
    if "$ref" in place:
        yield from _meant(schema["$defs"][place["$ref"].rpartition("/")[2]], schema)
        return
    alternatives = place.get("anyOf", place.get("oneOf"))
    if alternatives is None:
        yield place
        return
    for alternative in alternatives:
        yield from _meant(alternative, schema)
