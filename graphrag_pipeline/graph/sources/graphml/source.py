"""GraphML, of any writer: yEd, Gephi, Neo4j's APOC, TinkerPop, igraph, networkx and our own export.

What a record's values are is declared in keys, see :mod:`.graphml_keys`. Ids of edges are not kept: they
are numbers that a writer made up, and a graph must not change when it gets some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.typed_text import TRUTH
from graphrag_pipeline.graph.reading.xml_events import Attributes, XmlReader, read_xml
from graphrag_pipeline.graph.sources.attributed import UNDIRECTED, Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.graphml.keys import DRAWN_BY, Key, Keys
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.xml_records import (
    OpenRecords,
    Record,
    Take,
    check_root,
    others,
)

PORT = "a port, a place where edges dock at a node, is left out"
HYPEREDGE = "a hyperedge, which joins any number of nodes, is left out"
LOCATOR = "a locator names another file, which is not read"
HOLDS_XML = "a value holds XML elements; only the text outside of them is kept"
NO_KEY = "a value without a key is left out"
BAD_DIRECTED = "an edge's directed is neither true nor false; the graph's edgedefault counts"
LABELS = ("NodeLabel", "EdgeLabel", "Label.Text")
"""Elements in which yEd and yFiles write what is drawn on a node or an edge."""
PLACES = frozenset({"id", "source", "target", "directed"})
"""XML attributes that are no attributes of the graph."""
OTHER_NAMES = (
    ("node", "labelV", "node_type"),  # TinkerPop
    ("edge", "labelE", "edge_type"),
    ("edge", "Edge Label", "edge_type"),  # Gephi
)

Start = Callable[[str, Attributes, XmlReader], None]


class GraphMLHandler:
    """Turns the elements of a GraphML file into records.

    Args:
        intake: Counts the records, and is told of what is wrong.
        take: Hands a record to the intake.
    """

    def __init__(self, intake: Intake, take: Take) -> None:
        self._intake = intake
        self._take = take
        self._keys = Keys(intake)
        self._records = OpenRecords(intake, self._complete)
        self._started = False
        self._key: Key | None = None
        self._data: str | None = None
        self._holds_xml = False
        self._swallowing = 0
        """Depth of the open element whose inner ones are no part of the graph; 0 when there is none."""
        self._directed: list[bool] = []
        self.directed: bool | None = None
        """Whether edges are directed, unless they say otherwise; None until the first graph."""
        self.graphs = 0
        self.left_out: Counter[str] = Counter()
        """What is left out without being a fault, and how often."""
        self._starts: dict[str, Start] = {
            "node": self._start_node,
            "edge": self._start_edge,
            "graph": self._start_graph,
            "key": self._start_key,
            "data": self._start_data,
            "port": self._start_row,
            "hyperedge": self._start_row,
            "graphml": lambda *_: None,
        }

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        """Take the start of an element."""
        if self._swallowing:
            self._holds_xml |= DRAWN_BY not in place.uri
            return
        if not self._started:
            check_root(tag, "graphml", place)
            self._started = True
        self._starts.get(tag, self._start_other)(tag, attributes, place)

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        """Take the end of an element."""
        if self._swallowing and place.depth > self._swallowing:
            self._end_inner(tag, text)
            return
        self._swallowing = 0
        if tag == "data":
            self._end_data(text, place)
        elif tag in ("node", "edge"):
            self._records.close()
        elif tag == "graph":
            self._directed.pop()
            self._records.close()
        elif tag == "desc" and self._key is None and (record := self._records.at_hand) is not None:
            record.more["desc"] = text
        elif self._key is not None:
            self._end_key(self._key, tag, text)

    # -- starts --------------------------------------------------------------------------------

    def _start_node(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        record = Record("node", place.at, id=attributes.get("id", ""), more=others(attributes, PLACES))
        self._records.open(record)

    def _start_edge(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        source, target = attributes.get("source", ""), attributes.get("target", "")
        record = Record("edge", place.at, source=source, target=target, more=others(attributes, PLACES))
        directed = self._directed[-1] if self._directed else True
        if (told := attributes.get("directed", "").strip().lower()) in TRUTH:
            directed = TRUTH[told]
        elif told:
            self._intake.repair(BAD_DIRECTED, record.at)
        if directed is not self.directed:
            record.properties["directed"] = directed
        self._records.open(record)

    def _start_graph(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        directed = attributes.get("edgedefault") != "undirected"
        if self.directed is None:
            self.directed = directed
        self.graphs += self._records.at_hand is None
        self._directed.append(directed)
        self._records.open_graph()

    def _start_key(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        self._key = self._keys.start(attributes, place.at)

    def _start_data(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        self._data = attributes.get("key", "")
        self._holds_xml = False
        self._swallowing = place.depth

    def _start_row(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        self._intake.read(f"{tag}s")
        self._intake.skip(PORT if tag == "port" else HYPEREDGE, place.at)
        self._swallow(place)

    def _start_other(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        if tag == "locator":
            self._intake.repair(LOCATOR, place.at)
        elif tag not in ("desc", "default"):
            self.left_out["elements that GraphML does not have"] += 1
        self._swallow(place)

    def _swallow(self, place: XmlReader) -> None:
        self._data = None
        self._swallowing = place.depth

    # -- ends ----------------------------------------------------------------------------------

    def _end_inner(self, tag: str, text: str) -> None:
        record = self._records.at_hand
        if tag in LABELS and record is not None and self._data is not None and (label := text.strip()):
            record.drawn.append(label)

    def _end_key(self, key: Key, tag: str, text: str) -> None:
        if tag == "desc":
            key.describe(text)
        elif tag == "default":
            key.default = text
        elif tag == "key":
            self._keys.end(key)
            self._key = None

    def _end_data(self, text: str, place: XmlReader) -> None:
        record = self._records.at_hand
        if record is None:
            if text.strip():
                self.left_out["values of the graph itself"] += 1
            return
        if not self._data:
            self._intake.repair(NO_KEY, place.at)
            return
        key = self._keys.find(record.kind, self._data, place.at)
        if self._holds_xml and not key.drawn:
            self._intake.repair(HOLDS_XML, place.at)
        if text.strip() or not (key.drawn or self._holds_xml):
            key.give(record, text, self._intake)
        elif key.drawn:
            self.left_out["values that say how yEd draws"] += 1

    def _complete(self, record: Record) -> None:
        self._keys.complete(record)
        attributes = record.attributes
        if "desc" in record.more and "description" not in attributes:
            attributes["description"] = record.more.pop("desc")
        for name, value in record.more.items():
            attributes.setdefault(name, value)
        if record.drawn:
            attributes.setdefault("label", record.drawn[0])
            if more := [label for label in dict.fromkeys(record.drawn) if label != record.drawn[0]]:
                record.properties["more_labels"] = more
        self._take(record)


def read_graphml(path: Path, intake: Intake, take: Take) -> None:
    """Read a GraphML file.

    Args:
        path: The file.
        intake: Counts the records, and is told of what is wrong.
        take: Hands a record to the intake.

    Raises:
        GraphSourceError: It cannot be read, or is not GraphML.
    """
    handler = GraphMLHandler(intake, take)
    read_xml(path, handler, "GraphML")
    if handler.directed is None:
        raise GraphSourceError("The file has no <graph>.", where=str(path))
    if not handler.directed:
        intake.note(UNDIRECTED)
    if handler.graphs > 1:
        intake.note(f"the file has {handler.graphs} graphs; they are read as one")
    for what, count in handler.left_out.items():
        intake.note(f"left out: {what} ({count})")


class GraphMLGraph(FileGraph[AttributedParams]):
    """Reads ``<graphml><graph><node id="a"/><edge source="a" target="b"/></graph></graphml>``."""

    name = "graphml"
    Params = AttributedParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It cannot be read, or is not GraphML.
        """
        records = Attributed(intake, self.params, str(self.path))

        def take(record: Record) -> None:
            _name_usually(record, self.params)
            if record.kind == "node":
                records.node(record.id, record.merged(), record.at)
            else:
                records.edge(record.source, record.target, record.merged(), record.at)

        read_graphml(self.path, intake, take)


def _name_usually(record: Record, params: AttributedParams) -> None:
    """Rename what some writers call otherwise, unless a parameter says what is what."""
    attributes = record.attributes
    given = {"node_type": params.node_type, "edge_type": params.edge_type}
    for kind, name, field in OTHER_NAMES:
        if kind == record.kind and name in attributes and field not in attributes and given[field] is None:
            attributes[field] = attributes.pop(name)
    if record.kind == "node":
        _split_labels(attributes, given["node_type"] is None)
    elif type(attributes.get("key")) is int:
        # Not the number that networkx gives parallel edges: that is their id in GraphML.
        record.properties["key"] = attributes.pop("key")


def _split_labels(attributes: dict[str, Any], is_type: bool) -> None:  # Any: attributes hold anything
    """Split Neo4j's ``:Person:Author``: the first label is the type; all are kept if there are several."""
    text = attributes.get("labels")
    if not isinstance(text, str) or not text.startswith(":") or "node_type" in attributes:
        return
    labels = [label for label in text.split(":") if label]
    if labels and is_type:
        # Tools that write to Neo4j mark what is theirs with labels such as __Entity__.
        plain = [label for label in labels if not (label.startswith("__") and label.endswith("__"))]
        attributes["node_type"] = (plain or labels)[0]
    attributes["labels"] = labels
    if len(labels) == 1 and is_type:
        del attributes["labels"]
