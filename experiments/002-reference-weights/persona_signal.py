"""How often the persona signal fires by chance: `python persona_signal.py`.

The signal asks whether a node's text has the persona's id in it, in any case and inside of words too.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import numpy as np

from graphrag_pipeline import load_pipeline

DATA = Path(os.environ["GRAPHRAG_DATA"]) / "fcc-kg"
SHOWN = 8


def main() -> None:
    """Print for each persona how many nodes have its id, and how many have it as a word of its own."""
    path = DATA / "graph.zachman36.json"
    index = load_pipeline(["graph=json", f"graph.path={path}", "personas=none", "bridge=noop"]).index
    everywhere = np.arange(index.node_count)
    nodes = index.all_nodes()
    fired, whole = {}, {}
    for persona in json.loads((DATA / "personas.json").read_text(encoding="utf-8")):
        here = persona["id"]
        found = np.flatnonzero(index.mentioning(here.lower(), everywhere))
        word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(here)}(?![A-Za-z0-9])")
        texts = [json.dumps([nodes[i].node_id, nodes[i].label, dict(nodes[i].properties)]) for i in found]
        fired[here] = len(found)
        whole[here] = sum(bool(word.search(text)) for text in texts)
    by_chance = sorted(fired, key=lambda name: (whole[name] - fired[name], name))
    told = {
        "personas": len(fired),
        "nodes that have the id, median": float(np.median(list(fired.values()))),
        "of them as a word of its own, median": float(np.median(list(whole.values()))),
        "nodes that have the id, all personas": sum(fired.values()),
        "of them as a word of its own, all personas": sum(whole.values()),
        "personas with more chance than sense": sum(fired[name] > 2 * whole[name] for name in fired),
        "most by chance": {name: [fired[name], whole[name]] for name in by_chance[:SHOWN]},
    }
    print(json.dumps(told, indent=1))  # noqa: T201


if __name__ == "__main__":
    main()
