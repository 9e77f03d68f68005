"""From measures to how deep a ranking must be."""

from __future__ import annotations

import json

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.measures import cutoff
from graphrag_pipeline.experiment.ranking_depth import ranking_depth, refuse_beyond


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("nDCG@10", 10),
        ("nDCG", None),
        ("MRR@7", 7),
        ("MRR", None),
        ("all-gold@250", 250),
        ("P(rel=2)@500", 500),
        ("R(cutoff=30)", 30),
        ("Judged@200", 200),
        ("Judged", None),
        ("IPrec@0.5", None),
        ("Bpref", None),
        ("SetP", None),
        ("Compat(p=0.8)", None),
    ],
)
def test_the_last_rank_that_a_measure_looks_at(name, last):
    assert cutoff(name) == last


@pytest.mark.parametrize(
    ("names", "given", "depth"),
    [
        ([], None, 100),
        (["RR", "R@10"], None, 100),
        (["R@101", "P(rel=2)@150"], None, 150),
        (["R@10"], 10, 10),
        (["AP"], 1, 1),
        (["R@1000000"], None, 1_000_000),
    ],
)
def test_as_deep_as_is_given_or_else_as_measures_look(names, given, depth):
    assert ranking_depth(names, given) == depth


def test_every_measure_that_looks_further_than_is_given_is_named():
    with pytest.raises(DatasetError) as caught:
        ranking_depth(["R@5", "nDCG@1000", "AP", "RR@6"], 5)
    assert caught.value.what == "Only 5 ranks are measured, and nDCG@1000 looks at 1,000, RR@6 looks at 6."
    assert caught.value.where == "--depth 5"
    assert "--depth 1000" in caught.value.hint


def test_a_run_is_asked_for_no_more_than_it_has(tmp_path):
    about = {"kind": "graphrag-pipeline run", "depth": 20}
    (tmp_path / "manifest.json").write_text(json.dumps(about))
    refuse_beyond(tmp_path / "run.trec", ["nDCG@20", "AP"])
    refuse_beyond(tmp_path / "other.trec", ["nDCG@21"])
    with pytest.raises(DatasetError) as caught:
        refuse_beyond(tmp_path / "run.trec", ["nDCG@20", "R@1000"])
    told = "The run has at most 20 nodes of each ranking, and R@1000 looks at 1,000."
    assert (caught.value.what, caught.value.where) == (told, str(tmp_path))
    assert "--depth 1000" in caught.value.hint


@pytest.mark.parametrize("content", ["", "[]", "null", '{"kind": "other", "depth": 1}', "[" * 100_000])
def test_a_run_file_beside_something_else_may_have_any_depth(tmp_path, content):
    (tmp_path / "manifest.json").write_text(content)
    refuse_beyond(tmp_path / "run.trec", ["R@1000"])
