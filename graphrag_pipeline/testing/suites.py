"""The suite of each kind."""

from __future__ import annotations

from collections.abc import Mapping

from graphrag_pipeline.plugin.kinds import KINDS
from graphrag_pipeline.testing.outside import BridgeSuite, MetricSuite
from graphrag_pipeline.testing.sources import GraphSourceSuite, PersonaSourceSuite
from graphrag_pipeline.testing.stages import FilterSuite, RerankerSuite, ScorerSuite, SignalSuite
from graphrag_pipeline.testing.suite import ComponentSuite
from graphrag_pipeline.testing.texts import ContextAssemblerSuite, EmbedderSuite, TokenCounterSuite
from graphrag_pipeline.testing.trackers import TrackerSuite
from graphrag_pipeline.testing.walks import ExpanderSuite, SeedRetrieverSuite

_ALL: tuple[type[ComponentSuite], ...] = (
    SeedRetrieverSuite,
    ExpanderSuite,
    FilterSuite,
    SignalSuite,
    ScorerSuite,
    RerankerSuite,
    BridgeSuite,
    ContextAssemblerSuite,
    TokenCounterSuite,
    EmbedderSuite,
    GraphSourceSuite,
    PersonaSourceSuite,
    MetricSuite,
    TrackerSuite,
)
_BY_KIND = {suite.kind: suite for suite in _ALL}
SUITES: Mapping[str, type[ComponentSuite]] = {kind: _BY_KIND[kind] for kind in KINDS}
"""The suite of each kind, in the order of :data:`graphrag_pipeline.plugin.kinds.KINDS`."""
