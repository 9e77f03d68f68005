"""Measures of ir-measures: what is said of a name that is none, and of one that nothing here computes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment import library_measures
from graphrag_pipeline.experiment.batch_measures import BatchMeasures
from graphrag_pipeline.experiment.datasets.checks import Findings, Judged
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.experiment.measures import check_measures, score
from graphrag_pipeline.experiment.trec import Qrels, RunFile

CUTOFF = "a whole number from 1 to 1000000"


def refused(name: str) -> DatasetError:
    with pytest.raises(DatasetError) as caught:
        check_measures([name])
    return caught.value


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("R", "There is no measure 'R': it needs a cutoff.", "R@10, for instance."),
        ("Success", "There is no measure 'Success': it needs a cutoff.", "Success@10, for instance."),
        ("IPrec", "There is no measure 'IPrec': it needs the parameter recall.", "IPrec@0.5, for instance."),
        ("all-gold", "There is no measure 'all-gold': it needs a cutoff.", "all-gold@5, for instance."),
        (
            "all-gold@0",
            f"There is no measure 'all-gold@0': its cutoff must be {CUTOFF}.",
            "all-gold@5, for instance.",
        ),
        (
            "nDCG@0",
            f"There is no measure 'nDCG@0': its cutoff must be {CUTOFF}, not 0.",
            "nDCG@10, for instance.",
        ),
        (
            "P@True",
            f"There is no measure 'P@True': its cutoff must be {CUTOFF}, not True.",
            "P@10, for instance.",
        ),
        ("Bpref@5", "There is no measure 'Bpref@5': it has no parameter cutoff.", "Bpref takes: rel."),
        ("R@", "There is no measure 'R@': it is not written as one.", library_measures.WRITTEN),
        ("nDGC@5", "There is no measure 'nDGC@5'.", f"Did you mean nDCG? {library_measures.WRITTEN}"),
        ("all_gold@5", "There is no measure 'all_gold@5'.", "Did you mean all-gold? "),
        (
            "P(rel=0)@3",
            "There is no measure 'P(rel=0)@3': its parameter rel cannot be 0 here.",
            library_measures.WRITTEN,
        ),
        (
            "ERR",
            "The measure ERR cannot be computed here: ir-measures computes it only with a cutoff.",
            "ERR@10, for instance.",
        ),
        (
            "RBP",
            "The measure RBP cannot be computed here: ir-measures computes it only with the parameter rel.",
            "RBP(rel=1), for instance.",
        ),
    ],
)
def test_a_measure_that_cannot_be_is_told_in_plain_words(name, what, hint):
    error = refused(name)
    assert error.what == what
    assert error.hint.startswith(hint)


def test_no_message_holds_an_object_of_the_library():
    for name in library_measures.library().measures.registry:
        for written in (name, f"{name}@0", f"{name}@x", f"{name}(zz=1)"):
            told = ""
            try:
                check_measures([written])
            except DatasetError as error:
                told = str(error)
            assert " object " not in told
            assert "problem parsing" not in told


def test_what_is_not_installed_is_told_before_anything_runs(monkeypatch):
    provider = library_measures.library().providers.registry["pyndeval"]
    monkeypatch.setattr(provider, "_is_available", False)
    library_measures._parsed.cache_clear()
    error = refused("alpha_nDCG@5")
    assert (
        error.what
        == "The measure alpha_nDCG@5 cannot be computed here: it needs pyndeval, which is not installed."
    )
    assert error.hint == "pyndeval: pip install ir-measures[pyndeval]"


@pytest.mark.skipif(shutil.which("perl") is None, reason="ERR is computed by a Perl program")
def test_err_is_computed_whatever_the_ids():
    qrels = Qrels(
        "q", {"query one": {"review board": 1, "帳簿": 1, "x": 0}, "q\n2": {"a\tb": 4}, "-": {"y": 1}}
    )
    rankings = {"query one": ("review board", "other", "帳簿"), "q\n2": ("a", "a\tb"), "-": ("x", "z")}
    found = score(qrels, [RunFile("r", "r", rankings)], ["ERR@10", "ERR@1"])
    assert found.queries == ("-", "q\n2", "query one")
    # A level l stops a reader with (2^l - 1) / 16, and what is found at rank r counts 1 / r.
    one = 1 / 16 + 15 / 16 * 1 / 16 / 3
    assert found.values[0, 0].tolist() == pytest.approx([0, 15 / 16 / 2, one], abs=1e-5)
    assert found.values[1, 0].tolist() == pytest.approx([0, 0, 1 / 16], abs=1e-5)


@pytest.mark.skipif(shutil.which("perl") is None, reason="ERR is computed by a Perl program")
@pytest.mark.parametrize(
    ("name", "level", "what"),
    [
        ("ERR@10", 5, "The measure ERR@10 takes levels of relevance up to 4, and 'a' has 5."),
        ("ERR@10", 0.5, "The measure ERR@10 takes whole levels of relevance, and 'a' has 0.5."),
        ("Bpref", 0.5, "The measure Bpref takes whole levels of relevance, and 'a' has 0.5."),
    ],
)
def test_levels_that_a_measure_does_not_take_are_told_before_a_query_runs(name, level, what):
    qrels = Qrels("q", {"q": {"a": level}})
    judged = Judged(Dataset("t", ()), qrels, {"q": ("a",)}, {}, Findings())
    with pytest.raises(DatasetError) as caught:
        BatchMeasures([name], {}, judged)
    assert caught.value.what == what


def test_a_program_that_fails_is_told_without_its_command(monkeypatch):
    def fails(*_: object) -> None:
        raise subprocess.CalledProcessError(25, ["perl", "/tmp/a", "/tmp/b"])

    monkeypatch.setattr(library_measures.library(), "evaluator", fails)
    with pytest.raises(DatasetError) as caught:
        score(Qrels("q", {"q": {"a": 1}}), [RunFile("r", "r", {"q": ("a",)})], ["Bpref"])
    told = "cannot be computed here: the program perl that computes it ended with exit code 25."
    assert caught.value.what == f"The measure Bpref {told}"
