"""What a score slot hands to its scorer."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrag_pipeline import Candidates
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.stages.scorers.rrf import ReciprocalRankFusionParams
from graphrag_pipeline.stages.scorers.weighted_sum import WeightedSumParams
from tests.pipeline.small import small, thought
from tests.tiny import Answering, pipeline_of

BRIDGE = Answering({"nodes": [thought("risk register"), thought("x")]})
ORDER = "seed expand bridge score context"


def test_a_scorer_sees_candidates_and_extras_at_once():
    seen: list[Any] = []

    class Scorer:
        def score(self, signals: Any, weights: Any, candidates: Candidates) -> Any:
            seen.append((candidates, dict(signals)))
            return np.arange(len(candidates), dtype=np.float64)

    trace = pipeline_of(small(), ORDER, given={"bridge": BRIDGE, "score": Scorer()}).trace("risk")
    ((candidates, signals),) = seen
    own, nodes = trace.working.candidates, trace.index.node_count
    assert candidates.node.tolist() == [*own.node.tolist(), nodes, nodes + 1]
    assert candidates.hop[-2:].tolist() == [0, 0]
    assert candidates.score[-2:].tolist() == [0.25, 0.25]
    assert signals["label_match"].tolist() == [*own.signals["label_match"].tolist(), 1, 0]
    scores = dict(trace.result.scored)
    assert (scores["x"], scores["risk register"]) == (len(own) + 1, len(own))
    assert own.score.tolist() == list(range(len(own)))


def test_a_scale_is_taken_over_candidates_and_extras_together():
    params = WeightedSumParams(weights={"label_match": 1.0, "seed_score": 1.0}, normalise="rank", clamp=False)
    pipeline = pipeline_of(small(), ORDER, given={"bridge": BRIDGE}, params={"score": params})
    trace = pipeline.trace("risk")
    assert list(trace.signals["label_match"]) == [1, 0, 0, 0, 1, 0]
    # Of six, x shares the ranks 1 to 4 of those without a match, and the ranks 4 and 5 of the extras.
    assert dict(trace.result.scored)["x"] == (2.5 - 1) / 5 + (4.5 - 1) / 5


def test_ranks_are_taken_over_candidates_and_extras_together():
    weights = {"label_match": 1.0}
    spec = {
        "score": ComponentSpec("scorer", "rrf", ReciprocalRankFusionParams(weights=weights, k=1, scale=False))
    }
    scored = dict(pipeline_of(small(), ORDER, given={"bridge": BRIDGE}, slots=spec).run("risk").scored)
    assert scored == {"a": 1 / 2.5, "risk register": 1 / 2.5, "b": 0, "c": 0, "d": 0, "x": 0}


def test_without_extras_a_scorer_sees_the_candidates():
    seen: list[list[int]] = []

    class Scorer:
        def score(self, signals: Any, weights: Any, candidates: Candidates) -> Any:
            seen.append(candidates.node.tolist())
            return np.zeros(len(candidates))

    given = {"score": Scorer(), "bridge": Answering({"nodes": []})}
    pipeline_of(small(), "seed bridge score context", given=given).run("risk")
    assert seen == [[0]]
