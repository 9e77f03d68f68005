"""The config of one point of a sweep, made from the sweep's first config and what differs from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.tree import plain
from graphrag_pipeline.config.yaml_reader import read_document
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.conducting import FIRST
from graphrag_pipeline.experiment.sweep.frozen import patched, tree_digest
from graphrag_pipeline.experiment.sweep.results import read_points


def point_config(directory: Path, number: int) -> Mapping[str, Any]:  # Any: plain data
    """Return the whole config of a point as plain data, without trackers.

    Raises:
        DatasetError: There is no such point, or the sweep is damaged: the config has not the digest that
            was recorded.
    """
    points = {point.number: point for point in read_points(directory)}
    if number not in points:
        raise DatasetError(
            f"The sweep has no point {number}.",
            where=str(directory),
            hint=f"It has the points {min(points)} to {max(points)}." if points else "It has none.",
        )
    point, first = points[number], directory / FIRST
    document = read_document(first, str(first))
    if not document.problems:
        try:
            tree = patched(plain(document.tree), json.loads(point.patch))
        except (ValueError, KeyError, TypeError, RecursionError):
            tree = {}
        if tree_digest(tree) == point.config:
            return tree
    raise DatasetError(
        f"The config of point {number} is not the one that ran.",
        where=str(first),
        hint="The sweep is damaged; --force-new makes it anew.",
    )
