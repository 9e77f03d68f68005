"""What the project wants to reach, and whether a run reached it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.bench.asking import FOCUSED, PLAIN

QUERY_MS = {(10_000, 2): 1.5, (10_000, 3): 4, (100_000, 2): 2.5, (100_000, 3): 20, (1_000_000, 2): 8}
QUERY_MS[1_000_000, 3] = 60
RATIOS = {("oracle", 10_000): 500, ("graph-retriever", 100_000): 100}


@dataclass(frozen=True, slots=True)
class Target:
    """A limit and what was measured."""

    what: str
    limit: float
    found: float
    unit: str
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether what was found is within the limit."""
        return self.found >= self.limit if self.at_least else self.found <= self.limit


def targets(run: dict[str, Any]) -> list[Target]:
    """Return the targets that this run measured."""
    return [*_queries(run), *_peers(run), *_indexes(run), *_processes(run), *_evaluations(run)]


def _queries(run: dict[str, Any]) -> Iterator[Target]:
    for (nodes, hops), limit in QUERY_MS.items():
        rows = [row for row in run["queries"] if (row["nodes"], row["hops"]) == (nodes, hops)]
        if found := [row["cpu_p95"] for row in rows if row["case"] in (PLAIN, FOCUSED)]:
            yield Target(f"query, {nodes:,} nodes, {hops} hops: CPU p95", limit, max(found), "ms")


def _evaluations(run: dict[str, Any]) -> Iterator[Target]:
    for row in run.get("evaluating", ()):
        what = f"evaluate, {row['nodes']:,} nodes, {row['preset']}: CPU, times the bare loop"
        yield Target(what, 1.15, row["ratio"], "times")
    for row in run.get("evaluating in processes", ()):
        what = f"evaluate --jobs {row['jobs']}, {row['nodes']:,} nodes, {row['preset']}"
        yield Target(f"{what}: wall, times the bare loop", 1.15, row["ratio"], "times")


def _peers(run: dict[str, Any]) -> Iterator[Target]:
    for row in run["peers"]:
        if limit := RATIOS.get((row["peer"], row["nodes"])):
            ratio = row["theirs"]["cpu_p50"] / row["ours"]["cpu_p50"]
            what = f"faster than {row['peer']}, {row['nodes']:,} nodes, 2 hops: CPU p50"
            yield Target(what, limit, ratio, "times", at_least=True)


def _indexes(run: dict[str, Any]) -> Iterator[Target]:
    for row in run["indexes"]:
        yield Target(f"index, {row['nodes']:,} nodes: size", 500, row["bytes_a_node"], "bytes a node")
        if row["nodes"] == 1_000_000:
            peak = row["build_peak_bytes"] / row["index_bytes"]
            yield Target("index, 1,000,000 nodes: open", 20, row["open_ms"], "ms")
            yield Target("index, 1,000,000 nodes: build from Arrow", 60, row["build_wall_s"], "s")
            yield Target("index, 1,000,000 nodes: peak while building", 3, peak, "times its size")


def _processes(run: dict[str, Any]) -> Iterator[Target]:
    workers, starts = run["workers"], run["starts"]
    extra = workers["extra_private_bytes"] / 1e6
    yield Target("two processes, 100,000 nodes", 2_000, workers["queries_per_s"], "queries/s", at_least=True)
    yield Target("each further process, 100,000 nodes: memory", 30, extra, "MB")
    yield Target(
        "command `query`, 100,000 nodes, cached: wall", 900, starts["query, cached"]["wall_p50"], "ms"
    )
    yield Target("command `--help`: CPU", 400, starts["--help"]["cpu_p50"], "ms")
