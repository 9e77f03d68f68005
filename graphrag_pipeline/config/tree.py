"""The config as a tree in which every value still knows its place and its characters.

Hydra and OmegaConf keep neither, and both are needed: the place for messages, the characters because
``persona: 007`` must stay ``007`` where text is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from graphrag_pipeline.config.provenance import Origin

MISSING = "???"
"""How a config file says that a value must be given."""

NOWHERE = Origin("")

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar.

    Args:
        value: None, bool, int, float or str.
        origin: Where it was set.
        text: Its characters as written without quotes; None for a quoted scalar, which is text already.
        shown: What to print in its place, because the value itself came from the environment.
    """

    value: bool | int | float | str | None
    origin: Origin
    text: str | None = None
    shown: str | None = None

    @property
    def is_missing(self) -> bool:
        """Whether this is an unquoted ``???``."""
        return self.value == MISSING and self.text is not None


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Node, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Branch:
    """A mapping with text keys; never changed once it is built."""

    children: dict[str, Node] = field(default_factory=dict)
    origin: Origin = NOWHERE


Node: TypeAlias = Leaf | Items | Branch


def dotted(path: Sequence[Step]) -> str:
    """Return a path as people write it."""
    return ".".join(str(step) for step in path)


def merge(base: Node | None, over: Node) -> Node:
    """Lay ``over`` upon ``base``: mappings are joined key by key, anything else is replaced.

    A mapping that chooses another component than the one below starts afresh: parameters of one
    component mean nothing to another.
    """
    if not isinstance(base, Branch) or not isinstance(over, Branch):
        return over
    children = dict(base.children)
    if chooses_anew(base, over.children.get("use")):
        children = {key: child for key, child in children.items() if key == "kind"}
    for key, child in over.children.items():
        children[key] = merge(children.get(key), child)
    return Branch(children, base.origin)


def chooses_anew(base: Node | None, use: Node | None) -> bool:
    """Whether ``use`` names another component than the mapping ``base`` does."""
    before = child(base, "use")
    return isinstance(before, Leaf) and isinstance(use, Leaf) and before.value != use.value


def embed(node: Node, package: Sequence[str]) -> Node:
    """Put a node under a chain of keys."""
    for key in reversed(package):
        node = Branch({key: node}, node.origin)
    return node


def find(node: Node, path: Sequence[Step]) -> Node | None:
    """Return the node at a path, or None."""
    at: Node | None = node
    for step in path:
        at = child(at, step)
    return at


def child(node: Node | None, step: Step) -> Node | None:
    """Return the child under a key or list position, or None."""
    if isinstance(node, Branch):
        return node.children.get(str(step))
    if isinstance(node, Items) and str(step).isdecimal() and int(step) < len(node.items):
        return node.items[int(step)]
    return None


def put(node: Node, path: Sequence[Step], value: Node | None) -> Node:
    """Return the tree with the value at ``path`` set, or taken out where ``value`` is None.

    Mappings on the way are made; a scalar on the way is replaced by one.
    """
    if not path:
        assert value is not None, "the root cannot be taken out"
        return value
    step, rest = path[0], path[1:]
    if isinstance(node, Items) and child(node, step) is not None:
        at = int(step)
        new = () if not rest and value is None else (put(node.items[at], rest, value),)
        return replace(node, items=(*node.items[:at], *new, *node.items[at + 1 :]))
    children = dict(node.children) if isinstance(node, Branch) else {}
    if not rest and value is None:
        children.pop(str(step), None)
    else:
        origin = value.origin if value else NOWHERE
        children[str(step)] = put(children.get(str(step), Branch(origin=origin)), rest, value)
    return Branch(children, node.origin)


def leaves(node: Node, path: Path = ()) -> Iterator[tuple[Path, Leaf]]:
    """Yield every scalar with its path, in order."""
    if isinstance(node, Leaf):
        yield path, node
    elif isinstance(node, Items):
        for at, item in enumerate(node.items):
            yield from leaves(item, (*path, at))
    else:
        for key, item in node.children.items():
            yield from leaves(item, (*path, key))


# Any: plain data of a config, which no type is known for before validation.
def plain(node: Node) -> Any:
    """Return the values alone, as dicts and lists."""
    if isinstance(node, Leaf):
        return node.value
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return {key: plain(item) for key, item in node.children.items()}


def from_plain(value: Any, origin: Origin) -> Node:
    """Return plain data as a tree that was set in one place."""
    if isinstance(value, dict):
        return Branch({str(key): from_plain(item, origin) for key, item in value.items()}, origin)
    if isinstance(value, list | tuple):
        return Items(tuple(from_plain(item, origin) for item in value), origin)
    return Leaf(value, origin)


def describe(node: Node) -> str:
    """Return a value for a message: short, and never one that came from the environment."""
    if isinstance(node, Leaf):
        if node.shown is not None:
            return node.shown
        words = {None: "null", True: "true", False: "false"}
        exact = node.value is None or isinstance(node.value, bool)
        text = words[node.value] if exact else repr(node.value)  # type: ignore[index]
    elif isinstance(node, Items):
        text = "[" + ", ".join(describe(item) for item in node.items) + "]"
    else:
        text = "{" + ", ".join(f"{key}: {describe(item)}" for key, item in node.children.items()) + "}"
    return text if len(text) <= 60 else text[:57] + "…" + text[-1]
