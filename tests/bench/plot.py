"""How the time of a query grows, as a picture that is the same bytes for the same numbers."""

from __future__ import annotations

import math
import statistics
from typing import Any

from tests.bench.apart import ROOT
from tests.bench.asking import FOCUSED

PICTURE = ROOT / "docs" / "assets" / "growth.svg"
COLOURS = ("#4c78a8", "#f58518", "#54a24b")


def draw(run: dict[str, Any]) -> None:
    """Draw CPU time against the size of the graph, and against the nodes visited."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot as plt

    rows = [row for row in run["queries"] if row["case"] == FOCUSED]
    with mpl.rc_context({"svg.hashsalt": "graphrag_pipeline", "svg.fonttype": "none", "font.size": 9}):
        figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True, layout="constrained")
        for hops, colour in zip((1, 2, 3), COLOURS, strict=True):
            line = [row for row in rows if row["hops"] == hops]
            times = [row["cpu_p50"] for row in line]
            left.plot([row["nodes"] for row in line], times, "o-", color=colour, label=f"hops: {hops}")
            right.plot([row["visited"] for row in line], times, "o", color=colour)
        for peer, mark in (("oracle", "^"), ("graph-retriever", "s"), ("networkx", "d"), ("igraph", "v")):
            line = [row for row in run["peers"] if row["peer"] == peer and "theirs" in row]
            if line:
                times = [row["theirs"]["cpu_p50"] for row in line]
                left.plot([row["nodes"] for row in line], times, f"{mark}:", color="#888888", label=peer)
        left.set(
            xscale="log", yscale="log", xlabel="nodes of the graph", ylabel="CPU of a whole query, p50, ms"
        )
        right.set(xscale="log", xlabel=f"nodes visited (slope {exponent(run):.2f} above 1,000)")
        left.legend(fontsize=8)
        for axes in (left, right):
            axes.grid(alpha=0.3)
        PICTURE.parent.mkdir(exist_ok=True)
        figure.savefig(PICTURE, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)


def exponent(run: dict[str, Any]) -> float:
    """Return the slope of log time over log of visited nodes, where visiting is most of the work."""
    rows = [row for row in run["queries"] if row["case"] == FOCUSED and row["visited"] > 1_000]
    visited, taken = ([math.log(row[name]) for row in rows] for name in ("visited", "cpu_p50"))
    return statistics.linear_regression(visited, taken).slope
