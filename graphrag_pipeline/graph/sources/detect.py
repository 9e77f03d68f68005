"""Finding out what a file or folder is, from its names and first bytes."""

from __future__ import annotations

import re
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import looks_like, opened
from graphrag_pipeline.graph.reading.json_shape import data_at_start
from graphrag_pipeline.graph.sources.detect_json import Detected, json_file, json_lines

HEAD = 256 << 10
"""Bytes of a file that are looked at."""


def detect(path: Path) -> Detected:
    """Find out which source reads a file or folder.

    Raises:
        GraphSourceError: There is nothing, or nothing that is known; the message says what it looks like.
    """
    if _is_folder(path):
        return _folder(path)
    with opened(path) as file:
        head = file.read(HEAD)
    for told in (_binary, _xml, json_file, json_lines, _triples, _text):
        if (found := told(head, path.name.lower())) is not None:
            return found
    raise GraphSourceError(
        "This is no graph file that is known.",
        where=str(path),
        hint=looks_like(head[:4096]) or "Say what it is: graph=csv, graph=rdf, graph=gml and so on.",
    )


# -- folders ---------------------------------------------------------------------------------------

FOLDERS: tuple[tuple[str, str], ...] = (
    ("entities.parquet", "msgraphrag"),
    ("create_final_entities.parquet", "msgraphrag"),
    ("*/entities.parquet", "msgraphrag"),
    ("*/create_final_entities.parquet", "msgraphrag"),
    ("*/*/create_final_entities.parquet", "msgraphrag"),
    ("*/*/artifacts/create_final_entities.parquet", "msgraphrag"),
    ("kv_store_community_reports.json", "nano"),
    ("graph_chunk_entity_relation.graphml", "lightrag"),
    ("property_graph_store.json", "llamaindex"),
    ("graph_store.json", "llamaindex"),
    ("openie_results_*.json", "hipporag"),
    ("openie_*.json", "hipporag"),
    ("nodes.parquet", "parquet"),
    ("edges.parquet", "parquet"),
    ("nodes.csv", "csv"),
    ("edges.csv", "csv"),
    ("nodes.tsv", "csv"),
    ("edges.tsv", "csv"),
)
"""Files that tell what a folder is, the first that is there."""


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or str(error)
        raise GraphSourceError(f"The path cannot be looked at: {what}.", where=str(path)) from error


def _folder(path: Path) -> Detected:
    try:
        if _is_index(path):
            return Detected("index", "its manifest.json is that of an index")
        for pattern, source in FOLDERS:
            if found := next(iter(sorted(path.glob(pattern))), None):
                return Detected(source, f"it holds {found.relative_to(path).as_posix()}")
        if (table := _table_of_neo4j(path)) is not None:
            return Detected("neo4j", f"{table} is a table of neo4j-graphrag")
        there = sorted(entry.name for entry in path.iterdir())
    except OSError as error:
        what = f"The folder cannot be read: {error.strerror}."
        raise GraphSourceError(what, where=str(path)) from error
    shown = ", ".join(there[:8]) + (", …" if len(there) > 8 else "")
    raise GraphSourceError(
        "The folder holds no graph that is known.",
        where=str(path),
        hint=f"It holds: {shown}. Name one of its files, or the source." if there else "It is empty.",
    )


def _table_of_neo4j(path: Path) -> str | None:
    """Return a Parquet table in a folder that has neo4j-graphrag's column of ids, if one does."""
    for table in sorted([*path.glob("*.parquet"), *path.glob("*/*.parquet")]):
        with table.open("rb") as file:
            file.seek(max(0, table.stat().st_size - HEAD))
            # The names of columns stand at the end of a Parquet file.
            if b"__id__" in file.read(HEAD):
                return table.name
    return None


def _is_index(path: Path) -> bool:
    from graphrag_pipeline.graph.storage.manifest import FILE, KIND

    manifest = path / FILE
    if not manifest.is_file():
        return False
    with manifest.open("rb") as file:
        start = data_at_start(file.read(HEAD).decode("utf-8", "replace"))
    return isinstance(start, dict) and start.get("kind") == KIND


# -- files -----------------------------------------------------------------------------------------


def _binary(head: bytes, name: str) -> Detected | None:
    if head.startswith(b"PAR1"):
        return Detected("parquet", "it begins as Parquet files do")
    if head.startswith(b"PK\x03\x04") and (b"model.xml" in head[:128] or name.endswith(".archimate")):
        return Detected("archimate", "it is a ZIP archive of Archi")
    return None


ROOT = re.compile(rb"<(?![?!])(?:[\w.-]+:)?([\w.-]+)([^>]*)")
COMMENT = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)


def _xml(head: bytes, name: str) -> Detected | None:
    text = _narrow(head)
    if not text.lstrip().startswith(b"<") or re.match(rb"\s*<(!doctype )?html", text, re.IGNORECASE):
        return None
    root = ROOT.search(_without_doctype(COMMENT.sub(b"", text)))
    if root is None:
        return None
    tag, attributes = root[1].decode("ascii", "replace"), root[2]
    why = f"its root element is <{tag}>"
    if tag == "graphml":
        return (
            Detected("lightrag", f"{why}, and its name is LightRAG's")
            if name.startswith("graph_chunk_entity_relation")
            else Detected("graphml", why)
        )
    if tag in ("gexf", "RDF"):
        return Detected({"gexf": "gexf", "RDF": "rdf"}[tag], why)
    if tag == "model" and (b"archimate" in attributes.lower()):
        return Detected("archimate", f"{why} of ArchiMate")
    return None


def _narrow(head: bytes) -> bytes:
    """Return the start of an XML file a byte a character, whatever its encoding."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head.decode("utf-16", "replace").encode("utf-8", "replace")
    return head.removeprefix(b"\xef\xbb\xbf")


def _without_doctype(text: bytes) -> bytes:
    start = text.find(b"<!DOCTYPE")
    if start < 0:
        return text
    bracket, end = text.find(b"[", start), text.find(b">", start)
    if 0 <= bracket < end:
        end = text.find(b"]>", bracket) + 1
    return text[:start] + text[end + 1 :] if end > 0 else b""


ENDINGS = {
    ".cyjs": "cytoscape",
    "named_entity_output.tsv": "hipporag",
    ".ttl": "rdf",
    ".nt": "rdf",
    ".nq": "rdf",
    ".trig": "rdf",
    ".n3": "rdf",
    ".gml": "gml",
    ".csv": "csv",
    ".tsv": "csv",
}


def _triples(head: bytes, name: str) -> Detected | None:
    text = head.decode("utf-8-sig", "replace")
    if re.match(r"\s*<[^<>\s]+>\s+<[^<>\s]+>\s+[<\"_]", text):
        return Detected("rdf", "it begins with a triple")
    if re.search(r"^\s*(@prefix|@base|PREFIX|BASE)\s", text, re.MULTILINE):
        return Detected("rdf", "it declares prefixes as Turtle does")
    return None


def _text(head: bytes, name: str) -> Detected | None:
    text = head.decode("utf-8-sig", "replace")
    if not head and name.endswith((".ttl", ".nt", ".nq", ".trig")):
        return Detected(
            "rdf", "its name ends as those of RDF files do, and nothing is a graph without triples"
        )
    kind = looks_like(head[:4096])
    if kind and "UTF-16" not in kind:
        return None
    ending = next((ending for ending in ENDINGS if name.endswith(ending)), None)
    if ending is not None:
        return Detected(ENDINGS[ending], f"its name ends with {ending}")
    if re.search(r"\bgraph\s*\[", text) and re.search(r"\bnode\s*\[", text):
        return Detected("gml", "it has graph [ node [")
    line = text.partition("\n")[0]
    if not text.startswith(("{", "[", "<")) and any(mark in line for mark in ",;\t|"):
        return Detected("csv", "its first line is a row of a table")
    return None
