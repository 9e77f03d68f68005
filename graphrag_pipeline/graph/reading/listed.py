"""Lists in YAML and JSON files, each entry with its line and its scalars as written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import parse_json
from graphrag_pipeline.graph.reading.untagged import Untagged, yaml_fault

_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_AS_WRITTEN: dict[str, Any] = {"parse_int": str, "parse_float": str, "parse_constant": str}
_BETWEEN = re.compile(r"[ \t\r\n,:]*")


MOST_LISTED = 100
"""Entries of a list within an entry that are read, so that aliases of YAML cannot blow a file up."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a list.

    Args:
        value: Text, a list, or a mapping with text keys; null is the empty text. Lists within a mapping
            have at most one entry more than :data:`MOST_LISTED`; what is nested deeper is empty.
        origin: ``file:line``.
    """

    value: object
    origin: str

    @property
    def kind(self) -> str:
        """What the value is, for messages."""
        return (
            f"the text {self.value!r:.40}"
            if isinstance(self.value, str)
            else f"a {type(self.value).__name__}"
        )


class _UntaggedLoader(Untagged, yaml.SafeLoader):
    """Knows null and merge keys, and no tags."""


def yaml_entries(text: str, path: Path, key: str) -> Iterator[Entry]:
    """Yield the entries of the list at the top of a YAML document, or under ``key``.

    Raises:
        GraphSourceError: It is not YAML, has a tag, repeats a key, or holds no such list.
    """
    try:
        top = yaml.compose(text, Loader=_UntaggedLoader)
        if isinstance(top, yaml.MappingNode):
            top = next((value for name, value in top.value if name.value == key), None)
        if not isinstance(top, yaml.SequenceNode):
            raise _no_list(path, key)
        for node in top.value:
            yield Entry(_plain(node, path), f"{path}:{node.start_mark.line + 1}")
    except (yaml.YAMLError, RecursionError) as error:
        raise _not_yaml(error, path) from error


def json_entries(text: str, path: Path, key: str) -> Iterator[Entry]:
    """Yield the entries of the list at the top of a JSON document, or under ``key``.

    Raises:
        GraphSourceError: It is not JSON, or holds no such list.
    """
    top = parse_json(text, path, **_AS_WRITTEN)
    entries = top.get(key) if isinstance(top, dict) else top
    if not isinstance(entries, list):
        raise _no_list(path, key)
    decoder = json.JSONDecoder(**_AS_WRITTEN)
    position = _opening(text, key, decoder)
    line, counted = 1, 0
    for value in entries:
        position = _skip(text, position)
        line, counted = line + text.count("\n", counted, position), position
        yield Entry(_textual(value), f"{path}:{line}")
        _, position = decoder.raw_decode(text, position)


def _opening(text: str, key: str, decoder: json.JSONDecoder) -> int:
    """Return where the entries of a valid document start; of a repeated key the last counts, as in Python."""
    position = _skip(text, 0)
    opening = position + 1
    if text[position] == "[":
        return opening
    position = _skip(text, opening)
    while text[position] != "}":
        name, position = decoder.raw_decode(text, position)
        position = _skip(text, position)
        opening = position + 1 if name == key else opening
        _, position = decoder.raw_decode(text, position)
        position = _skip(text, position)
    return opening


def _skip(text: str, position: int) -> int:
    """Return the position of the next value or bracket."""
    found = _BETWEEN.match(text, position)
    return position if found is None else found.end()


def _plain(node: yaml.Node, path: Path) -> object:
    """Return an entry's data: its texts, and the texts in lists of it; deeper nesting is not expanded."""
    if isinstance(node, yaml.MappingNode):
        pairs: dict[str, object] = {}
        for name, value in _flat(node):
            key = str(name.value)
            if key in pairs:
                raise GraphSourceError(
                    f"The key {key!r} is written twice.", where=f"{path}:{name.start_mark.line + 1}"
                )
            pairs[key] = _listed(value) if isinstance(value, yaml.SequenceNode) else _scalar(value)
        return pairs
    return _scalar(node)


def _flat(node: yaml.MappingNode) -> list[tuple[yaml.Node, yaml.Node]]:
    """Return the pairs of a mapping; those that ``<<`` takes over come first and give way to its own."""
    own = [(name, value) for name, value in node.value if name.tag != _MERGE]
    merged = [value for name, value in node.value if name.tag == _MERGE]
    sources = [
        part
        for value in merged
        for part in (value.value if isinstance(value, yaml.SequenceNode) else [value])
    ]
    taken = {name.value for name, _ in own if isinstance(name, yaml.ScalarNode)}
    borrowed = []
    for source in sources:
        for name, value in source.value if isinstance(source, yaml.MappingNode) else ():
            if isinstance(name, yaml.ScalarNode) and name.tag != _MERGE and name.value not in taken:
                taken.add(name.value)
                borrowed.append((name, value))
    return [*borrowed, *own]


def _listed(node: yaml.SequenceNode) -> list[object]:
    return [_scalar(entry) for entry in node.value[: MOST_LISTED + 1]]


def _scalar(node: yaml.Node) -> object:
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == _NULL else node.value
    return [] if isinstance(node, yaml.SequenceNode) else {}


def _textual(value: object) -> object:
    """Return JSON data with its scalars as text."""
    if isinstance(value, dict):
        return {key: _textual(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_textual(entry) for entry in value[: MOST_LISTED + 1]]
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value


def _no_list(path: Path, key: str) -> GraphSourceError:
    return GraphSourceError(
        f"The file holds no list of {key}.",
        where=str(path),
        hint=f"Write a list, at the top or under {key}:.",
    )


def _not_yaml(error: yaml.YAMLError | RecursionError, path: Path) -> GraphSourceError:
    mark = getattr(error, "problem_mark", None)
    place = f":{mark.line + 1}:{mark.column + 1}" if mark is not None else ""
    problem = getattr(error, "problem", None) or yaml_fault(error)
    return GraphSourceError(f"The file is not valid YAML: {problem}.", where=f"{path}{place}")
