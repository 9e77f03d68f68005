"""Graphs that are written as XML: their nodes and edges, while the elements are open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from graphrag_pipeline.graph.reading.xml_events import Attributes, XmlReader
from graphrag_pipeline.graph.sources.intake import Intake

NESTED = "a node is inside another one; it stands beside it, and its property parent names that one"
TWICE = "an attribute is given twice on one element; its last value counts"


# Any throughout: attributes hold anything.
@dataclass(slots=True)
class Record:
    """What is known of a node or an edge so far.

    Args:
        kind: Which of the two it is.
        at: Where its element starts.
        id: Id of the node.
        source: Id that the edge leaves.
        target: Id that the edge enters.
        parent: Id of the node that it is inside of.
        attributes: What may be its label, type and so on, or else a property.
        properties: What is a property, whatever it is called.
        more: XML attributes that the format does not have; an attribute of the same name comes first.
        drawn: Texts that are drawn on it.
        timed: By attribute, its values at several times.
    """

    kind: Literal["node", "edge"]
    at: str
    id: str = ""
    source: str = ""
    target: str = ""
    parent: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)
    properties: dict[str, Any] = field(default_factory=dict)
    more: dict[str, str] = field(default_factory=dict)
    drawn: list[str] = field(default_factory=list)
    timed: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def set(self, name: str, value: Any, intake: Intake) -> None:
        """Give it an attribute; one that it has already is replaced, which is remarked."""
        if name in self.attributes:
            intake.repair(TWICE, self.at)
        self.attributes[name] = value

    def merged(self) -> dict[str, Any]:
        """Return the attributes, with the properties under the key that says they are no more than that."""
        if "properties" in self.attributes:
            self.properties.setdefault("properties", self.attributes.pop("properties"))
        return {**self.attributes, "properties": self.properties} if self.properties else self.attributes


Take: TypeAlias = Callable[[Record], None]


class OpenRecords:
    """Hands records over in the order in which their elements start, although inner ones end first.

    Args:
        intake: Counts the records, and is told of nested ones.
        take: Hands a record to the intake.
    """

    def __init__(self, intake: Intake, take: Take) -> None:
        self._intake = intake
        self._take = take
        self._open: list[Record | None] = []
        self._waiting: list[Record] = []

    @property
    def at_hand(self) -> Record | None:
        """The innermost open record; None outside of all, and inside of a graph in one."""
        return self._open[-1] if self._open else None

    @property
    def parent(self) -> str:
        """Id of the innermost open node; the empty text outside of all."""
        inner = (record for record in reversed(self._open) if record is not None)
        return next((record.id for record in inner if record.kind == "node"), "")

    def open(self, record: Record) -> None:
        """Take the start of a node's or an edge's element."""
        if record.kind == "node" and (parent := self.parent):
            self._intake.repair(NESTED, record.at)
            record.parent = parent
        self._open.append(record)
        self._waiting.append(record)

    def open_graph(self) -> None:
        """Take the start of a graph, whose attributes are not those of the record around it."""
        self._open.append(None)

    def close(self) -> None:
        """Take the end of what was opened last."""
        self._open.pop()
        if self._waiting and not any(self._open):
            for record in self._waiting:
                self._intake.read(f"{record.kind}s")
                if record.parent:
                    taken = "parent" in record.attributes
                    record.properties["parent_node" if taken else "parent"] = record.parent
                self._take(record)
            self._waiting = []


def others(attributes: Attributes, known: frozenset[str]) -> dict[str, str]:
    """Return the XML attributes that a format does not have; none of a namespace, written or meant."""
    if attributes.keys() <= known:
        return {}
    more = {name: value for name, value in attributes.items() if name not in known}
    return {name: value for name, value in more.items() if not ("}" in name or "." in name)}


def check_root(tag: str, wanted: str, place: XmlReader) -> None:
    """Refuse a file whose first element, which is the one at hand, is another one.

    Raises:
        GraphSourceError: It is.
    """
    if tag != wanted:
        place.refuse(
            f"The file is XML, but its first element is <{tag:.60}>, not <{wanted}>.",
            "`graph=auto` finds out what a file is.",
        )
