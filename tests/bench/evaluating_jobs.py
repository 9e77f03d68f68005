"""How many queries a second ``evaluate`` answers with two processes, against the pipeline in a bare loop.

``python -m tests.bench.evaluating_jobs [NODES]`` measures by itself, on a graph that it makes.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import load_settings, recipe_yaml
from graphrag_pipeline.experiment.answers import Row
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.evaluate_jobs import PART, evaluation_jobs
from graphrag_pipeline.experiment.manifest import inputs_of
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.run_writing import write_run
from tests.bench.building import place
from tests.bench.evaluating import DEPTH, MEASURES, PRESETS, questions

JOBS = 2
TIMES = 3
"""The two take turns as often, and the best of each counts."""


def throughput(size: int, count: int = 2_000) -> dict[str, Any]:
    """Measure both presets on one size: wall milliseconds a query, and what starting the processes takes."""
    with tempfile.TemporaryDirectory() as kept:
        _write(questions(size, count), Path(kept))
        rows = [_measured(preset, size, Path(kept)) for preset in PRESETS]
    return {"rows": rows}


def _measured(preset: str, size: int, directory: Path) -> dict[str, Any]:
    data = "graph=index", f"graph.path={place(size)}", f"dataset.path={directory}"
    overrides = (*PRESETS[preset], *data, "bridge=noop", "personas=none")
    request = Request(overrides, (), (), (), MEASURES, DEPTH)
    host = request.host()
    settings = load_settings(overrides, host=host)
    pipeline = build_pipeline(settings, host)
    judged = judge(load_dataset(settings.dataset), pipeline.index)
    inputs, config = inputs_of(settings, pipeline, judged.dataset, MEASURES, DEPTH), recipe_yaml(settings)
    queries = [question.query(pipeline.query) for question in judged.dataset.questions]
    loops, runs = [], []
    for _ in range(TIMES):
        started = time.perf_counter()
        for query in queries:
            pipeline.run(query)
        loops.append((time.perf_counter() - started) / len(queries))
        started = time.perf_counter()
        with evaluation_jobs(request, JOBS, pipeline, judged, inputs) as there, _directory() as run:
            first = _First(there.rows())
            write_run(run, first, judged, inputs, config, lambda _done, _total: None)
            ended = time.perf_counter()
        # When the first part is there, each process has answered one.
        rate = (ended - first.came) / (len(queries) - JOBS * PART)
        runs.append((rate, first.came - started))
    loop, (rate, start) = min(loops), min(runs)
    about = {"nodes": size, "preset": preset, "jobs": JOBS, "loop_ms": loop * 1e3}
    return {**about, "evaluate_ms": rate * 1e3, "start_s": start, "ratio": rate / loop}


class _First:
    """Rows, and when the first one came."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows = rows
        self.came = 0.0

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.came = self.came or time.perf_counter()
            yield row


@contextmanager
def _directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)


def _write(asked: Dataset, directory: Path) -> None:
    lines = [
        json.dumps({"id": question.query_id, "text": question.text, "max_hops": question.max_hops})
        for question in asked.questions
    ]
    (directory / "queries.jsonl").write_text("\n".join(lines), "utf-8")
    (directory / "qrels.txt").write_text("\n".join(_judged(asked)), "utf-8")


def _judged(asked: Dataset) -> Sequence[str]:
    return [
        f"{query} 0 {node} {level}"
        for query, nodes in asked.relevance.items()
        for node, level in nodes.items()
    ]


def main(size: int) -> None:
    """Build a graph where there is none, measure, and print."""
    if not place(size).exists():
        from tests.bench.building import build

        build(size)
    for row in throughput(size)["rows"]:
        print({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
