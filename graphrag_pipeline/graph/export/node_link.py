"""networkx's node-link JSON, as networkx 3.4 and later reads it without arguments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphrag_pipeline.graph.attributes import EDGE_ORDER
from graphrag_pipeline.graph.export.fitting import fitted_edges, fitted_nodes, fitting_losses
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.findings import Finding

HEAD = {"directed": True, "multigraph": True, "graph": {EDGE_ORDER: "key"}}


class NodeLinkJson:
    """Writes a directed multigraph; edge keys number the edges, so that networkx keeps their order too."""

    name = "nodelink"
    suffixes = (".nodelink.json", ".node-link.json")

    def losses(self, index: GraphIndex) -> tuple[Finding, ...]:
        """Return what fitting changes."""
        return fitting_losses(index).findings()

    def notes(self, index: GraphIndex) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def write(self, index: GraphIndex, path: Path) -> None:
        """Write the file."""
        with path.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(HEAD)[:-1] + ', "nodes": [')
            for number, node in enumerate(fitted_nodes(index)):
                record = {"id": node.node_id, **node.to_dict()}
                del record["node_id"]
                file.write(("," if number else "") + "\n" + _json(record))
            file.write('\n], "edges": [')
            for number, edge in enumerate(fitted_edges(index)):
                record = {"source": edge.source_id, "target": edge.target_id, "key": number, **edge.to_dict()}
                del record["source_id"], record["target_id"]
                file.write(("," if number else "") + "\n" + _json(record))
            file.write("\n]}\n")


def _json(record: dict[str, Any]) -> str:  # Any: JSON data
    return json.dumps(record, ensure_ascii=False, allow_nan=False)
