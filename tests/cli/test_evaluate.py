"""`evaluate`: what a run directory holds, what is told, and how it ends when something is wrong."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ir_measures
import pyarrow.parquet
import pytest

from graphrag_pipeline.experiment.run_ids import read, written

GRAPH = {
    "nodes": [
        {"node_id": "audit", "node_type": "process", "label": "audit log"},
        {"node_id": "review board", "node_type": "team", "label": "board"},
        {"node_id": "帳簿", "node_type": "system", "label": "ledger 帳簿"},
    ],
    "edges": [
        {"source_id": "audit", "target_id": "review board", "edge_type": "read_by"},
        {"source_id": "review board", "target_id": "帳簿", "edge_type": "keeps"},
    ],
}
QUERIES: list[dict[str, object]] = [
    {"id": "q1", "text": "audit"},
    {"id": "問 2", "text": "帳簿", "k": 1},
    {"id": "q3", "text": "tea"},
]
QRELS = "q1 0 audit 1\nq1 0 review%20board 1\nq3 0 audit 1\n"
FAULTY = """
from graphrag_pipeline import Component, Seed, hookimpl


class Faulty(Component):
    name = "faulty"

    def retrieve(self, query, index, k):
        if query.text == "interrupt":
            raise KeyboardInterrupt
        if query.text != "audit":
            raise RuntimeError(f"no {query.text} today")
        return [Seed("audit", 1.0)]


@hookimpl
def graphrag_register_seed_retrievers():
    return [Faulty]
"""
COMMAND = (
    "evaluate",
    "dataset.path=set",
    "graph=json",
    "graph.path=graph.json",
    "bridge=noop",
    "personas=none",
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graph.json").write_text(json.dumps(GRAPH), "utf-8")
    Path("set").mkdir()
    asking(QUERIES)
    Path("set/qrels.txt").write_text(QRELS, "utf-8")
    Path("faulty.py").write_text(FAULTY)
    return tmp_path


def asking(queries: Sequence[Mapping[str, object]]) -> None:
    lines = "".join(f"{json.dumps(query, ensure_ascii=False)}\n" for query in queries)
    Path("set/queries.jsonl").write_text(lines, "utf-8")


def content(run: Path | str) -> dict[str, bytes]:
    """The files of a run without what is a time."""
    found = {path.name: path.read_bytes() for path in sorted(Path(run).iterdir())}
    assert json.loads(found.pop("timings.json"))["seconds"] >= 0
    found.pop("events.jsonl")
    found["queries.csv"] = re.sub(rb",[\d.]+\n", b",\n", found["queries.csv"])
    rows = pyarrow.parquet.read_table(Path(run) / "queries.parquet").drop_columns("seconds")
    found["queries.parquet"] = json.dumps(rows.to_pylist()).encode()
    return found


def test_a_run_holds_everything(cli, files):
    done = cli(*COMMAND, "--output", "runs/one", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found.pop("run") == str(Path("runs/one"))
    run = content("runs/one")
    assert json.loads(run["metrics.json"]) == found
    assert found["measures"]["RR"] == {"mean": 0.5, "queries": 2}
    assert run["run.trec"].decode().splitlines() == [
        "q1 Q0 audit 1 0.6 graphrag-pipeline",
        "q1 Q0 review%20board 2 0.1 graphrag-pipeline",
        "q1 Q0 帳簿 3 0.099999994 graphrag-pipeline",
        "問%202 Q0 帳簿 1 0.6 graphrag-pipeline",
        "問%202 Q0 review%20board 2 0.1 graphrag-pipeline",
        "問%202 Q0 audit 3 0.099999994 graphrag-pipeline",
    ]
    assert run["qrels.txt"].decode() == QRELS
    assert run["failures.jsonl"] == b""
    rows = list(csv.DictReader(run["queries.csv"].decode().splitlines()))
    assert [(row["query"], row["status"], row["RR"], row["candidates"]) for row in rows] == [
        ("q1", "done", "1.0", "3"),
        ("問 2", "done", "", "3"),
        ("q3", "done", "0.0", "0"),
    ]
    assert done.err.splitlines() == [
        "warning: 1 query has no judgements and is in no mean over judged queries: 問 2"
    ]


def test_trec_eval_measures_the_same_from_the_run_file_though_scores_are_equal(cli, files):
    for relevant in ("review%20board", "帳簿"):
        Path("set/qrels.txt").write_text(f"q1 0 {relevant} 1\n", "utf-8")
        found = json.loads(cli(*COMMAND, "--output", "one", "--force", "--json").out)["measures"]
        measures = {ir_measures.parse_measure(name): value["mean"] for name, value in found.items()}
        run, qrels = ir_measures.read_trec_run("one/run.trec"), ir_measures.read_trec_qrels("one/qrels.txt")
        assert ir_measures.calc_aggregate(measures, list(qrels), list(run)) == pytest.approx(measures)
        assert found["RR"]["mean"] == {"review%20board": 1 / 2, "帳簿": 1 / 3}[relevant]


def test_a_manifest_says_what_a_run_was_made_from(cli, files):
    cli(*COMMAND, "--output", "one", "--measure", "RR", "--depth", "2")
    manifest = json.loads(Path("one/manifest.json").read_text("utf-8"))
    assert (manifest["measures"], manifest["depth"]) == (["RR"], 2)
    assert manifest["config"] == hashlib.sha256(Path("one/config.yaml").read_bytes()).hexdigest()
    assert list(manifest["results"]) == ["q1", "問 2", "q3"]
    assert {plugin["name"] for plugin in manifest["plugins"]} == {"builtin"}
    assert all(len(manifest[part]) == 64 for part in ("digest", "config", "graph"))
    assert str(files) not in json.dumps(manifest)


def test_two_runs_are_equal_but_for_times_whatever_the_hash_seed(process, files):
    for seed in ("1", "2"):
        done = process(*COMMAND, "--output", seed, env={"PYTHONHASHSEED": seed})
        assert done.code == 0, done.err
    assert content("1") == content("2")


def test_a_run_is_named_by_its_inputs_and_not_written_twice(cli, files):
    assert cli(*COMMAND).code == 0
    (first,) = Path("runs").iterdir()
    assert re.fullmatch(r"set-[0-9a-f]{8}", first.name)
    again = cli(*COMMAND)
    assert again.code == 2
    assert "--force" in again.err
    assert cli(*COMMAND, "--force").code == 0
    assert cli(*COMMAND, "query.max_hops=1").code == 0
    assert len(list(Path("runs").iterdir())) == 2


def test_ids_with_blanks_of_any_kind_are_read_by_others_and_read_back(cli, files):
    odd = [
        "a b",
        "a\xa0b",
        "a\x0bb",
        "a\u2003b",
        "a\u2028b",
        "a\0b",
        "a\x1b[31mb",
        "\ufeffa",
        "\0",
        "%00",
        "a%41",
    ]
    nodes = [{"node_id": name, "node_type": "process", "label": "audit"} for name in odd]
    Path("graph.json").write_text(json.dumps({"nodes": nodes, "edges": []}), "utf-8")
    asking([{"id": "\ufeffq\x851", "text": "audit", "k": 20}])
    every = "".join(f"%EF%BB%BFq%C2%851 0 {written(node)} 1\n" for node in odd)
    Path("set/qrels.txt").write_text(every.splitlines()[0], "utf-8")
    for name in ("one", "two"):
        done = cli(*COMMAND, "--measure", "RR", "--measure", "R@20", "--output", name)
        assert done.code == 0, done.err
        ranked = list(ir_measures.read_trec_run(f"{name}/run.trec"))
        assert {read(found.doc_id) for found in ranked} == {*odd}
        assert {read(found.query_id) for found in ranked} == {"\ufeffq\x851"}
        Path("set/qrels.txt").write_text(every, "utf-8")
    assert json.loads(Path("two/metrics.json").read_text())["measures"]["R@20"]["mean"] == 1
    assert Path("two/qrels.txt").read_text("utf-8") == every


def test_without_a_context_nothing_is_said_of_contexts_whether_queries_fail_or_not(cli, files):
    more = ("--plugin", "faulty.py", "seed=faulty", "pipeline.order=[seed,expand,score]")
    done = cli(*COMMAND, *more, "--output", "one")
    assert done.code == 1
    of_contexts = ("gold_context", "gold_survived", "connectedness", "context_nodes", "tokens", "redundancy")
    assert not any(name in done.out for name in of_contexts)
    rows = list(csv.DictReader(Path("one/queries.csv").read_text("utf-8").splitlines()))
    assert [row[name] for row in rows for name in of_contexts] == [""] * 18
    assert [row["gold_candidates"] for row in rows] == ["1.0", "", "0.0"]
    found = json.loads(Path("one/metrics.json").read_text("utf-8"))["graph"]
    assert all(found[name] == {"mean": None, "queries": 0} for name in of_contexts)
    assert cli("verify", "one", "--plugin", "faulty.py").code == 0
    assert cli("report", "one", "--plugin", "faulty.py").code == 0
    measures = [part for name in ("RR", *of_contexts) for part in ("--measure", name)]
    command = ("sweep", *COMMAND[1:], *more, "query.max_hops=0,3", *measures, "--output", "swept")
    assert cli(*command).code == 1
    for row in csv.DictReader(Path("swept/points.csv").read_text("utf-8").splitlines()):
        assert [row[name] for name in ("RR", *of_contexts)] == ["0.5", *[""] * 6]
    assert cli("report", "swept", "--plugin", "faulty.py").code == 0


def test_nodes_that_a_bridge_added_are_told_and_counted(cli, files):
    asking([{"id": "q1", "text": "audit"}, {"id": "q3", "text": "persona"}, {"id": "q4", "text": "FCC"}])
    command = [part for part in COMMAND if not part.startswith("bridge")]
    done = cli(*command, "--output", "one")
    assert done.code == 0, done.err
    told = (
        "warning: the bridge (mock) added nodes of its own to 2 queries of 3, where they are ranked and "
        "measured; bridge=noop leaves it out"
    )
    assert done.err.splitlines().count(told) == 1
    assert "lyra" not in done.err
    for name in ("metrics.json", "manifest.json"):
        assert json.loads(Path("one", name).read_text("utf-8"))["bridged"] == {"mock": 2}
    assert cli("report", "one").code == 0
    assert "The bridge (<code>mock</code>) added nodes to 2 queries." in Path("one/report.html").read_text()
    done = cli(*COMMAND, "--output", "two", "--json")
    assert (json.loads(done.out)["bridged"], "bridge" in done.err) == ({}, False)
    both = cli(*command, "--output", "three", "--jobs", "2")
    assert both.err.splitlines().count(told) == 1


def test_what_a_run_its_trackers_and_its_report_wrote_is_replaced_and_nothing_else(cli, files):
    command = (*COMMAND, "--output", "one")
    more = ("trackers.all.use=jsonl", "trackers.all.path=all.jsonl")
    assert cli(*command, *more).code == 0
    assert cli("report", "one").code == 0
    assert json.loads(Path("one/manifest.json").read_text("utf-8"))["tracker_files"] == ["all.jsonl"]
    assert {"all.jsonl", "report.html"} < {path.name for path in Path("one").iterdir()}
    assert cli(*command, "--force").code == 0
    assert not {"all.jsonl", "report.html"} & {path.name for path in Path("one").iterdir()}
    Path("one/notes.txt").write_text("mine")
    before = content("one")
    done = cli(*command, "query.max_hops=0", "--force")
    assert done.code == 2
    assert "The directory of the run holds what no run writes: notes.txt." in done.err
    assert content("one") == before


def test_a_long_name_is_no_hindrance(cli, files):
    name = "n" * 250
    assert cli(*COMMAND, "--output", f"runs/{name}").code == 0
    assert [path.name for path in Path("runs").iterdir()] == [name]


def test_a_failing_query_is_a_row_and_exit_code_1(cli, files):
    done = cli(*COMMAND, "--plugin", "faulty.py", "seed=faulty", "--output", "one")
    assert done.code == 1
    assert "error: 2 queries failed and count 0: 問 2, q3" in done.err
    failures = [json.loads(line) for line in Path("one/failures.jsonl").read_text("utf-8").splitlines()]
    assert [failure["query"] for failure in failures] == ["問 2", "q3"]
    assert "no 帳簿 today" in failures[0]["what"]
    rows = list(csv.DictReader(Path("one/queries.csv").read_text("utf-8").splitlines()))
    assert [(row["status"], row["RR"]) for row in rows] == [
        ("done", "1.0"),
        ("failed", ""),
        ("failed", "0.0"),
    ]
    assert json.loads(Path("one/metrics.json").read_text())["measures"]["RR"]["mean"] == 0.5


def test_all_queries_may_fail_and_the_run_is_still_written(cli, files):
    asking([{"id": "q1", "text": "x"}, {"id": "q3", "text": "y"}])
    done = cli(*COMMAND, "--plugin", "faulty.py", "seed=faulty", "--output", "one")
    assert done.code == 1
    assert Path("one/run.trec").read_bytes() == b""
    assert json.loads(Path("one/metrics.json").read_text())["failed"] == ["q1", "q3"]


def test_an_interrupt_leaves_nothing(cli, files):
    asking([{"id": "q1", "text": "audit"}, {"id": "q3", "text": "interrupt"}])
    done = cli(*COMMAND, "--plugin", "faulty.py", "seed=faulty", "--output", "runs/one")
    assert done.code == 130
    assert list(Path("runs").iterdir()) == []


@pytest.mark.parametrize("name", ["run.trec", "steps.bin", "queries.parquet", "metrics.json"])
def test_a_disk_that_is_full_at_any_file_leaves_nothing_and_keeps_the_run_that_was_there(
    cli, files, monkeypatch, name
):
    assert cli(*COMMAND, "--output", "runs/one").code == 0
    before = content("runs/one")
    opened, written, table = Path.open, Path.write_bytes, pyarrow.parquet.write_table

    def full(path: Path) -> None:
        if Path(path).name == name and ".building" in str(path):
            raise OSError(28, "No space left on device", str(path))

    def open_(path: Path, *arguments: Any, **options: Any) -> Any:
        full(path)
        return opened(path, *arguments, **options)

    def write_bytes(path: Path, data: bytes) -> int:
        full(path)
        return written(path, data)

    def write_table(rows: Any, path: Path) -> None:
        full(path)
        table(rows, path)

    monkeypatch.setattr(Path, "open", open_)
    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    monkeypatch.setattr(pyarrow.parquet, "write_table", write_table)
    done = cli(*COMMAND, "--output", "runs/one", "--force")
    assert done.code == 1
    run = Path("runs/one")
    told = f"error: No space left on device: the run {run} cannot be written, and nothing of it is left"
    assert told in done.err.splitlines()
    assert [path.name for path in Path("runs").iterdir()] == ["one"]
    monkeypatch.undo()
    monkeypatch.chdir(files)
    assert content("runs/one") == before


def test_an_interrupt_keeps_the_run_that_was_there(cli, files):
    command = (*COMMAND, "--plugin", "faulty.py", "seed=faulty", "--output", "runs/one")
    asking([{"id": "q1", "text": "audit"}])
    Path("set/qrels.txt").write_text("q1 0 audit 1\n")
    assert cli(*command).code == 0
    before = content("runs/one")
    asking([{"id": "q1", "text": "interrupt"}])
    assert cli(*command, "--force").code == 130
    assert [path.name for path in Path("runs").iterdir()] == ["one"]
    assert content("runs/one") == before


METRICS = """
from graphrag_pipeline import Component, hookimpl


class Given(Component):
    name = "given"

    def measure(self, ranking, relevant):
        if not ranking:
            return float("nan")
        return 0.25


class Broken(Given):
    name = "broken"

    def measure(self, ranking, relevant):
        raise ZeroDivisionError("of nothing")


@hookimpl
def graphrag_register_metrics():
    return [Given, Broken]
"""


def test_metrics_of_plugins_are_measures(cli, files):
    Path("metrics.py").write_text(METRICS)
    command = (*COMMAND, "--plugin", "metrics.py", "--measure", "given", "--measure", "all-gold@2")
    done = cli(*command, "--output", "one", "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert found["measures"] == {
        "given": {"mean": 0.25, "queries": 1},
        "all-gold@2": {"mean": 0.5, "queries": 2},
    }
    assert found["undefined"] == {"given": {"it gave nan": ["q3"]}}
    assert "warning: given has no value for 1 query, it gave nan: q3" in done.err
    rows = list(csv.DictReader(Path("one/queries.csv").read_text("utf-8").splitlines()))
    assert [row["given"] for row in rows] == ["0.25", "", ""]
    manifest = json.loads(Path("one/manifest.json").read_text("utf-8"))
    assert "metrics" in {plugin["name"] for plugin in manifest["plugins"]}


def test_a_metric_that_raises_is_told_and_the_run_is_written(cli, files):
    Path("metrics.py").write_text(METRICS)
    done = cli(
        *COMMAND, "--plugin", "metrics.py", "--measure", "broken", "--measure", "RR", "--output", "one"
    )
    assert done.code == 1
    assert (
        "error: broken has no value for 2 queries, it raised ZeroDivisionError: of nothing: q1, q3"
        in done.err
    )
    assert json.loads(Path("one/metrics.json").read_text())["measures"]["RR"]["mean"] == 0.5


def test_a_metric_nobody_has_is_told_before_anything_runs(cli, files):
    done = cli(*COMMAND, "--measure", "given")
    assert done.code == 2
    assert "There is no measure 'given'" in done.err


def test_strict_refuses_what_is_else_a_warning(cli, files):
    Path("set/qrels.txt").write_text(QRELS + "q1 0 nobody 1\nq9 0 audit 1\n")
    done = cli(*COMMAND, "--strict")
    assert done.code == 2
    for told in (
        "nobody (q1)",
        "1 judged id is no query",
        "judgements and is in no mean",
        "Without --strict",
    ):
        assert told in done.err
    assert not Path("runs").exists()
    asking([query for query in QUERIES if query["id"] != "問 2"])
    Path("set/qrels.txt").write_text(QRELS)
    assert cli(*COMMAND, "--strict").code == 0


def test_a_query_may_have_rules_of_its_own(cli, files):
    asking(
        [
            {"id": "q1", "text": "audit"},
            {"id": "q3", "text": "audit", "filters": {"filter": {"node_type": ["team"]}}},
        ]
    )
    done = cli(*COMMAND, "filter=rules", "filter.rule={all: []}", "--output", "one")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(Path("one/queries.csv").read_text("utf-8").splitlines()))
    assert [row["candidates"] for row in rows] == ["3", "1"]
    refused = cli(*COMMAND, "--output", "two")
    assert refused.code == 2
    assert "query 'q3', filters.filter" in refused.err
    assert "filter=rules" in refused.err
    assert not Path("two").exists()


def test_a_full_disk_leaves_nothing(cli, files, monkeypatch):
    def full(path: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = cli(*COMMAND, "--output", "runs/one")
    assert done.code == 1
    assert "No space left on device" in done.err
    assert list(Path("runs").iterdir()) == []


def test_what_is_measured_by_compare_is_what_was_measured_here(cli, files):
    cli(*COMMAND, "--output", "one")
    cli(*COMMAND, "query.max_hops=0", "--output", "two")
    done = cli("compare", "one", "two", "--qrels", "one/qrels.txt", "--measure", "AP", "--json")
    means = {entry["run"]: entry["mean"] for entry in json.loads(done.out)["standings"]}
    for name in ("one", "two"):
        found = json.loads(Path(name, "metrics.json").read_text())["measures"]["AP"]
        assert means[name] == found["mean"]


def test_a_value_of_the_environment_is_not_written(cli, files, monkeypatch):
    monkeypatch.setenv("GRAPHRAG_PLACE", "graph.json")
    command = [part for part in COMMAND if "graph.path" not in part]
    assert cli(*command, "graph.path=${oc.env:GRAPHRAG_PLACE}", "--output", "one").code == 0
    assert "${oc.env:GRAPHRAG_PLACE}" in Path("one/config.yaml").read_text()
    assert b"graph.json" not in b"".join(path.read_bytes() for path in Path("one").iterdir())


def test_what_every_query_has_to_say_is_said_once(cli, files):
    asking([{"id": name, "text": "audit", "persona": "FCON-999"} for name in ("q1", "q3")])
    done = cli(*COMMAND[:-1], "--output", "one")
    assert done.code == 0
    assert done.err.count("unknown persona 'FCON-999'") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("dataset=kg_2wik",), "did you mean kg_2wiki"),
        (("dataset.path=nowhere",), "no such file or directory"),
        (("dataset.limit=0",), "dataset.limit"),
        (("dataset.fromat=beir",), "did you mean format"),
        (("--measure", "nDGC"), "There is no measure 'nDGC'"),
        (("--output", ""), "the name is empty"),
        (("--output", "set"), "something else than a run"),
        (("--depth", "0"), "--depth"),
    ],
)
def test_a_mistake_is_exit_code_2_and_writes_nothing(cli, files, arguments, told):
    done = cli(*COMMAND, *arguments)
    assert done.code == 2
    assert told in done.err
    assert not Path("runs").exists()


def test_no_set_no_query_and_no_match_are_told(cli, files):
    assert "dataset=NAME" in cli("evaluate").err
    asking([])
    assert "holds no query" in cli(*COMMAND).err
    asking([{"id": "other", "text": "audit"}])
    assert "No query is judged" in cli(*COMMAND).err
    Path("set/qrels.txt").write_text("other 0 nobody 1\n")
    assert "No relevant document is a node" in cli(*COMMAND).err
    assert not Path("runs").exists()


def test_questions_about_a_knowledge_graph(cli, shared, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHRAG_DATA", str(shared))
    done = cli(
        "evaluate", "dataset=kg_2wiki", "dataset.limit=20", "pipeline=hybrid", "personas=none", "--json"
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert (found["queries"], found["judged"], found["failed"]) == (20, 20, [])
    assert found["findings"]["unknown_nodes"] == []
    assert found["measures"]["R@10"]["mean"] > 0.9
    assert found["graph"]["gold_context"]["mean"] > 0.9
    assert found["graph"]["path_edges"]["mean"] > 0.5


def test_what_looks_like_a_secret_is_not_in_the_run(files, cli, tmp_path):
    Path("bridge.py").write_text(
        "from graphrag_pipeline import BridgeParams, Component, hookimpl\n"
        "class Params(BridgeParams):\n    api_key: str = ''\n"
        "class Mine(Component):\n    name = 'mine'\n    Params = Params\n    local = True\n"
        "    def graph_of_thought_query(self, query, depth=3):\n        return {}\n"
        "    def vocab_lookup(self, term, namespace=''):\n        return []\n"
        "    def harmonic_expand(self, concept):\n        return []\n"
        "@hookimpl\ndef graphrag_register_bridges():\n    return [Mine]\n"
    )
    mine = ("--plugin", "bridge.py", "bridge.use=mine", "+bridge.api_key=zz-hunter2")
    command = [part for part in COMMAND if not part.startswith("bridge")]
    assert cli(*command, *mine, "--output", "out").code == 0
    assert b"hunter2" not in b"".join(path.read_bytes() for path in Path("out").iterdir())
    done = cli("verify", "out", "--plugin", "bridge.py")
    assert done.code == 0
    assert "give bridge.api_key" in done.err
    assert "give" not in cli("verify", "out", "--plugin", "bridge.py", "bridge.api_key=zz-hunter2").err
