"""What each swept key does by itself: the mean of a measure over all configs that have a value of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphrag_pipeline.experiment.report.elements import (
    Cell,
    Column,
    code,
    html,
    note,
    number,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.report.standing import HOW, Ranking
from graphrag_pipeline.experiment.report.svg import Scale, disc, figure, line, text
from graphrag_pipeline.experiment.report.swept import MOST_VALUES, SweptKey, swept_key
from graphrag_pipeline.experiment.resampling import Interval, mean_interval
from graphrag_pipeline.experiment.statistics import mean

MOST_KEYS = 24
WIDTH, LEFT, RIGHT, TOP, ROW = 340, 118, 14, 12, 24


@dataclass(frozen=True, slots=True)
class Effect:
    """One value of a key.

    Args:
        value: The value, or a range of values.
        configs: How many configs have it.
        mean: Mean of the measure over these and the queries.
        interval: Its bootstrap interval over the queries.
    """

    value: str
    configs: int
    mean: float
    interval: Interval | None


def swept_keys(ranked: Ranking) -> list[SweptKey]:
    """Return the keys that have more than one value among the ranked configs; places are in their order."""
    results = ranked.results
    found = []
    for key in results.keys:
        texts = [point.values.get(key, "") for point in results.points]
        found.append(swept_key(key, [texts[point] for point in ranked.order], texts))
    return [key for key in found if len(set(key.texts)) > 1]


def effects(ranked: Ranking, key: SweptKey) -> list[Effect]:
    """Return the effect of each value of a key, of the first :data:`MOST_VALUES`."""
    values = ranked.values[list(ranked.order)]
    found = []
    for group in key.groups[:MOST_VALUES]:
        by_query = values[list(group.points)].mean(axis=0)
        found.append(Effect(group.name, len(group.points), mean(by_query), mean_interval(by_query, HOW)))
    return found


def marginal(ranked: Ranking, keys: Sequence[SweptKey]) -> str:
    """Return the section of the effects; nothing where no key varies."""
    if not keys:
        return ""
    found = [(key, effects(ranked, key)) for key in keys[:MOST_KEYS]]
    ends = [end for _, entries in found for entry in entries for end in _ends(entry)]
    scale = Scale.over(ends, LEFT, WIDTH - RIGHT)
    measure = html(ranked.measure)
    rows = [
        (
            code(key.key),
            own(entry.value, 60),
            f"{entry.configs:,}",
            Cell(number(entry.mean), entry.mean),
            "—"
            if entry.interval is None
            else f"[{number(entry.interval.low)}, {number(entry.interval.high)}]",
        )
        for key, entries in found
        for entry in entries
    ]
    columns = (
        Column("key"),
        Column("value"),
        Column("configurations", numbers=True),
        Column(f"mean {ranked.measure}", numbers=True),
        Column("95 %", numbers=True),
    )
    return section(
        "marginal",
        "Effect of each key",
        note(
            f"Each row is the mean {measure} of all configurations with that value, whatever their other "
            "values. Bars are 95 % bootstrap intervals over the queries. The same queries answer every "
            "value, so values may differ surely although their bars overlap. All pictures have one scale."
        ),
        *_left_out(keys),
        '<div class="multiples">',
        *(_picture(ranked, key, entries, scale) for key, entries in found),
        "</div>",
        table(f"Mean {measure} by value of each key", columns, rows, sortable=True),
    )


def _left_out(keys: Sequence[SweptKey]) -> list[str]:
    notes = []
    if len(keys) > MOST_KEYS:
        notes.append(note(f"Only the first {MOST_KEYS} of {len(keys)} keys are shown.", "warning"))
    for key in keys[:MOST_KEYS]:
        if len(key.groups) > MOST_VALUES:
            text = f"{code(key.key)} has {len(key.groups):,} values; the first {MOST_VALUES} are shown."
            notes.append(note(text, "warning"))
    return notes


def _ends(entry: Effect) -> tuple[float, ...]:
    return (entry.mean,) if entry.interval is None else (entry.interval.low, entry.mean, entry.interval.high)


def _picture(ranked: Ranking, key: SweptKey, entries: Sequence[Effect], scale: Scale) -> str:
    bottom = TOP + ROW * len(entries)
    parts = []
    for tick, words in scale.ticks(3):
        parts.append(line(scale(tick), TOP, scale(tick), bottom, "grid"))
        parts.append(text(scale(tick), bottom + 15, words, "middle", "tick"))
    for place, entry in enumerate(entries):
        y = TOP + ROW * place + ROW / 2
        shown = entry.value if len(entry.value) <= 16 else f"{entry.value[:15]}…"
        parts.append(text(LEFT - 8, y + 4, shown, "end", "label"))
        if entry.interval is not None:
            parts.append(line(scale(entry.interval.low), y, scale(entry.interval.high), y, "whisker"))
        parts.append(disc(scale(entry.mean), y, 4, "mean", f"{entry.value}: {number(entry.mean)}"))
    top = max(entries, key=lambda entry: entry.mean)
    title = f"Mean {ranked.measure} by {key.key}; the highest is {number(top.mean)} at {top.value}"
    return figure(code(key.key), "\n".join(parts), title, WIDTH, bottom + 22, "multiple")
