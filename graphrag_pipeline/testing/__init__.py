"""The contract kit: a suite per kind of component, and sample graphs with known answers.

A plugin's tests extend a suite with one method; docs/plugins-testing.md tells more. Nothing in the package
imports this.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphrag_pipeline.testing.graphs import SampleGraph, samples
    from graphrag_pipeline.testing.outside import BridgeSuite, MetricSuite
    from graphrag_pipeline.testing.running import run_suite
    from graphrag_pipeline.testing.sources import GraphSourceSuite, PersonaSourceSuite
    from graphrag_pipeline.testing.stages import FilterSuite, RerankerSuite, ScorerSuite, SignalSuite
    from graphrag_pipeline.testing.suite import ComponentSuite, ContractError
    from graphrag_pipeline.testing.texts import ContextAssemblerSuite, EmbedderSuite, TokenCounterSuite
    from graphrag_pipeline.testing.trackers import TrackerSuite
    from graphrag_pipeline.testing.walks import ExpanderSuite, SeedRetrieverSuite

_HOMES = {
    "graphs": "SampleGraph samples",
    "outside": "BridgeSuite MetricSuite",
    "running": "run_suite",
    "sources": "GraphSourceSuite PersonaSourceSuite",
    "stages": "FilterSuite RerankerSuite ScorerSuite SignalSuite",
    "suite": "ComponentSuite ContractError",
    "texts": "ContextAssemblerSuite EmbedderSuite TokenCounterSuite",
    "trackers": "TrackerSuite",
    "walks": "ExpanderSuite SeedRetrieverSuite",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "BridgeSuite",
    "ComponentSuite",
    "ContextAssemblerSuite",
    "ContractError",
    "EmbedderSuite",
    "ExpanderSuite",
    "FilterSuite",
    "GraphSourceSuite",
    "MetricSuite",
    "PersonaSourceSuite",
    "RerankerSuite",
    "SampleGraph",
    "ScorerSuite",
    "SeedRetrieverSuite",
    "SignalSuite",
    "TokenCounterSuite",
    "TrackerSuite",
    "run_suite",
    "samples",
]


def __getattr__(name: str) -> object:
    if (home := _HOME_OF.get(name)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
