"""`verify`: the same, or what differs first and why; and runs that cannot be made again."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from graphrag_pipeline.experiment.run_files import file_digests
from tests.cli.runs import (
    COMMAND,
    GRAPH,
    QUERIES,
    SHIFTED,
    change_manifest,
    write_files,
    write_graph,
    write_plugin,
    write_queries,
)

SCORED = (*COMMAND, *SHIFTED, "+score.weights.shift=0.4", "--output", "one")
METRIC = """
from graphrag_pipeline import Component, hookimpl


class FoundAny(Component):
    name = "found_any"

    def measure(self, ranking, relevant):
        return float(any(node in relevant for node in ranking))


@hookimpl
def graphrag_register_metrics():
    return [FoundAny]
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    return tmp_path


@pytest.fixture
def run(cli, files) -> str:
    """A run, and no trace of it elsewhere."""
    assert cli(*COMMAND, "--output", "one").code == 0
    return "one"


@pytest.fixture
def scored(cli, files) -> str:
    """A run with a signal of a plugin file."""
    assert cli(*SCORED).code == 0
    return "one"


def test_a_run_is_identical_and_nothing_is_written(cli, run, files):
    before = {path: path.read_bytes() for path in files.rglob("*") if path.is_file()}
    done = cli("verify", run)
    assert (done.code, done.out) == (0, "identical: one, 3 queries\n")
    assert {path: path.read_bytes() for path in files.rglob("*") if path.is_file()} == before


def test_a_run_is_identical_in_another_process_with_another_hash_seed(process, files):
    made = process(*SCORED, env={"PYTHONHASHSEED": "1"})
    assert made.code == 0, made.err
    done = process("verify", "one", *SHIFTED, env={"PYTHONHASHSEED": "2"})
    assert done.code == 0, done.err
    assert done.out == "identical: one, 3 queries\n"


def test_a_run_is_identical_elsewhere_when_it_is_told_where_its_files_are(cli, run, files, monkeypatch):
    (files / "other").mkdir()
    monkeypatch.chdir("other")
    away = cli("verify", "../one")
    assert away.code == 2
    assert "The run cannot be made again: There is no such file" in away.err
    assert "dataset.path=DIR graph.path=FILE" in away.err
    done = cli("verify", "../one", "dataset.path=../set", "graph.path=../graph.json")
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        "identical: ../one, 3 queries",
        "configuration:",
        "  graph.path: graph.json → ../graph.json",
        "  dataset.path: set → ../set",
    ]


def test_a_changed_graph_is_named_with_the_first_node_that_differs(cli, run):
    graph = json.loads(json.dumps(GRAPH))
    graph["nodes"][1]["label"] = "audit board"
    write_graph(graph)
    done = cli("verify", run)
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == "different: 2 of 3 queries (q1, 問 2)"
    assert lines[1:4] == [
        "first difference: query q1, slot seed, step 1, node review board",
        "  place: not there → place 2",
        "  different as well after that step: score",
    ]
    assert lines[4] == "inputs:"
    assert re.fullmatch("  graph: [0-9a-f]{12} → [0-9a-f]{12}", lines[5])


def test_a_changed_plugin_is_named_with_both_scores(cli, scored):
    write_plugin(0.75)
    done = cli("verify", scored, *SHIFTED)
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == "different: 2 of 3 queries (q1, 問 2)"
    assert lines[1] == "first difference: query q1, slot score, step 4, node review board"
    assert re.fullmatch(r"  score: 0\.\d+ → 0\.\d+", lines[2])
    assert lines[3] == "  different as well after that step: signals"
    assert lines[4] == "inputs:"
    assert re.fullmatch(r"  plugin shift: .*digest [0-9a-f]{12} → .*digest [0-9a-f]{12}", lines[5])


def test_changed_words_of_a_query_are_told(cli, run):
    write_queries([{"id": "q1", "text": "ledger"}, *QUERIES[1:]])
    done = cli("verify", run)
    assert done.code == 1
    assert "first difference: query q1, slot seed, step 1, node audit" in done.out
    assert re.search("  question set: [0-9a-f]{12} → [0-9a-f]{12}", done.out)


def test_queries_that_only_one_has_are_told(cli, run):
    write_queries([*QUERIES[:2], {"id": "q4", "text": "board"}])
    done = cli("verify", run)
    assert done.code == 1
    assert "only in the first: 1 query (q3)" in done.out
    assert "only in the second: 1 query (q4)" in done.out


def test_changed_judgements_are_told_though_every_result_is_the_same(cli, run):
    Path("set/qrels.txt").write_text("q1 0 audit 1\n")
    done = cli("verify", run)
    assert done.code == 1
    assert done.out.startswith("different: no result, but metrics.json, qrels.txt, queries.csv\n")
    assert "  question set: " in done.out


def test_changed_personas_are_told(cli, files):
    persona = {"id": "P1", "name": "auditor", "zachman_cell": "architect:who"}
    Path("personas.json").write_text(json.dumps([persona]))
    command = [part for part in COMMAND if part != "personas=none"]
    asked = ("personas=file", "personas.path=personas.json", "query.persona=P1", "personas.anchors=[name]")
    assert cli(*command, *asked, "--output", "one").code == 0
    Path("personas.json").write_text(json.dumps([{**persona, "name": "board"}]))
    done = cli("verify", "one")
    assert done.code == 1
    assert "slot score" in done.out
    assert re.search("  personas: [0-9a-f]{12} → [0-9a-f]{12}", done.out)


def test_other_versions_that_change_nothing_are_told_and_identical(cli, run):
    versions = json.loads(Path(run, "manifest.json").read_text())["versions"]
    now = versions["numpy"]
    change_manifest(run, {"versions": {**versions, "numpy": "1.0.0"}, "platform": "Other arm64"})
    done = cli("verify", run)
    assert done.code == 0
    assert done.out.splitlines()[:3] == ["identical: one, 3 queries", "versions:", f"  numpy: 1.0.0 → {now}"]
    assert "  platform: Other arm64 → " in done.out


def test_a_query_that_fails_as_it_did_is_identical(cli, files):
    write_plugin(fails="audit")
    assert cli(*SCORED).code == 1
    done = cli("verify", "one", *SHIFTED)
    assert (done.code, done.out) == (0, "identical: one, 3 queries\n")


def test_a_query_that_fails_now_is_told_with_the_slot(cli, scored):
    write_plugin(fails="audit")
    done = cli("verify", scored, *SHIFTED)
    assert done.code == 1
    assert "first difference: query q1, slot score, step 4\n  outcome: done, digest " in done.out
    assert "→ failed: " in done.out


def test_a_forged_result_is_noticed(cli, run):
    results = json.loads(Path(run, "manifest.json").read_text())["results"]
    change_manifest(run, {"results": {**results, "q1": "0" * 64}})
    done = cli("verify", run)
    assert done.code == 1
    assert "different: 1 of 3 queries (q1)" in done.out
    assert "  result: done, digest 000000000000 → done, digest " in done.out


def test_json_holds_everything(cli, scored):
    write_plugin(0.75)
    done = cli("verify", scored, *SHIFTED, "--json")
    found = json.loads(done.out)
    assert (done.code, found["run"], found["identical"]) == (1, "one", False)
    assert (found["queries"], found["differing"]) == (3, ["q1", "問 2"])
    first = found["first_difference"]
    assert (first["query"], first["slot"], first["step"], first["node"]) == ("q1", "score", 4, "review board")
    assert float(first["first"]) < float(first["second"])
    assert [change["key"] for change in found["inputs"]] == ["plugin shift"]
    assert (found["config"], found["only_first"]) == ([], [])


@pytest.mark.parametrize(
    "name",
    [
        *("run.trec", "metrics.json", "queries.csv", "config.yaml"),
        *("qrels.txt", "failures.jsonl", "steps.bin"),
    ],
)
def test_an_altered_file_is_exit_code_2(cli, run, name):
    path = Path(run, name)
    path.write_bytes(path.read_bytes().replace(b"0.", b"1.", 1) + b" ")
    done = cli("verify", run)
    assert done.code == 2
    assert f"The run is not as it was written; altered: {name}.\n  where: one" in done.err


def test_a_missing_file_is_exit_code_2(cli, run):
    Path(run, "steps.bin").unlink()
    done = cli("verify", run)
    assert done.code == 2
    assert "missing: steps.bin." in done.err


def test_rows_as_parquet_are_looked_at_like_the_others(cli, run):
    path = Path(run, "queries.parquet")
    table = pyarrow.parquet.read_table(path)
    seconds = table.column_names.index("seconds")
    later = table.set_column(seconds, "seconds", pyarrow.array([9.0] * table.num_rows))
    pyarrow.parquet.write_table(later, path)
    assert cli("verify", run).code == 0
    best = table.set_column(table.column_names.index("RR"), "RR", pyarrow.array([1.0] * table.num_rows))
    for alter in (
        lambda: pyarrow.parquet.write_table(best, path),
        lambda: pyarrow.parquet.write_table(table.slice(1), path),
        lambda: pyarrow.parquet.write_table(table.drop_columns("RR"), path),
        lambda: path.write_bytes(b"PAR1"),
        lambda: path.write_bytes(b""),
    ):
        alter()
        done = cli("verify", run)
        assert done.code == 2
        assert "The run is not as it was written; altered: queries.parquet.\n  where: one" in done.err
    path.unlink()
    done = cli("verify", run)
    assert (done.code, "missing: queries.parquet." in done.err) == (2, True)


def test_rows_as_parquet_that_were_never_written_are_not_missed(cli, run):
    files = json.loads(Path(run, "manifest.json").read_text("utf-8"))["files"]
    change_manifest(run, {"files": {name: files[name] for name in files if name != "queries.parquet"}})
    Path(run, "queries.parquet").unlink()
    done = cli("verify", run)
    assert (done.code, done.out) == (0, "identical: one, 3 queries\n")


def test_rows_as_parquet_that_were_forged_are_noticed(cli, run):
    path = Path(run, "queries.parquet")
    table = pyarrow.parquet.read_table(path)
    best = table.set_column(table.column_names.index("RR"), "RR", pyarrow.array([1.0] * table.num_rows))
    pyarrow.parquet.write_table(best, path)
    change_manifest(run, {"files": file_digests(Path(run))})
    done = cli("verify", run)
    assert done.code == 1
    assert done.out.startswith("different: no result, but queries.parquet\n")


def test_without_what_reads_parquet_it_is_told_that_it_was_not_compared(cli, run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    done = cli("verify", run)
    assert (done.code, done.out) == (0, "identical: one, 3 queries\n")
    assert "queries.parquet is not compared, since the package pyarrow is not installed" in done.err


@pytest.mark.parametrize("content", [None, "", "{", "[1]", "[" * 100_000])
def test_times_that_are_missing_or_broken_are_not_compared(cli, run, content):
    path = Path(run, "timings.json")
    path.unlink()
    if content is not None:
        path.write_text(content)
    for command in (("verify", run), ("diff", run, run), ("freeze", run)):
        done = cli(*command)
        assert (done.code, done.err) == (0, "")
    assert cli("report", run).code == 2


def test_an_altered_manifest_is_exit_code_2(cli, run):
    change_manifest(run, {"graph": "0" * 64}, sealed=False)
    done = cli("verify", run)
    assert done.code == 2
    assert "The manifest is not as it was written." in done.err


def test_times_may_be_others(cli, run):
    path = Path(run, "queries.csv")
    path.write_text(re.sub(r",0\.\d+\n", ",9.999999\n", path.read_text("utf-8")), "utf-8")
    Path(run, "timings.json").write_text("{}")
    assert cli("verify", run).code == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": 99}, "format 99"),
        ({"format": 1}, "holds too little"),
        ({"kind": "graphrag-pipeline sweep"}, "the directory of a sweep, not of a run"),
        ({"kind": "mlflow run"}, "no directory of a run"),
        ({"plugins": ["builtin"]}, "The manifest is damaged"),
        ({"results": None}, "The manifest is damaged"),
    ],
)
def test_what_is_no_run_of_this_version_is_exit_code_2(cli, run, change, told):
    change_manifest(run, change)
    done = cli("verify", run)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("content", ["", "{", "[]", "[" * 100_000, '"\\ud800"'])
def test_a_broken_manifest_is_exit_code_2(cli, run, content):
    Path(run, "manifest.json").write_text(content)
    assert cli("verify", run).code == 2


@pytest.mark.parametrize("name", ["nowhere", "set", ""])
def test_another_directory_is_exit_code_2(cli, files, name):
    assert cli("verify", name).code == 2


def test_a_plugin_that_is_missing_is_named(cli, scored):
    done = cli("verify", scored)
    assert done.code == 2
    assert "The run was made with plugins that are not loaded here: shift (file, digest " in done.err
    assert "--plugin FILE.py" in done.err


def test_a_variable_that_is_not_set_is_named_and_data_sets_it(cli, files, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_DATA", str(files))
    command = [part for part in COMMAND if "path=" not in part]
    paths = ("dataset.path=${oc.env:GRAPHRAG_DATA}/set", "graph.path=${oc.env:GRAPHRAG_DATA}/graph.json")
    assert cli(*command, *paths, "--output", "one").code == 0
    monkeypatch.delenv("GRAPHRAG_DATA")
    done = cli("verify", "one")
    assert done.code == 2
    assert "environment variables that are not set: GRAPHRAG_DATA" in done.err
    assert "--data DIR" in done.err
    assert cli("verify", "one", "--data", str(files)).code == 0
    assert "GRAPHRAG_DATA" not in os.environ
    assert cli("verify", "one", "--data", "").code == 2


def test_messages_are_the_same_on_each_run(process, files):
    """CASES.md H, #124: the address of an object made every run another one."""
    write_plugin(fails="audit")
    written = []
    for name in ("one", "two"):
        assert process(*SCORED[:-1], name).code == 1
        written.append([Path(name, file).read_bytes() for file in ("failures.jsonl", "manifest.json")])
    assert written[0] == written[1]
    assert b"object at 0x\xe2\x80\xa6" in written[0][0]


def test_a_metric_of_a_plugin_is_asked_again(cli, files):
    Path("metric.py").write_text(METRIC)
    command = (*COMMAND, "--measure", "found_any", "--output", "one")
    assert cli(*command, "--plugin", "metric.py").code == 0
    assert cli("verify", "one", "--plugin", "metric.py").code == 0
    done = cli("verify", "one")
    assert done.code == 2
    assert "metric (file, digest " in done.err


def test_no_secret_and_no_address_is_anywhere_in_a_run(cli, files, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_RUN_WORD", "opensesame")
    write_plugin(fails="audit")
    asked = ("query.persona=${oc.env:GRAPHRAG_RUN_WORD}", "dataset.name=set")
    assert cli(*COMMAND, *SHIFTED, *asked, "+score.weights.shift=0.4", "--output", "one").code == 1
    written = b"".join(path.read_bytes() for path in Path("one").rglob("*") if path.is_file())
    assert b"opensesame" not in written
    assert re.search(rb"0x[0-9a-f]{6,}", written) is None
    (failure,) = map(json.loads, Path("one/failures.jsonl").read_text("utf-8").splitlines())
    assert failure["what"].endswith("at 0x…>: ${oc.env:GRAPHRAG_RUN_WORD}")
    manifest = json.loads(Path("one/manifest.json").read_text("utf-8"))
    assert manifest["environment"] == ["GRAPHRAG_RUN_WORD"]
    assert manifest["hook_api"] >= 1
    assert [plugin["source"] for plugin in manifest["plugins"]] == ["builtin", "file"]
    assert cli("verify", "one", *SHIFTED).code == 0


def test_a_run_over_a_knowledge_graph_is_identical(cli, shared, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHRAG_DATA", raising=False)
    command = ("dataset=kg_2wiki", "dataset.limit=10", "pipeline=hybrid", "personas=none", "--output", "one")
    with monkeypatch.context() as there:
        there.setenv("GRAPHRAG_DATA", str(shared))
        assert cli("evaluate", *command).code == 0
    assert str(shared) not in Path("one/manifest.json").read_text("utf-8")
    done = cli("verify", "one", "--data", str(shared))
    assert (done.code, done.out) == (0, "identical: one, 10 queries\n")
