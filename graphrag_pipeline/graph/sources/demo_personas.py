"""The personas of the demo graph."""

from __future__ import annotations

from graphrag_pipeline.graph.sources.contract import PersonaSourceParams
from graphrag_pipeline.graph.sources.demo_graph import DEMO_DIRECTORY
from graphrag_pipeline.graph.sources.persona_file import load_personas
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.personas import PersonaRegistry


class DemoPersonas(Component[PersonaSourceParams]):
    """The people the demo graph is about."""

    name = "demo"
    Params = PersonaSourceParams

    def load(self) -> PersonaRegistry:
        """Read them from the package."""
        return load_personas(DEMO_DIRECTORY / "personas.yaml")
