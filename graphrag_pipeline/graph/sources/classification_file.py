"""Classification tables from YAML."""

from __future__ import annotations

from pathlib import Path

from graphrag_pipeline.errors import GraphSourceError
from graphrag_pipeline.graph.reading.files import read_text
from graphrag_pipeline.graph.reading.plain_yaml import read_plain_yaml
from graphrag_pipeline.model.classification import ClassificationTable


def load_classification(path: Path) -> ClassificationTable:
    """Read a table that replaces the reference's; the shape is :meth:`ClassificationTable.from_dict`'s.

    Raises:
        GraphSourceError: The file cannot be read or the table is wrong; the message names the file.
    """
    data = read_plain_yaml(read_text(path), path)
    try:
        return ClassificationTable.from_dict(data)
    except GraphSourceError as error:
        raise GraphSourceError(error.what, where=str(path), hint=error.hint) from error
