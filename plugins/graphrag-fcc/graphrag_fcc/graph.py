"""The knowledge graph of ``fcc-agent-team-ext``."""

from __future__ import annotations

from typing import Any, Literal

from graphrag_fcc import registries
from graphrag_pipeline import Account, Component, Finding, GraphIndex, LoadedGraph, Params, SourceReport

PUT_BACK = "a persona's label and properties were put back, a later builder had replaced them"


class FccGraphParams(Params):
    """Which variant of the graph."""

    variant: Literal["classified", "raw"] = "classified"
    """``classified`` has persona properties and Zachman cells, ``raw`` is as the package builds it."""


class FccGraph(Component[FccGraphParams]):
    """Builds the graph from the package's own registries."""

    name = "fcc"
    Params = FccGraphParams

    def load(self) -> LoadedGraph:
        """Build the graph.

        Raises:
            GraphSourceError: The package is not installed, or in another version.
        """
        registries.require_package()
        personas = registries.persona_registry()
        data = registries.full_graph(personas)
        repaired: list[str] = []
        if self.params.variant == "classified":
            repaired = _put_personas_back(data, registries.persona_nodes(personas))
            _classify(data)
        findings = [Finding("repaired", PUT_BACK, len(repaired), tuple(repaired))] if repaired else []
        index = GraphIndex.from_dict(data)
        read = {key: len(data[key]) for key in ("nodes", "edges")}
        merged = read["nodes"] - index.node_count
        left = {"nodes merged into one of the same id": merged} if merged else {}
        account = Account(read, {}, left, index.node_count, index.edge_count)
        return LoadedGraph(index, SourceReport(registries.SOURCE, tuple(findings), account))


def _put_personas_back(data: dict[str, Any], persona_nodes: dict[str, dict[str, Any]]) -> list[str]:
    """Undo that later builders overwrite persona nodes; return their ids."""
    repaired = []
    for number, node in enumerate(data["nodes"]):
        original = persona_nodes.get(node["node_id"])
        if original is not None and original != node:
            data["nodes"][number] = original
            repaired.append(node["node_id"])
    return repaired


def _classify(data: dict[str, Any]) -> None:
    for node in data["nodes"]:
        # Personas own themselves; actions name their owner; the rest has none.
        owner = (
            node["node_id"] if node["node_type"] == "persona" else node["properties"].get("persona_id", "")
        )
        cell = registries.cell_of(node["node_type"], owner)
        node["properties"] = {**node["properties"], "zachman_cell": cell}
