"""Values of a result in one call."""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline.experiment.datasets.checks import GoldEdge
from graphrag_pipeline.experiment.gold import Gold
from graphrag_pipeline.experiment.graph_measures import GraphMeasures, GraphValues
from graphrag_pipeline.pipeline.trace import Trace


def graph_values(trace: Trace, relevant: Sequence[str] | None, edges: Sequence[GoldEdge]) -> GraphValues:
    """The values of one query, all looked up for it alone."""
    return GraphMeasures(trace.index).values(trace, Gold.of(trace.index, relevant, edges))
