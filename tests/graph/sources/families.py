"""Every real file beside the repository, by family: what it loads to, as docs/sources.md shows it.

``python -m tests.graph.sources.families`` prints the table.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.load import load_graph
from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.compiling import as_index
from graphrag_pipeline.graph.examine import examine
from graphrag_pipeline.plugin.host import PluginHost

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
COLUMNS = ("nodes", "edges", "repaired", "skipped", "blank", "duplicated", "dangling")


@dataclass(frozen=True)
class Family:
    """Files that one source reads with one configuration.

    Args:
        source: Its name.
        paths: Globs below the data folder, one row each.
        overrides: What else the configuration says.
    """

    source: str
    paths: tuple[str, ...]
    overrides: tuple[str, ...] = field(default=())


FAMILIES = (
    Family("msgraphrag", ("formats/msgraphrag/*", "bug_files/ms_graphrag/v*")),
    Family("lightrag", ("formats/lightrag/lightrag-vi-books",)),
    Family("nano", ("formats/lightrag/nano-dickens",)),
    Family("hipporag", ("formats/hipporag/openie_*.json",)),
    Family("llamaindex", ("formats/llamaindex",)),
    Family("neo4j", ("formats/apoc-json/*.json",)),
    Family("graphml", ("formats/graphml/*.graphml", "bug_files/invented/gml_*.graphml")),
    Family("gexf", ("formats/gexf/*.gexf", "bug_files/invented/*.gexf")),
    Family("gml", ("formats/gml/*.gml",)),
    Family("nodelink", ("formats/json-graph/networkx-*.json", "bug_files/invented/nl_*.json")),
    Family("nodelink", ("bug_files/invented/special_token.json",)),
    Family("cytoscape", ("formats/cytoscape/*.json",)),
    Family("graphology", ("formats/json-graph/graphology-*.json", "formats/json-graph/sigma-*.json")),
    Family("csv", ("formats/kag-csv/*.csv", "bug_files/invented/csv_*.csv")),
    Family(
        "csv",
        ("formats/ea-csv-json/*",),
        ("graph.nodes=elements.csv", "graph.edges=relations.csv"),
    ),
    Family(
        "rdf",
        (
            "formats/skos-turtle/*.ttl",
            "formats/rdf-xml/*",
            "formats/jsonld/*",
            "bug_files/invented/rdf_*.ttl",
        ),
    ),
    Family(
        "archimate",
        (
            "archimate/*/model.archimate",
            "archimate/*/model.xml",
            "archimate/archi-testdata/*",
            "bug_files/archi/*.xml",
            "bug_files/invented/archi*",
        ),
    ),
    Family("openie", ("mh-2wiki/passages.jsonl", "mh-musique-openie/passages.jsonl", "lihua/passages.jsonl")),
    Family(
        "json",
        tuple(
            f"{name}/graph.json" for name in ("kg-2wiki", "mh-2wiki", "mh-musique-openie", "lihua", "fcc-kg")
        ),
    ),
)
"""Every family; together they cover the data folder but for what :data:`NO_GRAPHS` lists."""

NO_DATA = ("MANIFEST.json", "LICENSE", "SCHEMAS.txt")
NO_GRAPHS = (
    "formats/hipporag/*.tsv",
    "formats/ea-csv-json/*/model.json",
    "formats/ea-csv-json/*/properties.csv",
    "bug_files/invented/html_named.graphml",
)
"""Files that are no graphs: ``graph=auto`` refuses each, or reads it as a table."""


def files(family: Family, pattern: str) -> list[Path]:
    """Return the files and folders that a pattern finds, in order."""
    return [path for path in sorted(DATA.glob(pattern)) if path.name not in NO_DATA]


def configured(family: Family, host: PluginHost) -> Settings:
    """Return the configuration of a family, which waits for a path."""
    return load_settings([f"graph={family.source}", "graph.path=later", *family.overrides], host=host)


def counts(settings: Settings, path: Path, host: PluginHost) -> dict[str, Any]:
    """Load one path, and count what came of it."""
    params = settings.graph.params.model_copy(update={"path": str(path)})
    try:
        loaded = load_graph(replace(settings, graph=replace(settings.graph, params=params)), host)
    except GraphSourceError as error:
        return {"refused": error.what}
    index, findings = as_index(loaded.graph), examine(loaded)
    assert loaded.report.account is not None
    assert loaded.report.account.balanced
    kinds = {kind: sum(entry.count for entry in findings if entry.kind == kind) for kind in COLUMNS[2:]}
    return {"nodes": index.node_count, "edges": index.edge_count, **kinds}


def table() -> str:
    """Return the table of docs/sources.md, a row a pattern, and the list of what is refused."""
    host = PluginHost.discover()
    lines = [f"| source | files | | {' | '.join(COLUMNS)} |", "|---|---|--:|" + "--:|" * len(COLUMNS)]
    refused = []
    for family in FAMILIES:
        settings = configured(family, host)
        for pattern in family.paths:
            found = {path: counts(settings, path, host) for path in files(family, pattern)}
            read = [each for each in found.values() if "refused" not in each]
            cells = " | ".join(f"{sum(each[column] for each in read):,}" for column in COLUMNS)
            lines.append(f"| `{family.source}` | `{pattern}` | {len(read)} | {cells} |")
            refused += [
                f"- `{path.relative_to(DATA)}`: {each['refused']}"
                for path, each in found.items()
                if "refused" in each
            ]
    return "\n".join([*lines, "", "Refused, with the reason:", "", *refused]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(table())
