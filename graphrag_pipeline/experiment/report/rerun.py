"""Running some queries again, to see what a run or a sweep does not hold: nodes, edges, reasons."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.errors import GraphRAGError
from graphrag_pipeline.experiment.answers import failure_of
from graphrag_pipeline.experiment.datasets.checks import Judged, judge
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.manifest import loaded_plugins
from graphrag_pipeline.experiment.report.recipe import Recipe
from graphrag_pipeline.experiment.report.subgraph import Subgraph, subgraph
from graphrag_pipeline.experiment.report.tallies import Tally, cell_of
from graphrag_pipeline.experiment.result_digest import result_digest
from graphrag_pipeline.experiment.stable_text import stable_text, variables_of
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.trace import SlotTrace, Trace
from graphrag_pipeline.plugin.causes import plugin_errors
from graphrag_pipeline.plugin.host import PluginHost

BUILTIN = "builtin"
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class StepView:
    """One step of one query.

    Args:
        slot: Its slot.
        use: Its component.
        before: Nodes that came in.
        after: Nodes that went out.
        did: What it did, in words.
    """

    slot: str
    use: str
    before: int
    after: int
    did: str


@dataclass(frozen=True, slots=True)
class QueryView:
    """One query, run again.

    Args:
        query: Its id.
        about: Persona, cell and the like, where it has them.
        steps: What each step did; empty when the query failed.
        part: What to draw; None when the query failed.
        same: Whether the result is the recorded one; true where that cannot be told.
        failure: Why it failed; empty when it did not.
    """

    query: str
    about: str
    steps: tuple[StepView, ...]
    part: Subgraph | None
    same: bool
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Rerun:
    """What running again gave.

    Args:
        views: The chosen queries, in the order they were chosen.
        texts: The words of every query of the set.
        tally: Relevant nodes by cell; None where none has a cell.
        again: How many queries ran again.
        different: Ids of those whose result is not the recorded one.
        checked: Whether results could be compared with recorded ones.
        changed: Inputs that are not what they were.
        problem: Why nothing could be run; empty when it could.
    """

    views: tuple[QueryView, ...] = ()
    texts: Mapping[str, str] | None = None
    tally: Tally | None = None
    again: int = 0
    different: tuple[str, ...] = ()
    checked: bool = True
    changed: tuple[str, ...] = ()
    problem: str = ""


def rerun(recipe: Recipe, chosen: Sequence[str], host: PluginHost, progress: Progress) -> Rerun:
    """Run the chosen queries again, and all judged ones when relevant nodes have Zachman cells.

    Args:
        recipe: What to make again.
        chosen: Ids of queries to look into.
        host: Where components are.
        progress: Told how many queries are done, of how many.

    Returns:
        What came of it. Where the pipeline or the questions cannot be had, only why.
    """
    with recipe.file() as file:
        try:
            settings = load_settings(host=host, config_file=file)
            dataset = load_dataset(settings.dataset)
            pipeline = build_pipeline(settings, host)
            judged = judge(dataset, pipeline.index)
        except GraphRAGError as error:
            said = str(error).replace(f"{file.parent}{os.sep}", "")
            return Rerun(problem=stable_text(said, variables_of(recipe.config)))
    return _Again(recipe, pipeline, judged).run(chosen, progress)


@dataclass(frozen=True, slots=True)
class _Again:
    recipe: Recipe
    pipeline: Pipeline
    judged: Judged

    def run(self, chosen: Sequence[str], progress: Progress) -> Rerun:
        questions = {question.query_id: question for question in self.judged.dataset.questions}
        tally = Tally() if self._has_cells() else None
        wanted = frozenset(chosen)
        asked = [
            query
            for query in self.recipe.queries
            if query in questions and (query in wanted or (tally and query in self.judged.relevant))
        ]
        views: dict[str, QueryView] = {}
        different = []
        for done, query in enumerate(asked, start=1):
            trace, failure = self._traced(questions[query])
            relevant = self.judged.relevant.get(query, ())
            same = self._is_recorded(query, trace)
            if not same:
                different.append(query)
            if tally is not None:
                tally.add(relevant, self.pipeline.index, trace)
            if query in wanted:
                views[query] = _view(questions[query], trace, relevant, same, failure)
            progress(done, len(asked))
        return Rerun(
            tuple(views[query] for query in chosen if query in views),
            {query: question.text for query, question in questions.items()},
            tally,
            len(asked),
            tuple(different),
            self.recipe.results is not None,
            tuple(self._changed(doubtful=bool(different) or self.recipe.results is None)),
        )

    def _has_cells(self) -> bool:
        nodes = {node for nodes in self.judged.relevant.values() for node in nodes}
        return any(cell_of(node, self.pipeline.index) is not None for node in nodes)

    def _traced(self, question: Question) -> tuple[Trace | None, str]:
        try:
            return self.pipeline.trace(question.query(self.pipeline.query)), ""
        except plugin_errors() as error:
            return None, failure_of(error, variables_of(self.recipe.config)).what

    def _is_recorded(self, query: str, trace: Trace | None) -> bool:
        if self.recipe.results is None:
            return True
        digest = "" if trace is None else result_digest(trace.working)
        return self.recipe.results.get(query) == digest

    def _changed(self, *, doubtful: bool) -> Iterator[str]:
        """Yield what is known to be another one than it was; code only where results may be others."""
        recipe = self.recipe
        if recipe.graph and recipe.graph != self.pipeline.index.digest:
            yield "the graph"
        if recipe.dataset and recipe.dataset != self.judged.dataset.digest:
            yield "the question set"
        for plugin in loaded_plugins(self.pipeline.host) if doubtful else ():
            name, digest = str(plugin["name"]), plugin["digest"]
            if recipe.plugins.get(name, digest) != digest:
                yield "the code of this program" if name == BUILTIN else f"the plugin {name}"


def _view(
    question: Question, trace: Trace | None, relevant: Sequence[str], same: bool, failure: str
) -> QueryView:
    if trace is None:
        return QueryView(question.query_id, "", (), None, same, failure)
    query = trace.query
    cell = None if query.cell is None else query.cell.coordinate
    about = [
        *([f"persona {query.persona}"] if query.persona else []),
        *([f"cell {cell}"] if cell else []),
        f"k {query.k}",
        f"{query.max_hops} hops",
    ]
    steps = tuple(map(_step, trace.slots))
    return QueryView(question.query_id, " · ".join(about), steps, subgraph(trace, relevant), same)


def _step(slot: SlotTrace) -> StepView:
    parts = [f"not called: {slot.idle}"] if slot.idle else []
    parts += [slot.failure.told] if slot.failure is not None else []
    parts += [f"dropped {count} {reason}" for reason, count in slot.drop_counts().items()]
    if slot.bridge is not None:
        bridge = slot.bridge
        parts.append(f"{bridge.mode}: {bridge.error or f'added {bridge.nodes} nodes, {bridge.edges} edges'}")
    if slot.context is not None:
        context = slot.context
        parts.append(f"{context.tokens} of {context.budget} tokens")
        parts += [f"left out {count} {reason}" for reason, count in context.counts().items()]
    return StepView(
        slot.slot, slot.use, slot.candidates_in, slot.candidates_out, "; ".join([*parts, *slot.remarks])
    )
