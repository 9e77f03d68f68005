"""What results were made from, as a run or a sweep tells it, so that some of them can be made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphrag_pipeline.config.yaml_writer import to_yaml
from graphrag_pipeline.experiment.manifest import FORMAT
from graphrag_pipeline.experiment.recorded import CONFIG, RunRecord, mapping
from graphrag_pipeline.experiment.sweep.point_config import point_config

# Any throughout: JSON data of a file.


@dataclass(frozen=True, slots=True)
class Recipe:
    """What results were made from.

    Args:
        config: The whole config, as YAML.
        queries: Ids of the queries, in order.
        graph: Digest of the graph; empty when it is not known.
        dataset: Digest of the question set; likewise.
        plugins: Digest of each plugin.
        results: Digest of the result by query, empty for one that failed; None where none was kept.
    """

    config: str
    queries: tuple[str, ...]
    graph: str
    dataset: str
    plugins: Mapping[str, str]
    results: Mapping[str, str] | None

    @contextmanager
    def file(self) -> Iterator[Path]:
        """Give a file with the config while the body runs."""
        with TemporaryDirectory(prefix="graphrag-pipeline-report-") as directory:
            path = Path(directory) / CONFIG
            path.write_bytes(self.config.encode("utf-8", "surrogatepass"))
            yield path


def recipe_of_run(record: RunRecord) -> Recipe:
    """Return the recipe of a run."""
    manifest = record.manifest
    results = {query: _text(digest) for query, digest in mapping(manifest.get("results")).items()}
    return Recipe(
        record.config,
        tuple(row.query for row in record.rows),
        _text(manifest.get("graph")),
        _text(mapping(manifest.get("dataset")).get("digest")),
        _plugins(manifest),
        # An older version took digests over something else.
        results if manifest.get("format") == FORMAT else None,
    )


def recipe_of_point(
    directory: Path, manifest: Mapping[str, Any], queries: Sequence[str], number: int
) -> Recipe:
    """Return the recipe of one config of a sweep.

    Args:
        directory: Of the sweep.
        manifest: Its manifest.
        queries: Ids of its queries.
        number: Number of the config.

    Raises:
        DatasetError: The config is not there, or is damaged.
    """
    identity = mapping(manifest.get("identity"))
    return Recipe(
        to_yaml(point_config(directory, number)),
        tuple(queries),
        _text(identity.get("graph")),
        _text(identity.get("dataset")),
        _plugins(manifest),
        None,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _plugins(manifest: Mapping[str, Any]) -> dict[str, str]:
    plugins = manifest.get("plugins")
    entries = [mapping(plugin) for plugin in plugins] if isinstance(plugins, list) else []
    return {_text(plugin.get("name")): _text(plugin.get("digest")) for plugin in entries}
