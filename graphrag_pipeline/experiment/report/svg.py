"""Drawing charts as SVG, in the colours of the page and in whole tenths of its units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graphrag_pipeline.experiment.report.elements import html


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers to places on an axis.

    Args:
        low: The number at ``start``.
        high: The number at ``end``; more than ``low``.
        start: Place of ``low``.
        end: Place of ``high``; less than ``start`` on an axis that goes up.
    """

    low: float
    high: float
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float, room: float = 0.06) -> Scale:
        """Return a scale that holds all values, with some room at both ends."""
        low, high = min(values), max(values)
        if low == high:
            low, high = low - (abs(low) or 1.0) / 2, high + (abs(high) or 1.0) / 2
        spread = high - low
        return cls(low - room * spread, high + room * spread, start, end)

    def __call__(self, value: float) -> float:
        """Return the place of a number."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        """Return round numbers on the axis, at most about ``most``, each with its text."""
        raw = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [(place * step, f"{place * step:,.{digits}f}") for place in range(first, last + 1)]


def at(place: float) -> str:
    """Return a coordinate; a tenth of a unit is less than anybody sees."""
    return f"{place:.1f}".removesuffix(".0")


def figure(caption: str, picture: str, title: str, width: int, height: int, kind: str = "chart") -> str:
    """Return a chart with its caption.

    Args:
        caption: What it shows and where its numbers are, as HTML.
        picture: What is in the image.
        title: What it says to those who do not see it, as plain text.
        width: Its units across.
        height: Its units down.
        kind: Class of the figure.
    """
    return (
        f'<figure class="{kind}"><div class="scroll" tabindex="0" role="region" '
        f'aria-label="{html(title, 120)}"><svg viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" '
        f'role="img" aria-label="{html(title, 600)}">\n{picture}\n</svg></div>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
    """Return a text."""
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{at(x)}" y="{at(y)}" text-anchor="{anchor}"{mark}>{html(words, 40)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Return a line."""
    return f'<line x1="{at(x1)}" y1="{at(y1)}" x2="{at(x2)}" y2="{at(y2)}" class="{kind}"/>'


def polyline(places: Sequence[tuple[float, float]], kind: str) -> str:
    """Return a line through places."""
    points = " ".join(f"{at(x)},{at(y)}" for x, y in places)
    return f'<polyline points="{points}" class="{kind}"/>'


def disc(x: float, y: float, size: float, kind: str, title: str = "") -> str:
    """Return a disc."""
    head = f'<circle cx="{at(x)}" cy="{at(y)}" r="{at(size)}" class="{kind}"'
    return f"{head}><title>{html(title)}</title></circle>" if title else f"{head}/>"


def diamond(x: float, y: float, size: float, kind: str, title: str = "") -> str:
    """Return a diamond."""
    corners = ((x, y - size), (x + size, y), (x, y + size), (x - size, y))
    points = " ".join(f"{at(a)},{at(b)}" for a, b in corners)
    return f'<polygon points="{points}" class="{kind}"><title>{html(title)}</title></polygon>'


def short(value: float) -> str:
    """Return a number in few characters."""
    return f"{value:.4g}"


def axes(x: Scale, y: Scale, across: str, up: str) -> str:
    """Return both axes with ticks, lines behind the data, and what they measure."""
    parts = []
    for tick, words in x.ticks(5):
        parts.append(line(x(tick), y.start, x(tick), y.end, "grid"))
        parts.append(text(x(tick), y.start + 18, words, "middle", "tick"))
    for tick, words in y.ticks():
        parts.append(line(x.start, y(tick), x.end, y(tick), "grid"))
        parts.append(text(x.start - 7, y(tick) + 4, words, "end", "tick"))
    parts.append(text(x.end, y.start + 36, across, "end", "axis"))
    parts.append(text(x.start, y.end - 10, up, "start", "axis"))
    return "\n".join(parts)


def interval_bar(mean: float, low: float, high: float, scale: Scale) -> str:
    """Return a mean with its interval as a small picture for a cell; the numbers stand beside it."""
    middle = 7
    return (
        '<svg class="interval" viewBox="0 0 100 14" width="100" height="14" aria-hidden="true">'
        '<rect x="2" y="6.5" width="96" height="1" class="rail"/>'
        + line(scale(low), middle, scale(high), middle, "whisker")
        + line(scale(low), middle - 4, scale(low), middle + 4, "whisker")
        + line(scale(high), middle - 4, scale(high), middle + 4, "whisker")
        + disc(scale(mean), middle, 3, "mean")
        + "</svg>"
    )
