"""A run as Markdown, and its place in the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tests.bench.apart import ROOT
from tests.bench.targets import targets

PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- bench:begin -->", "<!-- bench:end -->"
STAGES = ("seed", "expand", "filter", "score", "bridge", "context", "rest")


def publish(text: str) -> None:
    """Put the report between the marks in the documentation."""
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def markdown(run: dict[str, Any]) -> str:
    """Return the whole report."""
    parts = (_machine, _targets, _queries, _stages, _search, _indexes, _processes, _starts, _peers)
    return "\n".join(line for part in parts for line in (*part(run), ""))


def number(value: float) -> str:
    """Return a number with about three digits that count."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _machine(run: dict[str, Any]) -> Iterator[str]:
    yield ", ".join(f"{name} {value}" for name, value in run["machine"].items()) + "."


def _targets(run: dict[str, Any]) -> Iterator[str]:
    yield "### Targets\n"
    rows = [
        (
            target.what,
            f"{'≥' if target.at_least else '≤'} {number(target.limit)} {target.unit}",
            number(target.found),
            "met" if target.met else "**missed**",
        )
        for target in targets(run)
    ]
    yield from _table(("what", "target", "measured", ""), rows)


def _timed(row: dict[str, Any]) -> list[str]:
    return [number(row[name]) for name in ("cpu_p50", "cpu_p95", "wall_p50", "wall_p95")]


def _queries(run: dict[str, Any]) -> Iterator[str]:
    yield "### Whole queries, in milliseconds\n"
    rows = [
        [f"{row['nodes']:,}", str(row["hops"]), row["case"], f"{row['visited']:,.0f}", *_timed(row)]
        for row in run["queries"]
    ]
    head = ("nodes", "hops", "case", "visited", "CPU p50", "CPU p95", "wall p50", "wall p95")
    yield from _table(head, rows)


def _stages(run: dict[str, Any]) -> Iterator[str]:
    yield "### Stages of a query with three hops, persona and cell: wall milliseconds, medians\n"
    rows = [[f"{row['nodes']:,}", *(number(row[name] * 1e3) for name in STAGES)] for row in run["stages"]]
    yield from _table(("nodes", *STAGES), rows)


def _search(run: dict[str, Any]) -> Iterator[str]:
    if not run["search"]:
        return
    yield f"### Text search at {run['search'][0]['nodes']:,} nodes, CPU milliseconds\n"
    rows = [
        [row["case"], str(row["hops"]), row["with"], number(row["cpu_p50"]), number(row["cpu_p95"])]
        for row in run["search"]
    ]
    yield from _table(("case", "hops", "searched by", "p50", "p95"), rows)


def _indexes(run: dict[str, Any]) -> Iterator[str]:
    yield "### The index\n"
    head = ("nodes", "build from Arrow, s", "peak above the tables, MB", "tables, MB", "index, MB")
    rows = [
        [
            f"{row['nodes']:,}",
            number(row["build_wall_s"]),
            *(number(row[f"{name}_bytes"] / 1e6) for name in ("build_peak", "tables", "index")),
            number(row["bytes_a_node"]),
            f"{number(row['open_first_ms'])} / {number(row['open_ms'])}",
            number(row["first_query_ms"]),
        ]
        for row in run["indexes"]
    ]
    yield from _table((*head, "bytes a node", "open, first / next, ms", "first query, ms"), rows)


def _processes(run: dict[str, Any]) -> Iterator[str]:
    yield "### Processes\n"
    workers, steady = run["workers"], run["steady"]
    yield (
        f"- {workers['workers']} forked processes, {workers['nodes']:,} nodes, 2 hops, persona + cell: "
        f"{number(workers['queries_per_s'])} queries a second. One process has "
        f"{number(workers['one_resident_bytes'] / 1e6)} MB resident, each further one adds "
        f"{number(workers['extra_private_bytes'] / 1e6)} MB of its own."
    )
    yield (
        f"- {steady['queries']:,} queries, {steady['nodes']:,} nodes: resident memory grew by "
        f"{number(steady['resident_grew_bytes'] / 1e6)} MB after the first tenth; 200 further queries left "
        f"{number(steady['objects_grew_bytes'] / 1e3)} kB of Python objects more."
    )


def _starts(run: dict[str, Any]) -> Iterator[str]:
    starts = run["starts"]
    yield f"### The command line, whole processes, milliseconds; the query is on {starts['nodes']:,} nodes\n"
    rows = [
        [name, *_timed(row)] for name, row in starts.items() if isinstance(row, dict) and "cpu_p50" in row
    ]
    yield from _table(("command", "CPU p50", "CPU p95", "wall p50", "wall p95"), rows)
    yield "\nImports of the cached query, by `-X importtime`, which makes them a little slower:\n"
    yield from _table(
        ("package", "ms"), [(name, number(value)) for name, value in starts["import_ms"].items()]
    )


def _peers(run: dict[str, Any]) -> Iterator[str]:
    yield "### Others on the same graphs, two hops; ours with persona + cell, CPU p50 in milliseconds\n"
    rows = []
    for row in run["peers"]:
        if "skipped" in row:
            rows.append([row["peer"], f"{row['nodes']:,}", row["skipped"], "–", "–"])
            continue
        theirs, ours = row["theirs"]["cpu_p50"], row["ours"]["cpu_p50"]
        numbers = [number(value) for value in (theirs, ours, theirs / ours)]
        rows.append([row["peer"], f"{row['nodes']:,}", *numbers])
    yield from _table(("system", "nodes", "theirs", "ours", "ratio"), rows)
    yield "\nWhat they do less or more than our query:\n"
    yield from {f"- **{row['peer']}**: {row['note']}.": None for row in run["peers"] if "note" in row}
