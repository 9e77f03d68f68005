"""Configs by the graph they run on: each group has one trie, and one graph in memory at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphrag_pipeline.config.settings import Settings
from graphrag_pipeline.errors import ConfigError, GraphRAGError, Problem
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.narrowing import narrowed_spec
from graphrag_pipeline.experiment.sweep.trie import Trie
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.host import PluginHost


@dataclass(slots=True, eq=False)
class Group:
    """Configs that run on one graph.

    Args:
        settings: The config of the first; graph, links, text analysis and personas are those of all.
        tries: Their stages, by the rules that queries have of their own; most have none.
        points: Their numbers, in order.
        stages: How many stages they have when each runs by itself.
    """

    settings: Settings
    tries: Mapping[str, Trie]
    points: list[int] = field(default_factory=list)
    stages: int = 0

    def trie_of(self, question: Question) -> Trie:
        """Return the stages that a query runs through."""
        return self.tries[rules_of(question)]

    def executions(self, question: Question) -> int:
        """Return how many executions of stages a query takes for all of them."""
        return sum(root.stage.executions() for root in self.trie_of(question).roots)

    @property
    def distinct(self) -> int:
        """How many different configs there are, as far as what runs is concerned."""
        return max(trie.distinct for trie in self.tries.values())


def rules_of(question: Question) -> str:
    """Return the rules that a query has of its own, as text; queries with the same text run alike."""
    return json.dumps(question.filters, sort_keys=True) if question.filters else ""


def grouped(
    points: Iterable[tuple[int, Settings]],
    host: PluginHost,
    questions: Callable[[Settings], Sequence[Question]],
    *,
    with_context: bool,
) -> tuple[Group, ...]:
    """Return configs in groups, in the order they come; settings are let go one by one.

    Args:
        points: Numbers and configs.
        host: Where components come from.
        questions: Reads the question set of the first config, which is that of all.
        with_context: Whether contexts are written.

    Raises:
        ConfigError: The question set differs between configs: their values could not be compared.
        DatasetError: The question set cannot be read, or a query has rules that a config cannot follow.
    """
    # A mistake in a config comes before one in the question set: it is the user's to mend first.
    left = iter(points)
    try:
        return _grouped(left, host, questions, with_context=with_context)
    except GraphRAGError:
        for _ in left:
            pass
        raise


def _grouped(
    points: Iterator[tuple[int, Settings]],
    host: PluginHost,
    questions: Callable[[Settings], Sequence[Question]],
    *,
    with_context: bool,
) -> tuple[Group, ...]:
    groups: dict[str, Group] = {}
    first: Settings | None = None
    ruled: dict[str, Question] = {}
    for number, settings in points:
        if first is None:
            first = settings
            ruled = {rules_of(question): question for question in questions(settings)}
        if settings.dataset != first.dataset:
            what, hint = "configs of one sweep answer the same question set", "make a sweep for each set"
            raise ConfigError([Problem("dataset", what, hint=hint)])
        key = _graph_of(settings)
        if key not in groups:
            groups[key] = Group(settings, {rules: Trie(host, with_context=with_context) for rules in ruled})
        group = groups[key]
        group.points.append(number)
        group.stages += len(settings.pipeline.order)
        for rules, question in ruled.items():
            spec = narrowed_spec(settings.pipeline, question) if rules else settings.pipeline
            group.tries[rules].add(number, settings.query, spec)
    return tuple(groups.values())


def _graph_of(settings: Settings) -> str:
    """Return what the graph, its text and its personas are made from."""
    parts = [
        *map(_source, (settings.graph, settings.personas)),
        settings.text.model_dump(mode="json"),
        settings.links.model_dump(mode="json"),
    ]
    return json.dumps(parts, default=str)


def _source(spec: ComponentSpec) -> list[object]:
    return [spec.kind, spec.use, spec.params.model_dump(mode="json")]
