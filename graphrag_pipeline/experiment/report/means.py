"""What a run is worth: its means with intervals, and where its time went."""

from __future__ import annotations

import numpy as np

from graphrag_pipeline.experiment.recorded import RunRecord, mapping
from graphrag_pipeline.experiment.report.elements import (
    Cell,
    Column,
    html,
    milliseconds,
    note,
    number,
    section,
    table,
)
from graphrag_pipeline.experiment.report.svg import Scale, interval_bar
from graphrag_pipeline.experiment.resampling import Resampling, mean_interval
from graphrag_pipeline.experiment.statistics import mean

HOW = Resampling()


def run_means(record: RunRecord) -> str:
    """Return the section of the means of a run."""
    columns = (
        Column("value"),
        Column("mean", numbers=True),
        Column("95 %", numbers=True, hint="Bootstrap interval of the mean over queries of this kind"),
        Column("0 to 1"),
        Column("queries", numbers=True, hint="How many queries the mean is over"),
    )
    rows = [row for name in record.columns if (row := _mean_row(record, name)) is not None]
    seconds = np.array([row.seconds for row in record.rows])
    known = seconds[np.isfinite(seconds)]
    speed = ""
    if known.size:
        quantiles = (float(value) for value in np.quantile(known, (0.5, 0.95)))
        median, slow = (milliseconds(value) for value in quantiles)
        speed = note(f"Half of the queries took less than {median} ms, and 95 % less than {slow} ms.")
    return section(
        "means",
        "Means",
        table("Means over the queries, with 95 % bootstrap intervals", columns, rows),
        note("One run is neither good nor bad by itself: compare it with another by <code>compare</code>."),
        speed,
        _slots(record),
    )


def _mean_row(record: RunRecord, name: str) -> tuple[str | Cell, ...] | None:
    column = np.array(record.column(name))
    values = column[np.isfinite(column)]
    if not values.size:
        return None
    middle, interval = mean(values), mean_interval(values, HOW)
    shares = float(values.min()) >= 0 and float(values.max()) <= 1
    bar = ""
    if interval is not None and shares:
        bar = interval_bar(middle, interval.low, interval.high, Scale(0, 1, 4, 96))
    ends = "—" if interval is None else f"[{number(interval.low)}, {number(interval.high)}]"
    return html(name), number(middle), ends, bar, f"{values.size:,}"


def _slots(record: RunRecord) -> str:
    slots = [
        (str(name), float(seconds))
        for name, seconds in mapping(record.timings.get("slots")).items()
        if isinstance(seconds, int | float)
    ]
    total = sum(seconds for _, seconds in slots)
    if not slots or total <= 0 or not record.rows:
        return ""
    columns = (
        Column("slot"),
        Column("share", numbers=True),
        Column("ms a query", numbers=True),
        Column("share of the time"),
    )
    rows = [
        (
            html(name),
            f"{100 * seconds / total:.1f} %",
            milliseconds(seconds / len(record.rows)),
            share_bar(seconds / total),
        )
        for name, seconds in slots
    ]
    return table("Where the time went: seconds of each slot over all queries", columns, rows)


def share_bar(share: float, start: float = 0.0) -> str:
    """Return a share as a bar for a cell; the number stands beside it."""
    width = max(share * 120, 1.0)
    return (
        '<svg class="bar" viewBox="0 0 121 12" width="121" height="12" aria-hidden="true">'
        '<rect x="0" y="5.5" width="121" height="1" class="rail"/>'
        f'<rect x="{start * 120:.1f}" y="1" width="{width:.1f}" height="10" class="share"/></svg>'
    )
