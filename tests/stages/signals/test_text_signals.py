"""Signals of text, and those that say what was found before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphrag_pipeline import Candidates, GraphIndex, Query
from graphrag_pipeline.stages.seeds.params import Bm25Params, FieldWeights
from graphrag_pipeline.stages.signals.bm25 import Bm25Signal, ResidualPath, ResidualSignal
from graphrag_pipeline.stages.signals.evidence import MentionSignal, PathFromMention, PathMax, PathSum
from graphrag_pipeline.stages.signals.idf_coverage import IdfCoverage
from graphrag_pipeline.stages.signals.ppr import PprSignal, PprSignalParams
from tests.tiny import index_of, node

ALL = (
    Bm25Signal(),
    ResidualSignal(),
    ResidualPath(),
    IdfCoverage(),
    PprSignal(),
    MentionSignal(),
    PathMax(),
    PathFromMention(),
    PathSum(),
)


def index() -> GraphIndex:
    return index_of(
        [node("a", "Paris", text="a city"), node("b", "Rome", text="a city, a city"), node("c", "Lyon")],
        "a>b",
    )


def everything(of: GraphIndex, **evidence: list[float]) -> Candidates:
    columns = {name: np.array(column) for name, column in evidence.items()}
    return replace(Candidates.seeds(np.arange(of.node_count)), evidence=columns)


def test_bm25_is_a_share_of_the_best_of_any_node():
    graph = index()
    value = Bm25Signal().compute(everything(graph), Query("which city"), graph)
    assert value[1] == 1.0
    assert 0 < value[0] < 1
    assert value[2] == 0
    alone = Bm25Signal().compute(everything(graph).keep(np.array([True, False, False])), Query("city"), graph)
    assert alone.tolist() == [value[0]]


def test_the_residual_leaves_out_what_is_mentioned():
    graph = index()
    value = ResidualSignal().compute(everything(graph), Query("Paris city"), graph)
    plain = Bm25Signal().compute(everything(graph), Query("Paris city"), graph)
    assert plain.argmax() == 0
    assert value.argmax() == 1
    product = ResidualPath().compute(everything(graph, path_max=[0.5, 0.2, 1.0]), Query("Paris city"), graph)
    assert product.tolist() == pytest.approx([value[0] * 0.5, 0.2, 0.0])


def test_fields_count_as_configured():
    graph = index()
    labels = Bm25Params(fields=FieldWeights(passage=0))
    assert Bm25Signal(labels).compute(everything(graph), Query("city"), graph).tolist() == [0.0, 0.0, 0.0]


def test_coverage_is_the_share_of_the_querys_idf():
    graph = index()
    value = IdfCoverage().compute(everything(graph), Query("Paris city"), graph)
    idf = {term: graph.text.idf[code] for term, code in graph.text.postings.code_of.items()}
    total = idf["pari"] + idf["citi"]
    assert value.tolist() == pytest.approx([1.0, idf["citi"] / total, 0.0])


def test_page_rank_starts_from_what_the_seed_stage_scored():
    graph = index()
    scored = replace(everything(graph), score=np.array([1.0, 0.0, 0.0]))
    value = PprSignal(PprSignalParams(power=1.0, degree_power=0.0)).compute(scored, Query("x"), graph)
    assert value[0] == 1.0
    assert 0 < value[1] < 1
    assert value[2] == 0
    # After a score stage the scores are no longer the seed stage's.
    rescored = replace(scored, signals={"x": np.zeros(3)})
    assert PprSignal().compute(rescored, Query("x"), graph)[2] > 0


def test_evidence_is_taken_as_it_is():
    graph = index()
    given = everything(graph, mention=[0.1, 0.2, 0.3], path_max=[1.0, 0.0, 0.5])
    assert MentionSignal().compute(given, Query("x"), graph).tolist() == [0.1, 0.2, 0.3]
    assert PathMax().compute(given, Query("x"), graph).tolist() == [1.0, 0.0, 0.5]
    assert PathSum().compute(given, Query("x"), graph).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("signal", ALL, ids=lambda signal: signal.name)
@pytest.mark.parametrize("text", ["", "city", "🙂 Лион 東京"])
def test_every_signal_takes_no_candidates_and_any_text(signal, text):
    for graph in (index(), index_of([node("x", "🙂")]), index_of()):
        for given in (everything(graph), Candidates.seeds(np.zeros(0, dtype=np.int64))):
            value = signal.compute(given, Query(text), graph)
            assert value.shape == (len(given),)
            assert value.dtype == np.float64
            assert np.isfinite(value).all()
            assert (value >= 0).all()
            assert (value <= 1 + 1e-9).all()
