"""From overrides to a pipeline that is ready to answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import (
    GraphSource,
    LoadedGraph,
    PersonaSource,
    PersonaSourceParams,
)
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.pipeline.graphrag import as_index
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.plugin.host import PluginHost

if TYPE_CHECKING:
    import networkx

    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


def load_pipeline(
    overrides: Sequence[str] = (),
    *,
    config_dirs: Sequence[str | Path] = (),
    plugins: Sequence[str | Path] = (),
    host: PluginHost | None = None,
    graph: KnowledgeGraph | GraphIndex | networkx.Graph[Any] | None = None,
    personas: PersonaRegistry | None = None,
    stages: Mapping[str, object] | None = None,
) -> Pipeline:
    """Build a pipeline from configuration.

    Args:
        overrides: As on the command line: ``["seed=label", "score.weights.label_match=0.6"]``.
        config_dirs: Directories of your own YAML groups, the first wins.
        plugins: Plugin files to load.
        host: A plugin host of your own, in place of one that ``plugins`` and the environment fill.
        graph: A graph object, in place of the configured source.
        personas: A registry, in place of the configured source.
        stages: Ready objects that fill slots, by slot; their slot's parameters still apply.

    Raises:
        ConfigError: The configuration is wrong; the error lists every mistake.
        PluginError: A component is unknown or cannot be built.
        GraphSourceError: The graph or the personas cannot be read.
    """
    host = PluginHost.discover(files=plugins) if host is None else host
    settings = load_settings(overrides, config_dirs=config_dirs, host=host)
    return build_pipeline(settings, host, graph=graph, personas=personas, stages=stages)


def build_pipeline(
    settings: Settings,
    host: PluginHost,
    *,
    graph: KnowledgeGraph | GraphIndex | networkx.Graph[Any] | None = None,
    personas: PersonaRegistry | None = None,
    stages: Mapping[str, object] | None = None,
) -> Pipeline:
    """Build a pipeline from validated settings; see :func:`load_pipeline`."""
    # The plan first: it costs nothing, and a mistake in it should not wait for a large graph.
    plan = build_plan(settings.pipeline, host, stages)
    params = settings.personas.params
    return Pipeline(
        plan,
        as_index(load_graph(settings, host).graph if graph is None else graph),
        host,
        query=settings.query,
        personas=load_registry(settings, host) if personas is None else personas,
        anchors=params.anchors if isinstance(params, PersonaSourceParams) else ("id",),
    )


def load_graph(settings: Settings, host: PluginHost) -> LoadedGraph:
    """Load the configured graph with the report of its reading.

    Raises:
        GraphSourceError: It cannot be read.
    """
    spec = settings.graph
    return cast("GraphSource", host.build(spec.kind, spec.use, spec.params)).load()


def load_registry(settings: Settings, host: PluginHost) -> PersonaRegistry:
    """Load the configured personas.

    Raises:
        GraphSourceError: They cannot be read.
    """
    spec = settings.personas
    return cast("PersonaSource", host.build(spec.kind, spec.use, spec.params)).load()
