"""From overrides to a pipeline that is ready to answer."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.errors import GraphRAGError, GraphSourceError
from graphrag_pipeline.graph.compiling import as_index, is_graph
from graphrag_pipeline.graph.examine import with_remarks
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.graph.sources.contract import (
    GraphSource,
    LoadedGraph,
    PersonaSource,
    PersonaSourceParams,
    SourceReport,
)
from graphrag_pipeline.graph.storage.cache import IndexCache, user_directory
from graphrag_pipeline.graph.text.storage import TextCache
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.pipeline.plan import build_plan
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.causes import cause, place, plugin_errors
from graphrag_pipeline.plugin.host import PluginHost

if TYPE_CHECKING:
    import networkx

    from graphrag_pipeline.graph.knowledge import KnowledgeGraph


logger = logging.getLogger(__name__)


def load_pipeline(
    overrides: Sequence[str] | str = (),
    *,
    config_dirs: Sequence[str | Path] | str | Path = (),
    plugins: Sequence[str | Path] | str | Path = (),
    host: PluginHost | None = None,
    graph: KnowledgeGraph | GraphIndex | networkx.Graph[Any] | None = None,
    personas: PersonaRegistry | None = None,
    stages: Mapping[str, object] | None = None,
    config_file: str | Path | None = None,
) -> Pipeline:
    """Build a pipeline from configuration.

    Args:
        overrides: As on the command line: ``["seed=label", "score.weights.label_match=0.6"]``.
        config_dirs: Directories of your own YAML groups, the first wins.
        plugins: Plugin files to load.
        host: A plugin host of your own, in place of one that the environment fills.
        graph: A graph object, in place of the configured source.
        personas: A registry, in place of the configured source.
        stages: Ready objects that fill slots, by slot; their slot's parameters still apply.
        config_file: A whole configuration to start from, in place of the built-in one.

    Raises:
        ConfigError: The configuration is wrong; the error lists every mistake.
        PluginError: A module that an override names cannot be loaded; a component is unknown or cannot be
            built.
        GraphSourceError: The graph or the personas cannot be read.
    """
    files = [plugins] if isinstance(plugins, str | Path) else plugins
    if host is None:
        host = PluginHost.discover(files=files)
    else:
        host.add_files(files)
    overrides = [overrides] if isinstance(overrides, str) else overrides
    directories = [config_dirs] if isinstance(config_dirs, str | Path) else config_dirs
    settings = load_settings(overrides, config_dirs=directories, host=host, config_file=config_file)
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
    if graph is None:
        loaded = load_index(settings, host)
        index = as_index(loaded.graph)
        if settings.graph.use == "auto" and loaded.report.notes:
            logger.info("%s: %s", loaded.report.source, loaded.report.notes[0])
        if remarks := loaded.report.summary():
            logger.warning("%s: %s; `graph doctor` lists them", loaded.report.source, remarks)
    else:
        index = _linked(as_index(graph), settings)
    return Pipeline(
        plan,
        index,
        host,
        query=settings.query,
        personas=load_registry(settings, host) if personas is None else personas,
        anchors=params.anchors if isinstance(params, PersonaSourceParams) else ("id",),
    )


def load_index(settings: Settings, host: PluginHost) -> LoadedGraph:
    """Return the configured graph, compiled: from the cache where it is, else loaded, and kept for later.

    Raises:
        GraphSourceError: It cannot be read, or its source is faulty.
    """
    source, cache = _source(settings.graph, host), _cache(settings)
    digest = _source_digest(source, settings.graph, host) if cache else ""
    kept_as = _kept_as(digest, settings)
    if cache and digest and (found := cache.find(kept_as, _shown_source(settings.graph))):
        kept = as_index(found.graph).with_text(settings.text)
        return with_remarks(LoadedGraph(_keeping_text(kept, settings), found.report))
    loaded = _loaded(source, settings.graph, host)
    if cache and not digest and settings.links.any:
        return _linked_once(loaded, settings, cache)
    index = _keeping_text(_linked(as_index(loaded.graph), settings), settings)
    worth_it = index.node_count >= settings.index.cache_from_nodes
    # A source that changed while it was read is not what its digest says.
    if cache and digest and worth_it and _source_digest(source, settings.graph, host) == digest:
        cache.keep(index, loaded.report, kept_as)
    return LoadedGraph(index, loaded.report)


def _linked_once(loaded: LoadedGraph, settings: Settings, cache: IndexCache) -> LoadedGraph:
    """Return a graph whose source has no digest, with links; they are kept under the digest of the graph."""
    graph = as_index(loaded.graph)
    if graph.node_count < settings.index.cache_from_nodes:
        return LoadedGraph(_keeping_text(_linked(graph, settings), settings), loaded.report)
    kept_as = _kept_as(graph.digest, settings)
    found = cache.find(kept_as, loaded.report.source)
    linked = as_index(found.graph).with_text(settings.text) if found else _linked(graph, settings)
    if not found:
        cache.keep(linked, loaded.report, kept_as)
    return LoadedGraph(_keeping_text(linked, settings), loaded.report)


def _linked(index: GraphIndex, settings: Settings) -> GraphIndex:
    """Return the graph with the configured analysis and links."""
    return index.with_text(settings.text).linked(settings.links)


def _keeping_text(index: GraphIndex, settings: Settings) -> GraphIndex:
    """Let the analysis of a graph that the config names be kept where compiled graphs are."""
    directory = _cache_directory(settings)
    if directory is None:
        return index
    return index.keeping_text(TextCache(directory / "text", settings.index.cache_from_nodes))


def _kept_as(source_digest: str, settings: Settings) -> str:
    """Return what identifies the compiled graph: its source, and what its links were made by."""
    if not settings.links.any:
        return source_digest
    made_by = [settings.links.model_dump(), settings.text.model_dump()]
    return json.dumps([source_digest, *made_by], sort_keys=True)


def _cache(settings: Settings) -> IndexCache | None:
    directory = _cache_directory(settings)
    return None if directory is None else IndexCache(directory)


def _cache_directory(settings: Settings) -> Path | None:
    given = settings.index.cache_dir
    if given is None:
        return None
    try:
        return user_directory() if given == "auto" else Path(given).expanduser()
    except RuntimeError:  # this user has no home directory, as in some containers
        return None


def _source_digest(source: object, spec: ComponentSpec, host: PluginHost) -> str:
    """Return what identifies a source's graph, or the empty text for a source that cannot tell."""
    fingerprint = getattr(source, "fingerprint", None)
    if fingerprint is None:
        return ""
    info = host.find(spec.kind, spec.use)
    content = _guarded(spec, host, fingerprint)
    # The path of a file says nothing about its content, and the content is in the fingerprint.
    params = spec.params.model_dump(mode="json", exclude={"path"})
    # A plugin file has no version that tells whether its code changed.
    code = "" if info.source == "builtin" else host.code_digest(info.plugin)
    return json.dumps([info.qualified, info.version, code, params, str(content)], sort_keys=True)


def _shown_source(spec: ComponentSpec) -> str:
    return str(getattr(spec.params, "path", spec.use))


def load_graph(
    settings: Settings, host: PluginHost, progress: Callable[[int, int], None] | None = None
) -> LoadedGraph:
    """Load the configured graph, with the links that are configured, and the report of its reading.

    Args:
        settings: What is configured.
        host: Where sources are.
        progress: Told how many records were read, of how many, by a source that tells.

    Raises:
        GraphSourceError: It cannot be read, or its source is faulty.
    """
    source = _source(settings.graph, host)
    if progress is not None and hasattr(source, "progress"):
        source.progress = progress
    loaded = _loaded(source, settings.graph, host)
    if not settings.links.any:
        return loaded
    return LoadedGraph(_linked(as_index(loaded.graph), settings), loaded.report)


def _loaded(source: GraphSource | PersonaSource, spec: ComponentSpec, host: PluginHost) -> LoadedGraph:
    loaded = _guarded(spec, host, source.load)
    if is_graph(loaded):
        return with_remarks(LoadedGraph(loaded, SourceReport(spec.use)))
    if isinstance(loaded, LoadedGraph) and _is_whole(loaded):
        return with_remarks(loaded)
    raise _wrong(spec, host, f"returned {type(loaded).__name__}, not a LoadedGraph or a KnowledgeGraph")


def _is_whole(loaded: LoadedGraph) -> bool:
    report: object = loaded.report
    return is_graph(loaded.graph) and isinstance(report, SourceReport)


def load_registry(settings: Settings, host: PluginHost) -> PersonaRegistry:
    """Load the configured personas.

    Raises:
        GraphSourceError: They cannot be read, or their source is faulty.
    """
    spec = settings.personas
    loaded = _guarded(spec, host, _source(spec, host).load)
    if isinstance(loaded, PersonaRegistry):
        return loaded
    raise _wrong(spec, host, f"returned {type(loaded).__name__}, not a PersonaRegistry")


def _source(spec: ComponentSpec, host: PluginHost) -> GraphSource | PersonaSource:
    # The host checked each class against its kind.
    return cast("GraphSource | PersonaSource", host.build(spec.kind, spec.use, spec.params))


def _guarded(spec: ComponentSpec, host: PluginHost, call: Callable[[], object]) -> object:
    try:
        return call()
    except plugin_errors() as error:
        if isinstance(error, GraphRAGError):
            raise
        raise _wrong(spec, host, f"failed: {cause(error)}", place(error)) from error


def _wrong(spec: ComponentSpec, host: PluginHost, what: str, at: str = "") -> GraphSourceError:
    info = host.find(spec.kind, spec.use)
    where = f"plugin {info.origin}" + (f", {at}" if at else "")
    return GraphSourceError(f"The {info.title} {info.name!r} {what}.", where=where)
