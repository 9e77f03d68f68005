"""A bridge cannot stop a query."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from graphrag_pipeline import NoOpLyraBridge, StageError
from graphrag_pipeline.stages.bridges.call import MAX_HANGING, BridgeCaller
from tests.tiny import Answering


class Hanging(Answering):
    """A bridge that hangs until it is let go."""

    def __init__(self) -> None:
        super().__init__({"nodes": []})
        self.let_go = threading.Event()

    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        self.asked.append((query, depth))
        self.let_go.wait(20)
        return self.answer


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    bridge = Hanging()
    yield bridge
    bridge.let_go.set()


@pytest.mark.parametrize("timeout_s", [None, 5.0, 1e12])
def test_an_answer_is_passed_on_and_the_question_as_given(timeout_s):
    bridge = Answering({"nodes": [1]})
    assert BridgeCaller(bridge, timeout_s).ask(" Q ", 2) is bridge.answer
    assert bridge.asked == [(" Q ", 2)]


@pytest.mark.parametrize("timeout_s", [None, 5.0])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("down"), "RuntimeError: down"),
        (SystemExit(3), "SystemExit: 3"),
        (StageError("LYRA is away", where="x"), "LYRA is away"),
        (asyncio.CancelledError("loop closed"), "CancelledError: loop closed"),
        (GeneratorExit("gone"), "GeneratorExit: gone"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_whatever_a_bridge_raises_is_one_error_with_the_reason(timeout_s, error, said):
    with pytest.raises(StageError) as caught:
        BridgeCaller(Answering(error), timeout_s).ask("q", 1)
    assert caught.value.what.startswith(said)
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("timeout_s", [None, 5.0])
def test_an_interrupt_is_passed_on(timeout_s):
    with pytest.raises(KeyboardInterrupt):
        BridgeCaller(Answering(KeyboardInterrupt()), timeout_s).ask("q", 1)


def test_a_call_past_its_limit_fails_in_time_with_the_limit(hanging):
    started = time.monotonic()
    with pytest.raises(StageError, match=r"no answer within 0\.05 s \(bridge\.timeout_s\)"):
        BridgeCaller(hanging, 0.05).ask("q", 1)
    assert time.monotonic() - started < 2


def test_after_too_many_hanging_calls_new_ones_fail_at_once_until_one_ends(hanging):
    caller = BridgeCaller(hanging, 0.01)
    for _ in range(MAX_HANGING):
        with pytest.raises(StageError, match="no answer within"):
            caller.ask("q", 1)
    caller.timeout_s = 30.0
    started = time.monotonic()
    with pytest.raises(StageError, match=f"{MAX_HANGING} earlier calls still hang"):
        caller.ask("q", 1)
    assert time.monotonic() - started < 2
    assert len(hanging.asked) == MAX_HANGING
    hanging.let_go.set()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        try:
            assert caller.ask("again", 1) == {"nodes": []}
            break
        except StageError:
            time.sleep(0.01)
    else:
        pytest.fail("the caller never recovered")


def test_many_calls_that_end_or_fail_use_nothing_up():
    caller = BridgeCaller(Answering(ValueError("x")), 5.0)
    for _ in range(3 * MAX_HANGING):
        with pytest.raises(StageError, match="ValueError: x"):
            caller.ask("q", 1)


def test_one_bridge_that_hangs_does_not_stop_another(hanging):
    caller = BridgeCaller(hanging, 0.01)
    for _ in range(MAX_HANGING):
        with pytest.raises(StageError):
            caller.ask("q", 1)
    assert BridgeCaller(Answering({}), 5.0).ask("q", 1) == {}


class Telling(Answering):
    """A bridge that tells which thread it runs in."""

    def graph_of_thought_query(self, query: str, depth: int = 3) -> Any:
        return threading.current_thread()


def test_a_local_bridge_and_one_without_limit_run_in_the_callers_thread():
    local = Telling()
    local.local = True  # type: ignore[attr-defined]
    assert BridgeCaller(local, 5.0).ask("q", 1) is threading.current_thread()
    assert BridgeCaller(Telling(), None).ask("q", 1) is threading.current_thread()
    assert BridgeCaller(NoOpLyraBridge(), 5.0).ask("q", 1) == {}


def test_a_bridge_that_may_hang_runs_in_a_daemon_thread():
    thread = BridgeCaller(Telling(), 5.0).ask("q", 1)
    assert thread is not threading.current_thread()
    assert thread.daemon


def test_a_bridge_whose_attributes_raise_is_one_error_too():
    class Odd(Answering):
        @property
        def local(self) -> bool:
            raise OSError("no socket")

    with pytest.raises(StageError, match="OSError: no socket"):
        BridgeCaller(Odd({}), 5.0).ask("q", 1)
