"""The report of a run: what was recorded, and what running queries again adds."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.datasets.checks import Findings
from graphrag_pipeline.experiment.recorded import read_manifest, read_run_record
from graphrag_pipeline.experiment.report.choosing import Graded, chosen_measure, chosen_queries
from graphrag_pipeline.experiment.report.document import Wanted, report
from graphrag_pipeline.experiment.report.head import FINDINGS
from graphrag_pipeline.experiment.report.recipe import recipe_of_run
from graphrag_pipeline.experiment.report.rerun import Rerun, rerun
from graphrag_pipeline.experiment.report.subgraph import CONTEXT, DROPPED, LEFT, UNSEEN
from graphrag_pipeline.experiment.report.tallies import FOUND, GOLD, KEPT
from tests.experiment.report.made import HOSTILE
from tests.experiment.report.markup import check


def again(run: Path, host, *chosen: str) -> Rerun:
    return rerun(recipe_of_run(read_run_record(run)), chosen, host, lambda done, total: None)


def made(run: Path, host, **wanted) -> str:
    return report(run, Wanted(**wanted), host, lambda done, total: None)


def test_a_run_has_all_parts_and_keeps_every_rule(evaluated_run, host) -> None:
    page = made(evaluated_run, host)
    document = check(page)
    assert [part["id"] for part in document.all("section")] == [
        *("what-ran", "means", "cells", "queries", "single-queries")
    ]
    assert len(document.all("details", **{"class": "query"})) == 3
    assert not document.all("img")
    assert "\u202e" not in page
    assert "All 3 queries that ran again gave the recorded result." in page
    assert "1 query has no judgements and is in no mean: <code>q4</code>" in page


def test_the_same_run_gives_the_same_bytes(evaluated_run, host) -> None:
    assert made(evaluated_run, host) == made(evaluated_run, host)


def test_a_moved_run_gives_the_same_bytes(evaluated_run, run, host) -> None:
    assert made(evaluated_run, host) == made(run, host)


def test_nothing_of_the_machine_is_in_a_report_but_what_the_config_holds(evaluated_run, host) -> None:
    page = made(evaluated_run, host, worst=0)
    config = page.index("The configuration in force")
    assert str(evaluated_run) not in page[:config] + page[page.index("</details>", config) :]


def test_nodes_show_what_became_of_them(evaluated_run, host) -> None:
    (view,) = again(evaluated_run, host, "q1").views
    assert view.part is not None
    states = {node.node_id: (node.state, node.reason, node.gold, node.hop) for node in view.part.nodes}
    assert states["audit"] == (CONTEXT, "", True, 0)
    assert states["ledger"] == (DROPPED, "other_perspective (filter)", True, -1)
    assert {node_id: state for node_id, (state, *_) in states.items() if node_id == "board"} == {
        "board": LEFT
    }
    assert states["board"][1] == "budget"
    assert view.part.totals == (1, 1, 1, 0)
    edges = {(edge.source, edge.target, edge.edge_type, edge.discovered) for edge in view.part.edges}
    places = {node.node_id: place for place, node in enumerate(view.part.nodes)}
    assert edges == {
        (places["audit"], places["board"], "read_by", True),
        (places["board"], places["ledger"], "keeps", False),
    }


def test_a_relevant_node_that_was_never_reached_is_drawn(evaluated_run, host) -> None:
    (view,) = again(evaluated_run, host, "q3").views
    assert view.part is not None
    assert [(node.node_id, node.state, node.gold) for node in view.part.nodes] == [
        ("far", UNSEEN, True),
        ("bare", UNSEEN, True),
    ]
    assert [(edge.edge_type, edge.discovered) for edge in view.part.edges] == [("is", False)]


def test_steps_tell_how_many_nodes_came_in_and_out(evaluated_run, host) -> None:
    (view,) = again(evaluated_run, host, "q1").views
    steps = {step.slot: (step.before, step.after) for step in view.steps}
    assert (steps["seed"], steps["expand"]) == ((0, 1), (1, 3))
    first = next(step for step in view.steps if step.slot == "filter")
    assert (first.before, first.after, first.did.split(";")[0]) == (3, 2, "dropped 1 other_perspective")
    assert view.about == "cell architect:how · k 10 · 3 hops"
    assert view.same


def test_cells_count_every_pair_of_a_query_and_a_relevant_node(evaluated_run, host) -> None:
    tally = again(evaluated_run, host, "q1").tally
    assert tally is not None
    assert tally.counts.sum(axis=(1, 2)).tolist() == [3, 1, 1]
    architect, engineer, executive = 2, 3, 0
    how, what, row_only = 1, 0, 6
    assert tally.counts[GOLD, architect, how] == tally.counts[KEPT, architect, how] == 1
    assert (tally.counts[GOLD, engineer, what], tally.counts[FOUND, engineer, what]) == (1, 0)
    assert tally.counts[GOLD, executive, row_only] == 1
    assert tally.without == 2


def test_the_time_of_each_step_is_that_of_the_recorded_run(run, host) -> None:
    timings = json.loads((run / "timings.json").read_text())
    steps = len(timings["queries"]["q1"])
    timings["queries"]["q1"] = [0.001 * (place + 1) for place in range(steps)]
    (run / "timings.json").write_text(json.dumps(timings))
    page = made(run, host, worst=0, queries=("q1",))
    table = page[page.index("<caption><span>Steps") :]
    shown = re.findall(r'<td class="n">([\d.]+)</td><td><svg class="bar"', table)
    assert shown == [f"{place + 1}.00" for place in range(steps)]


def test_times_that_were_not_recorded_are_not_made_up(run, host) -> None:
    (run / "timings.json").write_text("{}")
    page = made(run, host, queries=("q1",))
    assert "the time of each step was not recorded" in page
    assert "Where the time went" not in page


# -- which queries ---------------------------------------------------------------------------------


def test_the_worst_queries_come_first_and_those_without_a_value_last(evaluated_run) -> None:
    record = read_run_record(evaluated_run)
    order = [record.rows[place].query for place in Graded.of(record, "nDCG@10").worst_first()]
    assert order == ["q3", "q1", "q2", "q4"]
    most = Graded.of(record, "tokens").worst_first()[0]
    assert record.column("tokens")[most] == max(record.column("tokens"))


def test_named_queries_are_looked_into_before_the_worst_and_the_best(evaluated_run) -> None:
    graded = Graded.of(read_run_record(evaluated_run), "nDCG@10")
    assert chosen_queries(graded, 0, ()) == ()
    assert chosen_queries(graded, 0, ("q4",)) == ("q4",)
    assert chosen_queries(graded, 2, ("q4",)) == ("q4", "q3", "q1", "q2")
    assert chosen_queries(graded, 100, ()) == ("q3", "q1", "q2")


def test_a_query_or_a_measure_that_is_not_there_is_an_error_that_names_some(evaluated_run, host) -> None:
    with pytest.raises(DatasetError, match="no query 'q9'") as caught:
        made(evaluated_run, host, queries=("q9",))
    assert "q1, q2, q3" in caught.value.hint
    record = read_run_record(evaluated_run)
    with pytest.raises(DatasetError, match="no measure 'RR'"):
        chosen_measure(record, "RR")
    assert chosen_measure(record, None) == "nDCG@10"
    assert chosen_measure(record, "tokens") == "tokens"


def test_without_queries_nothing_runs_and_the_rest_is_there(run, host) -> None:
    (run / "config.yaml").write_text("plugins: {modules: [no_such_module]}")
    page = made(run, host, worst=0)
    check(page)
    assert "No query was run again" in page
    assert "Cytoscape.js 3.35.0" not in page


# -- what is no longer as it was -------------------------------------------------------------------


def test_a_graph_that_is_gone_is_told_and_the_rest_is_there(run, host) -> None:
    config = run / "config.yaml"
    config.write_text(config.read_text("utf-8").replace("graph.json", "gone.json"), "utf-8")
    page = made(run, host)
    document = check(page)
    assert [part["id"] for part in document.all("section")] == [
        "what-ran",
        "means",
        "queries",
        "single-queries",
    ]
    assert "The queries could not be run again here" in page
    assert "gone.json" in page


def test_a_result_that_is_not_the_recorded_one_is_told(run, host) -> None:
    config = run / "config.yaml"
    config.write_text(config.read_text("utf-8").replace("max_tokens: 22", "max_tokens: 3000"), "utf-8")
    page = made(run, host)
    assert re.search(r"\d of 3 queries that ran again gave another result than the recorded one", page)
    assert "The result is not the recorded one." in page


def test_a_graph_that_changed_is_told(run, host) -> None:
    graph = json.loads((run.parent / "run" / "manifest.json").read_text())
    graph["graph"] = "0" * 64
    (run / "manifest.json").write_text(json.dumps(graph))
    assert "The graph is not what it was." in made(run, host)


def test_a_query_that_fails_shows_why(run, host) -> None:
    rows = (run / "queries.csv").read_text("utf-8").replace("q3,,done", "q3,,failed")
    (run / "queries.csv").write_text(rows, "utf-8")
    told = {"query": "q3", "what": f"no {HOSTILE}", "where": "here", "hint": ""}
    (run / "failures.jsonl").write_text(json.dumps(told) + "\n")
    page = made(run, host, worst=0)
    check(page)
    assert "1 query failed; each counts 0 in every mean." in page
    assert "<strong>failed</strong>" in page


# -- what is no run --------------------------------------------------------------------------------


def test_another_directory_is_refused(tmp_path) -> None:
    with pytest.raises(DatasetError, match="no directory of a run"):
        read_manifest(tmp_path)
    with pytest.raises(DatasetError, match="no such directory"):
        read_manifest(tmp_path / "gone")
    (tmp_path / "manifest.json").write_text('{"kind": "something else"}')
    with pytest.raises(DatasetError, match="no directory of a run or a sweep"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("version", [99, "1", None])
def test_a_run_of_a_newer_format_is_refused(run, version) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    (run / "manifest.json").write_text(json.dumps({**manifest, "format": version}))
    with pytest.raises(DatasetError, match="The run has format"):
        read_run_record(run)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("manifest.json", "[]", "no JSON object"),
        ("manifest.json", "{", "not valid JSON"),
        ("metrics.json", "[1]", "no JSON object"),
        ("timings.json", "[" * 100_000, "nested|JSON"),
        ("queries.csv", "", "does not name the columns"),
        ("queries.csv", "query,kind,status,a,a,seconds\n", "does not name the columns"),
        ("queries.csv", "query,kind,status,a,seconds\nq,,done,1\n", "has 4 columns, not 5"),
        ("queries.csv", "query,kind,status,a,seconds\nq,,done,nan,1\n", "no finite number"),
        ("queries.csv", "query,kind,status,a,seconds\nq,,done,<b>,1\n", "no finite number"),
        ("queries.csv", 'query,kind,status,a,seconds\n"q,,done,1,1\n', "no CSV"),
        ("failures.jsonl", "[]\n", "tells of no failure"),
        ("failures.jsonl", "{}\n", "tells of no failure"),
    ],
)
def test_a_damaged_file_is_an_error_that_names_it(run, file: str, content: str, said: str) -> None:
    (run / file).write_text(content, "utf-8")
    with pytest.raises(DatasetError, match=said) as caught:
        read_run_record(run)
    assert file in caught.value.where


@pytest.mark.parametrize("file", ["queries.csv", "config.yaml", "metrics.json", "timings.json"])
def test_a_missing_file_is_an_error_that_names_it(run, file: str) -> None:
    (run / file).unlink()
    with pytest.raises(DatasetError) as caught:
        read_run_record(run)
    assert file in caught.value.where


def test_json_of_other_shapes_in_a_manifest_breaks_nothing(run, host) -> None:
    manifest = json.loads((run / "manifest.json").read_text())
    odd = {"dataset": 3, "versions": [], "plugins": {"a": 1}, "results": None, "digest": {}, "measures": None}
    (run / "manifest.json").write_text(json.dumps({**manifest, **odd}))
    (run / "metrics.json").write_text(json.dumps({"judged": HOSTILE, "findings": {HOSTILE: [[1, HOSTILE]]}}))
    check(made(run, host))


def test_every_finding_has_words():
    assert {field.name for field in fields(Findings)} == {*FINDINGS}
