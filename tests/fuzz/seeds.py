"""The files that mutations start from: small ones beside this module, and what our own writers make."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from graphrag_pipeline import GraphIndex, KnowledgeEdge, KnowledgeNode
from graphrag_pipeline.graph.export.formats import WRITERS

HERE = Path(__file__).parent / "seeds"
"""A folder for each source, with the least files that have some of everything."""

RICH = GraphIndex.from_records(
    [
        KnowledgeNode("a", "task", "Größe", "crm", "https://x.example/a", {"n": 1, "x": 1.5, "t": True}),
        KnowledgeNode("b", "t", "two\nlines", properties={"list": [1, {"k": None}], "label": "own"}),
    ],
    [KnowledgeEdge("a", "b", "uses", weight=2), KnowledgeEdge("b", "ghost", "owns", properties={"k": "v"})],
)


def seeds(folder: Path) -> dict[str, list[bytes]]:
    """Return the files that each source starts from, by the source's name, in alphabetical order.

    Args:
        folder: An empty folder, where our writers may write.
    """
    found = {
        place.name: [path.read_bytes() for path in sorted(place.iterdir())]
        for place in sorted(HERE.iterdir())
    }
    found["archimate"].append(_zipped(HERE / "archimate" / "native.archimate"))
    found["nano"] = found["lightrag"]
    for writer in WRITERS:
        source = {"turtle": "rdf"}.get(writer.name, writer.name)
        place = folder / writer.name
        if not writer.suffixes:
            place.mkdir()
        writer.write(RICH, place)
        made = [place] if writer.suffixes else sorted(place.iterdir())
        found.setdefault(source, []).extend(path.read_bytes() for path in made)
    return dict(sorted(found.items()))


def _zipped(model: Path) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.xml", model.read_bytes())
        archive.writestr("images/1.png", b"\x89PNG")
    return held.getvalue()
