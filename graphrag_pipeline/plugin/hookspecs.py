"""Every hook a plugin may implement, and what each promises.

Registration hooks return component classes (see :mod:`graphrag_pipeline.stages.contract`,
:mod:`graphrag_pipeline.graph.sources.contract` and :mod:`graphrag_pipeline.tracking.contract`); they are
called once, when the plugin is loaded.
Of two components with one kind and name, using either by its bare name is an error that names both;
``plugin:name`` picks one.

Observer hooks watch a run. What they return is ignored; one that raises is logged once and left out
for the rest of its host's life. Later answers cannot be changed by them: every result is made anew from the
index.

A hook may take any part of its arguments. Wrappers are refused: what changes a result is a component.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from pathlib import Path

    from graphrag_pipeline.pipeline.plan import Plan
    from graphrag_pipeline.pipeline.trace import SlotTrace, Trace

PROJECT = "graphrag_pipeline"
PREFIX = "graphrag_"
"""How every hook's name starts; plugins keep it free of functions that are no hooks."""
HOOK_API_VERSION = 1
"""Grows by one when a hook is removed or changes its meaning."""
CONFIG_HOOK = "graphrag_config_sources"
"""The hook that names directories of YAML config groups."""
EVENTS = ("plan_built", "before_stage", "after_stage", "stage_failed", "run_finished")
"""What can be observed; the hook of an event is ``graphrag_<event>``."""

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec
def graphrag_register_seed_retrievers() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``retrieve(query, index, k)``. Since 0.1.0."""


@hookspec
def graphrag_register_expanders() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``expand(seeds, query, index)``. Since 0.1.0."""


@hookspec
def graphrag_register_filters() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``keep(candidates, query, index)``. Since 0.1.0."""


@hookspec
def graphrag_register_signals() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``compute(candidates, query, index)``. Since 0.1.0."""


@hookspec
def graphrag_register_scorers() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``score(signals, weights, candidates)``. Since 0.1.0."""


@hookspec
def graphrag_register_rerankers() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``rerank(candidates, query, index)``. Since 0.1.0."""


@hookspec
def graphrag_register_bridges() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with the three bridge calls. Since 0.1.0."""


@hookspec
def graphrag_register_context_assemblers() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``assemble(scored, query, index, counter, budget)``. Since 0.1.0."""


@hookspec
def graphrag_register_token_counters() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``count(text)``. Since 0.1.0."""


@hookspec
def graphrag_register_embedders() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``embed(texts)`` and ``fingerprint()``. Since 0.1.0."""


@hookspec
def graphrag_register_graph_sources() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``load() -> LoadedGraph``. Since 0.1.0."""


@hookspec
def graphrag_register_persona_sources() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``load() -> PersonaRegistry``. Since 0.1.0."""


@hookspec
def graphrag_register_metrics() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``measure(ranking, relevant) -> float``.

    ``ranking`` is node ids, best first; ``relevant`` maps node ids to grades above 0. Since 0.1.0.
    """


@hookspec
def graphrag_register_trackers() -> Sequence[type]:  # type: ignore[empty-body]
    """Return classes with ``start(run)``, ``log(run, step)`` and ``finish(run, end)``. Since 0.1.0."""


@hookspec
def graphrag_config_sources() -> Sequence[Path]:  # type: ignore[empty-body]
    """Return directories of YAML config groups that the plugin ships. Since 0.1.0.

    Called before a config is composed. The directories come after the user's and before the
    built-in one.
    """


@hookspec
def graphrag_plan_built(plan: Plan) -> None:
    """Observe a plan, once, before its first query. Since 0.1.0."""


@hookspec
def graphrag_before_stage(slot: str, step: int) -> None:
    """Observe that the stage in ``slot``, the ``step``-th of the order from 0, starts. Since 0.1.0."""


@hookspec
def graphrag_after_stage(slot: str, step: int, trace: SlotTrace) -> None:
    """Observe what a stage did. Since 0.1.0."""


@hookspec
def graphrag_stage_failed(slot: str, step: int, error: BaseException) -> None:
    """Observe a stage's error; it is raised to the caller in any case. Since 0.1.0."""


@hookspec
def graphrag_run_finished(trace: Trace) -> None:
    """Observe a finished query. Since 0.1.0."""
