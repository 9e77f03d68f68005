"""`diff`: what differs between two runs, in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from graphrag_pipeline.cli.app import run
from tests.cli.runs import COMMAND, GRAPH, QUERIES, change_manifest, write_files, write_graph, write_queries
from tests.cli.screen import Screen


@pytest.fixture
def runs(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One run; tests make the other."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    assert cli(*COMMAND, "--output", "one").code == 0
    return tmp_path


def test_a_run_does_not_differ_from_itself(cli, runs):
    done = cli("diff", "one", "one")
    assert (done.code, done.out) == (0, "everything that came out of one and one is the same\n")


def test_keys_first_difference_and_means_are_told(cli, runs):
    cli(*COMMAND, "score.weights.label_match=0", "query.k=4", "--output", "two")
    done = cli("diff", "one", "two")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:6] == [
        "different: 2 of 3 queries (q1, 問 2)",
        "first difference: query q1, slot score, step 4, node audit",
        "  score: 0.6 → 0.1",
        "configuration:",
        "  query.k: 10 (the default) → 4",
        "  score.weights.label_match: 0.5 (the default) → 0.0",
    ]


def test_values_that_are_better_and_worse_are_counted(cli, runs):
    cli(*COMMAND, "query.max_hops=0", "--output", "two")
    lines = cli("diff", "one", "two").out.splitlines()
    assert lines[1] == "first difference: query q1, slot expand, step 2, node review board"
    assert re.sub(" +", " ", next(line for line in lines if line.startswith("candidates"))) == (
        "candidates 2.0 0.6667 0 2 1"
    )
    assert not any(line.startswith("RR ") for line in lines)


def test_another_component_is_told_key_by_key(cli, runs):
    cli(*COMMAND, "seed=bm25", "--output", "two")
    out = cli("diff", "one", "two").out
    assert "  seed.use: label (the default) → bm25\n" in out
    assert "  seed.k1: — → 1.5\n" in out


def test_the_order_of_weights_is_told(cli, runs):
    reordered = ("~score.weights.baseline", "+score.weights.baseline=0.1")
    cli(*COMMAND, *reordered, "--output", "two")
    out = cli("diff", "one", "two").out
    before, after = "baseline, label_match, persona_match", "label_match, persona_match, baseline"
    assert f"  score.weights (order): {before} → {after}\n" in out


def test_another_graph_set_and_platform_are_told(cli, runs):
    write_graph({**GRAPH, "edges": GRAPH["edges"][:1]})
    write_queries(QUERIES[:2])
    cli(*COMMAND, "--output", "two")
    change_manifest("two", {"python": "CPython 9.9.9"})
    out = cli("diff", "one", "two").out
    assert "only in the first: 1 query (q3)\n" in out
    assert "slot expand, step 2, node 帳簿\n  place: place 3 → not there\n" in out
    assert re.search("  graph: [0-9a-f]{12} → [0-9a-f]{12}\n", out)
    assert re.search("  question set: [0-9a-f]{12} → [0-9a-f]{12}\n", out)
    assert "→ CPython 9.9.9\n" in out


def test_on_a_terminal_headings_are_dim_and_no_colour_is_spelled_out(cli, runs, monkeypatch):
    cli(*COMMAND, "query.max_hops=0", "--output", "two")
    screen = Screen()
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout", screen)
    assert run(["diff", "one", "two"]) == 0
    assert "\x1b[2mvalue\x1b[0m" in screen.getvalue()
    assert r"\x1b" not in screen.getvalue()


def test_json_holds_everything(cli, runs):
    cli(*COMMAND, "query.max_hops=0", "--output", "two")
    found = json.loads(cli("diff", "one", "two", "--json").out)
    assert (found["first"], found["second"], found["identical"]) == ("one", "two", False)
    assert found["config"] == [{"key": "query.max_hops", "first": "3", "second": "0", "default": "3"}]
    means = {entry["name"]: entry for entry in found["means"]}
    assert means["RR"] == {"name": "RR", "first": 0.5, "second": 0.5, "higher": 0, "lower": 0, "equal": 2}
    assert (means["candidates"]["first"], means["candidates"]["lower"]) == (2.0, 2)


def test_a_control_character_of_a_node_does_not_reach_the_terminal(cli, runs):
    graph = json.loads(json.dumps(GRAPH))
    graph["nodes"][0]["node_id"] = graph["edges"][0]["source_id"] = "au\u001b[31mdit"
    write_graph(graph)
    cli(*COMMAND, "--output", "two")
    out = cli("diff", "one", "two").out
    assert "\u001b" not in out
    assert "node audit" in out


@pytest.mark.parametrize("other", ["nowhere", "set"])
def test_what_is_no_run_is_exit_code_2(cli, runs, other):
    assert cli("diff", "one", other).code == 2
    assert cli("diff", other, "one").code == 2


def test_an_altered_run_is_exit_code_2(cli, runs):
    cli(*COMMAND, "query.max_hops=0", "--output", "two")
    Path("two/run.trec").write_text("")
    done = cli("diff", "one", "two")
    assert done.code == 2
    assert "altered: run.trec.\n  where: two" in done.err
