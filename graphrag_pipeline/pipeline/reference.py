"""The reference pipeline as a specification, for callers that bring no configuration."""

from __future__ import annotations

from graphrag_pipeline.pipeline.spec import REFERENCE_ORDER, SLOT_KINDS, ComponentSpec, PipelineSpec
from graphrag_pipeline.stages.context.bullets import BulletsParams
from graphrag_pipeline.stages.contract import BridgeParams
from graphrag_pipeline.stages.expand.bfs import BreadthFirstParams
from graphrag_pipeline.stages.filters.zachman import ZachmanFilterParams
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSumParams
from graphrag_pipeline.stages.seeds.label import LabelSeedsParams


def reference_spec() -> PipelineSpec:
    """Return what ``pipeline=reference`` and the default groups say; a test holds the two together."""
    chosen = {
        "seed": ("label", LabelSeedsParams()),
        "expand": ("bfs", BreadthFirstParams()),
        "filter": ("zachman", ZachmanFilterParams()),
        "score": ("weighted_sum", WeightedSumParams()),
        "bridge": ("auto", BridgeParams()),
        "context": ("bullets", BulletsParams()),
    }
    slots = {slot: ComponentSpec(SLOT_KINDS[slot], use, params) for slot, (use, params) in chosen.items()}
    return PipelineSpec(REFERENCE_ORDER, slots)
