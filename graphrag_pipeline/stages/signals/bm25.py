"""How well a candidate's text matches the query's."""

from __future__ import annotations

from graphrag_pipeline.graph.arrays import FloatArray
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.seeds.params import Bm25Params


class Bm25Signal(Component[Bm25Params]):
    """BM25 as a share of the highest of any node in the graph; 0 … 1."""

    name = "bm25"
    Params = Bm25Params

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one share per candidate; zeros where no node matches."""
        return share_of_best(index.text.ask(query.text).bm25(self.params.form), candidates)


class ResidualSignal(Component[Bm25Params]):
    """BM25 of what the query's mentions leave, as a share of the highest of any node; 0 … 1.

    The residual is the query without the words of its strong mentions: what is asked about them.
    """

    name = "residual"
    Params = Bm25Params

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one share per candidate; zeros where no node matches, or nothing is left."""
        return share_of_best(index.text.ask(query.text).bm25(self.params.form, residual=True), candidates)


class ResidualPath(Component[Bm25Params]):
    """``residual`` times ``path_max``: what fits the rest of the query and is near its mentions; 0 … 1."""

    name = "residual_path"
    Params = Bm25Params

    def compute(self, candidates: Candidates, query: Query, index: GraphIndex) -> FloatArray:
        """Return one product per candidate."""
        score = index.text.ask(query.text).bm25(self.params.form, residual=True)
        return share_of_best(score, candidates) * candidates.evidence_of("path_max")


def share_of_best(score: FloatArray, candidates: Candidates) -> FloatArray:
    """Return the candidates' scores as shares of the highest of any node."""
    best = float(score.max(initial=0.0))
    chosen: FloatArray = score[candidates.node]
    return chosen / best if best else chosen
