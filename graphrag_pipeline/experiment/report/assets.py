"""The files that a report carries in itself, and how a browser is told that only these may run."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path

DIRECTORY = Path(__file__).parent / "assets"
STYLE, SCRIPT = "report.css", "report.js"
CYTOSCAPE = "cytoscape/cytoscape.min.js"
CYTOSCAPE_LICENCE = "cytoscape/LICENSE"
CYTOSCAPE_VERSION = "3.35.0"


@cache
def asset(name: str) -> str:
    """Return the text of a file."""
    return (DIRECTORY / name).read_bytes().decode("utf-8")


def source(text: str) -> str:
    """Return what allows exactly this text as a script or a style in a content security policy."""
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
