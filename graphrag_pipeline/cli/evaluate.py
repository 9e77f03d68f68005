"""``graphrag-pipeline evaluate``: one config on one question set."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import (
    jobs_option,
    json_option,
    measure_options,
    named_or_not,
    request_of,
    with_settings,
)

if TYPE_CHECKING:
    from graphrag_pipeline.config.settings import Settings
    from graphrag_pipeline.experiment.answers import Row
    from graphrag_pipeline.experiment.datasets.checks import Judged
    from graphrag_pipeline.experiment.manifest import Inputs
    from graphrag_pipeline.pipeline.runner import Pipeline
    from graphrag_pipeline.plugin.contract import Metric
    from graphrag_pipeline.plugin.host import PluginHost

    ObserverErrors = Callable[[], Mapping[str, Sequence[str]]]


@click.command()
@with_settings
@click.option(
    "--output",
    callback=named_or_not,
    metavar="DIR",
    help="Directory of the run; else one in runs/, named by the set and a digest of all inputs.",
)
@click.option("--force", is_flag=True, help="Replace a run that is there.")
@measure_options(
    "Measure, as ir-measures writes it, all-gold@K, or a metric of a plugin. May be repeated.",
    "Most nodes of each ranking; what is behind them is neither written nor measured.",
)
@jobs_option
@click.option(
    "--strict", "whole", is_flag=True, help="Refuse a question set of which something does not match."
)
@json_option
def evaluate(  # noqa: PLR0913, PLR0917  # click hands over an argument for each option
    settings: Settings,
    host: PluginHost,
    output: str | None,
    force: bool,
    measures: tuple[str, ...],
    depth: int | None,
    jobs: int,
    whole: bool,
    as_json: bool,
) -> None:
    """Run every query of a question set, measure what comes out, and write a run directory.

    OVERRIDES choose the question set and change the configuration: dataset=kg_2wiki,
    dataset.path=DIR, seed=bm25.
    """
    from graphrag_pipeline.cli.evaluate_view import each_once, show_run, tell_findings
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.config.load import build_pipeline
    from graphrag_pipeline.config.settings import recipe_yaml
    from graphrag_pipeline.experiment.datasets.checks import judge
    from graphrag_pipeline.experiment.datasets.load import load_dataset
    from graphrag_pipeline.experiment.manifest import inputs_of
    from graphrag_pipeline.experiment.measures import check_measures
    from graphrag_pipeline.experiment.narrowing import narrowed
    from graphrag_pipeline.experiment.plugin_metrics import metrics_of
    from graphrag_pipeline.experiment.ranking_depth import ranking_depth
    from graphrag_pipeline.experiment.run_directory import refuse_existing, safe_name, whole_directory
    from graphrag_pipeline.experiment.run_writing import write_run
    from graphrag_pipeline.experiment.trackers.evaluation import (
        finished,
        record_trackers,
        tracked_evaluation,
        tracked_rows,
    )
    from graphrag_pipeline.experiment.trackers.tracking import tracking_of

    measures = tuple(dict.fromkeys(measures))
    metrics = metrics_of(measures, host)
    ranked = [name for name in measures if name not in metrics]
    check_measures(ranked)
    deepest = ranking_depth(ranked, depth)
    if output is not None:
        refuse_existing(Path(output), force=force)
    dataset = load_dataset(settings.dataset)
    with redirect_stdout(sys.stderr):
        pipeline = build_pipeline(settings, host)
        for skipped in pipeline.personas.skipped:
            message("warning", skipped)
        judged = judge(dataset, pipeline.index)
        tell_findings(judged, strict=whole)
        own = narrowed(pipeline, settings.pipeline, host, dataset.questions)
        inputs = inputs_of(settings, pipeline, dataset, measures, deepest)
        directory = Path(output or Path("runs") / f"{safe_name(dataset.name, 'run')}-{inputs.digest[:8]}")
        refuse_existing(directory, force=force)
        with each_once(), tracking_of(settings, host) as tracking:
            with (
                whole_directory(directory, force=force) as building,
                shown("evaluating", "queries", rate=True) as progress,
            ):
                run = tracked_evaluation(settings, inputs, directory.name, len(dataset.questions), building)
                tracking.start(run)
                with _answers(pipeline, judged, inputs, jobs, metrics, own) as (rows, observer_errors):
                    told = tracked_rows(tracking, run, rows, measures)
                    config = recipe_yaml(settings)
                    found = write_run(building, told, judged, inputs, config, progress, observer_errors)
            tracking.finish(run, finished(found, directory))
            record_trackers(directory, tracking.states)
    show_run(found, directory, as_json=as_json)
    if found.failed or found.raised:
        click.get_current_context().exit(1)


@contextmanager
def _answers(
    pipeline: Pipeline,
    judged: Judged,
    inputs: Inputs,
    jobs: int,
    metrics: Mapping[str, Metric],
    own: Mapping[str, Pipeline],
) -> Iterator[tuple[Iterator[Row], ObserverErrors]]:
    """Give every query with its values, and what tells in the end what observers raised."""
    if jobs == 1:
        from graphrag_pipeline.experiment.evaluate import Evaluator

        about = inputs.measures, inputs.depth, inputs.environment
        rows = Evaluator(pipeline, judged, *about, metrics=metrics, narrowed=own).evaluated()
        yield rows, pipeline.host.observer_errors
    else:
        from graphrag_pipeline.experiment.evaluate_jobs import evaluation_jobs

        overrides = click.get_current_context().params["overrides"]
        request = request_of(overrides, inputs.measures, inputs.depth)
        with evaluation_jobs(request, jobs, pipeline, judged, inputs) as there:
            yield there.rows(), there.observer_errors
