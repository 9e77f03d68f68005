"""`sweep --sampler tpe` and `nsga2`: nothing runs twice, and a study ends when there is nothing left."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.runs import write_files

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
