"""GEXF 1.1 to 1.3, as Gephi, graphology and networkx write it.

Nodes inside of nodes stand beside them. Ids of edges are not kept: they are numbers that a writer made up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.scalars import as_number
from graphrag_pipeline.graph.reading.xml_events import Attributes, XmlReader, read_xml
from graphrag_pipeline.graph.sources.attributed import UNDIRECTED, Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.gexf.values import DeclaredAttributes
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.xml_records import (
    TWICE,
    OpenRecords,
    Record,
    Take,
    check_root,
    others,
)

NO_KEY = "a value that names no attribute is left out"
NODE = frozenset({"id", "label", "pid"})
EDGE = frozenset({"id", "label", "source", "target", "type", "weight", "kind"})
"""XML attributes that are not kept as they are; times and other additions are."""
FIELDS = frozenset({"label", "edge_type", "weight"})
"""XML attributes that are no properties."""
BYTE = re.compile("[0-9]{1,3}")
TIMES = frozenset({"start", "end", "startopen", "endopen", "timestamp"})
DRAWN = frozenset({"color", "position", "size", "shape", "thickness"})
"""Elements that say how a record is drawn."""
OUTER = frozenset({"gexf", "nodes", "edges", "attvalues", "spells", "slices", "parents"})
"""Elements that only hold others."""

Start = Callable[[Attributes, XmlReader], None]


class GexfParams(AttributedParams):
    """Where the graph is, and what of it is kept."""

    viz: bool = False
    """Whether colours, places and sizes become the properties ``viz_color``, ``viz_position`` and so on."""


class GexfHandler:
    """Turns the elements of a GEXF file into records.

    Args:
        intake: Counts the records, and is told of what is wrong.
        take: Hands a record to the intake.
        viz: Whether to keep how records are drawn.
    """

    def __init__(self, intake: Intake, take: Take, *, viz: bool) -> None:
        self._intake = intake
        self._take = take
        self._viz = viz
        self._declared = DeclaredAttributes(intake)
        self._records = OpenRecords(intake, self._complete)
        self._started = False
        self._owner = ""
        self._attribute: Attributes = {}
        self._default: str | None = None
        self._value: Attributes = {}
        self._swallowing = 0
        """Depth of the open element whose inner ones are no part of the graph; 0 when there is none."""
        self.edge_type = ""
        """Type of edges that name none; the empty text until the graph starts."""
        self.left_out: Counter[str] = Counter()
        """What is left out without being a fault, and how often."""
        self._starts: dict[str, Start] = {
            **dict.fromkeys(OUTER, lambda *_: None),
            **dict.fromkeys(("spell", "slice"), self._start_spell),
            "graph": self._start_graph,
            "attributes": self._start_attributes,
            "attribute": self._start_attribute,
            "node": self._start_node,
            "edge": self._start_edge,
            "attvalue": self._start_value,
            "parent": self._start_parent,
        }

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        """Take the start of an element."""
        if self._swallowing:
            return
        if not self._started:
            check_root(tag, "gexf", place)
            self._started = True
        start = self._starts.get(tag)
        if start is not None:
            start(attributes, place)
            return
        self._swallowing = place.depth
        if tag in DRAWN:
            self._draw(tag, attributes)
        elif tag not in ("meta", "options", "default"):
            self.left_out["elements that GEXF does not have"] += 1

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        """Take the end of an element."""
        if place.depth > self._swallowing > 0:
            return
        self._swallowing = 0
        if tag == "attvalue":
            self._end_value(text, place)
        elif tag in ("node", "edge"):
            self._records.close()
        elif tag == "default":
            self._default = text
        elif tag == "attribute":
            self._declared.declare(self._owner, self._attribute, self._default, place.at)

    # -- elements ------------------------------------------------------------------------------

    def _start_graph(self, attributes: Attributes, place: XmlReader) -> None:
        self.edge_type = attributes.get("defaultedgetype", "undirected").lower()
        if "dynamic" in (attributes.get("mode"), attributes.get("type")):
            self._intake.note(
                "the graph changes in time: properties tell when a node, edge or value is valid"
            )

    def _start_attributes(self, attributes: Attributes, place: XmlReader) -> None:
        self._owner = attributes.get("class", "node")

    def _start_attribute(self, attributes: Attributes, place: XmlReader) -> None:
        self._attribute, self._default = attributes, None

    def _start_node(self, attributes: Attributes, place: XmlReader) -> None:
        record = Record("node", place.at, id=attributes.get("id", ""), more=others(attributes, NODE))
        self._records.open(record)
        if "label" in attributes:
            record.more["label"] = attributes["label"]
        record.parent = attributes.get("pid") or record.parent

    def _start_edge(self, attributes: Attributes, place: XmlReader) -> None:
        source, target = attributes.get("source", ""), attributes.get("target", "")
        record = Record("edge", place.at, source=source, target=target, more=others(attributes, EDGE))
        record.more.update({key: attributes[key] for key in ("label", "weight", "kind") if key in attributes})
        kind = attributes.get("type", self.edge_type).lower()
        if kind != self.edge_type:
            known = {"directed": {"directed": True}, "undirected": {"directed": False}}
            record.properties.update(known.get(kind, {"direction": kind}))
        self._records.open(record)

    def _start_spell(self, attributes: Attributes, place: XmlReader) -> None:
        if (record := self._records.at_hand) is not None:
            record.properties.setdefault("spells", []).append(dict(attributes))

    def _start_parent(self, attributes: Attributes, place: XmlReader) -> None:
        if (record := self._records.at_hand) is not None and (parent := attributes.get("for")):
            record.properties.setdefault("parents", []).append(parent)

    def _start_value(self, attributes: Attributes, place: XmlReader) -> None:
        self._value = attributes

    def _draw(self, tag: str, attributes: Attributes) -> None:
        record = self._records.at_hand
        if record is None or not self._viz:
            self.left_out["how records are drawn; graph.viz=true keeps it"] += 1
        else:
            record.properties[f"viz_{tag}"] = _drawn(tag, attributes)

    # -- values --------------------------------------------------------------------------------

    def _end_value(self, text: str, place: XmlReader) -> None:
        attributes, record = self._value, self._records.at_hand
        key = attributes.get("for") or attributes.get("id")
        if record is None or not key:
            self._intake.repair(NO_KEY, place.at)
            return
        declared = self._declared.find(record.kind, key, place.at)
        value = declared.value(attributes.get("value", text), self._intake, place.at)
        times = {name: time for name, time in attributes.items() if name in TIMES}
        series = record.timed.get(declared.name)
        if series is None and not times:
            record.set(declared.name, value, self._intake)
            return
        if series is None:
            known = record.attributes.get(declared.name)
            series = record.timed[declared.name] = [] if known is None else [{"value": known}]
            record.attributes[declared.name] = series
        series.append({"value": value, **times})

    def _complete(self, record: Record) -> None:
        self._declared.complete(record)
        for name, value in record.more.items():
            self._give(record, "edge_type" if name == "kind" else name, value)
        self._take(record)

    def _give(self, record: Record, name: str, value: str) -> None:
        """Give a record an XML attribute; a declared attribute of the same name is a property beside it."""
        known = record.attributes.get(name)
        if known is None or name in FIELDS:
            record.attributes[name] = value
        if known is not None and str(known) != value:
            if name in FIELDS:
                record.properties[name] = known
            else:
                self._intake.repair(TWICE, record.at)


def _drawn(tag: str, attributes: Attributes) -> Any:  # Any: JSON data
    if tag == "position":
        return [as_number(attributes.get(axis, "0")) for axis in "xyz"]
    if tag == "color" and "hex" not in attributes:
        parts = [attributes.get(part, "0") for part in "rgb"]
        if all(BYTE.fullmatch(part) for part in parts):
            return "#" + "".join(f"{int(part) % 256:02x}" for part in parts)
        return dict(attributes)
    value = attributes.get("hex") or attributes.get("value") or attributes.get("uri", "")
    number = as_number(value)
    return value if number is None or tag == "color" else number


class GexfGraph(FileGraph[GexfParams]):
    """Reads ``<gexf><graph><nodes><node id="a" label="A"/></nodes><edges>…</edges></graph></gexf>``."""

    name = "gexf"
    Params = GexfParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It cannot be read, or is not GEXF.
        """
        records = Attributed(intake, self.params, str(self.path))

        def take(record: Record) -> None:
            if record.kind == "node":
                records.node(record.id, record.merged(), record.at)
            else:
                records.edge(record.source, record.target, record.merged(), record.at)

        handler = GexfHandler(intake, take, viz=self.params.viz)
        read_xml(self.path, handler, "GEXF")
        if not handler.edge_type:
            raise GraphSourceError("The file has no <graph>.", where=str(self.path))
        if handler.edge_type == "undirected":
            intake.note(UNDIRECTED)
        elif handler.edge_type == "mutual":
            intake.note(
                "edges of the graph run both ways; each keeps the order in which its ends are written"
            )
        for what, count in handler.left_out.items():
            intake.note(f"left out: {what} ({count})")
