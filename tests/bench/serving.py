"""Processes that share one index, and a process that answers for a long time."""

from __future__ import annotations

import gc
import multiprocessing
import statistics
import time
import tracemalloc
from typing import Any

from graphrag_pipeline import GraphIndex
from tests.bench import memory
from tests.bench.asking import FOCUSED, Ask, Engine, asks
from tests.bench.building import place

SECONDS = 3.0
"""How long each worker answers queries."""


def workers(size: int, count: int = 2) -> dict[str, float]:
    """Fork workers from a process that has answered queries, and let them answer at the same time."""
    engine, asked = _warm(size)
    fork = multiprocessing.get_context("fork")
    barrier, done = fork.Barrier(count), fork.SimpleQueue()
    # What is alive now is left alone by the collector, which would copy its pages into every worker.
    gc.freeze()
    started = [fork.Process(target=_serve, args=(engine, asked, barrier, done)) for _ in range(count)]
    alone = memory.resident()
    for process in started:
        process.start()
    found = [done.get() for _ in started]
    for process in started:
        process.join()
    return {
        "nodes": size,
        "workers": count,
        "queries_per_s": sum(rate for rate, _ in found),
        "one_resident_bytes": alone,
        "extra_private_bytes": statistics.median(extra for _, extra in found),
    }


def _serve(engine: Engine, asked: list[Ask], barrier: Any, done: Any) -> None:
    barrier.wait()
    answered, clock = 0, time.perf_counter()
    while time.perf_counter() - clock < SECONDS:
        for ask in asked:
            engine.run(ask)
        answered += len(asked)
    rate = answered / (time.perf_counter() - clock)
    # All are there still: pages that two of them share must not count as nobody's.
    barrier.wait()
    extra = memory.private()
    barrier.wait()
    done.put((rate, extra))


def steady(size: int, count: int) -> dict[str, float]:
    """Answer many queries; return what memory grew by after the first tenth."""
    engine, asked = _warm(size)

    def answer(times: int) -> None:
        for number in range(times):
            engine.run(asked[number % len(asked)])
        gc.collect()

    answer(count // 10)
    before = memory.resident()
    answer(count - count // 10)
    grown = memory.resident() - before
    tracemalloc.start()
    answer(len(asked))
    held = tracemalloc.get_traced_memory()[0]
    answer(len(asked))
    kept = tracemalloc.get_traced_memory()[0] - held
    return {"nodes": size, "queries": count, "resident_grew_bytes": grown, "objects_grew_bytes": kept}


def _warm(size: int) -> tuple[Engine, list[Ask]]:
    engine, asked = Engine(GraphIndex.open(place(size))), asks(size, 2, FOCUSED, 200)
    for ask in asked:
        engine.run(ask)
    return engine, asked
