"""Values per query, worked out by hand."""

from __future__ import annotations

import math
import sys

import pytest

from graphrag_pipeline.errors import DatasetError, GraphRAGError
from graphrag_pipeline.experiment.coverage import coverage
from graphrag_pipeline.experiment.measures import score
from graphrag_pipeline.experiment.trec import Qrels, RunFile

QRELS = Qrels("q.txt", {"q2": {"a": 1}, "q1": {"a": 2, "b": 1, "c": 0}, "q3": {"a": 0}})
FULL = RunFile("full", "full.trec", {"q1": ("c", "b", "a"), "q2": ("a",), "q3": ("a",), "q9": ("a",)})
PART = RunFile("part", "part.trec", {"q1": ("x", "a")})


def values(measure, qrels=QRELS, runs=(FULL, PART)):
    return score(qrels, runs, [measure]).values[0].tolist()


def test_values_are_as_worked_out_by_hand():
    best = 2 + 1 / math.log2(3)
    assert values("RR") == [[0.5, 1.0, 0.0], [0.5, 0.0, 0.0]]
    assert values("R@2") == [[0.5, 1.0, 0.0], [0.5, 0.0, 0.0]]
    ndcg = values("nDCG@10")
    assert ndcg[0] == pytest.approx([(1 / math.log2(3) + 2 / math.log2(4)) / best, 1.0, 0.0])
    assert ndcg[1] == pytest.approx([2 / math.log2(3) / best, 0.0, 0.0])


def test_queries_are_sorted_and_a_query_without_a_ranking_has_0():
    scores = score(QRELS, [FULL, PART], ["RR", "R@1", "MRR"])
    assert scores.queries == ("q1", "q2", "q3")
    assert scores.runs == ("full", "part")
    assert scores.measures == ("RR", "R@1")
    assert scores.values.shape == (2, 2, 3)


def test_a_tie_is_ordered_as_the_run_says_and_not_by_id():
    # trec_eval alone would put z before a: equal scores go by id, downwards.
    first, second = (RunFile("r", "r", {"q2": order}) for order in (("a", "z"), ("z", "a")))
    assert values("P@1", runs=[first, second]) == [[0, 1.0, 0], [0, 0, 0]]


def test_ids_of_any_kind_are_kept_apart():
    qrels = Qrels("q", {"q\0a": {"d\0x": 1}, "q\0b": {"😀": 1}})
    runs = [RunFile("r", "r", {"q\0a": ("d\0y", "d\0x"), "q\0b": ("😀",)})]
    assert values("RR", qrels, runs) == [[0.5, 1.0]]


@pytest.mark.parametrize(
    "name",
    [
        "foo",
        "",
        "R",
        "nDCG@0",
        "nDCG@-1",
        "P@1.5",
        "P@True",
        "nDCG(bogus=1)@3",
        "P(rel=0)@3",
        "P@99999999",
        "P@1;P@2",
        "P(\0)@1",
        "(" * 500,
    ],
)
def test_an_unknown_measure_is_refused_before_it_can_end_the_process(name):
    with pytest.raises(DatasetError) as caught:
        values(name)
    assert caught.value.what.startswith(("There is no measure", "The measure P@True"))


def test_a_measure_without_a_value_is_refused():
    with pytest.raises(DatasetError, match="no finite value for query 'q3'"):
        values("Accuracy", Qrels("q", {"q3": {"a": 0, "b": 0}}), [RunFile("r", "r", {"q3": ("a", "b")})])


def test_without_the_package_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(GraphRAGError, match=r"graphrag-pipeline\[experiment\]"):
        values("Bpref")


def test_what_does_not_match_is_counted_and_listed():
    found = coverage(QRELS, [FULL, PART])
    assert (found.judged, found.without_relevant) == (3, ("q3",))
    assert [(run.run, run.missing, run.unjudged) for run in found.runs] == [
        ("full", (), ("q9",)),
        ("part", ("q2", "q3"), ()),
    ]


def test_a_run_with_no_judged_query_is_refused():
    with pytest.raises(DatasetError, match="the run has '7', the qrels have 'q1'"):
        coverage(QRELS, [RunFile("r", "r.trec", {"7": ("a",)})])
