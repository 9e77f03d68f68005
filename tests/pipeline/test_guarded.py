"""What a query does when a component fails, under each policy and in each kind of slot."""

from __future__ import annotations

import logging
import threading
import time
from asyncio import CancelledError
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrag_pipeline import BridgeParams, Context, Query, StageError, Verdict
from graphrag_pipeline.pipeline.reference import reference_spec
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.pipeline.steps.bridge import BridgeStep
from graphrag_pipeline.pipeline.steps.guarded import GuardedStep, unguarded
from graphrag_pipeline.pipeline.steps.score import ScoreStep
from graphrag_pipeline.pipeline.steps.seed import SeedStep
from graphrag_pipeline.pipeline.steps.step import Outcome, Place
from graphrag_pipeline.pipeline.trace import FailureReport, SlotTrace
from graphrag_pipeline.pipeline.working import WorkingSet
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.bridges.call import BridgeCaller
from graphrag_pipeline.stages.expand.bfs import BreadthFirstParams
from graphrag_pipeline.stages.time_limit import MAX_HANGING
from tests.pipeline.small import ARCHITECT, ids, small, thought
from tests.tiny import Answering, pipeline_of

ORDER = "seed expand filter score context"


class Failing:
    """A component of every kind that raises."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = OSError("no lib") if error is None else error

    def _fail(self, *given: Any) -> Any:
        raise self.error

    retrieve = expand = keep = score = rerank = assemble = _fail


class Sleeping:
    """A seed retriever that answers when it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.asked = 0

    def retrieve(self, query: Query, index: Any, k: int) -> list[tuple[str, float]]:
        self.asked += 1
        self.let_go.wait(20)
        return [("a", 1.0)]


@pytest.fixture
def sleeping() -> Iterator[Sleeping]:
    component = Sleeping()
    yield component
    component.let_go.set()


def guarded(slot: str, component: object | None, order: str = ORDER, **policy: Any) -> Pipeline:
    """The reference pipeline with a component in one slot, which has a policy."""
    spec = replace(_specs()[slot], **policy)
    given = {} if component is None else {slot: component}
    return pipeline_of(small(), order, given=given, slots={slot: spec})


def failure_of(told: SlotTrace | Outcome) -> FailureReport:
    """The failure that a step or an outcome tells of."""
    assert told.failure is not None
    return told.failure


def _specs() -> dict[str, ComponentSpec]:
    specs = dict(reference_spec().slots)
    specs["rerank"] = ComponentSpec("reranker", "coverage", _default("reranker", "coverage"))
    specs["bridge"] = ComponentSpec("bridge", "noop", BridgeParams())
    return specs


def _default(kind: str, use: str) -> Any:
    return PluginHost.discover(entry_points=False, environ={}).find(kind, use).params()


def other(kind: str, use: str) -> ComponentSpec:
    return ComponentSpec(kind, use, _default(kind, use))


@pytest.mark.parametrize(
    ("slot", "order"),
    [
        ("seed", ORDER),
        ("expand", ORDER),
        ("filter", ORDER),
        ("score", ORDER),
        ("context", ORDER),
        ("rerank", "seed expand score rerank context"),
    ],
)
def test_a_slot_that_is_skipped_leaves_everything_as_it_was(slot, order):
    query = Query("risk", cell=ARCHITECT)
    trace = guarded(slot, Failing(), order, on_error="skip").trace(query)
    rest = " ".join(name for name in order.split() if name != slot)
    if slot == "seed":  # an order needs a seed slot
        assert trace.result.nodes == ()
    else:
        assert trace.result == pipeline_of(small(), rest).run(query)
    failed = [step for step in trace.slots if step.failure is not None]
    assert [step.slot for step in failed] == [slot]
    assert failure_of(failed[0]).to_dict() == {
        "action": "skipped",
        "error": "OSError: no lib",
        "late": False,
        "hanging": 0,
    }
    assert failed[0].remarks[0] == "failed and was skipped: OSError: no lib"
    assert failed[0].to_dict()["failure"]["action"] == "skipped"


def test_a_context_that_is_skipped_is_empty():
    result = guarded("context", Failing(), on_error="skip").run("risk")
    assert result.context_text == ""
    assert result.nodes != ()


@pytest.mark.parametrize(
    ("slot", "kind", "use"),
    [
        ("seed", "seed_retriever", "ids"),
        ("expand", "expander", "none"),
        ("filter", "filter", "zachman"),
        ("score", "scorer", "rrf"),
        ("context", "context_assembler", "jsonl"),
    ],
)
def test_a_fallback_does_what_it_does_in_that_slot(slot, kind, use):
    query = Query("a", cell=ARCHITECT)
    trace = guarded(slot, Failing(), on_error="fallback", fallback=other(kind, use)).trace(query)
    assert trace.result == pipeline_of(small(), ORDER, slots={slot: other(kind, use)}).run(query)
    [failed] = [step for step in trace.slots if step.failure is not None]
    assert failure_of(failed).action == f"fallback:{use}"
    assert failed.remarks[0] == f"failed and {use!r} ran in its place: OSError: no lib"


def test_the_trace_tells_of_the_fallbacks_work():
    fallback = other("context_assembler", "bullets")
    trace = guarded("context", Failing(), on_error="fallback", fallback=fallback).trace("risk")
    assert trace.slots[-1].context is not None
    assert trace.slots[-1].context.tokens > 0


def test_by_default_the_query_fails_and_nothing_is_wrapped():
    pipeline = guarded("seed", Failing())
    assert not any(isinstance(step, GuardedStep) for step in pipeline.plan.steps)
    with pytest.raises(StageError, match="OSError: no lib"):
        pipeline.run("risk")


def test_saying_what_is_usual_wraps_nothing():
    for slot, said in (("seed", "fail"), ("bridge", "skip")):
        order = "seed bridge context" if slot == "bridge" else ORDER
        pipeline = guarded(slot, None, order, on_error=said)
        assert not any(isinstance(step, GuardedStep) for step in pipeline.plan.steps)


def test_the_step_under_a_policy_can_be_reached():
    steps = guarded("score", None, on_error="skip").plan.steps
    assert isinstance(steps[3], GuardedStep)
    assert isinstance(unguarded(steps[3]), ScoreStep)
    assert unguarded(steps[0]) is steps[0]
    assert steps[3].place == unguarded(steps[3]).place


def test_a_step_that_does_not_fail_is_told_as_without_a_policy():
    plain = pipeline_of(small(), ORDER).trace("risk")
    under = guarded("seed", None, on_error="skip", timeout_s=20)
    told = [{**step.to_dict(), "seconds": 0} for step in under.trace("risk").slots]
    assert told == [{**step.to_dict(), "seconds": 0} for step in plain.slots]


class Wrong(Failing):
    """Returns what its contract forbids."""

    def retrieve(self, query: Query, index: Any, k: int) -> Any:
        return [("nobody", 1.0)]

    def keep(self, candidates: Any, query: Query, index: Any) -> Any:
        return Verdict(np.zeros(99, dtype=bool), np.zeros(99, dtype=np.int64), ("x",))

    def assemble(self, *given: Any) -> Any:
        return Context(text=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("slot", ["seed", "filter", "context"])
def test_what_a_contract_forbids_is_a_failure(slot):
    trace = guarded(slot, Wrong(), on_error="skip").trace("risk")
    [failed] = [step for step in trace.slots if step.failure is not None]
    assert "returned" in failure_of(failed).error


@pytest.mark.parametrize(
    "error", [SystemExit(3), RecursionError("deep"), MemoryError("full"), CancelledError("stopped")]
)
def test_exit_and_exhaustion_are_failures(error):
    trace = guarded("seed", Failing(error), on_error="skip").trace("risk")
    assert failure_of(trace.slots[0]).error == f"{type(error).__name__}: {error}"


@pytest.mark.parametrize("timeout_s", [None, 20.0])
def test_an_interrupt_is_no_failure(timeout_s):
    with pytest.raises(KeyboardInterrupt):
        guarded("seed", Failing(KeyboardInterrupt()), on_error="skip", timeout_s=timeout_s).run("risk")


def test_the_log_tells_of_each_failure(caplog):
    with caplog.at_level(logging.WARNING):
        guarded("seed", Failing(), on_error="skip").run("risk")
    [told] = [record.getMessage() for record in caplog.records if "slot seed" in record.getMessage()]
    assert told.endswith("Failing' in slot seed failed and was skipped: OSError: no lib")


def test_when_the_fallback_fails_too_the_error_tells_of_both():
    first, second = (
        SeedStep(Place("seed", "seed_retriever", use), Failing(error))
        for use, error in (("one", OSError("no lib")), ("two", ValueError("nor this")))
    )
    step = GuardedStep(first, "fallback", None, second)
    with pytest.raises(StageError) as caught:
        step.run(WorkingSet(), Query("risk"), pipeline_of(small()).index)
    assert caught.value.what == (
        "The seed_retriever 'one' failed, and its fallback 'two' as well: "
        "OSError: no lib; then: ValueError: nor this"
    )


# -- time ---------------------------------------------------------------------------------------


def test_a_late_component_ends_the_query_in_time(sleeping):
    started = time.monotonic()
    with pytest.raises(StageError) as caught:
        guarded("seed", sleeping, timeout_s=0.05).run("risk")
    assert time.monotonic() - started < 2
    assert "is late: no answer within 0.05 s (seed.timeout_s)" in caught.value.what
    assert "on_error=skip or fallback:NAME" in caught.value.hint


def test_a_late_component_is_skipped_and_what_it_gives_later_reaches_nothing(sleeping):
    pipeline = guarded("seed", sleeping, timeout_s=0.05, on_error="skip")
    trace = pipeline.trace("risk")
    assert failure_of(trace.slots[0]).to_dict() == {
        "action": "skipped",
        "error": "no answer within 0.05 s (seed.timeout_s)",
        "late": True,
        "hanging": 1,
    }
    before = trace.result.to_dict()
    sleeping.let_go.set()
    time.sleep(0.05)
    assert trace.result.to_dict() == before
    assert trace.result.nodes == ()


def test_a_late_component_has_its_fallback(sleeping):
    fallback = other("seed_retriever", "label")
    pipeline = guarded("seed", sleeping, timeout_s=0.2, on_error="fallback", fallback=fallback)
    assert pipeline.run("risk") == pipeline_of(small(), ORDER).run("risk")


def test_after_too_many_late_calls_a_component_is_not_asked_until_one_ends(sleeping):
    pipeline = guarded("seed", sleeping, timeout_s=0.01, on_error="skip")
    for _ in range(MAX_HANGING):
        pipeline.run("risk")
    failure = failure_of(pipeline.trace("risk").slots[0])
    assert failure.error == f"{MAX_HANGING} earlier calls still hang (seed.timeout_s)"
    assert failure.hanging == sleeping.asked == MAX_HANGING
    sleeping.let_go.set()
    deadline = time.monotonic() + 10
    while pipeline.trace("risk").slots[0].failure is not None:
        assert time.monotonic() < deadline


def test_a_limit_that_is_kept_changes_nothing():
    for slot in ("seed", "expand", "filter", "score", "context"):
        assert guarded(slot, None, timeout_s=20).run("risk") == pipeline_of(small(), ORDER).run("risk")


# -- bridges and gates --------------------------------------------------------------------------


def bridged(bridge: object, **policy: Any) -> Pipeline:
    return guarded("bridge", bridge, "seed expand score bridge context", **policy)


def test_a_bridge_may_end_the_query_and_then_nobody_says_that_it_goes_on(caplog):
    with pytest.raises(StageError, match="RuntimeError: down"):
        bridged(Answering(RuntimeError("down")), on_error="fail").run("risk")
    assert "goes on" not in caplog.text


def test_a_bridge_goes_on_without_an_answer_unless_it_says_otherwise():
    report = bridged(Answering(RuntimeError("down"))).trace("risk").bridge
    assert report is not None
    assert report.mode == "failed"


def bridges(*answers: object) -> GuardedStep:
    """A step whose bridge gives the first answer, and whose fallback gives the second."""
    first, second = (
        BridgeStep(Place("bridge", "bridge", use), BridgeCaller(Answering(answer), 20.0), 0.25)
        for use, answer in zip(("one", "two"), answers, strict=True)
    )
    return GuardedStep(first, "fallback", None, second)


def test_a_bridge_has_its_fallback():
    step = bridges(RuntimeError("down"), {"nodes": [thought("x")]})
    outcome = step.run(WorkingSet(), Query("risk"), pipeline_of(small()).index)
    assert [node.node_id for node in outcome.working.extras.nodes] == ["x"]
    failure = failure_of(outcome)
    assert (failure.action, failure.error) == ("fallback:two", "RuntimeError: down")


def test_a_bridge_whose_fallback_fails_goes_on_without_an_answer():
    step = bridges(RuntimeError("down"), RuntimeError("down as well"))
    outcome = step.run(WorkingSet(), Query("risk"), pipeline_of(small()).index)
    assert len(outcome.working) == 0
    assert outcome.bridge is not None
    assert (outcome.bridge.mode, outcome.bridge.error) == ("failed", "RuntimeError: down as well")


def test_a_fallback_does_not_walk_past_the_gate():
    gated = BreadthFirstParams(gate="filter")
    spec = ComponentSpec(
        "expander",
        "beam",
        _default("expander", "beam"),
        "fallback",
        None,
        ComponentSpec("expander", "bfs", gated),
    )
    query = Query("risk", cell=ARCHITECT)
    order = "seed expand score context"
    failing = pipeline_of(small(), order, given={"expand": Failing()}, slots={"expand": spec})
    expected = pipeline_of(small(), order, params={"expand": gated})
    assert failing.run(query) == expected.run(query)
    assert len(failing.run(query).nodes) < len(pipeline_of(small(), order).run(query).nodes)


def test_what_a_gate_raises_is_a_failure_of_the_walk():
    spec = ComponentSpec("expander", "bfs", BreadthFirstParams(gate="filter"), on_error="skip")
    pipeline = pipeline_of(
        small(), "seed expand score context", given={"filter": Failing()}, slots={"expand": spec}
    )
    trace = pipeline.trace("risk")
    assert failure_of(trace.slots[1]).action == "skipped"
    assert ids(trace.result) == ["a"]
