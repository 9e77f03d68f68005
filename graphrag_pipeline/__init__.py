"""Graph retrieval declared in YAML: seeds, expansion, hard filters, scoring, bridges, context.

Everything public is re-exported here and imported at first use, so that importing the package costs
next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from graphrag_pipeline._version import __version__

if TYPE_CHECKING:
    from graphrag_pipeline.config.load import load_pipeline
    from graphrag_pipeline.errors import (
        ConfigError,
        DatasetError,
        GraphRAGError,
        GraphSourceError,
        PluginError,
        StageError,
    )
    from graphrag_pipeline.graph.index import GraphIndex
    from graphrag_pipeline.graph.knowledge import KnowledgeGraph
    from graphrag_pipeline.graph.sources.classification_file import load_classification
    from graphrag_pipeline.graph.sources.contract import LoadedGraph, PersonaSourceParams, SourceReport
    from graphrag_pipeline.graph.sources.file_graph import FileGraph, FileGraphParams
    from graphrag_pipeline.graph.sources.findings import Account, Finding
    from graphrag_pipeline.graph.sources.intake import Intake
    from graphrag_pipeline.graph.sources.persona_file import load_personas
    from graphrag_pipeline.model.classification import ClassificationTable, classify
    from graphrag_pipeline.model.component import Component, Params
    from graphrag_pipeline.model.personas import Persona, PersonaRegistry
    from graphrag_pipeline.model.query import Query
    from graphrag_pipeline.model.records import KnowledgeEdge, KnowledgeNode
    from graphrag_pipeline.model.result import QueryResult
    from graphrag_pipeline.model.zachman import (
        CELLS,
        Interrogative,
        Perspective,
        ZachmanCell,
        assert_per_row_floor,
        iter_cells,
        matrix_coverage,
    )
    from graphrag_pipeline.pipeline.graphrag import GraphRAG
    from graphrag_pipeline.pipeline.runner import Pipeline
    from graphrag_pipeline.pipeline.trace import SlotTrace, Trace
    from graphrag_pipeline.plugin.hookspecs import hookimpl
    from graphrag_pipeline.stages.bridges.auto import AutoBridge
    from graphrag_pipeline.stages.bridges.lyra import LyraBridge
    from graphrag_pipeline.stages.bridges.mock import LyraMockBridge
    from graphrag_pipeline.stages.bridges.noop import NoOpLyraBridge
    from graphrag_pipeline.stages.candidates import NOWHERE, Candidates
    from graphrag_pipeline.stages.contract import (
        BridgeParams,
        ContextParams,
        ExpanderParams,
        ScorerParams,
        Seed,
        SeedParams,
        TokenCounter,
        Verdict,
    )
    from graphrag_pipeline.stages.dense.embedding import Embedding
    from graphrag_pipeline.stages.embedders.contract import EmbedderParams
    from graphrag_pipeline.stages.scored import Context, ScoredNode
    from graphrag_pipeline.stages.seeds.retriever import RetrieverSeeds
    from graphrag_pipeline.tracking.contract import TrackedEnd, TrackedRun, TrackedStep

_HOMES = {
    "config.load": "load_pipeline",
    "errors": "ConfigError DatasetError GraphRAGError GraphSourceError PluginError StageError",
    "graph.index": "GraphIndex",
    "graph.knowledge": "KnowledgeGraph",
    "graph.sources.classification_file": "load_classification",
    "graph.sources.contract": "LoadedGraph PersonaSourceParams SourceReport",
    "graph.sources.file_graph": "FileGraph FileGraphParams",
    "graph.sources.findings": "Account Finding",
    "graph.sources.intake": "Intake",
    "graph.sources.persona_file": "load_personas",
    "model.classification": "ClassificationTable classify",
    "model.component": "Component Params",
    "model.personas": "Persona PersonaRegistry",
    "model.query": "Query",
    "model.records": "KnowledgeEdge KnowledgeNode",
    "model.result": "QueryResult",
    "model.zachman": "CELLS Interrogative Perspective ZachmanCell "
    "assert_per_row_floor iter_cells matrix_coverage",
    "pipeline.graphrag": "GraphRAG",
    "pipeline.runner": "Pipeline",
    "pipeline.trace": "SlotTrace Trace",
    "plugin.hookspecs": "hookimpl",
    "stages.bridges.auto": "AutoBridge",
    "stages.bridges.lyra": "LyraBridge",
    "stages.bridges.mock": "LyraMockBridge",
    "stages.bridges.noop": "NoOpLyraBridge",
    "stages.candidates": "NOWHERE Candidates",
    "stages.contract": "BridgeParams ContextParams ExpanderParams ScorerParams Seed SeedParams "
    "TokenCounter Verdict",
    "stages.dense.embedding": "Embedding",
    "stages.embedders.contract": "EmbedderParams",
    "stages.scored": "Context ScoredNode",
    "stages.seeds.retriever": "RetrieverSeeds",
    "tracking.contract": "TrackedEnd TrackedRun TrackedStep",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "CELLS",
    "NOWHERE",
    "Account",
    "AutoBridge",
    "BridgeParams",
    "Candidates",
    "ClassificationTable",
    "Component",
    "ConfigError",
    "Context",
    "ContextParams",
    "DatasetError",
    "EmbedderParams",
    "Embedding",
    "ExpanderParams",
    "FileGraph",
    "FileGraphParams",
    "Finding",
    "GraphIndex",
    "GraphRAG",
    "GraphRAGError",
    "GraphSourceError",
    "Intake",
    "Interrogative",
    "KnowledgeEdge",
    "KnowledgeGraph",
    "KnowledgeNode",
    "LoadedGraph",
    "LyraBridge",
    "LyraMockBridge",
    "NoOpLyraBridge",
    "Params",
    "Persona",
    "PersonaRegistry",
    "PersonaSourceParams",
    "Perspective",
    "Pipeline",
    "PluginError",
    "Query",
    "QueryResult",
    "RetrieverSeeds",
    "ScoredNode",
    "ScorerParams",
    "Seed",
    "SeedParams",
    "SlotTrace",
    "SourceReport",
    "StageError",
    "TokenCounter",
    "Trace",
    "TrackedEnd",
    "TrackedRun",
    "TrackedStep",
    "Verdict",
    "ZachmanCell",
    "__version__",
    "assert_per_row_floor",
    "classify",
    "hookimpl",
    "iter_cells",
    "load_classification",
    "load_personas",
    "load_pipeline",
    "matrix_coverage",
]


def __getattr__(name: str) -> object:
    if (home := _HOME_OF.get(name)) is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
