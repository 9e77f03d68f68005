"""Vectors among properties: no stage reads them, and they are most of a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from graphrag_pipeline.graph.sources.intake import Intake

Treatment: TypeAlias = Literal["drop", "keep"]

NAMES = ("embedding", "vector")
"""A list of numbers is a vector when one of these is in its name."""


# Any throughout: properties hold anything.
class Embeddings:
    """Leaves vectors out of properties, and counts them.

    Args:
        treatment: ``drop``, or ``keep`` to leave them among the properties.
    """

    def __init__(self, treatment: Treatment) -> None:
        self._keep = treatment == "keep"
        self._dropped: Counter[str] = Counter()

    def taken(
        self, properties: Mapping[str, Any], declared: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the properties without vectors, or with all of them.

        Args:
            properties: They may hold vectors.
            declared: More of them, that the file itself calls vectors.
        """
        vectors = {name: value for name, value in (declared or {}).items() if value is not None}
        if self._keep:
            return {**vectors, **properties}
        self._dropped.update(list(vectors))
        rest = {name: value for name, value in properties.items() if not is_vector(name, value)}
        self._dropped.update(name for name in properties if name not in rest)
        return rest

    def note(self, intake: Intake) -> None:
        """Say how many were left out."""
        if self._dropped:
            names = ", ".join(f"{name} ×{count}" for name, count in sorted(self._dropped.items()))
            intake.note(f"embeddings were left out: {names}; graph.embeddings=keep keeps them")


def is_vector(name: str, value: Any) -> bool:
    """Whether a property is a vector: it is a list of numbers, and called an embedding or a vector."""
    if not isinstance(value, list) or not value or not any(part in str(name).lower() for part in NAMES):
        return False
    return all(isinstance(number, int | float) and not isinstance(number, bool) for number in value)
