"""How long an index takes to build and to open, and how much room it takes."""

from __future__ import annotations

import time
from pathlib import Path

from tests.bench.apart import ROOT, apart

WORK = ROOT / "build" / "bench"


def place(size: int) -> Path:
    """Return where the index of a size is."""
    return WORK / f"index-{size}"


def build(size: int) -> dict[str, float]:
    """Generate, build, save and open one size, each step in a process of its own."""
    WORK.mkdir(parents=True, exist_ok=True)
    apart("building", "generate", size=size)
    built = apart("building", "compiled", size=size)
    return {**built, **apart("building", "opened", size=size)}


def generate(size: int) -> dict[str, float]:
    """Write the tables."""
    import pyarrow as pa

    from tests.bench.graphs import Generated

    for name, table in zip(("nodes", "edges"), Generated.of(size).tables(), strict=True):
        with (
            pa.OSFile(str(WORK / f"{name}.arrow"), "wb") as sink,
            pa.ipc.new_file(sink, table.schema) as file,
        ):
            file.write_table(table)
    return {}


def compiled(size: int) -> dict[str, float]:
    """Build the index from tables in memory, and save it."""
    import pyarrow as pa

    from graphrag_pipeline import GraphIndex
    from tests.bench import memory

    tables = []
    for name in ("nodes", "edges"):
        with pa.OSFile(str(WORK / f"{name}.arrow")) as file:
            tables.append(pa.ipc.open_file(file).read_all())
    before, started, clock = memory.resident(), time.process_time(), time.perf_counter()
    index = GraphIndex.from_arrow(*tables)
    cpu, wall = time.process_time() - started, time.perf_counter() - clock
    peak = memory.peak() - before
    index.save(place(size))
    data = max(place(size).glob("data-*"), key=lambda path: path.stat().st_mtime)
    size_bytes = sum(file.stat().st_size for file in data.iterdir())
    return {
        "tables_bytes": sum(table.nbytes for table in tables),
        "build_cpu_s": cpu,
        "build_wall_s": wall,
        "build_peak_bytes": peak,
        "save_wall_s": time.perf_counter() - clock - wall,
        "index_bytes": size_bytes,
        "bytes_a_node": size_bytes / size,
    }


def opened(size: int, runs: int = 20) -> dict[str, float]:
    """Open the index, and answer a first query."""
    from graphrag_pipeline import GraphIndex
    from tests.bench.asking import FOCUSED, Engine, asks
    from tests.bench.clock import quantile

    ask = asks(size, 2, FOCUSED, 1)[0]
    taken = []
    for _ in range(runs):
        clock = time.perf_counter()
        GraphIndex.open(place(size))
        taken.append(time.perf_counter() - clock)
    engine = Engine(GraphIndex.open(place(size)))
    clock = time.perf_counter()
    engine.run(ask)
    return {
        "open_first_ms": taken[0] * 1e3,
        "open_ms": quantile(taken, 0.5) * 1e3,
        "first_query_ms": (time.perf_counter() - clock) * 1e3,
    }
