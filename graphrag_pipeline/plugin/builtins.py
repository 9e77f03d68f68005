"""The built-in components, registered through the same hooks as everybody's.

Each hook imports what it returns, so that this module costs nothing until a host calls it.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphrag_pipeline.plugin.hookspecs import hookimpl


@hookimpl
def graphrag_register_seed_retrievers() -> Sequence[type]:
    """Return the built-in seed retrievers."""
    from graphrag_pipeline.stages.seeds.bm25 import Bm25Seeds
    from graphrag_pipeline.stages.seeds.dense import DenseSeeds
    from graphrag_pipeline.stages.seeds.hybrid import HybridSeeds
    from graphrag_pipeline.stages.seeds.ids import IdSeeds
    from graphrag_pipeline.stages.seeds.label import LabelSeeds
    from graphrag_pipeline.stages.seeds.mention import MentionSeeds
    from graphrag_pipeline.stages.seeds.retriever import RetrieverSeeds

    return [Bm25Seeds, DenseSeeds, HybridSeeds, IdSeeds, LabelSeeds, MentionSeeds, RetrieverSeeds]


@hookimpl
def graphrag_register_expanders() -> Sequence[type]:
    """Return the built-in expanders."""
    from graphrag_pipeline.stages.expand.beam import BeamExpander
    from graphrag_pipeline.stages.expand.bfs import BreadthFirst
    from graphrag_pipeline.stages.expand.none import NoExpansion
    from graphrag_pipeline.stages.expand.ppr import PprExpander

    return [BeamExpander, BreadthFirst, NoExpansion, PprExpander]


@hookimpl
def graphrag_register_filters() -> Sequence[type]:
    """Return the built-in filters."""
    from graphrag_pipeline.stages.filters.rules.filter import Rules
    from graphrag_pipeline.stages.filters.zachman import ZachmanFilter

    return [Rules, ZachmanFilter]


@hookimpl
def graphrag_register_signals() -> Sequence[type]:
    """Return the built-in signals."""
    from graphrag_pipeline.stages.signals.baseline import Baseline
    from graphrag_pipeline.stages.signals.bm25 import Bm25Signal, ResidualPath, ResidualSignal
    from graphrag_pipeline.stages.signals.degree_penalty import DegreePenalty
    from graphrag_pipeline.stages.signals.dense_similarity import DenseSimilarity
    from graphrag_pipeline.stages.signals.edge_type_prior import EdgeTypePrior
    from graphrag_pipeline.stages.signals.evidence import MentionSignal, PathFromMention, PathMax, PathSum
    from graphrag_pipeline.stages.signals.hop_decay import HopDecay
    from graphrag_pipeline.stages.signals.idf_coverage import IdfCoverage
    from graphrag_pipeline.stages.signals.label_match import LabelMatch
    from graphrag_pipeline.stages.signals.neighbour_smoothing import NeighbourSmoothing
    from graphrag_pipeline.stages.signals.node_type_prior import NodeTypePrior
    from graphrag_pipeline.stages.signals.persona_cells import PersonaCells
    from graphrag_pipeline.stages.signals.persona_match import PersonaMatch
    from graphrag_pipeline.stages.signals.ppr import PprSignal
    from graphrag_pipeline.stages.signals.recency import Recency
    from graphrag_pipeline.stages.signals.seed_score import SeedScore
    from graphrag_pipeline.stages.signals.textual import Textual

    return [
        Baseline,
        Bm25Signal,
        DegreePenalty,
        DenseSimilarity,
        EdgeTypePrior,
        HopDecay,
        IdfCoverage,
        LabelMatch,
        MentionSignal,
        NeighbourSmoothing,
        NodeTypePrior,
        PathFromMention,
        PathMax,
        PathSum,
        PersonaCells,
        PersonaMatch,
        PprSignal,
        Recency,
        ResidualPath,
        ResidualSignal,
        SeedScore,
        Textual,
    ]


@hookimpl
def graphrag_register_scorers() -> Sequence[type]:
    """Return the built-in scorers."""
    from graphrag_pipeline.stages.scorers.rrf import ReciprocalRankFusion
    from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSum

    return [ReciprocalRankFusion, WeightedSum]


@hookimpl
def graphrag_register_rerankers() -> Sequence[type]:
    """Return the built-in rerankers."""
    from graphrag_pipeline.stages.rerank.coverage import QueryCoverage
    from graphrag_pipeline.stages.rerank.mmr import MaximalMarginalRelevance

    return [QueryCoverage, MaximalMarginalRelevance]


@hookimpl
def graphrag_register_bridges() -> Sequence[type]:
    """Return the built-in bridges."""
    from graphrag_pipeline.stages.bridges.auto import AutoBridge
    from graphrag_pipeline.stages.bridges.lyra import LyraBridge
    from graphrag_pipeline.stages.bridges.mock import LyraMockBridge
    from graphrag_pipeline.stages.bridges.noop import NoOpLyraBridge

    return [AutoBridge, LyraBridge, LyraMockBridge, NoOpLyraBridge]


@hookimpl
def graphrag_register_context_assemblers() -> Sequence[type]:
    """Return the built-in context assemblers."""
    from graphrag_pipeline.stages.context.bullets import Bullets
    from graphrag_pipeline.stages.context.jsonl import JsonLines
    from graphrag_pipeline.stages.context.markdown import Markdown
    from graphrag_pipeline.stages.context.passages import Passages
    from graphrag_pipeline.stages.context.paths import Paths
    from graphrag_pipeline.stages.context.sections import Sections
    from graphrag_pipeline.stages.context.triples import Triples

    return [Bullets, JsonLines, Markdown, Passages, Paths, Sections, Triples]


@hookimpl
def graphrag_register_token_counters() -> Sequence[type]:
    """Return the built-in token counters."""
    from graphrag_pipeline.stages.tokens.chars4 import Chars4
    from graphrag_pipeline.stages.tokens.scripts import Scripts
    from graphrag_pipeline.stages.tokens.tiktoken import Tiktoken
    from graphrag_pipeline.stages.tokens.tokenizer import HuggingFaceTokenizer
    from graphrag_pipeline.stages.tokens.words import Words

    return [Chars4, Scripts, Tiktoken, HuggingFaceTokenizer, Words]


@hookimpl
def graphrag_register_embedders() -> Sequence[type]:
    """Return the built-in embedders."""
    from graphrag_pipeline.stages.embedders.hashing import Hashing
    from graphrag_pipeline.stages.embedders.wordllama import WordLlama

    return [Hashing, WordLlama]


@hookimpl
def graphrag_register_graph_sources() -> Sequence[type]:
    """Return the built-in graph sources."""
    from graphrag_pipeline.graph.sources.archimate.source import ArchiMateGraph
    from graphrag_pipeline.graph.sources.auto import AutoGraph
    from graphrag_pipeline.graph.sources.cytoscape import CytoscapeGraph
    from graphrag_pipeline.graph.sources.demo_graph import DemoGraph
    from graphrag_pipeline.graph.sources.gexf.source import GexfGraph
    from graphrag_pipeline.graph.sources.gml.source import GmlGraph
    from graphrag_pipeline.graph.sources.graphml.source import GraphMLGraph
    from graphrag_pipeline.graph.sources.graphology import GraphologyGraph
    from graphrag_pipeline.graph.sources.hipporag import HippoRagGraph
    from graphrag_pipeline.graph.sources.index_directory import IndexDirectory
    from graphrag_pipeline.graph.sources.json_file import JsonGraph
    from graphrag_pipeline.graph.sources.lightrag.source import LightRagGraph, NanoGraph
    from graphrag_pipeline.graph.sources.llamaindex import LlamaIndexGraph
    from graphrag_pipeline.graph.sources.msgraphrag.source import MsGraphRagGraph
    from graphrag_pipeline.graph.sources.neo4j.source import Neo4jGraph
    from graphrag_pipeline.graph.sources.networkx_object import NetworkXGraph
    from graphrag_pipeline.graph.sources.node_link import NodeLinkGraph
    from graphrag_pipeline.graph.sources.openie import OpenIeGraph
    from graphrag_pipeline.graph.sources.rdf.source import RdfGraph
    from graphrag_pipeline.graph.sources.tables.csv_source import CsvGraph
    from graphrag_pipeline.graph.sources.tables.parquet_source import ParquetGraph

    return [
        ArchiMateGraph,
        AutoGraph,
        CsvGraph,
        CytoscapeGraph,
        DemoGraph,
        GexfGraph,
        GmlGraph,
        GraphMLGraph,
        GraphologyGraph,
        HippoRagGraph,
        IndexDirectory,
        JsonGraph,
        LightRagGraph,
        LlamaIndexGraph,
        MsGraphRagGraph,
        NanoGraph,
        Neo4jGraph,
        NetworkXGraph,
        NodeLinkGraph,
        OpenIeGraph,
        ParquetGraph,
        RdfGraph,
    ]


@hookimpl
def graphrag_register_persona_sources() -> Sequence[type]:
    """Return the built-in persona sources."""
    from graphrag_pipeline.graph.sources.demo_personas import DemoPersonas
    from graphrag_pipeline.graph.sources.no_personas import NoPersonas
    from graphrag_pipeline.graph.sources.persona_file import PersonaFile

    return [DemoPersonas, NoPersonas, PersonaFile]


@hookimpl
def graphrag_register_trackers() -> Sequence[type]:
    """Return the built-in trackers."""
    from graphrag_pipeline.tracking.jsonl import JsonLines

    return [JsonLines]
