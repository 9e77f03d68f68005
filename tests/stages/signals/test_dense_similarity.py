from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, Query, StageError, load_pipeline
from graphrag_pipeline.stages.dense.params import DenseParams
from graphrag_pipeline.stages.signals.dense_similarity import DenseSimilarity
from tests.stages.dense.fake import Letters, letters
from tests.tiny import Answering, graph_of, index_of, node

INDEX = index_of([node("n1", "ab"), node("n2", "b"), node("n3", ""), node("n4", "cd")], "n1>n2")


def compute(text: str, *positions: int, index=INDEX) -> list[float]:
    signal = DenseSimilarity(DenseParams(cache_dir=None), embedding=letters())
    found: list[float] = signal.compute(Candidates.seeds(np.array(positions)), Query(text), index).tolist()
    return found


def test_it_is_the_cosine_of_query_and_candidate():
    assert compute("ab", 3, 1, 0) == [0.0, 0.707107, 1.0]


def test_a_candidate_without_a_text_has_0():
    assert compute("ab", 2) == [0.0]


@pytest.mark.parametrize("text", ["", " ", "xyz"])
def test_a_query_that_says_nothing_gives_zeros(text):
    assert compute(text, 0, 1, 2, 3) == [0.0] * 4


def test_there_may_be_no_candidates():
    signal = DenseSimilarity(DenseParams(cache_dir=None), embedding=letters())
    none = Candidates.seeds(np.zeros(0, dtype=np.int64))
    assert signal.compute(none, Query("ab"), INDEX).shape == (0,)


def test_it_may_be_below_0():
    class Opposed(Letters):
        def embed(self, texts):
            return np.array([[1.0, 0.0] if text == "up" else [-1.0, 0.0] for text in texts])

    from graphrag_pipeline.stages.dense.embedding import Embedding

    signal = DenseSimilarity(DenseParams(cache_dir=None), embedding=Embedding(Opposed()))
    index = index_of([node("n", "down")])
    assert signal.compute(Candidates.seeds(np.array([0])), Query("up"), index).tolist() == [-1.0]


def test_an_embedding_is_needed():
    with pytest.raises(StageError, match="dense_similarity needs an Embedding"):
        DenseSimilarity()


GRAPH = graph_of([node("q", "Quay"), node("s", "Ship"), node("t", "Tax")], "q>s q>t")
EXTRA = {
    "nodes": [{"node_id": "x", "node_type": "term", "label": "ship on a quay"}],
    "edges": [],
    "paths": [],
}


def test_nodes_of_a_bridge_are_scored_like_others():
    order = "pipeline.order=[seed,expand,bridge,score,context]"
    weights = [
        "score.weights={dense_similarity: 1.0}",
        "~score.weights.baseline",
        "~score.weights.label_match",
    ]
    pipeline = load_pipeline(
        [order, *weights, "~score.weights.persona_match", "bridge=mock"],
        graph=GRAPH,
        stages={"bridge": Answering(EXTRA)},
    )
    scores = dict(pipeline.run("quay").scored)
    assert scores["q"] == 1.0
    assert 0.4 < scores["x"] < 0.9
    assert scores["t"] < 0.1


def test_nodes_of_a_bridge_leave_nothing_on_disk(tmp_path):
    params = DenseParams(cache_dir=str(tmp_path / "kept"), cache_from_s=0)
    signal = DenseSimilarity(params, embedding=letters())
    signal.compute(Candidates.seeds(np.array([0])), Query("ab"), index_of([node("x", "ab")]))
    assert not (tmp_path / "kept").exists()
    # Not INDEX: its vectors are in memory by now, perhaps.
    lasting = index_of([node("x", "abcdef"), node("y", "fed")], "x>y")
    signal.compute(Candidates.seeds(np.array([0])), Query("ab"), lasting)
    assert (tmp_path / "kept").exists()


def test_seeds_and_signal_share_one_embedding():
    pipeline = load_pipeline(
        ["bridge=noop", "seed=dense", "score.weights.dense_similarity=0.5", "seed.cache_dir=null"],
        graph=GRAPH,
    )
    seed, score = pipeline.plan.steps[0], pipeline.plan.steps[3]
    assert seed.component.embedding is score.signals["dense_similarity"].embedding  # type: ignore[attr-defined]
