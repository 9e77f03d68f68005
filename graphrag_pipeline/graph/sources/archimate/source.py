"""ArchiMate models: Archi's native files, plain or zipped, and the Open Group's exchange files."""

from __future__ import annotations

from typing import Literal

from graphrag_pipeline.graph.reading.files import head
from graphrag_pipeline.graph.reading.xml_events import Attributes, XmlReader, read_xml
from graphrag_pipeline.graph.sources.archimate.exchange import NAMESPACE, ExchangeModel
from graphrag_pipeline.graph.sources.archimate.native import NAMESPACES, NativeModel
from graphrag_pipeline.graph.sources.archimate.records import Records
from graphrag_pipeline.graph.sources.archimate.zipped import model_in_zip
from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake


class ArchiMateParams(FileGraphParams):
    """Where the model is, and what of it becomes nodes."""

    zachman: str | None = "archimate"
    """As for every source; here the shipped table is the default."""
    views: bool = False
    """Whether each view becomes a node of type ``View`` with an edge ``shows`` to each element in it."""
    language: str | None = None
    """Which name is the label where an exchange file has several, such as ``en``; null means the first."""
    exchange_ids: Literal["native", "written"] = "native"
    """Whether ids of an exchange file lose the prefix ``id-`` that Archi puts before those that begin with
    a digit, so that both files of one model have the same ids; ``written`` leaves them as they are."""


class ArchiMateGraph(FileGraph[ArchiMateParams]):
    """Makes elements nodes and relations edges.

    A relation that begins or ends at another relation does so at a node of type ``Relationship``, which
    has the inner relation's id, and edges ``source`` and ``target`` to its ends; the inner relation is an
    edge as well.
    """

    name = "archimate"
    Params = ArchiMateParams

    def read(self, intake: Intake) -> None:
        """Read the model.

        Raises:
            GraphSourceError: The file is no ArchiMate model, is damaged, or is unsafe to read.
        """
        dialect = _Dialect(self.params.language)
        if head(self.path).startswith(b"PK\x03\x04"):
            with model_in_zip(self.path) as file:
                XmlReader(dialect, str(self.path)).feed(file)
        else:
            read_xml(self.path, dialect, "an ArchiMate model")
        Records(
            intake,
            dialect.model.model,
            language=self.params.language,
            views=self.params.views,
            native_ids=self.params.exchange_ids == "native",
        ).hand_over()


class _Dialect:
    """Finds out by its root which of the two formats a file is, and passes its elements on."""

    def __init__(self, language: str | None) -> None:
        self._language = language
        self.model: NativeModel | ExchangeModel

    def start(self, tag: str, attributes: Attributes, place: XmlReader) -> None:
        if place.depth == 1:
            self.model = self._of(tag, place)
        self.model.start(tag, attributes, place)

    def end(self, tag: str, text: str, place: XmlReader) -> None:
        self.model.end(tag, text, place)

    def _of(self, tag: str, place: XmlReader) -> NativeModel | ExchangeModel:
        native, exchange = place.uri in NAMESPACES, place.uri.startswith(NAMESPACE)
        if tag != "model" or not (native or exchange):
            namespace = f"in the namespace {place.uri:.200}" if place.uri else "without a namespace"
            place.refuse(
                f"The file is no ArchiMate model: its root is <{tag:.100}> {namespace}.",
                f"An Archi file has <model> in {NAMESPACES[0]}, an exchange file in {NAMESPACE}/3.0/. "
                "`graph=auto` finds out what a file is.",
            )
        return NativeModel() if native else ExchangeModel(place.uri, self._language)
