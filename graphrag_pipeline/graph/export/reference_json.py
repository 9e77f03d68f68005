"""The reference's JSON shape: carries everything."""

from __future__ import annotations

import json
from pathlib import Path

from graphrag_pipeline.graph.columns.values import no_json
from graphrag_pipeline.graph.export.contract import Losses, all_edges, all_nodes, edge_name
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.clean import clean_value
from graphrag_pipeline.graph.sources.findings import Finding


class ReferenceJson:
    """Writes ``{"nodes": […], "edges": […]}``, one record a line."""

    name = "json"
    suffixes = (".json",)

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return the properties that are Python objects, which become text; files never hold any."""
        losses = Losses()
        if index.table.nodes.properties.objects or index.table.edges.properties.objects:
            for node in all_nodes(index):
                if (what := no_json(dict(node.properties))) is not None:
                    losses.add(
                        "a property that is no JSON data is written as the nearest that is",
                        f"node {node.node_id!r}: {what}",
                    )
            for edge in all_edges(index):
                if (what := no_json(dict(edge.properties))) is not None:
                    losses.add(
                        "a property that is no JSON data is written as the nearest that is",
                        f"{edge_name(edge)}: {what}",
                    )
        return losses.findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write the file; text is ASCII with escapes, so that any text is held."""
        with path.open("w", encoding="ascii", newline="\n") as file:
            file.write('{"version": "1.0.0", "namespace": "fcc", "nodes": [')
            for number, node in enumerate(all_nodes(index)):
                file.write(("," if number else "") + "\n" + _line(node.to_dict()))
            file.write('\n], "edges": [')
            for number, edge in enumerate(all_edges(index)):
                file.write(("," if number else "") + "\n" + _line(edge.to_dict()))
            file.write("\n]}\n")


def _line(record: dict[str, object]) -> str:
    properties = record["properties"]
    if no_json(properties) is not None:
        record["properties"] = clean_value(properties, lambda what: None)
    return json.dumps(record)
