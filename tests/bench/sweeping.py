"""``make bench-sweep``: what sweeps cost beside evaluations of one config; for docs/sweep.md.

Whole commands are timed, each in a process of its own, on questions that are not part of the project:
``GRAPHRAG_DATA`` is the directory that ``kg-2wiki/`` is in.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.bench.apart import ROOT

PAGE = ROOT / "docs" / "sweep.md"
START, END = "<!-- speed -->", "<!-- end of speed -->"
BASE = ("dataset=kg_2wiki", "pipeline=hybrid", "--measure", "nDCG@10", "--measure", "R@5")
WEIGHTS = tuple(f"score.weights.{name}=0:0.9:0.1" for name in ("ppr", "residual", "path_sum"))
MIXED = (
    "filter.match=cell,perspective",
    "recall.k=20:100:20",
    "score.weights.ppr=0:0.9:0.1",
)
"""2 × 5 × 10 configs that share their seeds and their expansion."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A command: seconds, the largest memory of a process in bytes, and what it wrote."""

    seconds: float
    peak: int
    out: str


def main() -> int:
    """Measure, print the table, and write it into the page unless told not to."""
    parser = argparse.ArgumentParser(prog="make bench-sweep", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="print only")
    quick = parser.parse_args().quick
    if "GRAPHRAG_DATA" not in os.environ:
        print("GRAPHRAG_DATA is not set: it is the directory that kg-2wiki/ is in.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        text = "\n".join(_measured())
    print(text)
    if not quick:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        PAGE.write_text(f"{before}{START}\n{text}\n{END}{rest.partition(END)[2]}", "utf-8")
    return 0


def _measured() -> Iterator[str]:
    run("evaluate", *BASE, "--output", "warm")  # the graph is compiled and kept
    one = min(
        (run("evaluate", *BASE, "--output", f"one{turn}") for turn in range(3)), key=lambda done: done.seconds
    )
    grid = run("sweep", *BASE, *WEIGHTS, "--output", "grid")
    again = run("sweep", *BASE, *WEIGHTS, "--output", "grid", "--json")
    both = run("sweep", *BASE, *WEIGHTS, "--output", "both", "--jobs", "2")
    few = run("sweep", *BASE, WEIGHTS[0], "--output", "few")
    plans = {
        name: json.loads(run("sweep", *BASE, *swept, "--plan", "--json").out)
        for name, swept in {"grid": WEIGHTS, "mixed": MIXED}.items()
    }
    mixed = run("sweep", *BASE, *MIXED, "--output", "mixed")
    yield f"398 questions of kg-2wiki, preset `hybrid`, whole commands on {os.cpu_count()} cores of"
    yield f"{platform.machine()} with Python {platform.python_version()}; peak memory of the largest process."
    yield ""
    yield "| command | seconds | of one config | stage executions | saved | peak |"
    yield "|---|--:|--:|--:|--:|--:|"
    yield _row("`evaluate`, one config", one, one, None)
    yield _row("`sweep`, 10 weight vectors", few, one, None)
    yield _row("`sweep`, 1,000 weight vectors", grid, one, plans["grid"])
    yield _row("the same in two processes", both, one, plans["grid"])
    yield _row("the same again, all done", again, one, {**plans["grid"], "shared": 0})
    yield _row("`sweep`, 100 configs that share seeds and expansion", mixed, one, plans["mixed"])


def _row(name: str, done: Timed, one: Timed, plan: dict[str, float] | None) -> str:
    executions, saved = "", ""
    if plan is not None:
        executions = f"{plan['shared']:,}"
        saved = f"{plan['separate'] / plan['shared']:,.0f}-fold" if plan["shared"] else "all"
    cells = [name, f"{done.seconds:.1f}", f"{done.seconds / one.seconds:.1f} ×", executions, saved]
    return f"| {' | '.join([*cells, f'{done.peak / 1e6:.0f} MB'])} |"


def run(*arguments: str) -> Timed:
    """Run a command of ours and wait for it."""
    command = [sys.executable, "-m", "graphrag_pipeline", *arguments]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    out = process.stdout.read() if process.stdout else ""
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    if status:
        raise RuntimeError(f"{' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return Timed(seconds, used.ru_maxrss * (1 if platform.system() == "Darwin" else 1024), out)


if __name__ == "__main__":
    sys.exit(main())
