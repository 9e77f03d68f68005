"""RDF: Turtle, N-Triples, N-Quads, TriG, RDF/XML and JSON-LD, such as SKOS thesauri and OWL ontologies."""

from __future__ import annotations

from typing import Literal

from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.rdf.parse import Format, RdfFile
from graphrag_pipeline.graph.sources.rdf.records import Records
from graphrag_pipeline.graph.sources.rdf.resources import Gathered


class RdfParams(FileGraphParams):
    """Where the statements are, and how they are told as nodes and edges."""

    format: Format | None = None
    """The format of the file; null finds out."""
    base: str | None = None
    """What relative IRIs are relative to, where the file does not say."""
    language: str | tuple[str, ...] = ("en", "")
    """Languages of labels and texts, the best first; the empty text is text without one. A text that there
    is in none of them is taken in the first of its languages by alphabet."""
    namespaces: Literal["prefix", "iri"] = "prefix"
    """Whether the namespace of a node or edge is the prefix that the file declares for it, or its IRI."""
    predicate_labels: bool = False
    """Whether an edge's type is the label of its predicate, where it has one, instead of its name."""
    properties_as_nodes: bool = False
    """Whether properties that the file describes are nodes too."""
    lenient: bool = False
    """Whether IRIs and language tags are taken as they are, valid or not."""


class RdfGraph(FileGraph[RdfParams]):
    """Makes what a file says something of a node, with its literals as properties, and links edges.

    A resource that is only named is a dangling end, unless ``unknown_ends`` says otherwise.
    """

    name = "rdf"
    Params = RdfParams

    def read(self, intake: Intake) -> None:
        """Read the file.

        Raises:
            GraphSourceError: pyoxigraph is not installed, or the file is not RDF, or unsafe to read.
        """
        params = self.params
        file = RdfFile(self.path, intake, asked=params.format, base=params.base, lenient=params.lenient)
        gathered = Gathered()
        gathered.take(file, file.check)
        Records(
            intake,
            gathered,
            prefixes=file.prefixes if params.namespaces == "prefix" else {},
            languages=(params.language,) if isinstance(params.language, str) else params.language,
            predicate_labels=params.predicate_labels,
            properties_as_nodes=params.properties_as_nodes,
        ).hand_over()
