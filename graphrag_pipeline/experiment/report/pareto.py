"""Quality, time and tokens of the configs of a sweep: which are beaten by none in everything."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.experiment.report.elements import (
    Cell,
    Column,
    counted,
    html,
    milliseconds,
    note,
    number,
    own,
    section,
    table,
)
from graphrag_pipeline.experiment.report.standing import Ranking
from graphrag_pipeline.experiment.report.svg import Scale, axes, diamond, disc, figure, polyline

TOKENS = "tokens"
DRAWN = 1500
"""Configs behind the front that are drawn."""
LISTED = 100
"""Configs of the front in the table."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 620, 360, 70, 20, 34, 52


@dataclass(frozen=True, slots=True)
class Cost:
    """What is paid for quality: less is better."""

    name: str
    values: tuple[float, ...]


def pareto(ranked: Ranking) -> str:
    """Return the section of the front; nothing for fewer than two configs."""
    costs = _costs(ranked)
    if len(ranked.order) < 2 or not costs or ranked.lower:
        return ""
    quality = [float(ranked.means[ranked.place, point]) for point in ranked.order]
    rows = np.array([quality, *([-value for value in cost.values] for cost in costs)]).T
    on_front = front(rows)
    members = [place for place in range(len(quality)) if on_front[place]]
    what = f"{html(ranked.measure)}, {' and '.join(html(cost.name) for cost in costs)}"
    listed = members[:LISTED]
    more = f" The first {LISTED} of {len(members):,}." if len(members) > LISTED else ""
    behind = len(quality) - len(members)
    left_out = f" Of these, {behind - DRAWN:,} are not drawn." if behind > DRAWN else ""
    return section(
        "pareto",
        "Quality, time and tokens",
        note(
            f"{counted(len(members), 'configuration')} of {len(quality):,} "
            f"{'is' if len(members) == 1 else 'are'} on the front by {what}: no other one is at least as "
            "good in all of them and better in one. The front is drawn as filled diamonds, the others as "
            "rings; the line joins those that are best by the two axes alone."
            f"{left_out} Times are measured, and vary from run to run."
        ),
        '<div class="charts">',
        *(_chart(ranked, quality, cost, on_front) for cost in costs),
        "</div>",
        table(
            f"The front, the highest {html(ranked.measure)} first.{more}",
            _columns(ranked, costs),
            _rows(ranked, listed, costs),
            sortable=True,
        ),
    )


def _costs(ranked: Ranking) -> list[Cost]:
    results = ranked.results
    costs = [Cost("ms a query", tuple(results.points[point].seconds * 1000 for point in ranked.order))]
    if TOKENS in results.measures:
        row = results.measures.index(TOKENS)
        costs.append(Cost(TOKENS, tuple(float(ranked.means[row, point]) for point in ranked.order)))
    return [cost for cost in costs if all(map(math.isfinite, cost.values))]


def front(rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which rows no other row dominates: at least as large everywhere, and larger somewhere."""
    kept = np.ones(len(rows), dtype=np.bool_)
    for place, row in enumerate(rows):
        at_least = (rows >= row).all(axis=1)
        kept[place] = not (at_least & (rows > row).any(axis=1)).any()
    return kept


def _chart(ranked: Ranking, quality: list[float], cost: Cost, on_front: NDArray[np.bool_]) -> str:
    x = Scale.over(cost.values, LEFT, WIDTH - RIGHT)
    y = Scale.over(quality, HEIGHT - BOTTOM, TOP)
    parts = [axes(x, y, f"{cost.name} → less is better to the left", f"{ranked.measure} ↑")]
    behind = [place for place in range(len(quality)) if not on_front[place]][:DRAWN]
    parts += [disc(x(cost.values[place]), y(quality[place]), 3, "behind") for place in behind]
    both = np.array([quality, [-value for value in cost.values]]).T
    edge = sorted(np.flatnonzero(front(both)).tolist(), key=lambda place: cost.values[place])
    if len(edge) > 1:
        parts.append(polyline([(x(cost.values[place]), y(quality[place])) for place in edge], "edge"))
    for place in np.flatnonzero(on_front).tolist():
        name = ranked.name(ranked.order[place])
        title = f"{name}: {number(quality[place])}, {cost.name} {cost.values[place]:.4g}"
        parts.append(diamond(x(cost.values[place]), y(quality[place]), 5.5, "front", title))
    what = f"{ranked.measure} against {cost.name} of {len(quality)} configurations"
    title = f"{what}; the table below lists the front"
    caption = f"{html(ranked.measure)} against {html(cost.name)}."
    return figure(caption, "\n".join(parts), title, WIDTH, HEIGHT)


def _columns(ranked: Ranking, costs: list[Cost]) -> tuple[Column, ...]:
    return (
        Column("configuration", numbers=True),
        Column(ranked.measure, numbers=True),
        *(Column(cost.name, numbers=True) for cost in costs),
        *(Column(key) for key in ranked.results.keys),
    )


def _rows(ranked: Ranking, listed: list[int], costs: list[Cost]) -> list[tuple[str | Cell, ...]]:
    rows: list[tuple[str | Cell, ...]] = []
    for place in listed:
        entry = ranked.results.points[ranked.order[place]]
        mean = float(ranked.means[ranked.place, ranked.order[place]])
        paid = [
            Cell(
                number(cost.values[place])
                if cost.name == TOKENS
                else milliseconds(cost.values[place] / 1000),
                cost.values[place],
            )
            for cost in costs
        ]
        values = [own(entry.values.get(key, ""), 60) for key in ranked.results.keys]
        rows.append((str(entry.number), Cell(number(mean), mean), *paid, *values))
    return rows
