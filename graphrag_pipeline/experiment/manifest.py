"""What a run was made from: enough to make it again, or to say what differs."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from graphrag_pipeline._version import __version__
from graphrag_pipeline.config.settings import Settings, settings_yaml
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.plugin.host import PluginHost

FORMAT = 1
"""Version of a run directory."""
PACKAGES = (
    *("hydra-core", "omegaconf", "pluggy", "networkx", "numpy", "pydantic"),
    *("ir-measures", "pytrec-eval-terrier"),
)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything a result depends on, by digest.

    Args:
        config: Of the config in force, with what it asks of the environment as ``${oc.env:…}``.
        graph: Of the graph's content.
        dataset: Of the queries, judgements and gold paths that were read.
        plugins: Name, version and digest of each loaded plugin.
        measures: Names of the measures.
        depth: Most nodes of a ranking.
    """

    config: str
    graph: str
    dataset: str
    plugins: tuple[Mapping[str, Any], ...]  # Any: JSON
    measures: tuple[str, ...]
    depth: int

    @property
    def digest(self) -> str:
        """SHA-256 over all of them; the same inputs give the same one at any time and place."""
        parts = [self.config, self.graph, self.dataset, list(self.plugins), list(self.measures), self.depth]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def inputs_of(
    settings: Settings,
    host: PluginHost,
    index: GraphIndex,
    dataset: Dataset,
    measures: Sequence[str],
    depth: int,
) -> Inputs:
    """Return the inputs of a run."""
    config = hashlib.sha256(settings_yaml(settings).encode("utf-8", "surrogatepass")).hexdigest()
    return Inputs(config, index.digest, dataset.digest, _plugins(host), tuple(measures), depth)


def _plugins(host: PluginHost) -> tuple[Mapping[str, Any], ...]:
    kept = ("name", "source", "distribution", "version", "digest")
    report = host.report().to_dict(timings=False)["plugins"]
    return tuple({key: plugin[key] for key in kept} for plugin in report if plugin["status"] == "loaded")


# Any: JSON
def manifest(inputs: Inputs, dataset: Dataset, results: Mapping[str, str]) -> dict[str, Any]:
    """Return the manifest of a run as JSON data; there is no time in it.

    Args:
        inputs: What went in.
        dataset: The question set.
        results: Digest of the result by query; empty for one that failed.
    """
    return {
        "kind": "graphrag-pipeline run",
        "format": FORMAT,
        "digest": inputs.digest,
        "config": inputs.config,
        "graph": inputs.graph,
        "dataset": {"name": dataset.name, "digest": inputs.dataset, "queries": len(dataset.questions)},
        "measures": list(inputs.measures),
        "depth": inputs.depth,
        "plugins": list(inputs.plugins),
        "results": dict(results),
        "versions": {"graphrag-pipeline": __version__, **{name: _version(name) for name in PACKAGES}},
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
