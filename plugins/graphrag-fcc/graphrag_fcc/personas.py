"""The personas of ``fcc-agent-team-ext``."""

from __future__ import annotations

from typing import Any

from graphrag_fcc import registries
from graphrag_pipeline import Component, Persona, PersonaRegistry
from graphrag_pipeline.graph.sources.contract import PersonaSourceParams


class FccPersonas(Component[PersonaSourceParams]):
    """Reads the personas that come with the package, in its order."""

    name = "fcc"
    Params = PersonaSourceParams

    def load(self) -> PersonaRegistry:
        """Read all personas.

        Raises:
            GraphSourceError: The package is not installed, or in another version.
        """
        registries.require_package()
        return PersonaRegistry(_persona(spec.to_dict()) for spec in registries.persona_registry())


def _persona(data: dict[str, Any]) -> Persona:
    return Persona(
        id=data["id"],
        name=data["name"],
        role=data["role_title"],
        category=data["category"],
        phase=data["fcc_phase"],
        description=(data.get("riscear") or {}).get("role", ""),
        zachman_cell=registries.cell_of("persona", data["id"]),
        origin=registries.SOURCE,
    )
