"""GML, as Gephi, yEd, igraph, networkx and hand-written files have it.

A list is a JSON object, a key that is repeated in a list makes a list of its values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import head, looks_like
from graphrag_pipeline.graph.reading.typed_text import number
from graphrag_pipeline.graph.sources.attributed import UNDIRECTED, Attributed, AttributedParams
from graphrag_pipeline.graph.sources.file_graph import FileGraph
from graphrag_pipeline.graph.sources.gml.tokens import GmlTokens, Sort, encoding_of
from graphrag_pipeline.graph.sources.intake import Intake

DEEPEST = 500
UNQUOTED = "a value is neither a number nor in quotes; it is read as text"
BAD_ID = "an id that is a list is none; what has it is left out"
LIST_START = "_networkx_list_start"
"""What networkx writes before the entry of a list that has only one."""
SHAPE = "GML is written as: graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"


# Any throughout: attributes hold anything.
@dataclass(slots=True)
class _List:
    """An open list: its own key, where it is, and the values of each key in it."""

    key: str
    at: str
    values: dict[str, list[Any]] = field(default_factory=dict)

    def put(self, key: str, value: Any) -> None:
        self.values.setdefault(key, []).append(value)

    @property
    def is_multigraph(self) -> bool:
        return self.values.get("multigraph") == [1]

    def closed(self) -> dict[str, Any]:
        return {key: _one_or_all(values) for key, values in self.values.items()}


def _one_or_all(values: list[Any]) -> Any:
    if values[0] == LIST_START:
        return values[1:]
    return values if len(values) > 1 else values[0]


class GmlReader:
    """Turns the lists of a GML file into records.

    Args:
        path: The file.
        intake: Counts the records, and is told of what is wrong.
        params: Says which attributes are label and type.
    """

    def __init__(self, path: Path, intake: Intake, params: AttributedParams) -> None:
        encoding = encoding_of(path)
        if encoding == "latin-1":
            intake.note("the file is not UTF-8; it is read as Latin-1")
        self._tokens = GmlTokens(path, encoding)
        self._intake = intake
        self._records = Attributed(intake, params, str(path))
        self._file = _List("", str(path))
        self._open = [self._file]
        self._key: str | None = None
        self.graphs: list[dict[str, Any]] = []
        """The attributes of each graph in the file."""

    def read(self) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It cannot be read, or is not GML.
        """
        for sort, text in self._tokens:
            if sort == "open":
                self._start(text)
            elif sort == "close":
                self._end()
            elif self._key is None:
                self._name(sort, text)
            else:
                value = text if sort == "text" else self._number(text)
                self._open[-1].put(self._key, value)
                self._key = None
        if len(self._open) > 1 or self._key is not None:
            self._refuse("The file ends inside of a list.", "It ends too early: copy or download it again.")

    def _refuse(self, what: str, hint: str = SHAPE) -> NoReturn:
        raise GraphSourceError(what, where=self._tokens.at, hint=hint)

    def _name(self, sort: Sort, text: str) -> None:
        if sort == "text" or not (text[0].isalpha() or text[0] == "_"):
            self._refuse(f"There is {text!r:.60} where a key must be.")
        self._key = text

    def _start(self, text: str) -> None:
        if self._key is None:
            self._refuse("There is a list without a key.")
        if len(self._open) > DEEPEST:
            self._refuse(f"Lists are nested more than {DEEPEST} levels deep.", "")
        self._open.append(_List(self._key, self._tokens.at))
        self._key = None

    def _end(self) -> None:
        if self._key is not None or len(self._open) == 1:
            self._refuse("A list ends where none is open, or where a value must be.")
        closed = self._open.pop()
        path = [other.key for other in self._open[1:]]
        if closed.key == "graph" and not path:
            self.graphs.append(closed.closed())
        elif closed.key in ("node", "edge") and path == ["graph"]:
            self._intake.read(f"{closed.key}s")
            self._take(closed.key, closed.closed(), closed.at)
        else:
            self._open[-1].put(closed.key, closed.closed())

    def _number(self, text: str) -> Any:
        try:
            return number(text)
        except ValueError:
            self._intake.repair(UNQUOTED, self._tokens.at)
            return text

    def _take(self, kind: str, attributes: dict[str, Any], at: str) -> None:
        names = ("id",) if kind == "node" else ("source", "target")
        found = [attributes.pop(name, None) for name in names]
        if any(isinstance(value, list | dict) for value in found):
            self._intake.skip(BAD_ID, at)
            return
        ids = [self._records.id(value, at) for value in found]
        if kind == "node":
            self._records.node(ids[0], attributes, at)
        else:
            if self._open[-1].is_multigraph and type(attributes.get("key")) is int:
                # networkx numbers parallel edges; the order of the file says the same.
                del attributes["key"]
            self._records.edge(ids[0], ids[1], attributes, at)


class GmlGraph(FileGraph[AttributedParams]):
    """Reads ``graph [ node [ id 1 label "A" ] edge [ source 1 target 2 ] ]``."""

    name = "gml"
    Params = AttributedParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: It cannot be read, or is not GML.
        """
        if kind := looks_like(head(self.path)):
            raise GraphSourceError("The file is not GML.", where=str(self.path), hint=kind)
        reader = GmlReader(self.path, intake, self.params)
        reader.read()
        if not reader.graphs:
            raise GraphSourceError("The file has no graph [ … ].", where=str(self.path), hint=SHAPE)
        if not any(graph.get("directed") == 1 for graph in reader.graphs):
            intake.note(UNDIRECTED)
        if len(reader.graphs) > 1:
            intake.note(f"the file has {len(reader.graphs)} graphs; they are read as one")
        if left_out := sum(len(graph.keys() - {"directed"}) for graph in reader.graphs):
            intake.note(f"left out: attributes of the graph itself ({left_out})")
