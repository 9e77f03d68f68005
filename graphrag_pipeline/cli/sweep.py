"""``graphrag-pipeline sweep``: many configs on one question set."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING

import click

from graphrag_pipeline.cli.options import (
    config_dir_option,
    config_file_option,
    jobs_option,
    json_option,
    measure_options,
    named_or_not,
    request_of,
    with_host,
)
from graphrag_pipeline.cli.sweep_options import Choosing, launcher_options, sampler_options

if TYPE_CHECKING:
    from graphrag_pipeline.config.sweep_space import SweepPoint
    from graphrag_pipeline.experiment.datasets.checks import Judged
    from graphrag_pipeline.experiment.sweep.conducting import Conductor, Prepared
    from graphrag_pipeline.experiment.sweep.sharding import Launching
    from graphrag_pipeline.plugin.host import PluginHost


@click.command()
@click.argument("overrides", nargs=-1)
@config_file_option
@config_dir_option
@with_host
@click.option(
    "--output",
    callback=named_or_not,
    metavar="DIR",
    help="Directory of the sweep; else one in sweeps/, named by the set and a digest of what is asked.",
)
@click.option("--force-new", is_flag=True, help="Throw away what the directory has, and begin anew.")
@measure_options(
    "Measure, or a value of results such as tokens. The first one ranks. May be repeated.",
    "Most nodes of each ranking; what is behind them is not measured.",
)
@jobs_option
@click.option("--plan", "plan_only", is_flag=True, help="Only say what the sweep takes.")
@sampler_options
@launcher_options
@click.option(
    "--split/--no-split",
    default=True,
    show_default=True,
    help="Choose the best config on half of the queries, and report it on the other half.",
)
@click.option(
    "--top", default=10, show_default=True, metavar="N", type=click.IntRange(1), help="Configs to show."
)
@json_option
def sweep(  # noqa: PLR0913, PLR0917  # click hands over an argument for each option
    host: PluginHost,
    overrides: tuple[str, ...],
    config_file: str | None,
    config_dirs: tuple[str, ...],
    output: str | None,
    force_new: bool,
    measures: tuple[str, ...],
    depth: int | None,
    jobs: int,
    plan_only: bool,
    choosing: Choosing,
    launching: Launching | None,
    split: bool,
    top: int,
    as_json: bool,
) -> None:
    """Run many configs on a question set; each distinct stage runs once.

    OVERRIDES are those of `evaluate`, and some of them have several values: score.weights.ppr=0,0.2,
    context.max_tokens=500:2000:500, seed=label,bm25. The same command goes on where it stopped.
    """
    from graphrag_pipeline.cli.evaluate_view import each_once, tell_findings
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.cli.sweep_view import show_plan, show_sweep
    from graphrag_pipeline.experiment.sweep.conducting import Conductor, default_directory
    from graphrag_pipeline.experiment.sweep.measuring import refuse_unknown
    from graphrag_pipeline.experiment.sweep.running import plan_of
    from graphrag_pipeline.experiment.sweep.standings import read_standings
    from graphrag_pipeline.experiment.sweep.table import write_failures, write_table
    from graphrag_pipeline.experiment.trackers.evaluation import record_trackers
    from graphrag_pipeline.experiment.trackers.sweeping import finished_sweep, tell_points, tracked_sweep
    from graphrag_pipeline.experiment.trackers.tracking import tracking_of

    if launching is not None and choosing.is_study:
        raise click.UsageError(
            "A study proposes configs one batch after the other; give --jobs, no launcher."
        )
    measures = tuple(dict.fromkeys((*measures, *choosing.measures)))
    with redirect_stdout(sys.stderr):
        refuse_unknown(measures, host)
        request = request_of(overrides, measures, _depth(measures, depth, host))
        conductor = Conductor(request, host)
        prepared = conductor.prepare(_first_points(conductor, choosing))
    if plan_only:
        show_plan(plan_of(prepared.workshop), as_json=as_json)
        return
    with redirect_stdout(sys.stderr):
        first = prepared.workshop.answering(0)
        for skipped in first.pipeline.personas.skipped:
            message("warning", skipped)
        tell_findings(first.judged)
        directory = Path(output or default_directory(request, prepared.workshop.dataset.name))
        half_a = choosing.is_study and _holds_back_half(first.judged, split=split)
        opening = conductor.opened(prepared, directory, choosing.about(half_a=half_a), force_new=force_new)
        with each_once(), tracking_of(conductor.first, host) as tracking, opening:
            run = tracked_sweep(conductor.manifest, directory.name, directory)
            tracking.start(run)
            try:
                if choosing.is_study:
                    _run_study(conductor, choosing, jobs, half_a=half_a)
                else:
                    _run_points(conductor, prepared, jobs, launching)
            except KeyboardInterrupt:
                message("note", "what is done is kept; the same command goes on where it stopped")
                raise
            found = read_standings(directory)
            write_table(found, directory)
            write_failures(found, directory)
            tell_points(tracking, run, found)
            tracking.finish(run, finished_sweep(found))
            record_trackers(directory, tracking.states)
    show_sweep(found, split=split and (half_a or not choosing.is_study), top=top, as_json=as_json)
    if found.failures:
        click.get_current_context().exit(1)


def _depth(measures: Sequence[str], given: int | None, host: PluginHost) -> int:
    from graphrag_pipeline.experiment.plugin_metrics import metrics_of
    from graphrag_pipeline.experiment.ranking_depth import ranking_depth
    from graphrag_pipeline.experiment.summary import GRAPH_VALUES

    others = {*GRAPH_VALUES, *metrics_of([name for name in measures if name not in GRAPH_VALUES], host)}
    return ranking_depth([name for name in measures if name not in others], given)


def _first_points(conductor: Conductor, choosing: Choosing) -> list[SweepPoint]:
    """Return every point of a grid or a draw; of a study, which has none yet, one that stands for all."""
    from graphrag_pipeline.experiment.sweep.samplers import make_sampler

    if choosing.is_study:
        return [conductor.any_point()]
    sampler = make_sampler(choosing.sampler, conductor.space, trials=choosing.trials, seed=choosing.seed)
    return sampler.ask(sys.maxsize)


def _run_points(conductor: Conductor, prepared: Prepared, jobs: int, launching: Launching | None) -> None:
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.cli.sweep_view import tell_plan

    tasks, plan = conductor.open_tasks(prepared)
    tell_plan(plan)
    if launching is not None and tasks:
        conductor.run_sharded(prepared, tasks, launching)
        return
    with shown("sweeping", "queries", rate=True) as progress:
        conductor.run(prepared, tasks, jobs=jobs, progress=progress)


def _holds_back_half(judged: Judged, *, split: bool) -> bool:
    """Tell whether a study is told of half A of the queries alone, and say so where it is not."""
    from graphrag_pipeline.cli.output import message
    from graphrag_pipeline.experiment.sweep.studying import holds_back_half

    found = split and holds_back_half(judged)
    if not found:
        why = "the queries cannot be split" if split else "--no-split"
        message("note", f"the study is told of all queries ({why}): what it finds is in sample")
    return found


def _run_study(conductor: Conductor, choosing: Choosing, jobs: int, *, half_a: bool) -> None:
    from graphrag_pipeline.cli.progress import shown
    from graphrag_pipeline.experiment.sweep.conducting import STUDY
    from graphrag_pipeline.experiment.sweep.samplers import make_sampler
    from graphrag_pipeline.experiment.sweep.studying import study

    objectives = choosing.objectives or conductor.request.measures[:1]
    sampler = make_sampler(
        choosing.sampler,
        conductor.space,
        trials=choosing.trials,
        seed=choosing.seed,
        objectives=objectives,
        journal=Path(choosing.study or conductor.directory / STUDY),
        owner=f"{gethostname()} {conductor.directory.resolve()}" if choosing.study else "",
        half_a=half_a,
    )
    with shown("sweeping", "queries of a batch", rate=True) as progress:
        study(
            *(conductor, sampler, objectives),
            half_a=half_a,
            batch=choosing.batch,
            jobs=jobs,
            progress=progress,
        )
