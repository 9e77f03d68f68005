"""Timing, in CPU and wall milliseconds."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence

Timing = dict[str, float]
"""``cpu_p50``, ``cpu_p95``, ``wall_p50``, ``wall_p95``, in milliseconds."""


def quantile(values: Sequence[float], part: float) -> float:
    """Return the value that this part of the values does not exceed."""
    return sorted(values)[max(round(len(values) * part) - 1, 0)]


def timing(cpu: Sequence[float], wall: Sequence[float]) -> Timing:
    """Summarise seconds as milliseconds."""
    return {
        f"{name}_p{round(part * 100)}": quantile(values, part) * 1e3
        for name, values in (("cpu", cpu), ("wall", wall))
        for part in (0.5, 0.95)
    }


def each(calls: Sequence[Callable[[], object]]) -> Timing:
    """Time each call once; whoever wants them warm has called them before."""
    cpu, wall = [], []
    for call in calls:
        started, clock = time.process_time(), time.perf_counter()
        call()
        cpu.append(time.process_time() - started)
        wall.append(time.perf_counter() - clock)
    return timing(cpu, wall)


def command(
    arguments: Sequence[str], environment: Mapping[str, str] | None = None, runs: int = 9
) -> tuple[Timing, str]:
    """Time a whole process, after a first untimed one; return what the last one wrote to standard error."""
    cpu, wall, said = [], [], ""
    for _ in range(runs + 1):
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            arguments, check=True, capture_output=True, text=True, env={**os.environ, **(environment or {})}
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        wall.append(time.perf_counter() - clock)
        said = done.stderr
    return timing(cpu[1:], wall[1:]), said
