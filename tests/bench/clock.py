"""Timing, in CPU and wall milliseconds."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds over several runs."""

    cpu_p50: float
    cpu_p95: float
    wall_p50: float

    @classmethod
    def of(cls, cpu: Sequence[float], wall: Sequence[float]) -> Timing:
        """Summarise seconds as milliseconds."""
        last = max(round(len(cpu) * 0.95) - 1, 0)
        return cls(statistics.median(cpu) * 1e3, sorted(cpu)[last] * 1e3, statistics.median(wall) * 1e3)


def each(calls: Sequence[Callable[[], object]]) -> Timing:
    """Time each call once, after a first untimed one."""
    calls[0]()
    cpu, wall = [], []
    for call in calls:
        started, clock = time.process_time(), time.perf_counter()
        call()
        cpu.append(time.process_time() - started)
        wall.append(time.perf_counter() - clock)
    return Timing.of(cpu, wall)


def command(arguments: Sequence[str], runs: int = 5) -> Timing:
    """Time a whole process of the command line."""
    cpu, wall = [], []
    for _ in range(runs):
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "graphrag_pipeline", *arguments], check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        wall.append(time.perf_counter() - clock)
    return Timing.of(cpu, wall)
