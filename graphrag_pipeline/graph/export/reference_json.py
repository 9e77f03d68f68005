"""The reference's JSON shape: carries everything that JSON can hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from graphrag_pipeline.graph.columns.not_finite import (
    finite,
    is_finite,
    rows_not_finite,
    weights_not_finite,
)
from graphrag_pipeline.graph.columns.values import PropertyColumn, no_json
from graphrag_pipeline.graph.export.contract import Losses, all_edges, all_nodes, edge_name
from graphrag_pipeline.graph.export.fitting import NUMBER_REPLACED, WEIGHT_REPLACED
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.reading.clean import clean_value
from graphrag_pipeline.graph.sources.findings import Finding

NOT_JSON = "a property that is no JSON data is written as the nearest that is"


class ReferenceJson:
    """Writes ``{"nodes": […], "edges": […]}``, one record a line."""

    name = "json"
    suffixes = (".json",)

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what JSON cannot hold: objects, which no file gives, and numbers that are not finite."""
        losses = Losses()
        nodes, edges = index.table.nodes.properties, index.table.edges.properties
        for row in _suspects(nodes):
            _tell(losses, nodes[row], f"node {index.ids[row]!r}")
        for row in _suspects(edges):
            _tell(losses, edges[row], edge_name(index.edge(row)))
        for row in weights_not_finite(index.table.edges.weight).tolist():
            losses.add(WEIGHT_REPLACED, edge_name(index.edge(row)))
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


def _suspects(column: PropertyColumn) -> list[int]:
    return sorted({*rows_not_finite(column), *column.objects})


# Any: a property holds whatever the graph's owner stored there.
def _tell(losses: Losses, properties: Mapping[str, Any], place: str) -> None:
    if (what := no_json(dict(properties))) is not None:
        losses.add(NOT_JSON, f"{place}: {what}")
    for name, value in properties.items():
        finite(_plain(value), partial(losses.add, NUMBER_REPLACED, f"{place}: {name}"))


def _plain(value: Any) -> Any:
    return value if no_json(value) is None else clean_value(value, lambda what: None)


def _line(record: dict[str, Any]) -> str:
    if not is_finite(record.get("weight", 1.0)):
        record["weight"] = 1.0
    record["properties"] = _plain(record["properties"])
    try:
        return json.dumps(record, allow_nan=False)
    except ValueError:
        record["properties"] = finite(record["properties"], lambda: None)
        return json.dumps(record, allow_nan=False)
