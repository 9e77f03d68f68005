"""What a validated configuration asks for, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphrag_pipeline.model.component import Params


@dataclass(frozen=True, slots=True)
class ComponentSpec:
    """One chosen component.

    Args:
        kind: Name of its kind.
        use: Its name, or ``plugin:name``.
        params: Its validated parameters.
    """

    kind: str
    use: str
    params: Params


@dataclass(frozen=True, slots=True)
class PipelineSpec:
    """The order of slots and what fills each.

    Args:
        order: Slot names in running order; a slot may appear twice.
        slots: The component of each slot; slots outside the order are allowed and not built.
    """

    order: tuple[str, ...]
    slots: Mapping[str, ComponentSpec]


SLOT_KINDS: Mapping[str, str] = {
    "seed": "seed_retriever",
    "expand": "expander",
    "filter": "filter",
    "score": "scorer",
    "rerank": "reranker",
    "bridge": "bridge",
    "context": "context_assembler",
}
"""Kind of the slots whose name says it; other slots name a ``kind``, or a component of one kind only."""

REFERENCE_ORDER = ("seed", "expand", "filter", "score", "bridge", "filter", "context")
"""The order of the reference pipeline."""
