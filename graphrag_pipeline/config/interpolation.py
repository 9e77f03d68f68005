"""Resolve ``${…}``, and remember which values came from the environment.

An environment value may be a secret: it is used, and never shown. Every leaf it reached carries the
text that was written, for output and messages.
"""

from __future__ import annotations

import re
from typing import Any

from graphrag_pipeline.config.resolvers import refusal
from graphrag_pipeline.config.tree import (
    Branch,
    Items,
    Leaf,
    Node,
    Path,
    dotted,
    find,
    from_plain,
    leaves,
    plain,
    put,
)
from graphrag_pipeline.config.yaml_reader import read_value
from graphrag_pipeline.errors import Problem

_REFERENCE = re.compile(r"\$\{(?P<dots>\.*)(?P<path>[^\W\d][\w-]*(?:\.[\w-]+)*)\}")
_ENVIRONMENT = re.compile(r"\$\{\s*oc\.env\s*:")
# Private-use characters stand for what OmegaConf must not touch: "\${" and "${" of the environment.
_ESCAPED, _KEPT = "\ue000", "\ue001"


def resolve(tree: Branch) -> tuple[Branch, list[Problem]]:
    """Return the tree with every interpolation resolved, and a problem for each that cannot be."""
    written = [
        (path, leaf) for path, leaf in leaves(tree) if isinstance(leaf.value, str) and "${" in leaf.value
    ]
    if not written:
        return tree, []
    resolver = _Resolver(tree, written)
    resolved: Node = tree
    for path, leaf in written:
        node = resolver.node(path, leaf)
        resolved = put(resolved, path, node)
    assert isinstance(resolved, Branch)
    return resolved, resolver.problems


class _Resolver:
    def __init__(self, tree: Branch, written: list[tuple[Path, Leaf]]) -> None:
        self.tree = tree
        self.problems: list[Problem] = []
        usable = [(path, leaf) for path, leaf in written if self._is_allowed(path, leaf)]
        self.allowed = {path for path, _ in usable}
        self.real = self._config(tree, lambda text: text)
        self.shown = self._config(
            tree, lambda text: text.replace("${", _KEPT) if _ENVIRONMENT.search(text) else text
        )

    def _is_allowed(self, path: Path, leaf: Leaf) -> bool:
        from omegaconf.errors import GrammarParseError

        try:
            refused = refusal(str(leaf.value).replace(r"\${", _ESCAPED))
        except GrammarParseError:
            hint = r"write ${key} for the value of a key, \${ for the characters themselves"
            self._report(path, leaf, f"{leaf.value} is not a valid interpolation", hint)
            return False
        if refused:
            self._report(path, leaf, f"{leaf.value} {refused[0]}", refused[1])
        return not refused

    # Any: OmegaConf's containers, alive only while this object is.
    def _config(self, tree: Branch, change: Any) -> Any:
        from omegaconf import OmegaConf

        copy: Node = tree
        for path, leaf in leaves(tree):
            if isinstance(leaf.value, str) and "${" in leaf.value:
                text = change(leaf.value.replace(r"\${", _ESCAPED)) if path in self.allowed else None
                copy = put(copy, path, Leaf(text, leaf.origin))
        return OmegaConf.create(plain(copy))

    def node(self, path: Path, leaf: Leaf) -> Node:
        """Return what stands in the place of one interpolated text."""
        text = str(leaf.value)
        if path not in self.allowed:
            return Leaf(None, leaf.origin)
        if "${" not in text.replace(r"\${", ""):
            return Leaf(text.replace(r"\${", "${"), leaf.origin, shown=text)
        if (target := self._plain_target(path, text)) is not None:
            return Leaf(target.value, leaf.origin, target.text)
        try:
            value = _value(self.real, path)
        except Exception as error:  # noqa: BLE001  # OmegaConf, a resolver or the environment: all are the user's input
            self._report(path, leaf, *_reason(str(error), self._safe_message(path), path, text))
            return Leaf(None, leaf.origin)
        return self._tainted(from_plain(value, leaf.origin), path, leaf)

    def _safe_message(self, path: Path) -> str:
        """Return what OmegaConf says when it cannot see the environment: its words may quote values."""
        try:
            _value(self.shown, path)
        except Exception as error:  # noqa: BLE001  # whatever stops it is what is reported
            return str(error).split("\n")[0].replace(_KEPT, "${")
        return ""

    def _plain_target(self, path: Path, text: str) -> Leaf | None:
        """Return the scalar that ``${key}`` alone refers to, so that its characters are kept."""
        match = _REFERENCE.fullmatch(text)
        target = find(self.tree, absolute(path, match["dots"], match["path"])) if match else None
        is_plain = isinstance(target, Leaf) and not target.is_missing and "${" not in str(target.value)
        return target if is_plain and isinstance(target, Leaf) else None

    def _tainted(self, node: Node, path: Path, leaf: Leaf) -> Node:
        if _ENVIRONMENT.search(str(leaf.value)):
            return _mark(node, str(leaf.value))
        try:
            shown = from_plain(_value(self.shown, path), leaf.origin)
        except Exception:  # noqa: BLE001  # a resolver cannot work on a kept text: the value depends on it
            return _mark(node, str(leaf.value))
        return _mark_where_kept(node, shown)

    def _report(self, path: Path, leaf: Leaf, what: str, hint: str) -> None:
        self.problems.append(Problem(dotted(path), what, str(leaf.origin), hint))


def _value(config: Any, path: Path) -> Any:
    from omegaconf import Container, OmegaConf

    parent = config
    for step in path[:-1]:
        parent = parent._get_node(step)
    value = parent[path[-1]]
    if isinstance(value, Container):
        value = OmegaConf.to_container(value, resolve=True, throw_on_missing=True)
    return _unescape(value)


def _unescape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _unescape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unescape(item) for item in value]
    return value.replace(_ESCAPED, "${") if isinstance(value, str) else value


def _mark(node: Node, text: str) -> Node:
    """Mark every scalar as coming from the environment; a text is read as if it stood in a file."""
    if isinstance(node, Items):
        return Items(tuple(_mark(item, text) for item in node.items), node.origin)
    if isinstance(node, Branch):
        return Branch({key: _mark(item, text) for key, item in node.children.items()}, node.origin)
    if not isinstance(node.value, str):
        return Leaf(node.value, node.origin, shown=text)
    read = read_value(node.value, node.origin)
    if isinstance(read, Leaf) and read.text is not None and read.text == node.value:
        return Leaf(read.value, node.origin, read.text, text)
    return Leaf(node.value, node.origin, shown=text)


def _mark_where_kept(node: Node, shown: Node) -> Node:
    if isinstance(node, Items) and isinstance(shown, Items):
        return Items(tuple(map(_mark_where_kept, node.items, shown.items)), node.origin)
    if isinstance(node, Branch) and isinstance(shown, Branch):
        children = {key: _mark_where_kept(item, shown.children[key]) for key, item in node.children.items()}
        return Branch(children, node.origin)
    if isinstance(shown, Leaf) and isinstance(shown.value, str) and _KEPT in shown.value:
        return _mark(node, shown.value.replace(_KEPT, "${"))
    return node


def absolute(path: Path, dots: str, target: str) -> tuple[str, ...]:
    """Return the path an interpolation refers to; one dot is the mapping it stands in, more are parents."""
    base = path[: len(path) - len(dots)] if dots else ()
    return (*map(str, base), *target.split("."))


def _reason(error: str, safe: str, path: Path, text: str) -> tuple[str, str]:
    if variable := re.search(r"Environment variable '(.+?)' not found", error):
        name = variable[1]
        hint = f"set it, or give a default: ${{oc.env:{name},VALUE}}"
        return f"{text}: the environment variable {name} is not set", hint
    if match := _REFERENCE.search(text):
        target = dotted(absolute(path, match["dots"], match["path"]))
        if "not found" in error or "missing" in error.lower():
            return f"{text} refers to {target}, which is not set", f"set {target}, or correct the reference"
        return f"{text} refers to {target}, which cannot be resolved", "see what that key refers to"
    return f"{text} cannot be resolved{': ' if safe else ''}{safe}", ""
