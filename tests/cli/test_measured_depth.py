"""How deep rankings are measured: as deep as the measures look, and never less under their name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NODES = 130
RELEVANT = ("n000", "n110", "n125")
"""Equal scores keep the order of the graph, so these stand at ranks 1, 111 and 126."""
COMMON = (
    *("dataset.path=set", "graph=json", "graph.path=graph.json"),
    *("bridge=noop", "personas=none", "query.k=1000"),
)
METRIC = """
from graphrag_pipeline import Component, hookimpl


class Length(Component):
    name = "length"

    def measure(self, ranking, relevant):
        return len(ranking)


@hookimpl
def graphrag_register_metrics():
    return [Length]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nodes = [
        {"node_id": f"n{number:03}", "node_type": "page", "label": f"page {number}"}
        for number in range(NODES)
    ]
    Path("graph.json").write_text(json.dumps({"nodes": nodes, "edges": []}))
    Path("set").mkdir()
    Path("set/queries.jsonl").write_text('{"id": "q", "text": "page"}\n')
    Path("set/qrels.txt").write_text("".join(f"q 0 {node} 2\n" for node in RELEVANT))
    Path("metric.py").write_text(METRIC)
    return tmp_path


def measured(cli, *arguments: str) -> tuple[dict[str, float], int, int]:
    """The means of an evaluation, the depth in its manifest, and how many nodes its run file ranks."""
    done = cli("evaluate", *COMMON, *arguments, "--output", "run", "--force", "--json")
    assert done.code == 0, done.err
    means = {name: mean["mean"] for name, mean in json.loads(done.out)["measures"].items()}
    depth = json.loads(Path("run/manifest.json").read_text("utf-8"))["depth"]
    return means, depth, len(Path("run/run.trec").read_text("utf-8").splitlines())


def test_a_cutoff_behind_rank_100_is_looked_at(cli, files):
    means, depth, ranked = measured(cli, "--measure", "R@120", "--measure", "R@10")
    assert means == {"R@120": 2 / 3, "R@10": 1 / 3}
    assert (depth, ranked) == (120, 120)


@pytest.mark.parametrize(
    ("measure", "value", "depth"),
    [
        ("P(rel=2)@125", 2 / 125, 125),
        ("Judged@126", 3 / 126, 126),
        ("Success(rel=2)@1000", 1, 1000),
        ("SetR", 1 / 3, 100),
        ("AP", 1 / 3, 100),
        ("R@100", 1 / 3, 100),
        ("R@1", 1 / 3, 100),
    ],
)
def test_cutoffs_of_all_measures_count_and_others_look_at_100(cli, files, measure, value, depth):
    means, found, _ = measured(cli, "--measure", measure)
    assert means == {measure: pytest.approx(value)}
    assert found == depth


def test_a_depth_that_is_given_holds_for_measures_without_a_cutoff(cli, files):
    means, depth, ranked = measured(cli, "--measure", "AP", "--measure", "R@120", "--depth", "128")
    assert means == {"AP": pytest.approx((1 + 2 / 111 + 3 / 126) / 3), "R@120": 2 / 3}
    assert (depth, ranked) == (128, 128)


@pytest.mark.parametrize("command", ["evaluate", "sweep"])
@pytest.mark.parametrize(
    ("arguments", "told", "needed"),
    [
        (("--depth", "3", "--measure", "nDCG@10"), "nDCG@10 looks at 10", "--depth 10"),
        (("--depth", "3"), "nDCG@10 looks at 10, R@10 looks at 10", "--depth 10"),
        (("--depth", "1", "--measure", "R@2", "--measure", "RR"), "Only 1 rank is measured", "--depth 2"),
        (("--depth", "100", "--measure", "P(rel=2)@500"), "P(rel=2)@500 looks at 500", "--depth 500"),
        (("--depth", "199", "--measure", "Judged@200"), "Judged@200 looks at 200", "--depth 200"),
        (("--depth", "9", "--measure", "all-gold@10"), "all-gold@10 looks at 10", "--depth 10"),
    ],
)
def test_a_depth_below_a_cutoff_is_refused_before_anything_runs(cli, files, command, arguments, told, needed):
    done = cli(command, *COMMON, *arguments, "--output", "out")
    assert done.code == 2
    assert told in done.err
    assert f"Give {needed}" in done.err
    assert not Path("out").exists()


def test_a_metric_of_a_plugin_sees_as_deep_as_the_measures_beside_it(cli, files):
    plugin = ("--plugin", "metric.py", "--measure", "length")
    assert measured(cli, *plugin)[0] == {"length": 100}
    assert measured(cli, *plugin, "--measure", "R@120")[0] == {"length": 120, "R@120": 2 / 3}
    assert measured(cli, *plugin, "--depth", "5")[0] == {"length": 5}


def test_a_sweep_looks_as_deep(cli, files):
    sweep = ("sweep", *COMMON, "query.max_hops=1,2", "--plugin", "metric.py", "--output", "out", "--json")
    measures = ("R@120", "P(rel=2)@125", "length", "candidates")
    done = cli(*sweep, *(part for name in measures for part in ("--measure", name)))
    assert done.code == 0, done.err
    for point in json.loads(done.out)["points"]:
        assert point["means"] == {
            "R@120": 2 / 3,
            "P(rel=2)@125": 2 / 125,
            "length": 125,
            "candidates": NODES,
        }


def test_processes_look_as_deep_and_a_run_is_verified_at_its_own_depth(cli, files):
    assert measured(cli, "--measure", "R@120", "--jobs", "2")[0] == {"R@120": 2 / 3}
    assert cli("verify", "run").code == 0
    measured(cli, "--measure", "R@2", "--depth", "2")
    assert cli("verify", "run").code == 0


def test_the_page_says_what_the_default_is(cli):
    for command in ("evaluate", "sweep"):
        shown = " ".join(cli(command, "--help").out.split())
        assert "[default: 100, or the largest cutoff of the measures]" in shown


def test_whole_rankings_of_two_depths_are_compared_with_a_warning(cli, files):
    for depth in ("3", "100"):
        assert cli("evaluate", *COMMON, "--measure", "AP", "--depth", depth, "--output", depth).code == 0
    command = ("compare", "3", "100", "--qrels", "100/qrels.txt")
    done = cli(*command, "--measure", "AP")
    assert done.code == 0
    told = "AP looks at whole rankings, and these are not equally deep: 3 has 3, 100 has 100 nodes at most"
    assert f"warning: {told}" in done.err.splitlines()
    assert "equally deep" not in cli(*command, "--measure", "R@3").err


def test_an_altered_run_is_not_compared(cli, files):
    for name in ("one", "two"):
        assert cli("evaluate", *COMMON, "--measure", "AP", "--output", name).code == 0
    altered = Path("two/run.trec").read_text("utf-8").replace("n000", "n999")
    Path("two/run.trec").write_text(altered, "utf-8")
    done = cli("compare", "one", "two", "--qrels", "one/qrels.txt", "--measure", "AP")
    assert done.code == 2
    assert "altered: run.trec" in done.err
