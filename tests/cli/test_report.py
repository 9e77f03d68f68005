"""`report`: where it writes, what it refuses, and what it says."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphrag_pipeline.config.settings import load_settings
from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.recorded import read_manifest
from graphrag_pipeline.experiment.report.recipe import recipe_of_point
from graphrag_pipeline.experiment.sweep.frozen import tree_digest
from graphrag_pipeline.experiment.sweep.results import read_points
from graphrag_pipeline.plugin.host import PluginHost
from tests.cli.runs import change_manifest
from tests.experiment.report.made import graph_files
from tests.experiment.report.markup import check

PLUGIN = """
from graphrag_pipeline import Component, Seed, hookimpl


class Faulty(Component):
    name = "faulty"

    def retrieve(self, query, index, k):
        if query.text == "tea":
            raise RuntimeError("no tea today")
        return [Seed("audit", 1.0)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Faulty]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    graph_files(tmp_path)
    Path("faulty.py").write_text(PLUGIN)
    return tmp_path


@pytest.fixture
def run(cli, files) -> Path:
    overrides = ("dataset.path=set", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none")
    assert cli("evaluate", *overrides, "--output", "run").code == 0
    return Path("run")


def test_a_report_is_written_into_the_run(cli, run) -> None:
    done = cli("report", run)
    assert (done.code, done.out, done.err) == (0, f"report: {run / 'report.html'}\n", "")
    check((run / "report.html").read_text("utf-8"))


def test_a_report_can_be_written_anywhere_and_is_the_same(cli, run) -> None:
    cli("report", run)
    assert cli("report", run, "-o", "other.html").code == 0
    assert Path("other.html").read_bytes() == (run / "report.html").read_bytes()


def test_a_report_does_not_depend_on_the_hash_seed(process, cli, run) -> None:
    for seed in ("1", "2"):
        done = process("report", run, "-o", f"{seed}.html", env={"PYTHONHASHSEED": seed})
        assert done.code == 0, done.err
    assert Path("1.html").read_bytes() == Path("2.html").read_bytes()


def test_a_file_that_is_there_is_replaced_only_by_force(cli, run) -> None:
    Path("mine.html").write_text("mine")
    done = cli("report", run, "-o", "mine.html")
    assert (done.code, "--force replaces it" in done.err) == (2, True)
    assert Path("mine.html").read_text() == "mine"
    assert cli("report", run, "-o", "mine.html", "--force").code == 0
    assert Path("mine.html").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone",), "There is no such directory."),
        (("set",), "This is no directory of a run."),
        (("run", "--measure", "MAP@7"), "has no measure 'MAP@7'"),
        (("run", "--query", "q9"), "no query 'q9'"),
        (("run", "--queries", "-1"), "-1 is not in the range"),
        (("run", "-o", ""), "the name is empty"),
        (("run", "-o", "gone/a.html"), "There is no folder gone."),
        ((), "Missing argument"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(cli, run, arguments, said: str) -> None:
    before = sorted(Path().rglob("*"))
    done = cli("report", *arguments)
    assert done.code == 2
    assert said in done.err
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize(
    "name", ["queries.csv", "metrics.json", "run.trec", "config.yaml", "queries.parquet"]
)
def test_a_run_that_was_altered_is_refused_as_by_diff_and_freeze(cli, run, name: str) -> None:
    path = run / name
    path.write_bytes(path.read_bytes().replace(b"0.5", b"0.9") + b" ")
    for command in (("report", run), ("freeze", run), ("diff", run, run)):
        done = cli(*command)
        assert done.code == 2
        assert f"The run is not as it was written; altered: {name}.\n  where: run" in done.err
    assert not (run / "report.html").exists()


def test_a_run_of_which_a_file_is_missing_is_refused(cli, run) -> None:
    (run / "steps.bin").unlink()
    done = cli("report", run)
    assert (done.code, "missing: steps.bin." in done.err) == (2, True)


def test_a_manifest_that_was_altered_is_refused(cli, run) -> None:
    change_manifest(run, {"graph": "0" * 64}, sealed=False)
    done = cli("report", run)
    assert (done.code, "The manifest is not as it was written." in done.err) == (2, True)


def test_a_run_of_an_older_format_has_a_report_and_is_refused_where_it_was_altered(cli, run) -> None:
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    change_manifest(run, {"format": 2, "files": {"queries.csv": manifest["files"]["queries.csv"]}})
    assert cli("report", run).code == 0
    (run / "queries.csv").write_text("altered")
    done = cli("report", run, "--force")
    assert (done.code, "altered: queries.csv." in done.err) == (2, True)


def test_a_sweep_that_was_altered_is_refused(cli, sweep) -> None:
    manifest = json.loads((sweep / "manifest.json").read_text("utf-8"))
    identity = {**manifest["identity"], "graph": "0" * 64}
    (sweep / "manifest.json").write_text(json.dumps({**manifest, "identity": identity}), "utf-8")
    done = cli("report", sweep)
    assert (done.code, "The manifest is not as it was written." in done.err) == (2, True)
    (sweep / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with closing(sqlite3.connect(sweep / "store.sqlite")) as store, store:
        store.execute("UPDATE rows SET measures = zeroblob(8) WHERE query = 0")
    done = cli("report", sweep)
    assert (done.code, "The store of the sweep is damaged" in done.err) == (2, True)
    assert not (sweep / "report.html").exists()


def test_a_sweep_whose_store_is_gone_is_an_error(cli, files) -> None:
    Path("sweep").mkdir()
    Path("sweep/manifest.json").write_text(json.dumps({"kind": "graphrag-pipeline sweep"}))
    done = cli("report", "sweep")
    assert done.code == 2
    assert "sweep" in done.err
    assert not Path("sweep/report.html").exists()


@pytest.fixture
def sweep(cli, files) -> Path:
    overrides = ("dataset.path=set", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none")
    swept = ("seed=label,bm25", "query.max_hops=0,1", "context.max_tokens=22,200")
    done = cli("sweep", *overrides, *swept, "--measure", "R@10", "--output", "sweep")
    assert done.code == 0, done.err
    return Path("sweep")


def test_a_report_of_a_sweep_looks_into_queries_of_its_best_config(cli, sweep) -> None:
    done = cli("report", sweep, "--query", "q4")
    assert (done.code, done.out) == (0, f"report: {sweep / 'report.html'}\n"), done.err
    page = (sweep / "report.html").read_text("utf-8")
    document = check(page)
    assert len(document.all("details", **{"class": "query"})) == 4
    assert "8 configurations on 4 queries of " in page
    assert "cell-matrix" in page
    assert "The graph is not" not in page


@pytest.mark.parametrize("number", range(8))
def test_the_config_that_is_run_again_is_that_of_the_point(sweep, number: int) -> None:
    host = PluginHost.discover(entry_points=False, environ={})
    manifest = read_manifest(sweep)
    with recipe_of_point(sweep, manifest, ["q1"], number).file() as file:
        settings = load_settings(host=host, config_file=file)
    assert tree_digest(without_trackers(settings.tree)) == read_points(sweep)[number].config


def test_a_point_that_a_sweep_does_not_have_is_an_error(sweep) -> None:
    with pytest.raises(DatasetError, match="The sweep has no point 99"):
        recipe_of_point(sweep, read_manifest(sweep), [], 99)


def test_queries_are_chosen_by_number_and_by_name(cli, run) -> None:
    cli("report", run, "--queries", "1", "-o", "one.html")
    assert Path("one.html").read_text("utf-8").count('<details class="query"') == 1
    cli("report", run, "--queries", "0", "--query", "q4", "-o", "named.html")
    assert "<code>q4</code> <bdi>review board</bdi>" in Path("named.html").read_text("utf-8")


def test_a_plugin_that_a_run_needs_is_given_again(cli, files) -> None:
    overrides = ("dataset.path=set", "graph=json", "graph.path=graph.json", "bridge=noop", "personas=none")
    done = cli("evaluate", *overrides, "seed=faulty", "--plugin", "faulty.py", "--output", "run")
    assert (done.code, Path("run").is_dir()) == (1, True), done.err
    assert cli("report", "run", "-o", "without.html").code == 0
    without = Path("without.html").read_text("utf-8")
    assert "The queries could not be run again here" in without
    assert cli("report", "run", "-o", "with.html", "--plugin", "faulty.py").code == 0
    page = Path("with.html").read_text("utf-8")
    assert "1 query failed; each counts 0 in every mean." in page
    assert re.search("The query failed: .*RuntimeError: no tea today", page)
    assert "All 3 queries that ran again gave the recorded result." in page
    check(page)


def test_what_the_environment_holds_is_not_in_a_report(cli, files, monkeypatch) -> None:
    monkeypatch.setenv("GRAPHRAG_MINE", "graph.json")
    overrides = (
        "dataset.path=set",
        "graph=json",
        "graph.path=${oc.env:GRAPHRAG_MINE}",
        "bridge=noop",
        "personas=none",
    )
    done = cli("evaluate", *overrides, "--output", "run")
    assert done.code == 0, done.err
    monkeypatch.setenv("GRAPHRAG_MINE", "my-secret/graph.json")
    assert cli("report", "run").code == 0
    page = Path("run/report.html").read_text("utf-8")
    assert "The queries could not be run again here" in page
    assert "my-secret" not in page
    assert "${oc.env:GRAPHRAG_MINE}" in page
