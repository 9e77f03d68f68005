"""What is known of parts of a config, so that configs that share a part check it once."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from graphrag_pipeline.config.interpolation import resolve
from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.tree import Branch, Leaf, Node, leaves
from graphrag_pipeline.errors import Problem
from graphrag_pipeline.pipeline.spec import ComponentSpec

N = TypeVar("N", bound=Node)
T = TypeVar("T")

KEPT = 512
"""Most entries of one memory; the one that was used least recently goes first."""
_ONLY_ENVIRONMENT = re.compile(r"(?:[^$\\{}]|\$\{oc\.env:[A-Za-z_]\w*\})*")


@dataclass(frozen=True, slots=True)
class Part:
    """One checked part of a config.

    Args:
        problems: What is wrong.
        made: The section or the component; None when something is wrong.
        tree: Its values in force, as plain data. Configs share it: nobody changes it.
        origins: Where each value comes from.
    """

    problems: tuple[Problem, ...] = ()
    made: BaseModel | ComponentSpec | None = None
    tree: dict[str, Any] = field(default_factory=dict)  # Any: plain data
    origins: Mapping[str, Origin] = field(default_factory=dict)


class Recent(Generic[T]):
    """The values used last, by key."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return a value, and count it as used; None when it is not there."""
        value = self._values.get(key)
        if value is not None:
            self._values.move_to_end(key)
        return value

    def keep(self, key: Hashable, value: T) -> T:
        """Add a value, and return it."""
        self._values[key] = value
        if len(self._values) > self._most:
            self._values.popitem(last=False)
        return value


class Memory:
    """Checked parts, by the very node they were made of: trees that share a node share what it gives.

    A memory is of one host, as it was: when components are added, what is known may be wrong.
    """

    def __init__(self) -> None:
        # The node is kept with what it gave, so that no other node gets its id.
        self._parts: Recent[tuple[Node, Part]] = Recent()
        self._resolved: Recent[tuple[Node, Node | None]] = Recent()

    def part(self, place: tuple[str, ...], node: N, make: Callable[[N], Part]) -> Part:
        """Return what a node gives at a place; made where it is not known."""
        key = (*place, id(node))
        if (known := self._parts.get(key)) is not None:
            return known[1]
        return self._parts.keep(key, (node, make(node)))[1]

    def resolve(self, tree: Branch) -> tuple[Branch, list[Problem]]:
        """Return the tree with every interpolation resolved, as :func:`interpolation.resolve` does.

        A part that asks the environment and nothing else gives the same wherever it stands.
        """
        children: dict[str, Node] = {}
        for name, node in tree.children.items():
            resolved = self._alone(name, node)
            if resolved is None:
                return resolve(tree)
            children[name] = resolved
        return replace(tree, children=children), []

    def _alone(self, name: str, node: Node) -> Node | None:
        key = (name, id(node))
        if (known := self._resolved.get(key)) is None:
            known = self._resolved.keep(key, (node, _resolved_alone(name, node)))
        return known[1]


def _resolved_alone(name: str, node: Node) -> Node | None:
    """Return a node without interpolations; None where another part or a mistake decides what it gives."""
    written = [leaf for _, leaf in leaves(node) if isinstance(leaf.value, str) and "${" in leaf.value]
    if not written:
        return node
    if not all(_asks_environment(leaf) for leaf in written):
        return None
    tree, problems = resolve(Branch({name: node}))
    return None if problems else tree.children[name]


def _asks_environment(leaf: Leaf) -> bool:
    return _ONLY_ENVIRONMENT.fullmatch(str(leaf.value)) is not None
