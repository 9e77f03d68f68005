"""What takes the records of a source: keeps count, cleans values, and tells sources their faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline import FileGraph, FileGraphParams, GraphSourceError, Intake
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.sources import hopeless


def intake() -> Intake:
    return Intake("g", namespace="ns")


class Lines(FileGraph[FileGraphParams]):
    name = "lines"
    Params = FileGraphParams


def test_a_row_that_is_lost_is_a_fault_of_the_source():
    taken = intake()
    taken.read("rows", 2)
    taken.node("a", "t", "A")
    with pytest.raises(GraphSourceError, match="it read and made 2 rows, and 1 are accounted for") as error:
        taken.finish()
    assert error.value.where == "g"


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda taken: taken.node(7, "t"), "the id is 7, not text"),
        (lambda taken: taken.node("a", None, at="g:3"), "the type is None, not text"),
        (lambda taken: taken.edge("a", 7, "t"), "the target is 7, not text"),
        (lambda taken: taken.node("a", "t", properties=[1]), "the properties are a list, not a mapping"),
        (lambda taken: taken.read("rows", 1.5), r"read\(\) was given 1.5 rows"),
        (lambda taken: taken.read("rows", -1), r"read\(\) was given -1 rows"),
    ],
)
def test_what_is_no_record_is_a_fault_of_the_source(call, what):
    with pytest.raises(GraphSourceError, match=f"The graph source is faulty: {what}"):
        call(intake())


def test_a_place_may_be_anything_that_has_a_text():
    taken = intake()
    taken.read("rows")
    taken.skip("a row", Path("x"))  # type: ignore[arg-type]
    (found,) = taken.finish().report.findings
    assert found.places == ("x",)


def test_sets_are_lists_in_order_and_objects_have_no_address():
    code = (
        "from tests.graph.sources.test_intake import intake\n"
        "taken = intake()\n"
        "taken.node('a', 't', made='x', properties={'tags': {'red', 'green', 'blue'}, 'o': object()})\n"
        "graph = taken.finish().graph\n"
        "print(graph.digest, graph.all_nodes()[0].properties)\n"
    )
    root = Path(__file__).resolve().parents[3]
    made = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=root,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "012"
    }
    assert len(made) == 1
    assert "{'tags': ['blue', 'green', 'red'], 'o': '<object>'}" in made.pop()


def listed(self: Any, taken: Intake) -> list[int]:
    return []


def generated(self: Any, taken: Intake) -> Any:
    yield taken


@pytest.mark.parametrize(
    ("read", "what"),
    [(None, "has no method read"), (listed, "gave a list"), (generated, "gave a generator")],
)
def test_a_source_that_hands_nothing_over_is_no_empty_graph(read, what):
    kind = type("Faulty", (Lines,), {} if read is None else {"read": read})
    with pytest.raises(GraphSourceError, match=what):
        kind(FileGraphParams(path="g")).load()


def test_a_source_that_reads_nothing_is_an_empty_graph():
    kind = type("Empty", (Lines,), {"read": lambda self, taken: None})
    loaded = kind(FileGraphParams(path="g")).load()
    assert as_index(loaded.graph).node_count == 0


def test_two_ids_that_differ_only_in_control_characters_are_refused():
    intake = Intake("g", namespace="n")
    intake.node("a\x01", "t", made="x")
    intake.node("a\x01", "t", made="x")
    with pytest.raises(GraphSourceError, match="differ only in control characters") as refused:
        intake.edge("a\x02", "b", "t", at="g:3")
    assert refused.value.where == "g:3"


def test_a_source_whose_rows_are_nearly_all_left_out_is_refused(monkeypatch):
    monkeypatch.setattr(hopeless, "MANY", 2 * 8192)
    mixed, wrong = Intake("g", namespace="n"), Intake("g", namespace="n")
    for row in range(3 * 8192):
        mixed.read("rows")
        if row % 20:
            mixed.skip("wrong", f"g:{row}")
        else:
            mixed.node(str(row), "t")
    report = mixed.finish().report
    assert report.account is not None
    assert report.account.balanced
    for row in range(2 * 8192 - 1):
        wrong.read("rows")
        wrong.skip("wrong", f"g:{row}")
    wrong.read("rows")
    with pytest.raises(
        GraphSourceError, match=r"16,384 of the first 16,384 rows.* the first at g:0"
    ) as refused:
        wrong.skip("wrong", "g:16383")
    assert refused.value.where == "g:16383"
