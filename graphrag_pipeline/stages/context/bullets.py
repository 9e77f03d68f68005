"""The reference's context: one bullet a node, best first."""

from __future__ import annotations

from collections.abc import Iterable

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.context.fit import longest_fit
from graphrag_pipeline.stages.contract import ContextParams, TokenCounter
from graphrag_pipeline.stages.scored import Context, ScoredNode

HEADER = "[GraphRAG context — top-scored nodes]"


class BulletsParams(ContextParams):
    """How the list is cut."""

    keep_top: bool = True
    """Write the best node even when it alone passes the budget (the reference); false keeps the budget."""
    single_line: bool = False
    """Write line breaks in labels and ids as spaces, so that a label cannot pass for another node's line."""


class Bullets(Component[BulletsParams]):
    """A header and one line a node: score, label, type and id."""

    name = "bullets"
    Params = BulletsParams

    def assemble(
        self,
        scored: Iterable[ScoredNode],
        query: Query,
        index: GraphIndex,
        counter: TokenCounter,
        budget: int,
    ) -> Context:
        """Write lines until the next one would pass the budget."""
        always = 1 if self.params.keep_top else 0
        lines = longest_fit(HEADER, map(self._line, scored), always, counter.count, budget)
        return Context("\n".join([HEADER, *lines]) if lines else "", len(lines))

    def _line(self, scored: ScoredNode) -> str:
        line = f"- [{scored.score:.2f}] {scored.label} ({scored.node_type}, id={scored.node_id})"
        return " ".join(line.splitlines()) if self.params.single_line else line
