"""Places for the nodes of a drawing: a column for each distance from the seeds, so that ways run right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphrag_pipeline.experiment.report.elements import number, plain
from graphrag_pipeline.experiment.report.subgraph import (
    CONTEXT,
    DROPPED,
    LEFT,
    NO_HOP,
    STATES,
    UNSEEN,
    DrawnNode,
    Subgraph,
)

ACROSS, DOWN, GAP = 156, 38, 34
TALLEST = 11
"""Nodes one above the other; more stand in a further column."""
LABEL = 20
BRIDGE_LANE, DROPPED_LANE, UNSEEN_LANE = 1_000, 1_001, 1_002


def drawing(part: Subgraph) -> dict[str, Any]:  # Any: JSON
    """Return nodes with places, edges, and headings of the columns, as short lists for the script."""
    places, heads = _placed(part)
    return {
        "n": [
            [
                plain(node.label or node.node_id, LABEL),
                STATES.index(node.state),
                int(node.gold),
                *places[place],
                f"{plain(node.label or node.node_id, 80)} · {plain(node.node_type, 40)} · {said(node)}",
            ]
            for place, node in enumerate(part.nodes)
        ],
        "e": [
            [edge.source, edge.target, plain(edge.edge_type, 40), int(edge.discovered)] for edge in part.edges
        ],
        "l": heads,
    }


def said(node: DrawnNode) -> str:
    """Return what became of a node, in words."""
    words = {CONTEXT: "in the context", LEFT: "in the result, not in the context"}.get(node.state, node.state)
    parts = [words + (f": {plain(node.reason, 60)}" if node.reason else "")]
    if node.rank is not None:
        parts.append(f"rank {node.rank}, score {number(node.score)}")
    if node.gold:
        parts.append("relevant")
    return ", ".join(parts)


def _lane(node: DrawnNode) -> int:
    if node.state in (DROPPED, UNSEEN):
        return DROPPED_LANE if node.state == DROPPED else UNSEEN_LANE
    return BRIDGE_LANE if node.hop == NO_HOP else node.hop


def _heading(lane: int) -> str:
    named = {
        0: "seeds",
        1: "1 hop",
        BRIDGE_LANE: "bridge",
        DROPPED_LANE: "dropped",
        UNSEEN_LANE: "not reached",
    }
    return named.get(lane, f"{lane} hops")


def _placed(part: Subgraph) -> tuple[list[tuple[int, int]], list[list[Any]]]:
    members: dict[int, list[int]] = {}
    for place, node in enumerate(part.nodes):
        members.setdefault(_lane(node), []).append(place)
    near = _neighbours(part)
    places: dict[int, tuple[int, int]] = {}
    heads: list[list[Any]] = []
    x = 0
    for lane in sorted(members):
        heads.append([_heading(lane), x, -DOWN])
        row = 0
        for row, place in enumerate(_ordered(members[lane], near, places)):
            places[place] = (x + ACROSS * (row // TALLEST), DOWN * (row % TALLEST))
        x += ACROSS * (row // TALLEST + 1) + GAP
    return [places[place] for place in range(len(part.nodes))], heads


def _neighbours(part: Subgraph) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {}
    for edge in part.edges:
        near.setdefault(edge.source, []).append(edge.target)
        near.setdefault(edge.target, []).append(edge.source)
    return near


def _ordered(
    members: Sequence[int], near: dict[int, list[int]], placed: dict[int, tuple[int, int]]
) -> list[int]:
    """Return nodes of a column by the mean height of their neighbours to the left: fewer lines cross."""

    def height(place: int) -> float:
        heights = [placed[other][1] for other in near.get(place, ()) if other in placed]
        return sum(heights) / len(heights) if heights else float("inf")

    return sorted(members, key=height)
