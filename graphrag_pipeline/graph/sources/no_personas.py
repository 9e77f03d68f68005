"""No personas: every persona id stands for itself, and none is unknown."""

from __future__ import annotations

from graphrag_pipeline.graph.sources.contract import PersonaSourceParams
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.personas import PersonaRegistry


class NoPersonas(Component[PersonaSourceParams]):
    """An empty registry."""

    name = "none"
    Params = PersonaSourceParams

    def load(self) -> PersonaRegistry:
        """Return it."""
        return PersonaRegistry()
