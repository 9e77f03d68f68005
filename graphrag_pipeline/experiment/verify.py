"""Making a run again from what its directory says, and comparing what comes out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphrag_pipeline.config.load import build_pipeline
from graphrag_pipeline.config.settings import Settings, load_settings, recipe_yaml
from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.errors import ConfigError, DatasetError, GraphSourceError, PluginError
from graphrag_pipeline.experiment.datasets.checks import judge
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.difference import RunDifference, run_difference
from graphrag_pipeline.experiment.evaluate import Evaluator
from graphrag_pipeline.experiment.manifest import inputs_of, loaded_plugins
from graphrag_pipeline.experiment.measures import check_measures
from graphrag_pipeline.experiment.narrowing import narrowed
from graphrag_pipeline.experiment.plugin_metrics import metrics_of
from graphrag_pipeline.experiment.run_writing import write_run
from graphrag_pipeline.experiment.stored_run import StoredRun, read_stored_run
from graphrag_pipeline.plugin.contract import Metric
from graphrag_pipeline.plugin.host import PluginHost


def verify(
    run: StoredRun,
    host: PluginHost,
    progress: Callable[[int, int], None],
    overrides: Sequence[str] = (),
) -> RunDifference:
    """Make a run again, and return what differs from the recorded one, which comes first.

    Nothing is written beside the run, and no tracker is told.

    Args:
        run: The recorded run.
        host: Where components are; plugins that the config asks for are added to it.
        progress: Told how many queries are done, of how many.
        overrides: What to change of its config: where the graph and the question set are now.

    Raises:
        DatasetError: It cannot be made again here: a plugin, a variable or a file is missing.
        ConfigError: Its config is not right for this version, or an override is wrong.
    """
    manifest = run.manifest
    with _saying_what_is_missing(run, host):
        settings = load_settings(overrides, host=host, config_file=run.directory / "config.yaml")
        dataset = load_dataset(settings.dataset)
        pipeline = build_pipeline(settings, host)
        judged = judge(dataset, pipeline.index)
        own = narrowed(pipeline, settings.pipeline, host, dataset.questions)
    depth, measures = manifest["depth"], tuple(map(str, manifest["measures"]))
    metrics = _metrics(run, host, measures)
    # A set that lies elsewhere is called what it was called.
    dataset = replace(dataset, name=str(manifest["dataset"].get("name")))
    judged = replace(judged, dataset=dataset)
    inputs = inputs_of(settings, pipeline, dataset, measures, depth)
    with TemporaryDirectory(prefix="graphrag-pipeline-verify-") as directory:
        rows = Evaluator(
            pipeline,
            judged,
            measures,
            depth,
            inputs.environment,
            metrics=metrics,
            narrowed=own,
        ).evaluated()
        write_run(
            Path(directory), rows, judged, inputs, recipe_yaml(settings), progress, host.observer_errors
        )
        return run_difference(run, read_stored_run(Path(directory)), default_config())


def _metrics(run: StoredRun, host: PluginHost, measures: Sequence[str]) -> Mapping[str, Metric]:
    metrics = metrics_of(measures, host)
    try:
        check_measures([name for name in measures if name not in metrics])
    except DatasetError as error:
        missing = ", ".join(_missing_plugins(run, host))
        hint = f"Plugins that the run had and that are not loaded here: {missing}." if missing else error.hint
        raise DatasetError(error.what, where=str(run.directory), hint=hint) from error
    return metrics


def default_config() -> Mapping[str, Any]:  # Any: plain data
    """Return the config without any override or installed plugin, and without trackers."""
    return without_trackers(_default_settings().tree)


def _default_settings() -> Settings:
    return load_settings(host=PluginHost.discover(entry_points=False, environ={}))


@contextmanager
def _saying_what_is_missing(run: StoredRun, host: PluginHost) -> Iterator[None]:
    """Turn errors of building a run again into ones that say what it had and this place has not."""
    try:
        yield
    except (ConfigError, PluginError) as error:
        unset = [name for name in run.manifest["environment"] if str(name) not in os.environ]
        if unset:
            raise DatasetError(
                f"The run asks for environment variables that are not set: {', '.join(map(str, unset))}.",
                where=str(run.directory / "config.yaml"),
                hint="Set them; --data DIR sets GRAPHRAG_DATA.",
            ) from error
        if missing := list(_missing_plugins(run, host)):
            raise DatasetError(
                f"The run was made with plugins that are not loaded here: {', '.join(missing)}.",
                where=str(run.directory),
                hint="--plugin FILE.py loads a file, plugins.modules=[NAME] a module; others are installed.",
            ) from error
        raise
    except (DatasetError, GraphSourceError) as error:
        raise DatasetError(
            f"The run cannot be made again: {error.what}",
            where=error.where,
            hint="Its paths are relative to where `evaluate` ran, or to GRAPHRAG_DATA (--data DIR). "
            "Overrides say where files are now: dataset.path=DIR graph.path=FILE",
        ) from error


def _missing_plugins(run: StoredRun, host: PluginHost) -> Iterator[str]:
    there = {str(plugin["name"]) for plugin in loaded_plugins(host)}
    for plugin in run.manifest["plugins"]:
        if plugin.get("name") not in there:
            yield f"{plugin.get('name')} ({plugin.get('source')}, digest {str(plugin.get('digest'))[:12]})"
