"""What each step left: written, read back, and refused when it is damaged."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrag_pipeline import Query
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.recorded_steps import QuerySteps, read_steps, slots_of
from graphrag_pipeline.experiment.recording import (
    CONTEXT,
    EXTRAS,
    PARTS,
    ROW_LIMIT,
    SCORE,
    Recorder,
    before_records,
    behind_records,
)
from graphrag_pipeline.pipeline.working import WorkingSet
from tests.tiny import Answering, edge, index_of, node, pipeline_of

SLOTS = ("seed", "expand", "filter", "score", "bridge", "filter", "context")


def recorded(path: Path, index, *texts: str, **stages) -> list[QuerySteps]:
    pipeline = pipeline_of(index, given=stages or None)
    recorder = Recorder(index)
    with path.open("wb") as file:
        file.write(before_records(index, SLOTS))
        for text in texts:
            steps = recorder.steps()
            pipeline.trace(text, after=steps)
            file.write(recorder.record(text, steps).content)
        file.write(behind_records(index, recorder.met))
    return list(read_steps(path))


def record_of(index, left: Sequence[WorkingSet] = (), query: str = "q") -> bytes:
    """Return a file with the record of steps that left these."""
    recorder = Recorder(index)
    steps = recorder.steps()
    for working in left:
        steps("", working)
    record = recorder.record(query, steps).content
    return before_records(index, SLOTS) + record + behind_records(index, recorder.met)


def left_by(pipeline, query) -> list[WorkingSet]:
    left: list[WorkingSet] = []
    pipeline.trace(query, after=lambda _slot, working: left.append(working))
    return left


def test_what_each_step_left_is_read_back(tmp_path, index):
    first, second = recorded(tmp_path / "steps", index, "audit", "far")
    assert [step.slot for step in first.steps] == list(SLOTS)
    assert [step.candidates for step in first.steps] == [1, 3, 3, 3, 3, 3, 3]
    seed, expand, *_, last = first.steps
    assert [first.names[position] for position in seed.rows()[0].tolist()] == ["audit"]
    assert [first.names[position] for position in expand.rows()[0].tolist()] == ["audit", "board", "ledger"]
    assert expand.rows()[1:].tolist() == [[-1, 0, 1], [-1, 0, 1], [0, 1, 2]]
    assert expand.scores().tolist() == [1, 0, 0]
    assert last.scores().tolist() == [0.6, 0.1, 0.1]
    assert "audit log" in last.text(CONTEXT)
    assert [step.candidates for step in second.steps] == [1] * 7
    assert [second.names[position] for position in second.steps[0].rows()[0].tolist()] == ["far"]


def test_a_step_that_changes_nothing_takes_a_few_bytes(index):
    left = left_by(pipeline_of(index), "audit")
    assert len(record_of(index, [*left[:2], *left[1:]])) == len(record_of(index, left)) + 5


def test_a_query_without_candidates_and_one_without_steps_are_read_back(tmp_path, index):
    (found,) = recorded(tmp_path / "steps", index, "tea")
    assert [step.candidates for step in found.steps] == [0] * 7
    assert found.steps[-1].scores().size == 0
    (tmp_path / "steps").write_bytes(record_of(index))
    assert list(read_steps(tmp_path / "steps")) == [QuerySteps("q", (), {})]
    assert slots_of(tmp_path / "steps") == SLOTS


def test_a_run_without_queries_has_no_steps(tmp_path):
    (tmp_path / "steps").write_bytes(b"")
    assert list(read_steps(tmp_path / "steps")) == []
    assert slots_of(tmp_path / "steps") == ()


def test_what_a_bridge_adds_is_kept(tmp_path, index):
    bridge = Answering(
        {
            "nodes": [node("new").to_dict()],
            "edges": [edge("audit>new").to_dict()],
            "paths": [["audit", "new"]],
        }
    )
    (found,) = recorded(tmp_path / "steps", index, "audit", bridge=bridge)
    assert found.steps[3].text(EXTRAS) == ""
    assert '"new"' in found.steps[4].text(EXTRAS)


def test_ids_and_texts_may_hold_anything(tmp_path):
    index = index_of([node("帳 簿\n", "tea"), node('"\\', "tea too")], [])
    (found,) = recorded(tmp_path / "steps", index, "tea")
    assert list(found.names.values()) == ["帳 簿\n", '"\\']
    (tmp_path / "steps").write_bytes(record_of(index, query="\ud800 q"))
    assert next(read_steps(tmp_path / "steps")).query == "\ud800 q"


def test_of_many_candidates_the_first_are_kept_and_the_rest_is_checked(tmp_path):
    index = index_of([node(f"n{number}", "tea") for number in range(ROW_LIMIT + 5)])
    left = left_by(pipeline_of(index), Query("tea", k=ROW_LIMIT + 5))
    (tmp_path / "steps").write_bytes(record_of(index, left))
    (found,) = read_steps(tmp_path / "steps")
    assert found.steps[0].candidates == ROW_LIMIT + 5
    assert found.steps[0].rows().shape == (4, ROW_LIMIT)
    assert len(found.names) == ROW_LIMIT


def test_signals_have_a_checksum_each(tmp_path, index):
    (found,) = recorded(tmp_path / "steps", index, "audit")
    lines = found.steps[3].text(PARTS.index("signals")).splitlines()
    assert [line.split(" ")[1] for line in lines] == ["baseline", "label_match", "persona_match"]


def test_the_bytes_do_not_depend_on_what_was_recorded_before(index):
    left, recorder = left_by(pipeline_of(index), "audit"), Recorder(index)
    first, second = recorder.steps(), recorder.steps()
    for working in left:
        first("", working)
        second("", working)
    before, after = recorder.record("q", first), recorder.record("q", second)
    assert before.content == after.content
    assert before.checksums == after.checksums


def test_scores_are_written_up_to_the_last_that_is_not_zero(tmp_path, index):
    left = left_by(pipeline_of(index), "audit")
    scores = [0.0, -0.0, 0.0]
    changed = replace(left[1], candidates=replace(left[1].candidates, score=np.array(scores)))
    (tmp_path / "steps").write_bytes(record_of(index, [changed]))
    (found,) = read_steps(tmp_path / "steps")
    assert [str(score) for score in found.steps[0].scores().tolist()] == ["0.0", "-0.0", "0.0"]
    assert len(found.steps[0].content[SCORE]) == 16


@given(data=st.data())
def test_a_damaged_file_is_an_error_and_never_a_crash(tmp_path_factory, data):
    index = index_of([node("audit", "audit log"), node("board")], [edge("audit>board")])
    path = tmp_path_factory.getbasetemp() / "damaged"
    recorded(path, index, "audit", "board")
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    if data.draw(st.booleans()):
        content[at] ^= data.draw(st.integers(1, 255))
    else:
        del content[at:]
    path.write_bytes(content)
    # What is not noticed is read as something else; whoever wants more compares digests.
    with suppress(DatasetError):
        for query in read_steps(path):
            for step in query.steps:
                assert step.rows().shape[1] == np.asarray(step.scores()).size


@pytest.mark.parametrize("content", [b"\n", b"{}\n", b"[]\n", b"x" * 70_000, b"\xff\xfe\n", b"[" * 50_000])
def test_another_file_is_an_error(tmp_path, content):
    (tmp_path / "steps").write_bytes(content)
    with pytest.raises(DatasetError, match="damaged"):
        list(read_steps(tmp_path / "steps"))
