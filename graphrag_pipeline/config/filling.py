"""The config as it is in force: every value, the defaults that nobody set, and where each comes from."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Leaf, Node, Path, child, dotted

# Any throughout: plain data of a config.


def fill(
    model: BaseModel, node: Node | None, key: Path, owner: str, origins: dict[str, Origin]
) -> dict[str, Any]:
    """Return a model's values as plain data in the model's order.

    Args:
        model: The validated values.
        node: What was written; what is not there is a default.
        key: Where it stands.
        owner: Whose defaults they are.
        origins: Gets the origin of every value.
    """
    filled: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        written = field.alias or name
        step = (*key, written)
        filled[written] = _value(getattr(model, name), child(node, written), step, owner, origins)
    return filled


def _value(value: Any, node: Node | None, key: Path, owner: str, origins: dict[str, Origin]) -> Any:
    if isinstance(value, BaseModel):
        return fill(value, node, key, owner, origins)
    if isinstance(value, dict) and value:
        return {
            str(name): _value(item, child(node, str(name)), (*key, str(name)), owner, origins)
            for name, item in value.items()
        }
    origins[dotted(key)] = node.origin if node is not None else Origin.of_default(owner)
    return _plain(value, node)


def _plain(value: Any, node: Node | None) -> Any:
    if isinstance(node, Leaf) and node.shown is not None:
        return node.shown
    if isinstance(value, set | frozenset):
        return sorted(to_jsonable_python(value), key=repr)
    if isinstance(value, list | tuple):
        return [_plain(item, child(node, at)) for at, item in enumerate(value)]
    if isinstance(value, dict):
        return {str(name): _plain(item, child(node, str(name))) for name, item in value.items()}
    return to_jsonable_python(value)
