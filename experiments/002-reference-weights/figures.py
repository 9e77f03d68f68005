"""Draw nDCG@10 by kind of question from `results/effects.json`: `python figures.py`. It needs matplotlib."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "graphrag"
import matplotlib.pyplot as plt  # noqa: E402

HERE = Path(__file__).parent
KINDS = {
    "name.own": "by name:\nown actions and rules",
    "role.own": "by title:\nown actions and rules",
    "name.team": "by name:\ncolleagues",
    "role.team": "by title:\ncolleagues",
}
BARS = {
    "none, persona 0": ("no filter, without persona", "#bdd7e7"),
    "none, persona 0.4": ("no filter, persona 0.4", "#2171b5"),
    "row, persona 0": ("row, without persona", "#bae4b3"),
    "row, persona 0.4": ("row, persona 0.4", "#238b45"),
    "cell, persona 0": ("cell, without persona", "#fdd0a2"),
    "cell, persona 0.4": ("cell, persona 0.4", "#d94801"),
}


def main() -> None:
    """Write `figures/kinds.svg`."""
    effects = json.loads((HERE / "results" / "effects.json").read_text(encoding="utf-8"))
    figure, axis = plt.subplots(figsize=(9, 4.2), layout="constrained")
    for place, (name, (label, colour)) in enumerate(BARS.items()):
        rows = [effects[kind]["nDCG@10 by filter"][name] for kind in KINDS]
        at = [kind + (place - 2.5) * 0.14 for kind in range(len(KINDS))]
        means = [row[0] for row in rows]
        ends = [[row[0] - row[1] for row in rows], [row[2] - row[0] for row in rows]]
        axis.bar(at, means, 0.13, yerr=ends, color=colour, label=label, error_kw={"lw": 0.8})
    axis.set_xticks(range(len(KINDS)), list(KINDS.values()))
    axis.set_ylabel("nDCG@10, 95 % interval")
    axis.set_title("FCC graph, 131 derived questions of each kind, label match 0.5")
    axis.legend(ncols=3, fontsize=8, frameon=False)
    axis.set_ylim(0, 0.9)
    (HERE / "figures").mkdir(exist_ok=True)
    figure.savefig(HERE / "figures" / "kinds.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
