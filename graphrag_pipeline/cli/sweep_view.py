"""What a sweep takes and what it found, for people and programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from graphrag_pipeline.cli.output import counted, message, printable, write, write_json
from graphrag_pipeline.cli.table import Column, table
from graphrag_pipeline.experiment.halves import Choice, Split
from graphrag_pipeline.experiment.resampling import Interval, Resampling
from graphrag_pipeline.experiment.sections import p_value
from graphrag_pipeline.experiment.sweep.running import Plan
from graphrag_pipeline.experiment.sweep.selection import chosen, ranked
from graphrag_pipeline.experiment.sweep.standings import Standings
from graphrag_pipeline.experiment.sweep.table import FAILURES, first_failure


def tell_plan(plan: Plan) -> None:
    """Say what a sweep takes before it starts."""
    graphs = f" on {plan.graphs} graphs" if plan.graphs > 1 else ""
    message(
        "note",
        f"{counted(plan.configs, 'config')}{graphs}, {counted(plan.queries, 'query', 'queries')}: "
        f"{plan.shared:,} stage executions in place of {plan.separate:,}, {plan.saved:.1f}-fold saved",
    )
    if alike := plan.configs - plan.distinct:
        what = "does" if alike == 1 else "do"
        message("note", f"{counted(alike, 'config')} {what} the same as another, as far as the measures see")
    if plan.left < plan.shared:
        message("note", f"{plan.shared - plan.left:,} of them are done already, {plan.left:,} are left")


def show_plan(plan: Plan, *, as_json: bool) -> None:
    """Write what a sweep takes to standard output."""
    if as_json:
        write_json({**asdict(plan), "saved": plan.saved})
        return
    rows = [
        ("configs", f"{plan.configs:,}"),
        ("distinct configs", f"{plan.distinct:,}"),
        ("graphs", f"{plan.graphs:,}"),
        ("queries", f"{plan.queries:,}"),
        ("stage executions, each config by itself", f"{plan.separate:,}"),
        ("stage executions, shared", f"{plan.shared:,}"),
        ("saved", f"{plan.saved:.1f}-fold"),
    ]
    write(table((Column("what"), Column("how many", right=True)), rows))


def show_sweep(found: Standings, *, split: bool, top: int, as_json: bool) -> None:
    """Write the best configs to standard output, and what choosing the best of them is worth."""
    choice = chosen(found, Resampling()) if split else None
    failed = [point for point in found.points if point.failed]
    where = printable(str(found.directory / FAILURES))
    if failed:
        queries = sum(point.failed for point in failed)
        count = "counts" if queries == 1 else "count"
        message(
            "error",
            f"{counted(queries, 'query', 'queries')} of {counted(len(failed), 'config')} failed and "
            f"{count} 0; the first: {printable(first_failure(found))}\n  where: {where}",
        )
    elif found.failures:
        rows = counted(sum(failure.rows for failure in found.failures), "value")
        first = printable(first_failure(found))
        message("error", f"{rows} of metrics are missing; the first: {first}\n  where: {where}")
    _tell_counts(found)
    if as_json:
        write_json(_json(found, choice))
        return
    write(_leaderboard(found, top))
    if choice is not None:
        write(_choices(found, choice))
    write(f"sweep: {printable(str(found.directory))}")


def _tell_counts(found: Standings) -> None:
    """Warn of means that are not over the same number of queries for every config that has run."""
    ended = [place for place, point in enumerate(found.points) if point.status != "unfinished"]
    for name, counts in zip(found.measures, found.count[:, ended], strict=True):
        if counts.size and counts.min() < counts.max():
            few, many = int(counts.min()), int(counts.max())
            message(
                "warning", f"means of {name} are over {few} to {many} queries: not all configs have a value"
            )


# Any: JSON
def _json(found: Standings, choice: Split | None) -> dict[str, object]:
    means = found.means()
    points = [
        {
            **asdict(point),
            "values": dict(point.values),
            "means": {
                name: None if np.isnan(mean) else mean
                for name, mean in zip(found.measures, means[:, place].tolist(), strict=True)
            },
        }
        for place, point in enumerate(found.points)
    ]
    return {
        "sweep": str(found.directory),
        "dataset": found.dataset,
        "keys": list(found.keys),
        "measures": list(found.measures),
        "queries": len(found.queries),
        "points": points,
        "split": None if choice is None else asdict(choice),
    }


def _leaderboard(found: Standings, top: int) -> str:
    means = found.means()
    best = ranked(found, found.measures[0])[:top]
    columns = [Column("point", right=True), *(Column(key, cut=1) for key in found.keys)]
    columns += [Column(name, right=True) for name in (*found.measures, "ms")]
    rows: list[Sequence[object]] = []
    for place in best:
        point = found.points[place]
        numbers = [_shown(mean) for mean in means[:, place].tolist()]
        milliseconds = "—" if np.isnan(point.seconds) else f"{1000 * point.seconds:.1f}"
        rows.append([point.number, *point.values.values(), *numbers, milliseconds])
    more = len(found.points) - len(best)
    note = f"by {found.measures[0]}, in sample"
    if more > 0:
        note += f"; {more:,} more in {found.directory / 'points.csv'}"
    return f"{table(columns, rows)}\n{note}\n"


def _choices(found: Standings, split: Split) -> str:
    columns = (
        Column("measure"),
        Column("point", right=True),
        Column("half A, in sample", right=True),
        Column("half B, to report", right=True),
        Column("95 % interval", right=True),
        Column("against the second", right=True),
        Column("p (Holm)", right=True),
    )
    rows = [_choice(choice) for choice in split.choices]
    of_a, of_b = (counted(count, "query", "queries") for count in (split.queries_a, split.queries_b))
    head = f"The best of {len(found.points):,} on half A ({of_a}), and what it is worth on half B ({of_b}):"
    return f"{head}\n{table(columns, rows)}\n"


def _choice(choice: Choice) -> list[object]:
    return [
        choice.measure,
        choice.chosen,
        f"{choice.in_sample:.4f}",
        f"{choice.held_out:.4f}",
        _interval(choice.interval),
        f"{choice.against.difference:+.4f} ({choice.rival})",
        p_value(choice.holm),
    ]


def _interval(interval: Interval | None) -> str:
    return "—" if interval is None else f"{interval.low:.4f} – {interval.high:.4f}"


def _shown(mean: float) -> str:
    if np.isnan(mean):
        return "—"
    return f"{mean:.4f}" if abs(mean) < 1.00005 else f"{mean:.1f}"
