"""Read one YAML file of the config, keeping lines and characters, and reporting every mistake in it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from graphrag_pipeline.config.provenance import Origin
from graphrag_pipeline.config.resolvers import is_plain_reference
from graphrag_pipeline.config.tree import Branch, Items, Leaf, Node
from graphrag_pipeline.errors import Problem

MAX_NODES = 20_000
"""More values than any config has; a file of nested aliases reaches it in ten lines."""

_NUMBER = re.compile(
    r"[-+]?(0|[1-9][\d_]*|0x[\da-f_]+|0b[01_]+|\d[\d_]*e[-+]?\d+|(\d[\d_]*)?\.[\d_]*(e[-+]?\d+)?|\.(inf|nan))",
    re.IGNORECASE,
)
_GROUP = re.compile(r"((optional|override) +)*/?[\w-]+(/[\w-]+)*(@[\w.$:-]*)?")
_SCALARS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null")}
_COLLECTIONS = {"tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"}
_STR = "tag:yaml.org,2002:str"
_MERGE = "tag:yaml.org,2002:merge"


@dataclass(frozen=True, slots=True)
class DefaultsEntry:
    """One entry of a defaults list.

    Args:
        text: What Hydra is given: ``_self_``, a config name, or ``{group: option}``.
        line: Its line in the file.
    """

    text: str | dict[str, Any]  # Any: an option, a list of options, or null
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file.

    Args:
        name: How messages call it.
        tree: Its values, without the defaults list; empty when the file cannot be read.
        package: Where its header ``# @package`` puts it; None without one.
        defaults: Its defaults list; None without one.
        problems: What is wrong with it.
    """

    name: str
    tree: Branch
    package: str | None = None
    defaults: tuple[DefaultsEntry, ...] | None = None
    problems: tuple[Problem, ...] = ()


def read_document(path: Path, name: str) -> Document:
    """Read a YAML file; mistakes are in the document's ``problems``."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return _broken(name, f"the file cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        what = "the file is not UTF-8 text"
        return _broken(name, what, f":{line}:{column}", "save it with the encoding UTF-8")
    return parse_document(text, name)


def parse_document(text: str, name: str) -> Document:
    """Read YAML text that came from the file called ``name``."""
    try:
        loader = _loader_class()(text)
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        return _broken(
            name, f"not valid YAML: {error.problem or error.context}", place, _syntax_hint(text, mark)
        )
    except yaml.reader.ReaderError as error:
        return _broken(name, f"not valid YAML: character {error.character!r} is not allowed")
    except RecursionError:
        return _broken(name, "nested too deeply")
    if root is None:
        return Document(name, Branch(origin=Origin(name, 1)), package=_package(text))
    return _document(root, loader, name, _package(text))


def _document(root: yaml.Node, loader: Any, name: str, package: str | None) -> Document:
    if not isinstance(root, yaml.MappingNode):
        what = "a config file holds a mapping of keys to values"
        return _broken(name, what, f":{root.start_mark.line + 1}:{root.start_mark.column + 1}")
    reader = _Reader(name)
    try:
        tree = reader.node(root, loader, ())
    except RecursionError:
        return _broken(name, "nested too deeply")
    if not isinstance(tree, Branch):
        return Document(name, Branch(origin=Origin(name)), problems=tuple(reader.problems))
    defaults = reader.defaults(tree.children.pop("defaults", None))
    return Document(name, tree, package, defaults, tuple(reader.problems))


def read_value(text: str, origin: Origin) -> Node | None:
    """Read a YAML list, mapping or scalar written on one line; None when it is none."""
    reader = _Reader("")
    try:
        loader = _loader_class()(text)
        root = loader.get_single_node()
        node = reader.node(root, loader, ()) if root is not None else None
    except (yaml.YAMLError, RecursionError):
        return None
    return None if node is None or reader.problems else _with_origin(node, origin)


def _with_origin(node: Node, origin: Origin) -> Node:
    if isinstance(node, Leaf):
        return Leaf(node.value, origin, node.text)
    if isinstance(node, Items):
        return Items(tuple(_with_origin(item, origin) for item in node.items), origin)
    return Branch({key: _with_origin(item, origin) for key, item in node.children.items()}, origin)


def _broken(name: str, what: str, place: str = "", hint: str = "") -> Document:
    return Document(name, Branch(origin=Origin(name)), problems=(Problem("", what, f"{name}{place}", hint),))


def _syntax_hint(text: str, mark: yaml.Mark | None) -> str:
    lines = text.splitlines()
    line = lines[mark.line] if mark and mark.line < len(lines) else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "indent with spaces, not with tabs"
    return "quote a value that holds ': ', ' #' or starts with a special character"


def _package(text: str) -> str | None:
    for line in text.splitlines():
        words = line.strip().lstrip("#").split()
        if line.strip() and not line.lstrip().startswith("#"):
            break
        if len(words) == 2 and words[0] == "@package":
            return words[1]
    return None


@functools.cache
def _loader_class() -> Any:
    # Hydra's files are read by OmegaConf's rules: 1e-3 is a number, a date is text.
    from omegaconf._utils import get_yaml_loader

    return get_yaml_loader()


@dataclass(slots=True)
class _Reader:
    """Turns YAML nodes into a tree."""

    name: str
    problems: list[Problem] = field(default_factory=list)
    _done: dict[int, tuple[Node, int]] = field(default_factory=dict)
    _open: set[int] = field(default_factory=set)
    _count: int = 0

    def node(self, node: yaml.Node, loader: Any, path: tuple[str, ...]) -> Node:
        """Return the tree of a node; a node that an alias repeats is read once but counted each time."""
        origin = Origin(self.name, node.start_mark.line + 1)
        if id(node) in self._open:
            self._report(path, "an alias refers to what it is part of", node)
            return Leaf(None, origin)
        if id(node) in self._done:
            done, size = self._done[id(node)]
            self._grow(size, path, node)
            return done if self._count <= MAX_NODES else Leaf(None, origin)
        before = self._count
        self._grow(1, path, node)
        self._open.add(id(node))
        if not isinstance(node, yaml.ScalarNode) and node.tag not in _COLLECTIONS:
            self._refuse_tag(path, node)
            result: Node = Leaf(None, origin)
        elif isinstance(node, yaml.ScalarNode):
            result = self._scalar(node, loader, path, origin)
        elif isinstance(node, yaml.SequenceNode):
            items = (self.node(item, loader, (*path, str(at))) for at, item in enumerate(node.value))
            result = Items(tuple(items), origin)
        else:
            assert isinstance(node, yaml.MappingNode)
            result = self._mapping(node, loader, path, origin)
        self._open.discard(id(node))
        self._done[id(node)] = (result, self._count - before)
        return result

    def _grow(self, size: int, path: tuple[str, ...], node: yaml.Node) -> None:
        if self._count <= MAX_NODES < self._count + size:
            self._report(path, f"the file holds more than {MAX_NODES} values", node)
        self._count += size

    def _scalar(self, node: yaml.ScalarNode, loader: Any, path: tuple[str, ...], origin: Origin) -> Leaf:
        if node.tag not in _SCALARS:
            self._refuse_tag(path, node)
            return Leaf(None, origin)
        text = node.value if node.style is None else None
        if node.tag.endswith(("int", "float")) and not _is_modern_number(node.value):
            return Leaf(node.value, origin, text)
        try:
            value = loader.construct_object(node)
        except (yaml.YAMLError, ValueError):
            return Leaf(node.value, origin, text)
        return Leaf(value, origin, None if value is None else text)

    def _refuse_tag(self, path: tuple[str, ...], node: yaml.Node) -> None:
        hint = "configs are data; take the tag away"
        self._report(path, f"the tag {node.tag!r} is not allowed", node, hint)

    def _mapping(self, node: yaml.MappingNode, loader: Any, path: tuple[str, ...], origin: Origin) -> Branch:
        self._check_keys(node, path)
        try:
            loader.flatten_mapping(node)
        except yaml.MarkedYAMLError as error:
            self._report(path, f"<< cannot be used here: {error.problem}", node)
            return Branch(origin=origin)
        children: dict[str, Node] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag == _STR:
                child = self.node(value, loader, (*path, key.value))
                children.pop(key.value, None)
                children[key.value] = child
        return Branch(children, origin)

    def _check_keys(self, node: yaml.MappingNode, path: tuple[str, ...]) -> None:
        lines: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self._report(path, "a list or mapping cannot be a key", key, "keys are text")
            elif key.tag not in (_STR, _MERGE):
                kind = key.tag.rpartition(":")[2]
                what = f"the key {key.value} is read as {_READ_AS.get(kind, kind)}, and keys are text"
                self._report((*path, key.value), what, key, f'quote it: "{key.value}":')
            elif key.tag == _STR and key.value in lines:
                what = f"the key is written twice: first on line {lines[key.value]}, again here"
                self._report((*path, key.value), what, key, "keep one of them")
            else:
                lines[key.value] = key.start_mark.line + 1

    def _report(self, path: tuple[str, ...], what: str, node: yaml.Node, hint: str = "") -> None:
        mark = node.start_mark
        self.problems.append(
            Problem(".".join(path), what, f"{self.name}:{mark.line + 1}:{mark.column + 1}", hint)
        )

    def defaults(self, node: Node | None) -> tuple[DefaultsEntry, ...] | None:
        """Return the entries of a defaults list; wrong ones are reported and left out."""
        if node is None:
            return None
        entries: list[DefaultsEntry] = []
        for item in node.items if isinstance(node, Items) else (node,):
            entry = _entry(item) if isinstance(node, Items) else None
            if entry is None:
                hint = "write '- GROUP: OPTION', '- NAME' or '- _self_', one a line"
                self.problems.append(
                    Problem("defaults", "not an entry of a defaults list", str(item.origin), hint)
                )
            elif not is_plain_reference(str(entry)):
                what = "a defaults list may refer to another choice, ${GROUP}, and asks for no resolver"
                hint = "the option of a group, or ${GROUP}, that of another group"
                self.problems.append(Problem("defaults", what, str(item.origin), hint))
            else:
                entries.append(DefaultsEntry(entry, item.origin.line))
        return tuple(entries)


_READ_AS = {"bool": "true or false", "int": "a number", "float": "a number", "null": "null"}


def _entry(node: Node) -> str | dict[str, Any] | None:
    if isinstance(node, Leaf):
        return _option(node)
    if not isinstance(node, Branch) or len(node.children) != 1:
        return None
    [(group, value)] = node.children.items()
    if not _GROUP.fullmatch(group):
        return None
    if isinstance(value, Leaf):
        return {group: _option(value)}
    if isinstance(value, Items) and all(isinstance(item, Leaf) for item in value.items):
        return {group: [_option(item) for item in value.items if isinstance(item, Leaf)]}
    return None


def _option(leaf: Leaf) -> str | None:
    # An option named 007 or on is a file name, so its characters count.
    return None if leaf.value is None else (leaf.text if leaf.text is not None else str(leaf.value))


def _is_modern_number(text: str) -> bool:
    """Tell numbers from what only YAML 1.1 takes for one: 010 is octal there and 1:30 is ninety."""
    return _NUMBER.fullmatch(text) is not None
