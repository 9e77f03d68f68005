"""A run over a made graph."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import load_settings, recipe_yaml
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.manifest import inputs_of
from graphrag_pipeline.experiment.run_writing import write_run
from graphrag_pipeline.plugin.host import PluginHost
from tests.experiment.report.made import graph_files


@pytest.fixture(scope="session")
def host() -> PluginHost:
    """Built-in components alone."""
    return PluginHost.discover(entry_points=False, environ={})


@pytest.fixture(scope="session")
def evaluated_run(tmp_path_factory: pytest.TempPathFactory, host: PluginHost) -> Path:
    """A run, with the graph and the question set beside it."""
    home = tmp_path_factory.mktemp("made")
    graph_files(home)
    overrides = [
        *("graph=json", f"graph.path='{home / 'graph.json'}'", f"dataset.path='{home / 'set'}'"),
        *("bridge=noop", "personas=none", "index.cache_dir=null", "context.max_tokens=22"),
    ]
    settings = load_settings(overrides, host=host)
    pipeline, dataset = build_pipeline(settings, host), load_dataset(settings.dataset)
    judged = judge(dataset, pipeline.index)
    measures = ("nDCG@10", "R@10")
    inputs = inputs_of(settings, pipeline, dataset, measures, 100)
    run = home / "run"
    run.mkdir()
    rows = Evaluator(pipeline, judged, measures, 100).evaluated()
    write_run(run, rows, judged, inputs, recipe_yaml(settings), lambda done, total: None)
    return run


@pytest.fixture
def run(evaluated_run: Path, tmp_path: Path) -> Path:
    """A copy of the run, to change."""
    return Path(shutil.copytree(evaluated_run, tmp_path / "run"))
