"""Graphs that Microsoft GraphRAG extracted: its output folder, of any release from 0.1 on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
from graphrag_pipeline.graph.sources.intake import Intake
from graphrag_pipeline.graph.sources.msgraphrag.records import OutputReader
from graphrag_pipeline.graph.sources.msgraphrag.tables import (
    LAYOUTS,
    TABLES,
    Output,
    OutputTable,
    find_output,
)


class MsGraphRagParams(FileGraphParams):
    """Where the output is, and what of it becomes nodes."""

    text_units: bool = True
    """Whether text units become nodes of type ``passage`` that mention entities, if their table is there."""
    communities: bool = False
    """Whether communities become nodes that contain entities."""
    reports: bool = False
    """Whether communities become nodes that carry the texts of their reports."""


class MsGraphRagGraph(FileGraph[MsGraphRagParams]):
    """Reads the Parquet tables that GraphRAG writes: entities, relationships, and what is known of both."""

    name = "msgraphrag"
    Params = MsGraphRagParams

    def files(self) -> Sequence[Path]:
        """Return the tables that are read.

        Raises:
            GraphSourceError: The folder is no output of GraphRAG.
        """
        output = find_output(self.path)
        return [output.paths[name] for name in self._read_tables(output)]

    def read(self, intake: Intake) -> None:
        """Read the tables.

        Raises:
            GraphSourceError: The folder is no output of GraphRAG, or a table is damaged.
        """
        output = find_output(self.path)
        read = self._read_tables(output)
        intake.note(f"{output.folder} has the layout of {LAYOUTS[output.prefix]}")
        if unread := [path.name for name, path in output.paths.items() if name not in read]:
            intake.note(f"not read: {', '.join(unread)}")
        found = Output(output.folder, output.prefix, {name: output.paths[name] for name in read})
        tables = {name: OutputTable(found, name, intake) for name in TABLES}
        if self.params.reports and not tables["community_reports"].columns:
            intake.note("there is no table of reports")
        OutputReader(intake, tables, communities=self._with_communities).read()

    @property
    def _with_communities(self) -> bool:
        return self.params.communities or self.params.reports

    def _read_tables(self, output: Output) -> list[str]:
        asked = {
            "text_units": self.params.text_units,
            # The table of nodes says who is in which community, and only early releases have it.
            "communities": self._with_communities or "nodes" not in output.paths,
            "community_reports": self.params.reports,
            "documents": False,
            "covariates": False,
        }
        return [name for name in output.paths if asked.get(name, True)]
