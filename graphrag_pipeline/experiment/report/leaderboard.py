"""The best configs of a sweep: means, intervals, letters, and what the best is worth out of sample."""

from __future__ import annotations

import csv
import io
import math

from graphrag_pipeline.experiment.report.elements import (
    Cell,
    Column,
    counted,
    download,
    html,
    milliseconds,
    note,
    number,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.report.standing import (
    LETTERED,
    SHOWN,
    Ranking,
    held_out,
    intervals,
    letters_of,
)
from graphrag_pipeline.experiment.report.svg import Scale, interval_bar
from graphrag_pipeline.experiment.resampling import Interval


def leaderboard(ranked: Ranking) -> str:
    """Return the section of the leaderboard."""
    results = ranked.results
    link = download("All configurations as CSV", "points.csv", points_csv(ranked))
    if not ranked.order:
        return section(
            "leaderboard", "Leaderboard", note("No configuration ran to the end.", "warning"), link
        )
    measure = html(ranked.measure)
    count = len(ranked.order)
    shown = (
        counted(count, "configuration") if count <= SHOWN else f"the best {SHOWN} of {count:,} configurations"
    )
    caption = f"By mean {measure} over {counted(len(ranked.judged), 'query', 'queries')}: {shown}"
    return section(
        "leaderboard",
        "Leaderboard",
        _warning(ranked),
        table(caption, _columns(ranked), _rows(ranked), sortable=True),
        note(
            f"Of the first {min(count, LETTERED)}, those that share a letter do not differ significantly "
            "(paired randomisation test, Holm, .05). They were chosen by the same queries, so letters tell "
            "too many apart rather than too few. Intervals are bootstrap intervals of each mean by itself."
        )
        if count > 1
        else "",
        note(link + f" {counted(len(results.points), 'row')}, all digits."),
    )


def _warning(ranked: Ranking) -> str:
    if len(ranked.order) < 2:
        return ""
    best = ranked.order[0]
    text = (
        f"The first row is the best of {len(ranked.order):,} on the queries that it is reported on: its "
        f"mean of {number(float(ranked.means[ranked.place, best]))} is <strong>in-sample</strong>, too high "
        "on average."
    )
    if ranked.lower:
        return ""
    if not ranked.results.half_b_is_free:
        return note(f"{text} An optimiser was told of all queries, so none is left to report on.", "warning")
    found = held_out(ranked)
    if found is None:
        return note(
            f"{text} There are too few queries to choose on one half and report on the other.", "warning"
        )
    split, choice = found
    ends = (
        ""
        if choice.interval is None
        else f", 95 % [{number(choice.interval.low)}, {number(choice.interval.high)}]"
    )
    return note(
        f"{text} Chosen on half of the queries ({split.queries_a:,}), configuration {html(choice.chosen)} "
        f"is best with {number(choice.in_sample)}; on the other {split.queries_b:,}, which had no part in "
        f"the choice, it has <strong>{number(choice.held_out)}</strong>{ends}. That is the figure to report.",
        "warning",
    )


def _columns(ranked: Ranking) -> tuple[Column, ...]:
    results = ranked.results
    return (
        Column("rank", numbers=True),
        Column(ranked.measure, numbers=True),
        Column("95 %", numbers=True),
        Column("interval", fixed=True),
        Column("letters", fixed=True),
        Column("configuration", numbers=True, hint="Its number in the sweep"),
        *(Column(key) for key in results.keys),
        *(Column(name, numbers=True) for name in results.measures if name != ranked.measure),
        Column("ms a query", numbers=True, hint="Median; shared stages are counted in full"),
        Column("failed", numbers=True, hint="Queries that failed; they count 0"),
    )


def _rows(ranked: Ranking) -> list[tuple[str | Cell, ...]]:
    results, found, marks = ranked.results, intervals(ranked), letters_of(ranked)
    ends = [end for interval in found.values() if interval for end in (interval.low, interval.high)]
    scale = Scale.over(ends, 4, 96) if ends else None
    rows: list[tuple[str | Cell, ...]] = []
    for rank, (point, interval) in enumerate(found.items(), start=1):
        entry = results.points[point]
        mean = float(ranked.means[ranked.place, point])
        best = ' <span class="tag">in-sample best</span>' if rank == 1 and len(ranked.order) > 1 else ""
        rows.append(
            (
                Cell(f"{rank}{best}", rank),
                Cell(number(mean), mean),
                _ends(interval),
                interval_bar(mean, interval.low, interval.high, scale) if interval and scale else "",
                html(marks.get(point, "—")),
                str(entry.number),
                *(own(entry.values.get(key, ""), 60) for key in results.keys),
                *(
                    number(float(ranked.means[place, point]))
                    for place, name in enumerate(results.measures)
                    if name != ranked.measure
                ),
                milliseconds(entry.seconds),
                str(entry.failed),
            )
        )
    return rows


def _ends(interval: Interval | None) -> str | Cell:
    return (
        "—" if interval is None else Cell(f"[{number(interval.low)}, {number(interval.high)}]", interval.low)
    )


def points_csv(ranked: Ranking) -> str:
    """Return every config of the sweep as CSV, with all digits; a value that is not there is empty."""
    results = ranked.results
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["point", "status", *results.keys, *results.measures, "seconds", "failed", "config"])
    for place, point in enumerate(results.points):
        means = ["" if math.isnan(mean) else repr(mean) for mean in ranked.means[:, place].tolist()]
        values = [point.values.get(key, "") for key in results.keys]
        writer.writerow(
            [point.number, point.status, *values, *means, point.seconds, point.failed, point.config]
        )
    return lines.getvalue()
