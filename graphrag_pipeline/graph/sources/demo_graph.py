"""The demo graph: this project, described as a graph."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graphrag_pipeline.graph.sources.contract import LoadedGraph
from graphrag_pipeline.graph.sources.json_file import load_json_graph
from graphrag_pipeline.model.component import Component, Params

DEMO_DIRECTORY = Path(__file__).with_name("demo")


class DemoGraphParams(Params):
    """The demo graph takes no parameters."""


class DemoGraph(Component[DemoGraphParams]):
    """A graph of stages, hooks, configs, personas and decisions of this project, in all 36 cells."""

    name = "demo"
    Params = DemoGraphParams

    def load(self) -> LoadedGraph:
        """Read it from the package."""
        loaded = load_json_graph(DEMO_DIRECTORY / "graph.json")
        return replace(loaded, report=replace(loaded.report, source="demo"))
