"""What an index directory holds, for people and programs."""

from __future__ import annotations

from typing import Any

from graphrag_pipeline.cli.output import counted, printable, write, write_json
from graphrag_pipeline.graph.storage.manifest import Manifest


def show_manifest(directory: str, manifest: Manifest, as_json: bool) -> None:
    """Write what a manifest says."""
    data = manifest_json(manifest)
    if as_json:
        write_json(data)
        return
    size = f"{counted(data['nodes'], 'node')}, {counted(data['edges'], 'edge')}"
    each = data["bytes"] // max(data["nodes"], 1)
    write(f"{printable(directory)}: {size}, {data['bytes'] / 1e6:.1f} MB, {each} bytes a node")
    write(f"sha256 {data['digest']}")
    write(f"from {printable(data['source']) or 'records'}, by graphrag-pipeline {data['written_by']}")
    for finding in data["report"].get("findings", ()):
        write(f"{finding['kind']}: {finding['count']}: {printable(finding['what'])}")


def manifest_json(manifest: Manifest) -> dict[str, Any]:
    """Return what a manifest says as JSON data; ``bytes`` is the size of all arrays."""
    return {
        "digest": manifest.digest,
        "nodes": manifest.counts["nodes"],
        "edges": manifest.counts["edges"],
        "dangling_edges": manifest.counts["dangling_edges"],
        "bytes": sum(entry.bytes for entry in manifest.arrays.values()),
        "format": manifest.format,
        "unicode": manifest.unicode,
        "written_by": manifest.written_by,
        "source": manifest.source,
        "report": dict(manifest.report),
    }
