"""Takes what a source reads, one record at a time, and keeps account of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.builder import TableBuilder
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.clean import clean_text, clean_value
from graphrag_pipeline.graph.reading.clean_ids import CleanIds
from graphrag_pipeline.graph.reading.scalars import as_number, missing
from graphrag_pipeline.graph.sources.contract import LoadedGraph, SourceReport
from graphrag_pipeline.graph.sources.findings import LISTED, Account, Finding, Kind, Tally
from graphrag_pipeline.graph.sources.hopeless import refuse_hopeless
from graphrag_pipeline.graph.zachman.classify import classified, confidence_note
from graphrag_pipeline.model.cell_table import CellTable
from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode

Progress: TypeAlias = Callable[[int, int], None]
TOLD_EVERY = 8192
"""Records between two calls of ``progress``."""

REPEATED = "an id came again; its last node counts, in the first one's place"
MERGED = "nodes merged into one of the same id"
BLANK_TYPE = "a node's type is empty"
BLANK_LABEL = "a node's label is empty; its id is shown"
BLANK_EDGE_TYPE = "an edge's type is empty"
NO_WEIGHT = "a weight is no number; 1.0 counts, and the property weight keeps it"
NAN_VALUE = "a value is NaN, which stands for no value; it is left out"
UNKNOWN_TYPE = "unknown"
"""Type of a node that only edges name, where such nodes are made."""


def silent(done: int, total: int) -> None:
    """Tell nobody."""


class Intake:
    """Builds a graph from records, cleans their values, and accounts for every row.

    Args:
        source: What is read, for people.
        namespace: Namespace of records that name none.
        unknown_ends: Whether an id that only edges name is kept as a dangling end, or made a node of type
            ``unknown``.
        cells: Gives a Zachman cell to each node that has none; None gives none.
        progress: Told now and then how many records were taken, of how many; see :attr:`total`.
    """

    def __init__(
        self,
        source: str,
        *,
        namespace: str,
        unknown_ends: Literal["keep", "make"] = "keep",
        cells: CellTable | None = None,
        progress: Progress = silent,
    ) -> None:
        self.source = source
        self.namespace = namespace
        self.ids = CleanIds()
        self.total = 0
        """How many records there are; 0 when nobody knows."""
        self._made_ends = unknown_ends == "make"
        self._cells = cells
        self._confidence: Counter[str] = Counter()
        self._progress = progress
        self._done = 0
        self._builder = TableBuilder()
        self._tally = Tally()
        self._skipped = 0
        self._notes: list[str] = []
        self._at_end: list[Callable[[], None]] = []
        self._read: Counter[str] = Counter()
        self._made: Counter[str] = Counter()
        self._left: Counter[str] = Counter()
        self._known: set[str] = set()
        self._ends: dict[str, None] = {}

    # -- accounting ----------------------------------------------------------------------------

    def read(self, table: str, count: int = 1) -> None:
        """Count rows of a table, whatever becomes of them."""
        if type(count) is not int or count < 0:
            raise self._fault(f"read() was given {count!r:.40} rows", table)
        self._read[str(table)] += count

    def absorb(self, reason: str, count: int = 1) -> None:
        """Account for rows that became part of another record, and no node or edge of their own."""
        self._left[reason] += count

    def skip(self, what: str, at: str) -> None:
        """Account for a row that is left out, and say why and where it is.

        Raises:
            GraphSourceError: Nearly all rows are left out, and they are many.
        """
        self._left[what] += 1
        self._note("skipped", what, at)
        self._skipped += 1
        if self._skipped % TOLD_EVERY == 0:
            refuse_hopeless(self._skipped, sum(self._read.values()), self._tally, str(at))

    def repair(self, what: str, at: str) -> None:
        """Say what was changed in a value, and where; the same words for the same fault."""
        self._note("repaired", what, at)

    def blank(self, what: str, at: str) -> None:
        """Say which value was empty, and where."""
        self._note("blank", what, at)

    def at_end(self, check: Callable[[], None]) -> None:
        """Call something once all records are there, before the report is made."""
        self._at_end.append(check)

    def note(self, text: str) -> None:
        """Say what was recognised."""
        self._notes.append(text)

    def _note(self, kind: Kind, what: str, at: str) -> None:
        self._tally.add(kind, str(what), str(at))

    # -- records -------------------------------------------------------------------------------

    def node(
        self,
        node_id: str,
        node_type: str,
        label: str = "",
        *,
        at: str = "",
        namespace: str | None = None,
        uri: str = "",
        properties: Mapping[str, Any] | None = None,
        made: str = "",
    ) -> bool:
        """Take a node; one without an id is skipped, one without a label is labelled by its id.

        Args:
            node_id: Its id.
            node_type: Its type; the empty text stays, and is remarked as blank.
            label: Its label.
            at: Where it is, for messages: ``file:line``, ``table[row]``.
            namespace: Where it comes from; None means the source's namespace.
            uri: Its full name; the empty text is the default one.
            properties: Any values: they are cleaned; what is None, or NaN, is left out, and
                NaN remarked as blank.
            made: Why it was made, when no row stands for it.

        Returns:
            Whether it was taken.
        """
        place = str(at) if at else f"node {node_id}"
        if not (type(node_id) is type(node_type) is type(label) is type(uri) is str):
            self._check_texts(place, id=node_id, type=node_type, label=label, uri=uri)
        if not node_id:
            if made:
                return False
            self.skip("a node without an id", place)
            return False
        if not node_type:
            self.blank(BLANK_TYPE, place)
        if not label:
            self.blank(BLANK_LABEL, place)
        told = self._told(place)
        node = KnowledgeNode(
            self.ids.clean(node_id, told, place),
            clean_text(node_type, told),
            clean_text(label or node_id, told),
            self.namespace if namespace is None else clean_text(namespace, told),
            clean_text(uri, told),
            self._properties(properties, place),
        )
        self.take_node(node, made=made)
        return True

    def edge(
        self,
        source_id: str,
        target_id: str,
        edge_type: str,
        *,
        at: str = "",
        namespace: str | None = None,
        weight: Any = None,
        properties: Mapping[str, Any] | None = None,
        made: str = "",
    ) -> bool:
        """Take an edge; one without a source or a target is skipped.

        Args:
            source_id: Id it leaves.
            target_id: Id it enters.
            edge_type: Its type; the empty text stays, and is remarked as blank.
            at: Where it is.
            namespace: As of a node.
            weight: A number, or text that is one; None and the empty text mean 1.0, and so does NaN,
                which is remarked as blank. Anything else is kept as the property ``weight``, remarked, and
                1.0 counts.
            properties: As of a node.
            made: As of a node.

        Returns:
            Whether it was taken.
        """
        place = str(at) if at else f"edge {source_id} -> {target_id}"
        if not (type(source_id) is type(target_id) is type(edge_type) is str):
            self._check_texts(place, source=source_id, target=target_id, type=edge_type)
        if not source_id or not target_id:
            if not made:
                self.skip("an edge without a source or a target", place)
            return False
        if not edge_type:
            self.blank(BLANK_EDGE_TYPE, place)
        told = self._told(place)
        number, kept = self._weight(weight, place)
        edge = KnowledgeEdge(
            self.ids.clean(source_id, told, place),
            self.ids.clean(target_id, told, place),
            clean_text(edge_type, told),
            self.namespace if namespace is None else clean_text(namespace, told),
            number,
            self._properties({**(properties or {}), **kept}, place),
        )
        self.take_edge(edge, made=made)
        return True

    def take_node(self, node: KnowledgeNode, *, made: str = "") -> None:
        """Take a node with an id that is clean already, as it is: large tables are checked by column."""
        self._builder.add_node(node if self._cells is None else self._classified(node, self._cells))
        self._count(made)
        if self._made_ends:
            self._known.add(node.node_id)

    def take_edge(self, edge: KnowledgeEdge, *, made: str = "") -> None:
        """Take an edge with both ends that is clean already, as it is."""
        self._builder.add_edge(edge)
        self._count(made)
        if self._made_ends:
            self._ends.update({edge.source_id: None, edge.target_id: None})

    def finish(self) -> LoadedGraph:
        """Return the graph and the report; the intake is used up.

        Raises:
            GraphSourceError: A row is unaccounted for, which is a fault of the source.
        """
        for check in self._at_end:
            check()
        for end in [end for end in self._ends if end not in self._known]:
            self.node(end, UNKNOWN_TYPE, end, made="nodes that only edges name")
        if self._cells is not None:
            self._notes.append(confidence_note(self._cells.name, self._confidence))
        findings = list(self._tally.findings())
        index = GraphIndex(self._builder.finish())
        if repeated := self._builder.repeated:
            count = sum(repeated.values())
            findings.insert(0, Finding("duplicated", REPEATED, count, tuple(repeated)[:LISTED]))
            self._left[MERGED] += count
        account = Account(
            dict(self._read), dict(self._made), dict(self._left), index.node_count, index.edge_count
        )
        if not account.balanced:
            raise GraphSourceError(
                f"The graph source is faulty: it read and made {account.given} rows, "
                f"and {account.became} are accounted for.",
                where=self.source,
                hint="Each row that intake.read counts must be given to node, edge, skip or absorb, once.",
            )
        return LoadedGraph(index, SourceReport(self.source, tuple(findings), account, tuple(self._notes)))

    def _classified(self, node: KnowledgeNode, cells: CellTable) -> KnowledgeNode:
        found, confidence = classified(node, cells)
        if found is not node:
            self._confidence[confidence] += 1
        return found

    def _check_texts(self, place: str, **texts: object) -> None:
        for name, text in texts.items():
            if not isinstance(text, str):
                raise self._fault(f"the {name} is {text!r:.60}, not text", place)

    def _fault(self, what: str, place: str) -> GraphSourceError:
        return GraphSourceError(
            f"The graph source is faulty: {what}.", where=place, hint=f"It was reading {self.source}."
        )

    def _told(self, place: str) -> Callable[[str], None]:
        return lambda what: self.repair(what, place)

    def _count(self, made: str) -> None:
        if made:
            self._made[made] += 1
        self._done += 1
        if self._done % TOLD_EVERY == 0:
            self._progress(self._done, self.total)

    def _properties(self, properties: Mapping[str, Any] | None, place: str) -> dict[str, Any]:
        if not properties:
            return {}
        if not isinstance(properties, Mapping):
            raise self._fault(f"the properties are a {type(properties).__name__}, not a mapping", place)
        told = self._told(place)
        kept = {key: value for key, value in properties.items() if value is not None}
        for key in [key for key, value in kept.items() if missing(value)]:
            self.blank(NAN_VALUE, f"{place}: {key}")
            del kept[key]
        return {clean_text(str(key), told): clean_value(value, told) for key, value in kept.items()}

    def _weight(self, value: Any, place: str) -> tuple[float, dict[str, Any]]:
        if value is None or value == "":
            return 1.0, {}
        if missing(value):
            self.blank(NAN_VALUE, f"{place}: weight")
            return 1.0, {}
        number = as_number(value)
        if number is None:
            self.repair(NO_WEIGHT, place)
            return 1.0, {"weight": value}
        return number, {}
