"""`sweep --sampler tpe` and `nsga2`: nothing runs twice, and a study ends when there is nothing left."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from graphrag_pipeline.experiment.halves import in_half_a
from tests.cli.runs import write_files, write_graph

pytest.importorskip("optuna", reason="Optuna is not installed")

COUNTING = """
from graphrag_pipeline import Component, Seed, SeedParams, hookimpl


class CountingParams(SeedParams):
    at: int = 0
    fails: int = -1


class Counting(Component[CountingParams]):
    name = "counting"
    Params = CountingParams

    def retrieve(self, query, index, k):
        with open("asked.txt", "a") as file:
            file.write(f"{query.text} {self.params.at}\\n")
        if self.params.at == self.params.fails:
            raise ValueError("not this one")
        return [Seed("audit", 1.0)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Counting]
"""
SWEEP = (
    *("sweep", "dataset.path=set", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none"),
    *("--plugin", "counting.py", "seed=counting", "seed.at=1,2,3", "--measure", "RR", "--output", "out"),
)
ENDS = "note: The study ends after 3 of 200 trials: every config that there is was proposed.\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # Optuna waits for the disk after each line
    write_files(tmp_path)
    Path("counting.py").write_text(COUNTING, "utf-8")


def asked() -> Counter[str]:
    return Counter(Path("asked.txt").read_text("utf-8").splitlines())


def points() -> list[dict[str, str]]:
    with Path("out/points.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", ["tpe", "nsga2"])
@pytest.mark.parametrize("batch", ["1", "2", "8"])
def test_no_config_runs_twice_and_the_study_ends_with_a_message(cli, name, batch):
    done = cli(*SWEEP, "--sampler", name, "--trials", "200", "--batch", batch)
    assert done.code == 0, done.err
    assert set(asked().values()) == {1}
    assert len(asked()) == 9, "three queries of three configs"
    assert sorted(point["seed.at"] for point in points()) == ["1", "2", "3"]
    assert {point["RR"] for point in points()} == {points()[0]["RR"]}
    assert done.err.count(ENDS) == 1
    assert "The best of 3 on half A" in done.out


def test_a_study_that_goes_on_remembers_what_ran(cli):
    study = ("--sampler", "tpe", "--batch", "2")
    assert cli(*SWEEP, *study, "--trials", "2").code == 0
    assert len(points()) == 2
    done = cli(*SWEEP, *study, "--trials", "200")
    assert done.err.count(ENDS) == 1
    assert set(asked().values()) == {1}
    assert len(points()) == 3
    again = cli(*SWEEP, *study, "--trials", "200")
    assert (again.code, again.err.count(ENDS), len(asked())) == (0, 1, 9)


def test_a_config_that_failed_is_not_tried_again_either(cli):
    done = cli(*SWEEP, "+seed.fails=2", "--sampler", "tpe", "--trials", "200", "--batch", "2")
    assert done.code == 1
    assert set(asked().values()) == {1}
    assert {point["seed.at"]: point["status"] for point in points()} == {
        "1": "done",
        "2": "failed",
        "3": "done",
    }


# -- what a study is told --------------------------------------------------------------------------

NEAR = """
from graphrag_pipeline import Component, Seed, SeedParams, hookimpl


class NearParams(SeedParams):
    at: float = 0.0


class Near(Component[NearParams]):
    name = "near"
    Params = NearParams

    def retrieve(self, query, index, k):
        nodes = sorted(range(10), key=lambda node: (abs(node / 10 - self.params.at), node))
        return [Seed(f"n{node}", 1 / (1 + place)) for place, node in enumerate(nodes)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Near]
"""
LOOKING = (
    *("sweep", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none", "--plugin", "near.py"),
    *("seed=near", "query.k=10", "seed.at=interval(0,1)", "pipeline.order=[seed]", "--measure", "RR"),
    *("--sampler", "tpe", "--trials", "16", "--batch", "4"),
)


def a_set(name: str, good_for_b: str, queries: range = range(4, 9)) -> str:
    """A set in which half A, one query of five, wants one node, and half B another."""
    Path(name).mkdir()
    ids = [f"q{number}" for number in queries]
    lines = "".join(f'{{"id": "{query}", "text": "audit"}}\n' for query in ids)
    Path(name, "queries.jsonl").write_text(lines, "utf-8")
    wanted = "".join(f"{query} 0 {'n3' if in_half_a(query) else good_for_b} 1\n" for query in ids)
    Path(name, "qrels.txt").write_text(wanted, "utf-8")
    return f"dataset.path={name}"


@pytest.fixture
def looking() -> tuple[str, str]:
    nodes = [{"node_id": f"n{number}", "node_type": "thing", "label": f"n{number}"} for number in range(10)]
    write_graph({"nodes": nodes, "edges": []})
    Path("near.py").write_text(NEAR, "utf-8")
    return a_set("low", "n0"), a_set("high", "n9")


def tried(directory: str) -> list[str]:
    with Path(directory, "points.csv").open(encoding="utf-8") as file:
        return [point["seed.at"] for point in csv.DictReader(file)]


def test_half_b_has_no_part_in_what_a_study_proposes(cli, looking):
    low, high = looking
    for directory, questions in (("a", low), ("b", high)):
        done = cli(*LOOKING, questions, "--output", directory)
        assert done.code == 0, done.err
        assert "half B, to report" in done.out
        assert "all queries" not in done.err
    assert tried("a") == tried("b"), "the two sets differ in half B alone"


def test_without_a_split_all_queries_have_and_nothing_is_said_to_be_held_out(cli, looking):
    low, high = looking
    for directory, questions in (("a", low), ("b", high)):
        done = cli(*LOOKING, questions, "--output", directory, "--no-split")
        assert done.code == 0
        assert "half B" not in done.out
        assert "note: the study is told of all queries (--no-split): what it finds is in sample" in done.err
    assert tried("a") != tried("b")
    report = cli("report", "a", "--output", "a.html", "--queries", "0")
    assert report.code == 0
    text = Path("a.html").read_text("utf-8")
    assert "An optimiser was told of all queries, so none is left to report on." in text
    assert "which had no part in" not in text


def test_a_study_of_queries_of_one_half_is_told_of_all_of_them(cli, looking):
    questions = a_set("one", "n0", range(3, 4))
    done = cli(*LOOKING, questions, "--output", "a")
    assert done.code == 0
    assert "note: the study is told of all queries (the queries cannot be split)" in done.err
    assert "half B" not in done.out


def test_a_study_that_was_told_of_the_others_is_refused(cli, looking):
    low, _ = looking
    assert cli(*LOOKING, low, "--output", "a", "--study", "shared.journal").code == 0
    before = Path("a/points.csv").read_text("utf-8")
    refused = cli(*LOOKING, low, "--output", "a", "--no-split")
    assert refused.code == 2
    assert 'told of: was "half A of the queries", is now "all queries"' in refused.err
    shared = cli(*LOOKING, low, "--output", "b", "--study", "shared.journal", "--no-split")
    assert shared.code == 2
    assert "of another study: it is told of half A of the queries, not of all queries" in shared.err
    assert cli(*LOOKING, low, "--output", "a", "--study", "shared.journal").code == 0
    assert Path("a/points.csv").read_text("utf-8") == before


def test_a_study_in_two_goes_has_the_points_of_one(cli, looking):
    low, _ = looking
    assert cli(*LOOKING, low, "--output", "whole").code == 0
    assert cli(*LOOKING, low, "--output", "parts", "--trials", "8").code == 0
    assert cli(*LOOKING, low, "--output", "parts").code == 0
    assert tried("parts") == tried("whole")
