"""Calls that are waited for so long and no longer."""

from __future__ import annotations

import contextvars
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from graphrag_pipeline.stages.time_limit import MAX_HANGING, LateError, TimedCalls


class Hanging:
    """Blocks until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def __call__(self) -> str:
        self.let_go.wait(20)
        return "late"


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    call = Hanging()
    yield call
    call.let_go.set()


def test_what_a_call_gives_in_time_is_given():
    assert TimedCalls("t").within(5, lambda: 7) == 7
    assert TimedCalls("t").within(1e12, lambda: None) is None


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(2), KeyboardInterrupt(), GeneratorExit()])
def test_what_a_call_raises_is_raised(error):
    def call() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        TimedCalls("t").within(5, call)
    assert caught.value is error


def test_a_late_call_is_left_behind_and_counted_until_it_ends(hanging):
    calls = TimedCalls("t")
    started = time.monotonic()
    with pytest.raises(LateError, match=r"no answer within 0\.05 s"):
        calls.within(0.05, hanging)
    assert time.monotonic() - started < 2
    assert calls.hanging == 1
    hanging.let_go.set()
    deadline = time.monotonic() + 10
    while calls.hanging and time.monotonic() < deadline:
        time.sleep(0.005)
    assert calls.hanging == 0


def test_no_more_than_so_many_hang_at_once(hanging):
    calls = TimedCalls("t")
    for _ in range(MAX_HANGING):
        with pytest.raises(LateError):
            calls.within(0.001, hanging)
    begun: list[int] = []
    with pytest.raises(LateError, match=f"{MAX_HANGING} earlier calls still hang"):
        calls.within(5, lambda: begun.append(1))
    assert (begun, calls.hanging) == ([], MAX_HANGING)
    assert TimedCalls("another").within(5, lambda: 1) == 1


def test_calls_in_time_are_not_counted_however_many_there_are_at_once():
    calls, everyone = TimedCalls("t"), threading.Barrier(3 * MAX_HANGING)
    given: list[int] = []

    def ask() -> None:
        given.append(calls.within(20, lambda: everyone.wait(20)))

    threads = [threading.Thread(target=ask) for _ in range(3 * MAX_HANGING)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(given) == list(range(3 * MAX_HANGING))
    assert calls.hanging == 0


def test_the_count_is_right_after_calls_that_end_just_about_in_time():
    calls = TimedCalls("t")
    for _ in range(200):
        with suppress(LateError):
            calls.within(0.0005, lambda: time.sleep(0.0005))
    deadline = time.monotonic() + 10
    while calls.hanging and time.monotonic() < deadline:
        time.sleep(0.005)
    assert calls.hanging == 0


def test_a_call_sees_the_context_of_its_caller():
    variable = contextvars.ContextVar("variable", default="outside")
    variable.set("inside")
    assert TimedCalls("t").within(5, variable.get) == "inside"


def test_a_thread_that_cannot_be_started_is_an_error_and_not_a_late_call(monkeypatch):
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    calls = TimedCalls("t")
    with pytest.raises(RuntimeError, match="can't start"):
        calls.within(5, int)
    assert calls.hanging == 0


def test_a_process_ends_though_a_call_hangs():
    program = (
        "import time\n"
        "from graphrag_pipeline.stages.time_limit import TimedCalls\n"
        "try:\n    TimedCalls('t').within(0.01, lambda: time.sleep(60))\n"
        "except TimeoutError:\n    print('went on')\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert (done.stdout, done.returncode) == ("went on\n", 0)
