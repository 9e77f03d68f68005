"""Finding and reading a table of cells."""

from __future__ import annotations

import difflib
from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import read_text
from graphrag_pipeline.graph.reading.plain_yaml import read_plain_yaml
from graphrag_pipeline.model.cell_table import CellTable

DIRECTORY = Path(__file__).parent
LARGEST = 1 << 20
"""Most bytes of a table; aliases in YAML can make far more of it."""
TABLES = ("archimate", "reference")
"""Names of the tables that come with the package."""


def table_file(name: str) -> Path:
    """Return the file of a table.

    Args:
        name: A table that comes with the package, or the path of a YAML file.

    Raises:
        GraphSourceError: There is neither.
    """
    if name in TABLES:
        return DIRECTORY / f"{name}.yaml"
    path = Path(name)
    if "\0" not in name and path.is_file():
        return path
    near = difflib.get_close_matches(name, TABLES, n=1)
    raise GraphSourceError(
        f"There is no table of Zachman cells {name!r}.",
        hint=f"Did you mean {near[0]!r}?" if near else f"Built in: {', '.join(TABLES)}; or give a YAML file.",
    )


def load_cell_table(name: str) -> CellTable:
    """Read a table by its name, or from a file.

    Raises:
        GraphSourceError: There is none, or it is wrong; the message names file and rule.
    """
    path = table_file(name)
    if path.stat().st_size > LARGEST:
        raise GraphSourceError(f"The table is larger than {LARGEST >> 20} MiB.", where=str(path))
    data = read_plain_yaml(read_text(path), path)
    try:
        return CellTable.from_dict(data, name)
    except GraphSourceError as error:
        where = f"{path}: {error.where}" if error.where else str(path)
        raise GraphSourceError(error.what, where=where, hint=error.hint) from error
