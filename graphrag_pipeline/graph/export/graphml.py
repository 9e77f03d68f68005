"""GraphML that strict readers take: every key declared, every edge with an id of its own.

The format: http://graphml.graphdrawing.org/specification.html. Fields of records are keys of their own
names. A property is a key of its name and of the type that all its values have; where they have several,
or are lists or objects, the values are JSON text and the key's ``desc`` says so, for our own importer. The
same ``desc`` marks properties, those that had to be renamed, and numbers of both kinds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO
from xml.sax.saxutils import escape, quoteattr

from graphrag_pipeline.graph.export.contract import is_default
from graphrag_pipeline.graph.export.fitting import Carries, fitted_edges, fitted_nodes, fitting_losses
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.findings import Finding
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

MARK = "graphrag-pipeline"
CARRIES = Carries(infinities=True)
RENAMED = "property."
"""What stands before the name of a property that is named like a field."""
NODE_FIELDS = ("node_type", "label", "namespace", "uri")
EDGE_FIELDS = ("edge_type", "namespace", "weight")
LONGS = range(-(2**63), 2**63)
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


@dataclass(frozen=True, slots=True)
class _Key:
    id: str
    target: str
    name: str
    type: str
    marks: tuple[str, ...]

    def declaration(self) -> str:
        name = f'attr.name={_attribute(self.name)} attr.type="{self.type}"'
        head = f'<key id="{self.id}" for="{self.target}" {name}'
        if not self.marks:
            return f"  {head}/>\n"
        return f"  {head}><desc>{' '.join((MARK, *self.marks))}</desc></key>\n"

    def data(self, value: Any) -> str:  # Any: a property's value
        return f'<data key="{self.id}">{_text(self._written(value))}</data>'

    def _written(self, value: Any) -> str:
        if "json" in self.marks:
            # The number is in JSON's grammar, and our importer reads an infinity out of it.
            text = json.dumps(value, ensure_ascii=False)
            return text.replace("Infinity", "1e999") if isinstance(value, float) else text
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return {float("inf"): "INF", float("-inf"): "-INF"}.get(value) or repr(value)
        return str(value)


class GraphML:
    """Writes a directed GraphML graph."""

    name = "graphml"
    suffixes = (".graphml",)

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes; lists, objects and mixed values are carried as JSON text."""
        return fitting_losses(index, CARRIES).findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write the file."""
        nodes = _keys("node", NODE_FIELDS, map(_node, fitted_nodes(index, carries=CARRIES)), 0)
        edges = _keys("edge", EDGE_FIELDS, map(_edge, fitted_edges(index, carries=CARRIES)), len(nodes))
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(HEAD)
            for key in (*nodes.values(), *edges.values()):
                file.write(key.declaration())
            file.write('  <graph id="G" edgedefault="directed">\n')
            for node in fitted_nodes(index, carries=CARRIES):
                _element(file, f"<node id={_attribute(node.node_id)}", "node", nodes, _node(node))
            for number, edge in enumerate(fitted_edges(index, carries=CARRIES)):
                ends = f"source={_attribute(edge.source_id)} target={_attribute(edge.target_id)}"
                _element(file, f'<edge id="e{number}" {ends}', "edge", edges, _edge(edge))
            file.write("  </graph>\n</graphml>\n")


_Record = tuple[Mapping[str, Any], Mapping[str, Any]]
# A value is found under whether it is a property, and its name: the two may share names.
_Values = Mapping[tuple[bool, str], Any]


def _node(node: KnowledgeNode) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    fields = {"node_type": node.node_type, "label": node.label, "namespace": node.namespace}
    if node.uri != f"{node.namespace}:{node.node_type}/{node.node_id}":
        fields["uri"] = node.uri
    return fields, node.properties


def _edge(edge: KnowledgeEdge) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    fields: dict[str, Any] = {"edge_type": edge.edge_type, "namespace": edge.namespace}
    if not is_default(edge.weight):
        fields["weight"] = edge.weight
    return fields, edge.properties


def _values(record: tuple[Mapping[str, Any], Mapping[str, Any]]) -> _Values:
    fields, properties = record
    return {
        **{(False, name): value for name, value in fields.items()},
        **{(True, name): value for name, value in properties.items()},
    }


def _keys(
    target: str, fields: tuple[str, ...], records: Iterable[_Record], first: int
) -> dict[tuple[bool, str], _Key]:
    """Return the keys that records need: fields in their order, then properties in order of first use."""
    kinds: dict[tuple[bool, str], set[str]] = {(False, name): set() for name in fields}
    for record in records:
        for name, value in _values(record).items():
            kinds.setdefault(name, set()).add(_kind(value))
    used = [(name, found) for name, found in kinds.items() if found]
    return {
        name: _key(f"d{first + number}", target, name, found, fields)
        for number, (name, found) in enumerate(used)
    }


def _key(key_id: str, target: str, name: tuple[bool, str], kinds: set[str], fields: tuple[str, ...]) -> _Key:
    is_property, text = name
    marks = ["property"] if is_property else []
    if is_property and (text in (*fields, "id", "weight") or text.startswith(RENAMED)):
        # Two keys of one name would be one attribute to every other reader.
        text = f"{RENAMED}{text}"
        marks.append("renamed")
    if len(kinds) == 1 and "json" not in kinds:
        (kind,) = kinds
    elif kinds == {"long", "double"}:
        kind = "double"
        marks.append("number")
    else:
        kind = "string"
        marks.append("json")
    return _Key(key_id, target, text, kind, tuple(marks))


def _kind(value: Any) -> str:  # Any: a property's value
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "long" if value in LONGS else "json"
    if isinstance(value, float):
        return "double"
    return "string" if isinstance(value, str) else "json"


def _element(
    file: TextIO,
    start: str,
    tag: str,
    keys: Mapping[tuple[bool, str], _Key],
    record: tuple[Mapping[str, Any], Mapping[str, Any]],
) -> None:
    data = "".join(_data(keys, record))
    file.write(f"    {start}>{data}</{tag}>\n" if data else f"    {start}/>\n")


def _data(
    keys: Mapping[tuple[bool, str], _Key], record: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> Iterator[str]:
    for name, value in _values(record).items():
        yield keys[name].data(value)


def _text(text: str) -> str:
    # A parser turns a bare carriage return into a line feed.
    return escape(text, {"\r": "&#13;"})


def _attribute(text: str) -> str:
    return quoteattr(text, {"\r": "&#13;", "\n": "&#10;", "\t": "&#9;"})
