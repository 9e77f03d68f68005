"""How long our queries take."""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any

from graphrag_pipeline import GraphIndex
from tests.bench.asking import FOCUSED, FRESH, MISS, PLAIN, WHOLE, Engine, asks
from tests.bench.building import place
from tests.bench.clock import each

HOPS = (1, 2, 3)


def cases(size: int, count: int, whole: bool) -> dict[str, Any]:
    """Measure every case of one size, warm, on the mapped index."""
    engine = Engine(GraphIndex.open(place(size)))
    wanted = [(hops, case) for case in (PLAIN, FOCUSED) for hops in HOPS]
    wanted += [(3, MISS), *((hops, WHOLE) for hops in HOPS if whole)]
    return {"rows": [_case(engine, size, hops, case, count) for hops, case in wanted]}


def search(size: int, count: int) -> dict[str, Any]:
    """Measure what is mostly text search: no match, then a persona that no query had before."""
    engine = Engine(GraphIndex.open(place(size)))
    rows = [_case(engine, size, hops, case, count) for hops, case in ((3, MISS), (2, FOCUSED), (3, FOCUSED))]
    fresh = asks(size, 3, FRESH, 60)
    engine.run(asks(size, 3, PLAIN, 1)[0])
    known = {ask.persona for ask in asks(size, 3, FOCUSED, count)}
    timed = each([partial(engine.run, ask) for ask in fresh if ask.persona not in known])
    return {
        "rows": [*rows, {"nodes": size, "hops": 3, "case": FRESH, "visited": rows[-1]["visited"], **timed}]
    }


def stages(size: int, count: int) -> dict[str, Any]:
    """Measure the stages of a three-hop query one by one, by wall clock; the median of each."""
    engine = Engine(GraphIndex.open(place(size)))
    asked = asks(size, 3, FOCUSED, count)
    for ask in asked:
        engine.run(ask)
    found = [engine.stages(ask) for ask in asked]
    return {name: statistics.median(row[name] for row in found) for name in found[0]}


def _case(engine: Engine, size: int, hops: int, case: str, count: int) -> dict[str, Any]:
    asked = asks(size, hops, case, count)
    ask = engine.whole if case == WHOLE else engine.run
    # Once untimed: what stays in memory between queries is there then, as in a process that serves.
    visited = [engine.stages(query)["visited"] for query in asked]
    timed = each([partial(ask, query) for query in asked])
    return {"nodes": size, "hops": hops, "case": case, "visited": statistics.median(visited), **timed}
