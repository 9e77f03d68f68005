"""`evaluate --jobs`: the same bytes from any number of processes, and how it ends when something is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from tests.cli.conftest import environment
from tests.cli.test_evaluate import COMMAND, METRICS, asking, content, files

__all__ = ["files"]
PLUGIN = """
import logging
import multiprocessing
import os
import time
from pathlib import Path

from graphrag_pipeline import Component, Seed, hookimpl


class Odd(Component):
    name = "odd"

    def retrieve(self, query, index, k):
        print("no result")
        logging.getLogger("graphrag_pipeline").warning("odd is odd")
        with Path("asked.txt").open("a") as file:
            print(os.getpid(), query.text, file=file)
        if query.text == "slow":
            time.sleep(60)
        if query.text == "deadly" and multiprocessing.parent_process():
            os._exit(7)
        if query.text == "tea":
            raise RuntimeError("no tea today")
        return [Seed("audit", 1.0)]


class Elsewhere(Component):
    name = "elsewhere"

    def load(self):
        from graphrag_pipeline import KnowledgeGraph, KnowledgeNode

        graph = KnowledgeGraph()
        graph.add_node(KnowledgeNode("audit", "process", "audit log"))
        if multiprocessing.parent_process():
            graph.add_node(KnowledgeNode("other", "process", "other"))
        return graph


@hookimpl
def graphrag_register_seed_retrievers():
    return [Odd]


@hookimpl
def graphrag_register_graph_sources():
    return [Elsewhere]


@hookimpl
def graphrag_run_finished(trace):
    if trace.query.text == "帳簿":
        raise ValueError("nobody looks")
"""
IN_PROC = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
ODD = ("--plugin", "odd.py", "seed=odd")
RULES = ("filter=rules", "filter.rule={all: []}")


@pytest.fixture
def odd(files: Path) -> Path:
    Path("odd.py").write_text(PLUGIN, "utf-8")
    Path("metrics.py").write_text(METRICS)
    return files


def many() -> None:
    """Ask so much that every process has something to do; one query of three fails, some have own rules."""
    texts = ["audit", "帳簿", "tea"]
    rules = {"filters": {"filter": {"node_type": ["team"]}}}
    asking(
        [
            {"id": f"q{number}", "text": texts[number % 3], **(rules if number % 5 == 0 else {})}
            for number in range(60)
        ]
    )


def test_any_number_of_processes_gives_the_same_bytes(odd, cli):
    many()
    more = (*ODD, *RULES, "--plugin", "metrics.py", "--measure", "given", "--measure", "RR")
    command = (*COMMAND, *more, "--json")
    alone = cli(*command, "--output", "one")
    together = cli(*command, "--output", "two", "--jobs", "3")
    assert (alone.code, together.code) == (1, 1), together.err  # tea fails
    assert json.loads(together.out) == {**json.loads(alone.out), "run": "two"}
    assert together.err.count("odd is odd") == 1
    assert content("one") == content("two")
    manifest = json.loads(content("two")["manifest.json"])
    assert manifest["observer_errors"] == {"odd": ["run_finished: ValueError: nobody looks"]}
    asked = [line.split(" ") for line in Path("asked.txt").read_text("utf-8").splitlines()]
    assert len({process for process, _ in asked if process != str(os.getpid())}) > 1


def test_a_run_of_several_processes_is_verified(odd, cli):
    many()
    assert cli(*COMMAND, *ODD[:2], *RULES, "--output", "one", "--jobs", "2").code == 0
    assert cli("verify", "one", *ODD[:2]).code == 0


def test_a_process_that_ends_before_its_time_leaves_nothing(odd, cli):
    asking([{"id": "q1", "text": "audit"}, {"id": "q3", "text": "deadly"}])
    done = cli(*COMMAND, *ODD, "--output", "runs/one", "--jobs", "2")
    assert done.code == 1
    assert "A process ended before its time" in done.err
    assert "--jobs 1" in done.err
    assert list(Path("runs").iterdir()) == []


def test_a_process_that_finds_other_inputs_is_refused(odd, cli):
    Path("set/qrels.txt").write_text("q1 0 audit 1\n")
    done = cli(*COMMAND[:2], "graph=elsewhere", *COMMAND[4:], *ODD[:2], "--output", "runs/one", "--jobs", "2")
    assert done.code == 2
    assert "Another process did not find the same graph:" in done.err
    assert list(Path("runs").iterdir()) == []


def started(jobs: int) -> subprocess.Popen[bytes]:
    """An evaluation of queries that take a minute each, the leader of a group as at a terminal."""
    asking([{"id": f"q{number}", "text": "slow"} for number in range(2 * jobs)])
    command = [sys.executable, "-m", "graphrag_pipeline", *COMMAND, *ODD, "--output", "runs/one"]
    return subprocess.Popen(
        [*command, "--jobs", str(jobs)],
        env=environment(),
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  # no threads here
    )


@IN_PROC
@pytest.mark.parametrize("at", [2, 4])
def test_ctrl_c_while_processes_start_is_told_in_one_line(odd, at):
    process = started(4)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # One of them keeps track of the others.
    wait_until(lambda: len(children.read_text().split()) > at)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert list(Path("runs").iterdir()) == []


@IN_PROC
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_when_the_first_one_is_stopped(odd, signal_number):
    process = started(2)
    wait_until(lambda: len(asked()) == 2)
    os.kill(process.pid, signal_number)
    process.communicate(timeout=20)
    wait_until(lambda: not any(map(is_running, asked())))
    if signal_number == signal.SIGINT:
        assert process.returncode == 130
        assert list(Path("runs").iterdir()) == []


def asked() -> list[int]:
    """The processes that were asked something."""
    there = Path("asked.txt")
    return (
        [int(line.split(" ")[0]) for line in there.read_text("utf-8").splitlines()] if there.exists() else []
    )


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return False
    return state != "Z"


def wait_until(holds) -> None:
    limit = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < limit, "it takes too long"
        time.sleep(0.05)
