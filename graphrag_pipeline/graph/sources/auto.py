"""A graph of whatever format: finds out what it is, says so, and reads it with the right source."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.detect import detect
from graphrag_pipeline.graph.sources.detect_json import Detected
from graphrag_pipeline.graph.sources.file_graph import FileGraphParams
from graphrag_pipeline.graph.sources.intake import Progress, silent
from graphrag_pipeline.model.component import Component

HOMES = {
    "archimate": "archimate.source.ArchiMateGraph",
    "csv": "tables.csv_source.CsvGraph",
    "cytoscape": "cytoscape.CytoscapeGraph",
    "gexf": "gexf.source.GexfGraph",
    "gml": "gml.source.GmlGraph",
    "graphml": "graphml.source.GraphMLGraph",
    "graphology": "graphology.GraphologyGraph",
    "hipporag": "hipporag.HippoRagGraph",
    "index": "index_directory.IndexDirectory",
    "json": "json_file.JsonGraph",
    "lightrag": "lightrag.source.LightRagGraph",
    "llamaindex": "llamaindex.LlamaIndexGraph",
    "msgraphrag": "msgraphrag.source.MsGraphRagGraph",
    "nano": "lightrag.source.NanoGraph",
    "neo4j": "neo4j.source.Neo4jGraph",
    "nodelink": "node_link.NodeLinkGraph",
    "openie": "openie.OpenIeGraph",
    "parquet": "tables.parquet_source.ParquetGraph",
    "rdf": "rdf.source.RdfGraph",
}
"""Where each source is that a path can be detected to be of."""


CIRCULAR = "`graph=auto` finds out what a file is."
"""A hint of other sources that is of no use here."""


class AutoGraphParams(FileGraphParams):
    """What every format can be told; a format's own parameters need its own source."""

    zachman: str | None = "auto"
    """Table that gives cells to nodes that have none; ``auto`` is what the source has by default."""


class AutoGraph(Component[AutoGraphParams]):
    """Reads a file or folder of any format that :func:`detect` knows."""

    name = "auto"
    Params = AutoGraphParams

    def __init__(self, params: AutoGraphParams) -> None:
        super().__init__(params)
        self.progress: Progress = silent

    def fingerprint(self) -> str:
        """Return the digest that the detected source gives, with its name; empty when it gives none.

        Raises:
            GraphSourceError: It cannot be told what the path is, or it cannot be read.
        """
        found = detect(Path(self.params.path))
        fingerprint = getattr(self._source(found), "fingerprint", None)
        return f"{found.source} {fingerprint()}" if fingerprint else ""

    def load(self) -> LoadedGraph:
        """Read the graph.

        Raises:
            GraphSourceError: It cannot be told what the path is, or it cannot be read.
        """
        found = detect(Path(self.params.path))
        source = self._source(found)
        if hasattr(source, "progress"):
            source.progress = self.progress
        try:
            loaded: LoadedGraph = source.load()
        except GraphSourceError as error:
            told = f"It was detected as {found.source}: {found.why}."
            told += f" Parameters of that source need graph={found.source}."
            hint = " ".join(filter(None, (error.hint.replace(CIRCULAR, "").strip(), told)))
            raise GraphSourceError(error.what, where=error.where, hint=hint) from error
        note = f"detected as {found.source}: {found.why}"
        return replace(loaded, report=replace(loaded.report, notes=(note, *loaded.report.notes)))

    def _source(self, found: Detected) -> Any:  # Any: one of many classes, all with load()
        module, _, name = HOMES[found.source].rpartition(".")
        source = getattr(import_module(f"graphrag_pipeline.graph.sources.{module}"), name)
        # Only what was said: what was not is the source's own default.
        given = {key: getattr(self.params, key) for key in self.params.model_fields_set}
        if given.get("zachman") == "auto":
            del given["zachman"]
        given = {
            key: value for key, value in given.items() if key in ("path", "zachman") or value is not None
        }
        unknown = set(given) - set(source.Params.model_fields)
        if unknown - {"unknown_ends"} or (given.get("unknown_ends") == "make" and unknown):
            raise GraphSourceError(
                f"The path was detected as {found.source} ({found.why}), which has no parameter "
                f"{', '.join(sorted(unknown))}.",
                where=self.params.path,
            )
        return source(source.Params(**{key: value for key, value in given.items() if key not in unknown}))
