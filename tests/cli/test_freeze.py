"""`freeze`: the config of a run as one file, and what takes it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.cli.runs import COMMAND, SHIFTED, change_manifest, write_files

FAR = ("seed=bm25", "score.weights.label_match=0.7", "query.max_hops=1")


@pytest.fixture
def run(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run that is far from the built-in config."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    assert cli(*COMMAND, *FAR, "--output", "one").code == 0
    return "one"


def test_the_frozen_config_is_that_of_the_run_and_says_where_it_comes_from(cli, run):
    done = cli("freeze", run)
    assert done.code == 0, done.err
    comments, _, config = done.out.partition("\n\n")
    manifest = json.loads(Path(run, "manifest.json").read_text("utf-8"))
    assert config == Path(run, "config.yaml").read_text("utf-8")
    assert all(line.startswith("# ") for line in comments.splitlines())
    assert f"# run: {manifest['digest']}" in comments
    assert f"# graph: {manifest['graph']}" in comments
    assert f"# question set: set {manifest['dataset']['digest']}" in comments


def test_evaluate_with_it_makes_the_same_run(cli, run):
    assert cli("freeze", run, "-o", "frozen.yaml").out == "frozen: frozen.yaml\n"
    assert cli("evaluate", "--config", "frozen.yaml", "--measure", "RR", "--output", "two").code == 0
    assert cli("diff", "one", "two").out == "everything that came out of one and two is the same\n"
    first, second = (json.loads(Path(name, "manifest.json").read_text("utf-8")) for name in ("one", "two"))
    assert first == second


def test_query_and_the_others_take_it_and_overrides_apply_on_top(cli, run):
    cli("freeze", run, "--output", "frozen.yaml")
    found = json.loads(cli("query", "audit", "--config", "frozen.yaml", "--json").out)
    assert [node for node, _ in found["scored"]] == ["audit", "review board"]
    more = cli("query", "audit", "--config", "frozen.yaml", "query.max_hops=2", "--json")
    assert len(json.loads(more.out)["scored"]) == 3
    shown = cli("config", "show", "--config", "frozen.yaml", "seed=label")
    assert "seed:\n  use: label\n" in shown.out
    assert "label_match: 0.7" in shown.out
    assert cli("graph", "info", "--config", "frozen.yaml", "--json").code == 0


def test_the_config_of_a_run_is_taken_without_freezing(cli, run):
    assert cli("query", "audit", "--config", "one/config.yaml", "--json").code == 0


def test_the_environment_is_asked_again(cli, run, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_PLACE", "graph.json")
    command = [part for part in COMMAND if "graph.path" not in part]
    cli(*command, "graph.path=${oc.env:GRAPHRAG_PLACE}", "--output", "two")
    frozen = cli("freeze", "two").out
    assert "path: '${oc.env:GRAPHRAG_PLACE}'" in frozen
    assert "# environment: GRAPHRAG_PLACE" in frozen
    Path("frozen.yaml").write_text(frozen, "utf-8")
    monkeypatch.setenv("GRAPHRAG_PLACE", "nowhere.json")
    assert "nowhere.json" in cli("query", "audit", "--config", "frozen.yaml").err


def test_what_looks_like_a_secret_is_left_out_and_told(cli, run):
    assert cli(*COMMAND, "query.persona=https://me:secret@example.org", "--output", "two").code == 0
    frozen = cli("freeze", "two")
    assert "me:secret" not in frozen.out
    assert "persona: 'https://<left out>@example.org'" in frozen.out
    assert "# left out, as it looks like a secret: query.persona" in frozen.out
    assert "warning: left out, as it looks like a secret: query.persona" in frozen.err


def test_plugins_that_it_needs_are_named(cli, run):
    cli(*COMMAND, *SHIFTED, "+score.weights.shift=0.4", "--output", "two")
    digest = json.loads(Path("two/manifest.json").read_text("utf-8"))["plugins"][1]["digest"]
    assert f"# plugin: shift file {digest}" in cli("freeze", "two").out


def test_a_comment_cannot_become_configuration(cli, run):
    change_manifest(run, {"dataset": {"name": "x\nquery: {k: 99}", "digest": "d"}})
    frozen = cli("freeze", run).out
    assert '# question set: "x\\nquery: {k: 99}" d\n' in frozen


@pytest.fixture
def swept(cli, run) -> str:
    """A sweep of four points, the third of which is the best."""
    asked = ("query.max_hops=0,1", "score.weights.label_match=0.0,0.5", *SHIFTED)
    command = ["sweep", *COMMAND[1:], *asked, "+score.weights.shift=0.1", "--output", "swept"]
    assert cli(*command).code == 0
    return "swept"


def test_the_best_point_of_a_sweep_is_taken(cli, swept):
    done = cli("freeze", swept, "--by", "RR", "-o", "frozen.yaml")
    assert done.code == 0, done.err
    frozen = Path("frozen.yaml").read_text("utf-8")
    assert frozen.startswith("# The configuration of point 0 of a sweep, frozen by graphrag-pipeline.\n")
    assert "# best of 4 by RR, in sample\n# query.max_hops: 0\n# score.weights.label_match: 0.0\n" in frozen
    assert (
        cli("evaluate", "--config", "frozen.yaml", *SHIFTED, "--measure", "RR", "--output", "two").code == 0
    )
    with Path("swept/points.csv").open(encoding="utf-8") as file:
        best = next(row for row in csv.DictReader(file) if row["point"] == "0")
    mean = json.loads(Path("two/metrics.json").read_text("utf-8"))["measures"]["RR"]["mean"]
    assert float(best["RR"]) == mean


def test_a_point_of_a_sweep_is_taken_by_its_number(cli, swept):
    frozen = cli("freeze", swept, "--point", "3").out
    assert "\n  max_hops: 1\n" in frozen
    assert "label_match: 0.5\n" in frozen


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "A sweep has many configs"),
        (("--by", "AP"), "does not have the measure 'AP'"),
        (("--point", "4"), "no point 4"),
        (("--point", "1", "--by", "RR"), "both choose a point"),
    ],
)
def test_a_wrong_choice_of_a_point_is_exit_code_2(cli, swept, arguments, told):
    done = cli("freeze", swept, *arguments)
    assert done.code == 2
    assert told in done.err


def test_a_point_whose_config_is_not_the_one_that_ran_is_exit_code_2(cli, swept):
    first = Path(swept, "config.yaml")
    first.write_text(first.read_text("utf-8").replace("  k: 10\n", "  k: 11\n"), "utf-8")
    done = cli("freeze", swept, "--point", "1")
    assert done.code == 2
    assert "The config of point 1 is not the one that ran." in done.err


def test_a_file_that_is_there_stays_unless_forced(cli, run):
    Path("frozen.yaml").write_text("mine")
    done = cli("freeze", run, "-o", "frozen.yaml")
    assert done.code == 2
    assert "--force" in done.err
    assert Path("frozen.yaml").read_text() == "mine"
    assert cli("freeze", run, "-o", "frozen.yaml", "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nowhere",), "There is no such directory"),
        (("set",), "no directory of a run"),
        (("one", "--by", "RR"), "--by and --point choose among those of a sweep"),
        (("one", "--point", "0"), "--by and --point choose among those of a sweep"),
        (("one", "-o", ""), "the name is empty"),
    ],
)
def test_a_mistake_is_exit_code_2(cli, run, arguments, told):
    done = cli("freeze", *arguments)
    assert done.code == 2
    assert told in done.err


def test_an_altered_run_is_exit_code_2(cli, run):
    Path(run, "config.yaml").write_text("query: {}")
    assert "altered: config.yaml" in cli("freeze", run).err
