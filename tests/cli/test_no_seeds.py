"""A query that asks for no seeds: every command says so, once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import write_files, write_queries

BASE = ("graph=json", "graph.path=graph.json", "bridge=noop", "personas=none")
SET = ("dataset.path=set", "--measure", "RR", "--output", "out")
TOLD = "seed: no seeds: query.k is 0; give it 1 or more, such as query.k=10"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    write_queries([{"id": "q1", "text": "audit"}, {"id": "q3", "text": "log"}])


def test_query_warns(cli):
    done = cli("query", "audit", *BASE, "query.k=0")
    assert (done.code, done.err) == (0, f"warning: {TOLD}\n")
    assert "Nothing found: k is 0 or less (slot seed)." in done.out


def test_query_warns_also_where_a_bridge_has_something(cli):
    done = cli("query", "workflow", *BASE, "bridge=mock", "query.k=0")
    assert (done.code, done.err) == (0, f"warning: {TOLD}\n")
    assert "0.25" in done.out


def test_explain_has_it_beside_the_other_remarks(cli):
    assert f"\n{TOLD}\n" in cli("query", "audit", *BASE, "query.k=0", "--explain").out


def test_json_has_it_in_the_remarks(cli):
    data = json.loads(cli("query", "audit", *BASE, "query.k=0", "--explain", "--json").out)
    assert data["trace"]["slots"][0]["remarks"] == [TOLD.removeprefix("seed: ")]


def test_evaluate_tells_it_once_for_all_queries(cli):
    done = cli("evaluate", *BASE, *SET, "query.k=0")
    assert done.code == 0
    assert done.err.count("no seeds") == done.err.count(f"warning: {TOLD}\n") == 1


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_sweep_tells_it_once_for_all_points(cli, jobs):
    done = cli("sweep", *BASE, *SET, "query.k=0,2", "query.max_hops=0,1", "--jobs", jobs)
    assert done.code == 0
    assert done.err.count("no seeds") == done.err.count(f"warning: {TOLD}\n") == 1
