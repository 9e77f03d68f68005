"""Generated graphs for measuring: power-law degrees, properties, four nodes in five with a cell."""

from __future__ import annotations

import random
from typing import Any

from graphrag_pipeline import CELLS

WORDS = (
    "audit",
    "privacy",
    "model",
    "data",
    "flow",
    "order",
    "risk",
    "plan",
    "cell",
    "graph",
    "score",
    "stage",
)
EDGES_PER_NODE = 5


def generate(size: int, seed: int = 7) -> dict[str, Any]:
    """Return a graph in the reference's JSON shape; the same size and seed give the same graph."""
    rng = random.Random(seed)
    nodes = [_node(rng, number) for number in range(size)]
    # Picking an end of an earlier edge favours nodes in proportion to their degree (Barabási and
    # Albert, Science 286, 1999).
    ends: list[int] = [0]
    edges = []
    for number in range(size * EDGES_PER_NODE):
        source = number % size
        target = rng.choice(ends) if rng.random() < 0.8 else rng.randrange(size)
        ends += (source, target)
        edges.append({"source_id": f"n{source}", "target_id": f"n{target}", "edge_type": "maps_to"})
    return {"nodes": nodes, "edges": edges}


def _node(rng: random.Random, number: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "owner": f"P-{rng.randrange(100):03}",
        "note": " ".join(rng.sample(WORDS, 4)),
    }
    if rng.random() < 0.8:
        properties["zachman_cell"] = rng.choice(CELLS).coordinate
    label = f"{rng.choice(WORDS)} {rng.choice(WORDS)} {number:06}"
    return {"node_id": f"n{number}", "node_type": "concept", "label": label, "properties": properties}


def queries(size: int, count: int, seed: int = 11) -> list[str]:
    """Return texts that are each part of about ten labels: a label ends in six digits, a text is five."""
    rng = random.Random(seed)
    return [f"{rng.randrange(size):06}"[:5] for _ in range(count)]
