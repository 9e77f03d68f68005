"""Answering one query for all configs of a group, and what is kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.models import IndexSection
from graphrag_pipeline.experiment.answers import Failure, failure_of
from graphrag_pipeline.experiment.datasets.checks import Judged, judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.graph_measures import GraphMeasures
from graphrag_pipeline.experiment.sweep.groups import Group
from graphrag_pipeline.experiment.sweep.measuring import Asked, Measuring
from graphrag_pipeline.experiment.sweep.store import StoredRow
from graphrag_pipeline.experiment.sweep.trie import Root, Trie
from graphrag_pipeline.experiment.sweep.walk import Leaf, Lost, Walk
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.plugin.host import PluginHost

DONE, FAILED = "done", "failed"


class Answering:
    """A group with its graph loaded.

    Args:
        group: The configs.
        host: Where components come from.
        dataset: The question set.
        measuring: Computes the measures.
        index: Where the compiled graph is kept, in place of what the config says; None for that.

    Raises:
        GraphSourceError: The graph cannot be read.
        DatasetError: Question set and graph do not belong together.
    """

    def __init__(
        self,
        group: Group,
        host: PluginHost,
        dataset: Dataset,
        measuring: Measuring,
        index: IndexSection | None = None,
    ) -> None:
        settings = group.settings if index is None else replace(group.settings, index=index)
        self.pipeline: Pipeline = build_pipeline(settings, host)
        self.judged: Judged = judge(dataset, self.pipeline.index)
        self._graph = GraphMeasures(self.pipeline.index)
        self._group = group
        self._measuring = measuring
        self.executions = 0
        """How many executions of stages all queries took so far."""

    def rows(self, query: int) -> list[StoredRow]:
        """Return a row for every config of the group, by its number.

        Args:
            query: Place of the query in the question set.
        """
        question = self.judged.dataset.questions[query]
        trie = self._group.trie_of(question)
        rows = [self._known(row, trie) for root in trie.roots for row in self._of_root(root, question)]
        return sorted(rows, key=lambda row: row.point)

    def _known(self, row: StoredRow, trie: Trie) -> StoredRow:
        if row.point not in trie.without_context:
            return row
        return replace(row, values=self._measuring.without_context(row.values))

    def _of_root(self, root: Root, question: Question) -> Iterator[StoredRow]:
        asked, _ = self.pipeline.resolve(question.query(root.query))
        about = Asked.of(question.query_id, asked, self.judged, self.pipeline.index, self._graph)
        walk = Walk(asked, self.pipeline.index)
        for found in walk.through(root.stage):
            yield from self._measured(found, about) if isinstance(found, Leaf) else self._lost(found, about)
        self.executions += walk.executions

    def _measured(self, leaf: Leaf, asked: Asked) -> Iterator[StoredRow]:
        try:
            values, digests, raised = self._measuring.values(leaf, asked)
        except plugin_errors() as error:  # a metric of a plugin, or a context that cannot be looked at
            every = tuple(point for points in leaf.points for point in points)
            yield from self._lost(Lost(every, failure_of(error), leaf.seconds), asked)
            return
        errors = [_as_error(Failure(what)) if what else "" for what in raised]
        for points, row, digest, told in zip(leaf.points, values.tolist(), digests, errors, strict=True):
            for point in points:
                yield StoredRow(point, DONE, tuple(row), leaf.seconds, digest.hex(), told)

    def _lost(self, lost: Lost, asked: Asked) -> Iterator[StoredRow]:
        values = self._measuring.failed(asked)
        error = _as_error(lost.failure)
        for point in lost.points:
            yield StoredRow(point, FAILED, values, lost.seconds, "", error)


def _as_error(failure: Failure) -> str:
    return json.dumps(asdict(failure), ensure_ascii=False)


def unanswered(rows: Sequence[StoredRow], done: set[int]) -> list[StoredRow]:
    """Return the rows of configs that have none yet: what is done is not written again."""
    return [row for row in rows if row.point not in done]
