"""What of a question set may be meant otherwise: it is told before the run, kept, and refused when strict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

COMMON = (
    *("evaluate", "dataset.path=set", "graph=json", "graph.path=graph.json"),
    *("bridge=noop", "personas=none", "--output", "run"),
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nodes = [{"node_id": name, "node_type": "page", "label": "page"} for name in ("a b", "a%20b")]
    Path("graph.json").write_text(json.dumps({"nodes": nodes, "edges": []}))
    Path("set").mkdir()
    queries = [
        {"id": "q 1", "text": "page", "maxhops": 1},
        {"id": "q%201", "text": "page", "maxhops": 1, "Filters": {}},
    ]
    Path("set/queries.jsonl").write_text("".join(f"{json.dumps(query)}\n" for query in queries))
    Path("set/qrels.txt").write_text("q%201 0 a%20b 1\n")
    return tmp_path


TOLD = (
    "1 judged document may mean two nodes, one of this very id and one with a character for the escape; "
    "the first counts: a%20b (q%201)",
    "1 judged id may mean two queries, one of this very id and one with a character for the escape; "
    "the first counts: q%201",
    "2 keys of queries are unknown and ignored: maxhops (2 ×, did you mean max_hops?), "
    "Filters (1 ×, did you mean filters?)",
)


def test_what_may_be_meant_otherwise_is_a_warning_and_kept(cli, files):
    done = cli(*COMMON)
    assert done.code == 0, done.err
    assert [line for line in done.err.splitlines() if "no judgements" not in line] == [
        f"warning: {line}" for line in TOLD
    ]
    findings = json.loads(Path("run/metrics.json").read_text("utf-8"))["findings"]
    assert findings["two_nodes"] == [["q%201", "a%20b"]]
    assert findings["two_queries"] == ["q%201"]
    assert findings["near_keys"] == [["maxhops", "max_hops", 2], ["Filters", "filters", 1]]


def test_strict_refuses_it(cli, files):
    done = cli(*COMMON, "--strict")
    assert done.code == 2
    for line in TOLD:
        assert line in done.err
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("R", "There is no measure 'R': it needs a cutoff."),
        ("all-gold", "all-gold@5, for instance."),
        ("ERR", "ERR@10, for instance."),
        ("RBP", "RBP(rel=1), for instance."),
    ],
)
def test_a_measure_that_cannot_be_is_told_before_the_set_is_read(cli, files, measure, told):
    Path("set/queries.jsonl").unlink()
    done = cli(*COMMON, "--measure", measure)
    assert done.code == 2
    assert told in done.err


def test_judgements_of_nothing_are_refused(cli, files):
    Path("set/qrels.txt").write_text("q%201 0 a%20b 0\n")
    done = cli(*COMMON)
    assert done.code == 2
    assert "No document is relevant to any query" in done.err
    assert not Path("run").exists()
