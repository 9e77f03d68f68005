"""``make bench-import``: how long graph files take to read, beside networkx; for docs/sources.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path

from tests.bench.apart import ROOT, apart

WORK = ROOT / "build" / "bench" / "import"
PAGE = ROOT / "docs" / "sources.md"
START, END = "<!-- speed -->", "<!-- end of speed -->"
FILES = {
    "graphml": "g.graphml",
    "nodelink": "g.json",
    "gexf": "g.gexf",
    "gml": "g.gml",
    "csv": "csv",
    "parquet": "parquet",
}
BY_NETWORKX = ("graphml", "nodelink", "gexf", "gml")
LARGE = (1_000_000, 5_000_000)
SMALL = (100_000, 200_000)


def main() -> int:
    """Measure, print the table, and write it into the page unless told not to."""
    parser = argparse.ArgumentParser(prog="make bench-import", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no million nodes, and the page is left alone")
    quick = parser.parse_args().quick
    WORK.mkdir(parents=True, exist_ok=True)
    apart("importing", "write_small", nodes=SMALL[0], edges=SMALL[1])
    lines = [
        f"{SMALL[0]:,} nodes and {SMALL[1]:,} edges with three attributes each, read for queries, on",
        f"{os.cpu_count()} cores of {platform.machine()} with Python {platform.python_version()}: "
        "seconds and peak of memory of a process.",
        "networkx builds its own graph, and compiles none.",
        "",
        "| format | file | seconds | peak | networkx: seconds | peak |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for source, file in FILES.items():
        ours = apart("importing", "ours", source=source, path=str(WORK / file))
        theirs = apart("importing", "networkx", source=source) if source in BY_NETWORKX else {}
        lines.append(_line(source, ours, theirs))
    if not quick:
        apart("importing", "write_large", nodes=LARGE[0], edges=LARGE[1])
        found = apart("importing", "ours", source="parquet", path=str(WORK / "large"))
        lines += [
            "",
            f"{LARGE[0]:,} nodes and {LARGE[1]:,} edges from Parquet to an index that answers queries: "
            f"{found['seconds']:.0f} s and {found['peak'] / 1e9:.2f} GB.",
        ]
    text = "\n".join(lines)
    print(text)
    if not quick:
        before, _, rest = PAGE.read_text("utf-8").partition(START)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{START}\n{text}\n{END}{after}", "utf-8")
    return 0


def _line(source: str, ours: dict[str, float], theirs: dict[str, float]) -> str:
    megabytes, peak = (f"{ours[key] / 1e6:.0f} MB" for key in ("bytes", "peak"))
    cells = [f"`{source}`", megabytes, f"{ours['seconds']:.1f}", peak]
    if not theirs:
        cells += ["–", "–"]
    elif "refused" in theirs:
        cells += [str(theirs["refused"]), ""]
    else:
        cells += [f"{theirs['seconds']:.1f}", f"{theirs['peak'] / 1e6:.0f} MB"]
    return f"| {' | '.join(cells)} |"


def write_small(nodes: int, edges: int) -> dict[str, int]:
    """Write one random graph in every format; edges are no two of the same ends, which GML would refuse."""
    import networkx as nx
    import numpy as np

    from graphrag_pipeline import GraphIndex, KnowledgeGraph
    from graphrag_pipeline.graph.export.formats import export, writer_for

    random = np.random.default_rng(7)
    graph: nx.DiGraph[str] = nx.DiGraph()
    for number in range(nodes):
        graph.add_node(f"n{number}", label=f"Node {number}", type="thing", text=f"text of {number} " * 5)
    ends = dict.fromkeys(map(tuple, random.integers(0, nodes, (edges * 2, 2)).tolist()))
    for source, target in list(ends)[:edges]:
        graph.add_edge(f"n{source}", f"n{target}", type="uses", weight=float(source), note=f"from {source}")
    nx.write_graphml(graph, WORK / FILES["graphml"])
    nx.write_gexf(graph, WORK / FILES["gexf"])
    nx.write_gml(graph, WORK / FILES["gml"])
    (WORK / FILES["nodelink"]).write_text(json.dumps(nx.node_link_data(graph, edges="edges")), "utf-8")
    index = GraphIndex.from_graph(KnowledgeGraph.from_networkx(graph))
    for name in ("csv", "parquet"):
        export(index, WORK / FILES[name], writer_for(WORK, name), replace=True)
    return {}


def write_large(nodes: int, edges: int) -> dict[str, int]:
    """Write tables of nodes and edges as other tools do: columns of their own names, one a property."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(7)
    folder = WORK / "large"
    folder.mkdir(exist_ok=True)
    ids = [f"n{number}" for number in range(nodes)]
    texts = [f"Text that describes node {number}." for number in range(nodes)]
    columns = {"id": ids, "type": ["thing"] * nodes, "label": [f"Node {name}" for name in ids], "text": texts}
    pq.write_table(pa.table(columns), folder / "nodes.parquet")
    ends = [pa.array(ids).take(pa.array(random.integers(0, nodes, edges))) for _ in range(2)]
    table = {"source": ends[0], "target": ends[1], "type": ["uses"] * edges, "weight": random.random(edges)}
    pq.write_table(pa.table(table), folder / "edges.parquet")
    return {}


def ours(source: str, path: str) -> dict[str, float]:
    """Read a file or folder with one of our sources, and compile it."""
    from graphrag_pipeline.config.load import load_index
    from graphrag_pipeline.config.settings import load_settings
    from graphrag_pipeline.plugin.host import PluginHost
    from tests.bench import memory

    host = PluginHost.discover()
    settings = load_settings([f"graph={source}", f"graph.path={path}", "index.cache_dir=null"], host=host)
    started = time.perf_counter()
    load_index(settings, host)
    return {"seconds": time.perf_counter() - started, "peak": memory.peak(), "bytes": _size(Path(path))}


def networkx(source: str) -> dict[str, float | str]:
    """Read the same file with networkx."""
    import networkx as nx

    from tests.bench import memory

    path = WORK / FILES[source]
    started = time.perf_counter()
    try:
        if source == "nodelink":
            nx.node_link_graph(json.loads(path.read_text("utf-8")), edges="edges")
        else:
            getattr(nx, f"read_{source}")(path)
    except nx.NetworkXError as error:
        return {"refused": f"refuses it: {error}"}
    return {"seconds": time.perf_counter() - started, "peak": memory.peak()}


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size


if __name__ == "__main__":
    sys.exit(main())
