"""Processes that work for one: answers in order, errors as they were raised, and no wait for the dead."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

import pytest

from graphrag_pipeline.errors import DatasetError, GraphRAGError, LostProcessError
from graphrag_pipeline.experiment.processes import AHEAD, processes

LARGE = 300 << 20
"""Bytes that take a while to send."""


def ready() -> None:
    """Nothing has to be made."""


def answer(what: str, number: int = 0):
    if what == "slow":
        time.sleep(number / 100)
    if what == "wrong":
        raise DatasetError("It is wrong.", where="here", hint="Mend it.")
    if what == "unsendable":
        return threading.Lock()
    if what == "exit":
        os._exit(7)
    if what == "killed while it sends":
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return bytes(LARGE) if what in {"large", "killed while it sends"} else number


def working(jobs: int = 2):
    return processes(jobs, answer, "Run it again", ready)


def test_answers_come_in_the_order_of_the_tasks_or_all_of_them_in_any():
    tasks = [("slow", 20 if number % 7 == 0 else 0) for number in range(60)]
    with working(3) as pool:
        assert list(pool.in_order(tasks)) == [number for _, number in tasks]
        assert sorted(pool.as_they_come(tasks)) == sorted(number for _, number in tasks)
        assert list(pool.in_order([])) == []


def test_tasks_are_taken_as_they_are_needed():
    taken = []

    def tasks():
        for number in range(100):
            taken.append(number)
            yield ("quick", number)

    with working() as pool:
        answers = pool.in_order(tasks())
        assert next(answers) == 0
        assert len(taken) <= 2 * AHEAD + 2
        assert list(answers) == list(range(1, 100))


def test_an_error_is_raised_here_with_its_words_and_where_it_came_from():
    with pytest.raises(DatasetError, match=r"It is wrong\.") as caught, working() as pool:
        list(pool.in_order([("quick", 1), ("wrong",)]))
    assert (caught.value.where, caught.value.hint) == ("here", "Mend it.")
    assert "test_processes.py" in caught.value.__notes__[0]


def test_an_answer_that_cannot_be_sent_is_an_error():
    with pytest.raises((GraphRAGError, TypeError), match="pickle"), working() as pool:
        list(pool.in_order([("unsendable",)]))


@pytest.mark.parametrize(
    ("what", "told"), [("exit", "exit code 7"), ("killed while it sends", f"signal {int(signal.SIGKILL)}")]
)
def test_a_process_that_ends_before_its_time_is_told_at_once(what, told):
    started = time.monotonic()
    expected = pytest.raises(LostProcessError, match=f"ended before its time, with {told}")
    with expected as caught, working() as pool:
        list(pool.in_order([(what,), *[("slow", 3_000)] * 3]))
    assert "Run it again; --jobs 1" in caught.value.hint
    assert time.monotonic() - started < 25, "nobody waits for the others"


def test_they_end_with_the_body_whatever_they_send():
    started = time.monotonic()
    with suppress(KeyboardInterrupt), working() as pool:
        next(pool.as_they_come([("quick", 1), *[("large",)] * 4, *[("slow", 3_000)] * 4]))
        raise KeyboardInterrupt
    assert time.monotonic() - started < 25
