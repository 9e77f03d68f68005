"""Choosing entries so that their scores add up to much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphrag_pipeline.stages.context.units import Unit


def by_density(units: Sequence[Unit], left: Sequence[int], weight: Sequence[int], room: int) -> list[int]:
    """Choose entries by score a token, or the best single one, where that is worth more than all of those.

    Value is the score, negative ones counting 0, weight the tokens. The better of greedy by density and the
    best single item is worth at least half of the best choice there is (Kellerer, Pferschy and Pisinger,
    *Knapsack Problems*, 2004, section 2.1). What still fits beside the single one is added. Time is n log n.

    Args:
        units: Entries, by rank.
        left: Places of those that may be chosen.
        weight: The tokens of each.
        room: Tokens there are.

    Returns:
        Places of the entries that were chosen, in that order.
    """
    value = {place: max(units[place].score, 0.0) for place in left if weight[place] <= room}
    dense = sorted(value, key=lambda place: (-value[place] / max(weight[place], 1), place))
    chosen = in_turn(dense, weight, room)
    single = max(value, key=lambda place: (value[place], -place), default=None)
    if single is None or value[single] <= sum(value[place] for place in chosen):
        return chosen
    return [single, *in_turn((place for place in dense if place != single), weight, room - weight[single])]


def in_turn(order: Iterable[int], weight: Sequence[int], room: int) -> list[int]:
    """Return the entries that fit when they are tried one after the other."""
    chosen = []
    for place in order:
        if weight[place] <= room:
            room -= weight[place]
            chosen.append(place)
    return chosen
