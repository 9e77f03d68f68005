"""The kinds of component: which hook registers them, and what their classes must have."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.graph.sources import contract as sources
from graphrag_pipeline.model.component import Params
from graphrag_pipeline.plugin import contract
from graphrag_pipeline.stages import contract as stages
from graphrag_pipeline.stages.embedders import contract as embedders
from graphrag_pipeline.tracking import contract as tracking

COMPONENT_NAME = r"[a-z][a-z0-9_]*"
"""Pattern of a component's ``name``."""
RESERVED_PARAMS = frozenset({"use", "kind"})
"""Keys of a config section beside the component's parameters, so no parameter may have such a name."""
SLOT_PARAMS = frozenset({"on_error", "fallback_params", "timeout_s"})
"""Further such keys of the kinds that fill slots; a kind that has one among its own parameters keeps it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of component.

    Args:
        name: What config and messages call it.
        methods: What its classes must define.
        contract: The protocol that types those methods.
        params: The model that each class's ``Params`` must be or extend.
        fills_slots: Whether ``pipeline.order`` may name a slot that it fills.
    """

    name: str
    methods: tuple[str, ...]
    contract: Any  # a Protocol class, which no type form but Any may hold
    params: type[Params] = Params
    fills_slots: bool = False

    @property
    def reserved(self) -> frozenset[str]:
        """Names that no parameter of its components may have."""
        more = SLOT_PARAMS.difference(self.params.model_fields) if self.fills_slots else frozenset()
        return RESERVED_PARAMS | more

    @property
    def hook(self) -> str:
        """The hook that registers components of this kind."""
        return f"graphrag_register_{self.name}s"

    @property
    def title(self) -> str:
        """The name as people read it."""
        return self.name.replace("_", " ")

    def arguments(self, method: str) -> tuple[inspect.Parameter, ...]:
        """Return what the contract hands to a method, without ``self``."""
        signature = inspect.signature(getattr(self.contract, method))
        return tuple(signature.parameters.values())[1:]


_BRIDGE = ("graph_of_thought_query", "vocab_lookup", "harmonic_expand")
_ALL = (
    Kind("seed_retriever", ("retrieve",), stages.SeedRetriever, fills_slots=True),
    Kind("expander", ("expand",), stages.Expander, stages.ExpanderParams, fills_slots=True),
    Kind("filter", ("keep",), stages.Filter, fills_slots=True),
    Kind("signal", ("compute",), stages.Signal),
    Kind("scorer", ("score",), stages.Scorer, stages.ScorerParams, fills_slots=True),
    Kind("reranker", ("rerank",), stages.Reranker, fills_slots=True),
    Kind("bridge", _BRIDGE, stages.Bridge, stages.BridgeParams, fills_slots=True),
    Kind("context_assembler", ("assemble",), stages.ContextAssembler, stages.ContextParams, fills_slots=True),
    Kind("token_counter", ("count",), stages.TokenCounter),
    Kind("embedder", ("embed", "fingerprint"), embedders.Embedder),
    Kind("graph_source", ("load",), sources.GraphSource),
    Kind("persona_source", ("load",), sources.PersonaSource, sources.PersonaSourceParams),
    Kind("metric", ("measure",), contract.Metric),
    Kind("tracker", ("start", "log", "finish"), tracking.Tracker),
)

KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""Every kind by name, in the order a query meets them."""
