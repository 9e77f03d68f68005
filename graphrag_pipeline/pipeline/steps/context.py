"""Running a context assembler."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.pipeline.context_report import ContextReport
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.stages.contract import ContextAssembler, TokenCounter
from graphrag_pipeline.stages.scored import Context


@dataclass(frozen=True, slots=True)
class ContextStep:
    """Writes the context.

    Args:
        place: Where it stands.
        component: The assembler.
        counter: Measures the text.
        budget: Tokens the text may take.
    """

    place: Place
    component: ContextAssembler
    counter: TokenCounter
    budget: int

    def run(self, working: WorkingSet, query: Query, index: GraphIndex) -> Outcome:
        """Write it from the ranked nodes; without nodes it is empty and nothing is called."""
        if not len(working):
            return Outcome(working, idle="no candidates")
        context = self.component.assemble(working.ranked(index), query, index, _Checked(self), self.budget)
        self._check(context, len(working))
        working = replace(working, context=context)
        report = ContextReport(working, index, self.counter.count(context.text), self.budget)
        return Outcome(working, cut=len(report), context=report, remarks=self._remarks(context, report))

    def _check(self, context: object, nodes: int) -> None:
        if not isinstance(context, Context):
            self.place.refuse(f"returned {type(context).__name__}, not a Context")
        if not isinstance(context.text, str):
            self.place.refuse(f"returned a context whose text is {type(context.text).__name__}")
        if not 0 <= context.written <= nodes:
            self.place.refuse(f"says it wrote {context.written} of {nodes} nodes")
        if context.node_ids is not None and len(context.node_ids) != context.written:
            self.place.refuse(f"says it wrote {context.written} nodes and names {len(context.node_ids)}")
        if len(context.left_out) > nodes - context.written:
            self.place.refuse(f"gives reasons for {len(context.left_out)} of {nodes - context.written} nodes")

    def _remarks(self, context: Context, report: ContextReport) -> tuple[str, ...]:
        if report.tokens > self.budget:
            over = f"the text takes {report.tokens} tokens, more than the budget of {self.budget}"
            return (*context.notes, over)
        if context.text or context.notes:
            return context.notes
        why = ", ".join(f"{count} {reason}" for reason, count in report.counts().items())
        return (f"the context is empty: {why}",)


@dataclass(frozen=True, slots=True)
class _Checked:
    """The counter, refused when a count is none: a budget measured by it would be silently off."""

    step: ContextStep

    def count(self, text: str) -> int:
        count: object = self.step.counter.count(text)
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            self.step.place.refuse(
                f"was given {count!r} by the token counter; counts are whole and at least 0"
            )
        return count
