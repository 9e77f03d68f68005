"""What an evaluation costs beside its queries: ``evaluate`` against the pipeline in a bare loop.

``python -m tests.bench.evaluating [NODES]`` measures by itself, on a graph that it makes.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphrag_pipeline import GraphIndex, Pipeline
from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import Settings, load_settings, recipe_yaml
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.dataset import Dataset, Question
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.manifest import inputs_of
from graphrag_pipeline.experiment.run_writing import write_run
from graphrag_pipeline.plugin.host import PluginHost
from tests.bench.asking import PLAIN, asks
from tests.bench.building import place

MEASURES = ("nDCG@10", "R@10", "RR", "AP")
DEPTH = 100
PRESETS = {"reference": (), "hybrid": ("pipeline=hybrid",)}
TIMES = 5
"""The two take turns as often, and the best of each counts: a busy machine makes both slower."""


def ratios(size: int, count: int) -> dict[str, Any]:
    """Measure both presets on one size; CPU milliseconds a query, and how many times the loop that is."""
    return measured(GraphIndex.open(place(size)), questions(size, count), {"nodes": size})


def measured(index: GraphIndex, questions: Dataset, about: dict[str, Any]) -> dict[str, Any]:
    """Measure both presets on a graph."""
    host = PluginHost.discover(entry_points=False, environ={})
    rows = []
    for preset, overrides in PRESETS.items():
        settings = load_settings([*overrides, "bridge=noop", "personas=none"], host=host)
        pipeline = build_pipeline(settings, host, graph=index)
        queries = [question.query(pipeline.query) for question in questions.questions]

        def loop(pipeline: Pipeline = pipeline, queries: list[Any] = queries) -> None:
            for query in queries:
                pipeline.run(query)

        run = _Run(settings, pipeline, questions)
        loop()
        run()
        bare, whole = map(min, zip(*((_cpu(loop), _cpu(run)) for _ in range(TIMES)), strict=True))
        count = len(queries)
        row = {"preset": preset, "loop_ms": bare / count * 1e3, "evaluate_ms": whole / count * 1e3}
        rows.append({**about, **row, "ratio": whole / bare})
    return {"rows": rows}


class _Run:
    """An evaluation with all its files, into a directory that is thrown away."""

    def __init__(self, settings: Settings, pipeline: Pipeline, questions: Dataset) -> None:
        self._config = recipe_yaml(settings)
        self._pipeline = pipeline
        self._judged = judge(questions, pipeline.index)
        self._inputs = inputs_of(settings, pipeline, questions, MEASURES, DEPTH)

    def __call__(self) -> None:
        directory = Path(tempfile.mkdtemp())
        try:
            rows = Evaluator(self._pipeline, self._judged, MEASURES, DEPTH).evaluated()
            write_run(directory, rows, self._judged, self._inputs, self._config, lambda _done, _total: None)
        finally:
            shutil.rmtree(directory)


def questions(size: int, count: int) -> Dataset:
    """Return plain queries of two hops; three nodes all over the graph are relevant to each."""
    index = GraphIndex.open(place(size))
    texts = [ask.text for ask in asks(size, 2, PLAIN, count)]
    asked = tuple(Question(f"q{place_}", text, max_hops=2) for place_, text in enumerate(texts))
    relevance = {
        question.query_id: {index.ids[(number * 7919 + part * 104_729) % size]: 1 for part in range(3)}
        for number, question in enumerate(asked)
    }
    return Dataset("bench", asked, relevance)


def _cpu(call: Callable[[], None]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def main(size: int) -> None:
    """Build a graph where there is none, measure, and print."""
    if not place(size).exists():
        from tests.bench.building import build

        build(size)
    for row in ratios(size, 200)["rows"]:
        print({key: round(value, 3) if isinstance(value, float) else value for key, value in row.items()})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
