"""Faults of like tools, as their users reported them: none of them happens here."""

from __future__ import annotations

import json

import pytest

from graphrag_pipeline.config.models import DatasetSection
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.measures import score
from graphrag_pipeline.experiment.summary import summary
from graphrag_pipeline.experiment.trec import Qrels, RunFile
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.sources.node_link import NodeLinkGraph
from tests.tiny import index_of, node, pipeline_of

MEASURES = ("P@1", "R@10", "nDCG@10", "AP", "all-gold@10")


def found_of(index, dataset, measures=MEASURES):
    judged = judge(dataset, index)
    rows = list(Evaluator(pipeline_of(index), judged, measures, 10).evaluated())
    return rows, summary(rows, measures, judged.findings)


def test_queries_without_results_stay_in_the_mean():
    # AmenRa/ranx#39, #27, cvangysel/pytrec_eval#30
    texts = ("n1", "none", "neither")
    asked = tuple(Question(f"q{place}", text) for place, text in enumerate(texts))
    rows, found = found_of(index_of("n1 n2"), Dataset("t", asked, {q.query_id: {"n1": 1} for q in asked}))
    assert found.measures["R@10"].mean == pytest.approx(1 / 3)
    assert found.measures["R@10"].queries == 3
    assert [row.answer.graph.candidates for row in rows] == [1, 0, 0]
    assert found.graph["candidates"].queries == 3


@pytest.mark.parametrize("empty", range(4))
def test_a_query_without_results_moves_no_other(empty):
    # AmenRa/ranx#31
    texts = [f"n{place}" for place in range(4)]
    asked = tuple(
        Question(f"q{place}", "none" if place == empty else text) for place, text in enumerate(texts)
    )
    relevance = {f"q{place}": {text: 1} for place, text in enumerate(texts)}
    rows, found = found_of(index_of(" ".join(texts)), Dataset("t", asked, relevance), ("P@1", "RR"))
    assert found.measures["P@1"].mean == 0.75
    assert [row.values for row in rows] == [(0, 0) if place == empty else (1, 1) for place in range(4)]


def test_renaming_ids_changes_no_value():
    # cvangysel/pytrec_eval#56, beir-cellar/beir#105: all scores are equal, and the rank is what counts.
    def values(names):
        nodes = [node(name, "same") for name in names]
        dataset = Dataset("t", (Question("q", "same"),), {"q": {names[2]: 1}})
        rows, _ = found_of(index_of(nodes), dataset, ("RR", "nDCG@10", "AP", "Bpref"))
        return rows[0].values

    assert values(["d1", "d2", "d3", "d4"]) == values(["z", "y", "x", "w"]) == values(["9", "10", "0", "é"])
    assert values(["d1", "d2", "d3", "d4"])[0] == 1 / 3


def test_levels_with_fractions_are_gains(tmp_path):
    # AmenRa/ranx#66, cvangysel/pytrec_eval#16
    (tmp_path / "queries.jsonl").write_text('{"id": "q", "text": "n"}\n')
    (tmp_path / "qrels.txt").write_text("q 0 n1 0.5\nq 0 n2 1.0\n")
    dataset = load_dataset(DatasetSection(path=str(tmp_path)))
    assert dataset.relevance == {"q": {"n1": 0.5, "n2": 1}}
    _, found = found_of(index_of("n1 n2"), dataset)
    assert 0 < found.measures["nDCG@10"].mean < 1
    assert found.measures["R@10"].mean == 1
    qrels = Qrels("q", {"q": {"n1": 0.5}})
    with pytest.raises(DatasetError, match=r"Bpref takes whole levels of relevance, and 'n1' has 0\.5"):
        score(qrels, [RunFile("r", "r", {"q": ("n1",)})], ["Bpref"])


def test_a_measure_without_a_value_is_null_with_a_reason_and_in_no_mean():
    # embeddings-benchmark/mteb#3030: nothing is relevant to q2, so there is no share of it.
    asked = (Question("q1", "n1"), Question("q2", "n1"))
    rows, found = found_of(index_of("n1"), Dataset("t", asked, {"q1": {"n1": 1}, "q2": {"n1": 0}}))
    assert len(rows) == 2
    assert rows[1].values == (None,) * len(MEASURES)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["measures"]["nDCG@10"] == {"mean": 1.0, "queries": 1}
    assert told["undefined"] == {name: {"no document is relevant": ["q2"]} for name in MEASURES}
    assert told["findings"]["without_relevant"] == ["q2"]
    _, none = found_of(index_of("n1"), Dataset("t", asked[1:], {"q2": {"n1": 0}}))
    assert json.loads(json.dumps(none.to_dict()))["measures"]["AP"] == {"mean": None, "queries": 0}


def test_a_query_without_judgements_is_told_and_counts_nowhere():
    # joaopalotti/trectools#24
    asked = (Question("q1", "n1"), Question("q9", "n1"))
    rows, found = found_of(index_of("n1"), Dataset("t", asked, {"q1": {"n1": 1}}))
    assert (found.findings.without_qrels, found.judged, found.queries) == (("q9",), 1, 2)
    assert (found.measures["P@1"].mean, found.measures["P@1"].queries) == (1, 1)
    assert rows[1].values is None


def test_gold_ids_that_are_texts_match_ids_that_are_numbers(tmp_path):
    # Marker-Inc-Korea/AutoRAG#630, #1084
    data = {"directed": True, "multigraph": False, "graph": {}, "nodes": [{"id": 12}], "links": []}
    (tmp_path / "graph.json").write_text(json.dumps(data))
    index = as_index(
        NodeLinkGraph(params=NodeLinkGraph.Params(path=str(tmp_path / "graph.json"))).load().graph
    )
    judged = judge(Dataset("t", (Question("q", "twelve"),), {"q": {"12": 1, "zz": 1}}), index)
    assert judged.relevant == {"q": ("12", "zz")}
    assert judged.findings.unknown_nodes == (("q", "zz"),)


def test_a_repeated_query_id_is_refused_with_both_lines(tmp_path):
    # allenai/reward-bench#273
    lines = [{"id": "q1", "text": "a"}, {"id": "q2", "text": "b"}, {"id": "q1", "text": "c"}]
    (tmp_path / "queries.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(DatasetError, match=r"1 query id is repeated: 'q1' \(1 and 3\)"):
        load_dataset(DatasetSection(path=str(tmp_path)))
