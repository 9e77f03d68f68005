"""Load a config: compose, load its plugins, resolve, validate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.compose import HYDRA, Composition, compose
from graphrag_pipeline.config.frozen import compose_onto
from graphrag_pipeline.config.interpolation import resolve
from graphrag_pipeline.config.memory import Memory
from graphrag_pipeline.config.messages import NO_OPTION, nearest
from graphrag_pipeline.config.models import (
    DatasetSection,
    IndexSection,
    PipelineSection,
    PluginsSection,
    QuerySection,
)
from graphrag_pipeline.config.overrides import Override, escaped, parse_overrides
from graphrag_pipeline.config.plugin_section import asks_for_plugins, heed_plugins
from graphrag_pipeline.config.provenance import Choice, Origin
from graphrag_pipeline.config.search_path import SearchRoot, search_path
from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.config.tree import Leaf
from graphrag_pipeline.config.validate import SOURCES, Validated, validate
from graphrag_pipeline.config.yaml_writer import to_yaml
from graphrag_pipeline.errors import ConfigError, Problem
from graphrag_pipeline.graph.text.links import LinkSettings
from graphrag_pipeline.graph.text.settings import TextSettings
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.spec import SLOT_KINDS, ComponentSpec, PipelineSpec
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.redaction import without_secrets


@dataclass(frozen=True, slots=True)
class Settings:
    """A valid config.

    Args:
        query: The query; its text is empty when none is given.
        graph: Where the graph comes from.
        personas: Where personas come from.
        pipeline: The order of slots and what fills each.
        plugin_modules: Python modules that the config loads as plugins.
        index: Whether and where compiled graphs are kept.
        text: How text is analysed.
        links: Which edges are added to the graph.
        dataset: The question set to evaluate on; all of it is None when none is chosen.
        tree: Every value in force, defaults included, as plain data in a fixed order. A value from the
            environment is the ``${oc.env:…}`` that asks for it.
        origins: Where each value comes from, by dotted key; a list is one value.
        choices: The option of each config group.
        notes: What is worth knowing and not wrong, such as a built-in file that a user's file replaces.
        choice_origins: Where each choice was made.
        trackers: Who is told of a run, by the name that the config gives them.
    """

    query: Query
    graph: ComponentSpec
    personas: ComponentSpec
    pipeline: PipelineSpec
    plugin_modules: tuple[str, ...]
    index: IndexSection
    text: TextSettings
    links: LinkSettings
    dataset: DatasetSection
    tree: Mapping[str, Any]  # Any: plain data
    origins: Mapping[str, Origin]
    choices: Mapping[str, str]
    notes: tuple[str, ...]
    choice_origins: Mapping[str, Origin]
    trackers: Mapping[str, ComponentSpec] = field(default_factory=dict)


def load_settings(
    overrides: Sequence[str] = (),
    *,
    config_dirs: Sequence[str | Path] = (),
    host: PluginHost,
    text: str | None = None,
    config_file: str | Path | None = None,
) -> Settings:
    """Compose and validate a config.

    Args:
        overrides: ``key=value``, ``group=option``, ``+experiment=name``, ``~key``.
        config_dirs: Directories of the user's configs; they win over the built-in ones, the first most.
        host: Where components are. Plugins that the config asks for are added to it.
        text: The query's text, taken as it is; it wins over ``query.text`` from anywhere else.
        config_file: A whole config to start from, in place of the built-in one.

    Raises:
        ConfigError: Something is wrong; it lists every mistake.
        PluginError: A module that an override names in ``plugins.modules`` cannot be loaded.
    """
    try:
        composition = compose_with_plugins(overrides, config_dirs, host, text, config_file)
        validated = check_composition(composition, host)
    except RecursionError as error:
        raise ConfigError([Problem("", "a value or a key is nested too deeply")]) from error
    if validated.problems:
        raise ConfigError(validated.problems)
    return as_settings(validated, composition)


def settings_yaml(settings: Settings) -> str:
    """Return the whole config in force as YAML; used as a ``config.yaml`` it gives the same config."""
    return to_yaml(settings.tree)


# Any: plain data
def recipe(settings: Settings) -> dict[str, Any]:
    """Return the part of the config that results depend on: all but ``trackers``, and without secrets.

    A value under a key that looks like a secret's is left out, unless it asks the environment.
    """
    kept: dict[str, Any] = without_secrets(without_trackers(settings.tree))
    return kept


def recipe_yaml(settings: Settings) -> str:
    """Return :func:`recipe` as YAML."""
    return to_yaml(recipe(settings))


def compose_with_plugins(
    overrides: Sequence[str],
    config_dirs: Sequence[str | Path],
    host: PluginHost,
    text: str | None = None,
    config_file: str | Path | None = None,
) -> Composition:
    """Compose, load the plugins the config asks for, and compose again with what they bring."""
    with HYDRA:
        parsed, problems = parse_overrides(overrides)
    beaten: tuple[str, ...] = ()
    if text is not None:
        said = [override.text for override in parsed if override.key == "query.text"]
        beaten = tuple(f"TEXT is asked, so {override!r} has no effect" for override in said)
        parsed.append(
            Override("TEXT", "set", "query.text", value=Leaf(escaped(text), Origin("the command's TEXT")))
        )

    def composed(roots: Sequence[SearchRoot]) -> Composition:
        return compose(parsed, roots) if config_file is None else compose_onto(config_file, parsed, roots)

    roots, missing = search_path(config_dirs, host)
    composition = composed(roots)
    if asks_for_plugins(composition.tree):
        with HYDRA:
            tree, _ = resolve(composition.tree)
        heed_plugins(tree, host)
        roots, missing = search_path(config_dirs, host)
        composition = composed(roots)
    composition = replace(composition, notes=(*beaten, *composition.notes))
    return with_failed_plugins(composition, host).with_problems([*problems, *missing])


def with_failed_plugins(composition: Composition, host: PluginHost) -> Composition:
    """Say of each unknown option which plugins failed or are blocked: one of them may have had it."""
    failed = [
        f"the plugin {record.origin} failed to load: {record.failure.text}"
        for record in host.failed
        if record.failure
    ]
    blocked = [
        f"the plugin {record.origin} is blocked" for record in host.plugins if record.status == "blocked"
    ]
    absent = [*failed, *blocked]
    if not absent:
        return composition
    problems = tuple(
        replace(problem, hint="\n            ".join([problem.hint, *absent]))
        if problem.what.startswith(NO_OPTION)
        else problem
        for problem in composition.problems
    )
    return replace(composition, problems=problems)


def check_composition(composition: Composition, host: PluginHost, memory: Memory | None = None) -> Validated:
    """Resolve and validate a composed config; problems of composing come first.

    Args:
        composition: The config.
        host: Where components are.
        memory: What is known of parts that other configs share with this one.
    """
    if not composition.complete:
        return Validated(problems=list(composition.problems))
    with HYDRA:
        tree, unresolved = (memory.resolve if memory else resolve)(composition.tree)
    validated = validate(tree, host, composition.groups, memory)
    keys = {problem.key for problem in unresolved}
    rest = [problem for problem in validated.problems if problem.key not in keys]
    validated.problems = _once([*composition.problems, *unresolved, *rest])
    return validated


def _once(problems: Sequence[Problem]) -> list[Problem]:
    return list(dict.fromkeys(problems))


def _stray_slots(order: Sequence[str], slots: Iterable[str]) -> Iterator[str]:
    """Remark on slots that no order names and whose names are nearly that of one it does."""
    for slot in slots:
        if slot == "rerank" and slot not in order:
            yield "the slot 'rerank' is not in pipeline.order, so it does nothing"
        best = nearest(slot, order) if slot not in order else None
        if best and slot not in SLOT_KINDS:
            yield f"the slot {slot!r} is not in pipeline.order, so it does nothing; did you mean {best!r}?"


def as_settings(validated: Validated, composition: Composition) -> Settings:
    """Return a config in which nothing is wrong."""
    names = ("query", "pipeline", "plugins", "index", "text", "links", "dataset")
    query, pipeline, plugins, index, text, links, dataset = (validated.sections[name] for name in names)
    assert isinstance(query, QuerySection)
    assert isinstance(pipeline, PipelineSection)
    assert isinstance(plugins, PluginsSection)
    assert isinstance(index, IndexSection)
    assert isinstance(text, TextSettings)
    assert isinstance(links, LinkSettings)
    assert isinstance(dataset, DatasetSection)
    parts = validated.components
    slots = {name: spec for name, spec in parts.items() if name not in SOURCES}
    choices: Mapping[str, Choice] = dict(sorted(composition.choices.items()))
    return Settings(
        query=query.query(),
        graph=parts["graph"],
        personas=parts["personas"],
        pipeline=PipelineSpec(
            pipeline.order, {name: slots[name] for name in validated.tree if name in slots}
        ),
        plugin_modules=plugins.modules,
        index=index,
        text=text,
        links=links,
        dataset=dataset,
        tree=validated.tree,
        origins=validated.origins,
        choices={group: choice.option for group, choice in choices.items()},
        notes=(*composition.notes, *validated.notes, *_stray_slots(pipeline.order, slots)),
        choice_origins={group: choice.origin for group, choice in choices.items()},
        trackers=validated.trackers,
    )
