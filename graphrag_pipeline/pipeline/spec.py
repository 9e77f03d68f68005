"""What a validated configuration asks for, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from graphrag_pipeline.model.component import Params

OnError: TypeAlias = Literal["fail", "skip", "fallback"]
"""What happens when a component fails in a query: the query fails, or goes on as if the slot were not
there, or with another component in its place."""


@dataclass(frozen=True, slots=True)
class ComponentSpec:
    """One chosen component.

    Args:
        kind: Name of its kind.
        use: Its name, or ``plugin:name``.
        params: Its validated parameters.
        on_error: What happens when it fails; None means what is usual for its kind, which is ``skip`` for a
            bridge and ``fail`` for every other.
        timeout_s: Seconds it may take; None means any. A bridge has that among its parameters.
        fallback: What runs in its place, of the same kind, where ``on_error`` is ``fallback``.
    """

    kind: str
    use: str
    params: Params
    on_error: OnError | None = None
    timeout_s: float | None = None
    fallback: ComponentSpec | None = None


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
