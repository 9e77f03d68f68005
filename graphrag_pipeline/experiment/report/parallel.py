"""Parallel coordinates: one line a config across one axis a swept key, to the measure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphrag_pipeline.experiment.report.elements import html, note, section
from graphrag_pipeline.experiment.report.standing import Ranking
from graphrag_pipeline.experiment.report.svg import Scale, figure, line, polyline, short, text
from graphrag_pipeline.experiment.report.swept import MOST_VALUES, SweptKey

MOST_LINES = 400
MOST_AXES = 10
STEP, LEFT, RIGHT, TOP, BOTTOM, HEIGHT = 160, 80, 90, 46, 26, 380


def parallel(ranked: Ranking, keys: Sequence[SweptKey]) -> str:
    """Return the section of the lines; nothing where no key varies."""
    if not keys or len(ranked.order) < 2:
        return ""
    shown = keys[:MOST_AXES]
    places = [_places(key) for key in shown]
    quality = [float(ranked.means[ranked.place, point]) for point in ranked.order]
    last = Scale.over(quality, HEIGHT - BOTTOM, TOP, 0.0)
    across = [LEFT + STEP * place for place in range(len(shown) + 1)]
    lines = _drawn(len(quality))
    best = max(1, len(quality) // 10)
    parts = [
        polyline(
            [
                *((x, place(row)) for x, place in zip(across, places, strict=False)),
                (across[-1], last(quality[row])),
            ],
            "best" if row < best else "other",
        )
        # The best are drawn last, on top.
        for row in reversed(lines)
    ]
    for x, key in zip(across, shown, strict=False):
        parts.append(_axis(x, key))
    parts.append(_measure_axis(across[-1], last, ranked.measure))
    notes = [
        "A line is a configuration: it crosses each axis at its value, and the last one at its mean "
        f"{html(ranked.measure)}. The best {best:,} of {len(quality):,} are thick and solid, the others "
        "thin and dashed. The leaderboard has the same values as a table."
    ]
    if len(lines) < len(quality):
        notes.append(
            f"{len(lines):,} are drawn: the best {MOST_LINES // 2}, and of the others as many at even steps."
        )
    if len(keys) > MOST_AXES:
        notes.append(f"Only the first {MOST_AXES} of {len(keys)} keys have an axis.")
    width = across[-1] + RIGHT
    title = f"Parallel coordinates of {len(lines)} configurations over {', '.join(key.key for key in shown)}"
    caption = "Swept keys and what comes of them."
    return section(
        "parallel",
        "Swept keys together",
        note(" ".join(notes)),
        figure(caption, "\n".join(parts), title, width, HEIGHT),
    )


def _drawn(count: int) -> list[int]:
    """Return the ranks that are drawn."""
    if count <= MOST_LINES:
        return list(range(count))
    half = MOST_LINES // 2
    step = (count - half) / half
    return [*range(half), *(half + int(place * step) for place in range(half))]


def _places(key: SweptKey) -> Callable[[int], float]:
    """Return where the line of a config crosses the axis of a key."""
    if key.ranged and key.numbers is not None:
        numbers, scale = key.numbers, Scale.over(key.numbers, HEIGHT - BOTTOM, TOP, 0.0)
        return lambda row: scale(numbers[row])
    at = {
        row: _even(place, len(key.groups)) for place, group in enumerate(key.groups) for row in group.points
    }
    return lambda row: at[row]


def _even(place: int, count: int) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * place / max(count - 1, 1)


def _axis(x: float, key: SweptKey) -> str:
    parts = [line(x, TOP, x, HEIGHT - BOTTOM, "rule"), _name(x, key.key)]
    if key.ranged and key.numbers is not None:
        low, high = min(key.numbers), max(key.numbers)
        parts += [_tick(x, HEIGHT - BOTTOM, short(low)), _tick(x, TOP, short(high))]
        return "\n".join(parts)
    step = max(1, -(-len(key.groups) // MOST_VALUES))
    for place, group in enumerate(key.groups):
        if place % step == 0:
            parts.append(_tick(x, _even(place, len(key.groups)), group.name))
    return "\n".join(parts)


def _measure_axis(x: float, scale: Scale, measure: str) -> str:
    ends = [_tick(x, scale.start, short(scale.low)), _tick(x, scale.end, short(scale.high))]
    return "\n".join([line(x, TOP, x, HEIGHT - BOTTOM, "rule"), _name(x, measure), *ends])


def _name(x: float, key: str) -> str:
    # The end of a dotted key tells most.
    shown = key if len(key) <= 18 else f"…{key[-17:]}"
    return text(x, TOP - 22, shown, "middle", "axis")


def _tick(x: float, y: float, words: str) -> str:
    return text(x + 6, y + 4, words if len(words) <= 16 else f"{words[:15]}…", "start", "tick halo")
