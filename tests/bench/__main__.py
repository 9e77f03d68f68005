"""``make bench``: measure, print a report, and write it into the documentation.

``make bench-quick`` leaves the largest graph out, asks fewer queries, and leaves the documentation alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tests.bench.apart import ROOT, apart
from tests.bench.building import WORK, build
from tests.bench.report import markdown, publish

FAST = "stringzilla"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    sizes: tuple[int, ...]
    queries: int
    steady: int
    peers: tuple[tuple[str, int, int], ...]


LARGE = 100_000
QUICK = Extent(
    sizes=(1_000, 10_000, LARGE),
    queries=60,
    steady=4_000,
    peers=(
        ("oracle", 1_000, 5),
        ("oracle", 10_000, 3),
        ("oracle, whole result", 10_000, 3),
        *(("graph-retriever", size, 5) for size in (10_000, LARGE)),
        *(("graph-retriever, traversal alone", size, 5) for size in (10_000, LARGE)),
        *(("networkx", size, 50) for size in (10_000, LARGE)),
        *(("igraph", size, 5) for size in (10_000, LARGE)),
    ),
)
FULL = Extent(
    sizes=(*QUICK.sizes, 1_000_000),
    queries=200,
    steady=20_000,
    peers=tuple((peer, size, count * 3) for peer, size, count in QUICK.peers),
)


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--quick", action="store_true", help="small graphs, few queries, no documentation")
    quick = parser.parse_args().quick
    run = dict(_measured(QUICK if quick else FULL))
    file = WORK.parent / ("bench-quick.json" if quick else "bench.json")
    file.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
    report = markdown(run)
    print(report)
    if quick:
        return
    publish(report)
    try:
        from tests.bench.plot import draw

        draw(run)
    except ModuleNotFoundError as error:
        print(f"No picture: {error.name} is not installed.", file=sys.stderr)


def _measured(extent: Extent) -> Iterator[tuple[str, Any]]:
    shutil.rmtree(WORK, ignore_errors=True)
    sizes, count = extent.sizes, extent.queries
    yield "machine", _machine()
    yield "indexes", [{"nodes": size, **_told(f"index of {size:,} nodes", build, size)} for size in sizes]
    found = [_apart("speed", "cases", size=size, count=count, whole=size <= LARGE) for size in sizes]
    yield "queries", [row for part in found for row in part["rows"]]
    yield "stages", [{"nodes": size, **_apart("speed", "stages", size=size, count=count)} for size in sizes]
    yield "search", list(_search(sizes[-1], count))
    yield "workers", _apart("serving", "workers", size=LARGE)
    yield "steady", _apart("serving", "steady", size=10_000, count=extent.steady)
    yield "evaluating", _apart("evaluating", "ratios", size=LARGE, count=extent.queries)["rows"]
    yield (
        "evaluating in processes",
        _apart("evaluating_jobs", "throughput", size=LARGE)["rows"],
    )
    yield "starts", _apart("starting", "starts", size=LARGE)
    yield "peers", [_peer(peer, size, times) for peer, size, times in extent.peers]


def _search(size: int, count: int) -> Iterator[dict[str, Any]]:
    # Without the package there is one way only, and the other rows would be the same again.
    ways: dict[str, tuple[str, ...]] = {"bytes.find": (FAST,)}
    if _version(FAST):
        ways = {FAST: (), **ways}
    for way, without in ways.items():
        for row in _apart("speed", "search", without=without, size=size, count=count)["rows"]:
            yield {"with": way, **row}


def _peer(peer: str, size: int, count: int) -> dict[str, Any]:
    return {"peer": peer, "nodes": size, **_apart("peers", "against", peer=peer, size=size, count=count)}


def _apart(module: str, function: str, **arguments: Any) -> dict[str, Any]:
    told = " ".join(f"{name}={value}" for name, value in arguments.items())
    found: dict[str, Any] = _told(f"{module} {function} {told}", lambda: apart(module, function, **arguments))
    return found


def _told(what: str, call: Any, *arguments: Any) -> Any:
    clock = time.perf_counter()
    found = call(*arguments)
    print(f"{time.perf_counter() - clock:6.1f} s  {what}", file=sys.stderr, flush=True)
    return found


def _machine() -> dict[str, str]:
    packages = ("numpy", "pyarrow", FAST)
    cores = len(os.sched_getaffinity(0))
    return {
        "Python": platform.python_version(),
        **{name: _version(name) or "missing" for name in packages},
        f"{platform.system()} {platform.machine()},": f"{cores} cores",
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    os.chdir(ROOT)
    assert Path("pyproject.toml").exists()
    main()
