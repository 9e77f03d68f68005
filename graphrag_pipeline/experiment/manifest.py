"""What a run was made from: enough to make it again, or to say what differs."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graphrag_pipeline._version import __version__
from graphrag_pipeline.config.settings import Settings, recipe_yaml
from graphrag_pipeline.experiment.datasets.dataset import Dataset
from graphrag_pipeline.experiment.run_files import file_digest, seal_of
from graphrag_pipeline.experiment.stable_text import variables_of
from graphrag_pipeline.model.personas import PersonaRegistry
from graphrag_pipeline.pipeline.runner import Pipeline
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.plugin.hookspecs import HOOK_API_VERSION
from graphrag_pipeline.plugin.host import PluginHost

KIND = "graphrag-pipeline run"
FORMAT = 3
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
        personas: Of the known personas.
        files: Of each file that a parameter of a stage names, by key.
        environment: Names of the environment variables that the config asks for.
        hook_api: Version of the hooks.
    """

    config: str
    graph: str
    dataset: str
    plugins: tuple[Mapping[str, Any], ...]  # Any: JSON
    measures: tuple[str, ...]
    depth: int
    personas: str
    files: Mapping[str, str]
    environment: tuple[str, ...] = ()
    hook_api: int = HOOK_API_VERSION

    @property
    def digest(self) -> str:
        """SHA-256 over all of them; the same inputs give the same one at any time and place."""
        parts = [self.config, self.graph, self.dataset, list(self.plugins), list(self.measures), self.depth]
        parts += [self.personas, dict(self.files), self.hook_api]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode("ascii")).hexdigest()


def inputs_of(
    settings: Settings,
    pipeline: Pipeline,
    dataset: Dataset,
    measures: Sequence[str],
    depth: int,
) -> Inputs:
    """Return the inputs of a run."""
    config = recipe_yaml(settings)
    return Inputs(
        hashlib.sha256(config.encode("utf-8", "surrogatepass")).hexdigest(),
        pipeline.index.digest,
        dataset.digest,
        loaded_plugins(pipeline.host),
        tuple(measures),
        depth,
        personas_digest(pipeline.personas),
        dict(_files(settings.pipeline.slots)),
        variables_of(config),
    )


def personas_digest(personas: PersonaRegistry) -> str:
    """Return the SHA-256 of everything that is known of the personas but where it was read."""
    known = [{**asdict(persona), "origin": ""} for persona in personas]
    return hashlib.sha256(json.dumps(known).encode("ascii")).hexdigest()


def _files(slots: Mapping[str, ComponentSpec]) -> Iterator[tuple[str, str]]:
    """Yield key and digest of each file that a parameter names, such as a tokenizer's."""
    for slot, spec in slots.items():
        for key, value in _texts(spec.params.model_dump(mode="json"), slot):
            is_path = key.rpartition(".")[2] in {"path", "file"} or key.endswith(("_path", "_file"))
            if is_path and "\0" not in value and Path(value).is_file():
                yield key, file_digest(Path(value))


def _texts(value: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _texts(item, f"{key}.{name}")
    elif isinstance(value, str):
        yield key, value


# Any: JSON
def loaded_plugins(host: PluginHost) -> tuple[Mapping[str, Any], ...]:
    """Return name, version and digest of each plugin that is loaded, the built-in components among them."""
    kept = ("name", "source", "distribution", "version", "digest")
    report = host.report().to_dict(timings=False)["plugins"]
    return tuple({key: plugin[key] for key in kept} for plugin in report if plugin["status"] == "loaded")


# Any: JSON
def manifest(
    inputs: Inputs,
    dataset: Dataset,
    results: Mapping[str, str],
    files: Mapping[str, str],
    observer_errors: Mapping[str, Sequence[str]] | None = None,
    degraded: Mapping[str, int] | None = None,
    bridged: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run as JSON data; there is no time in it.

    Args:
        inputs: What went in.
        dataset: The question set.
        results: Digest of the result by query; empty for one that failed.
        files: Digests of the run's own files.
        observer_errors: What observers raised before they were left out, by plugin.
        degraded: How many queries went on after a slot failed, by slot and what was done.
        bridged: To how many queries a bridge added nodes, by its mode.
    """
    made = {
        "kind": KIND,
        "format": FORMAT,
        "digest": inputs.digest,
        "config": inputs.config,
        "graph": inputs.graph,
        "dataset": {"name": dataset.name, "digest": inputs.dataset, "queries": len(dataset.questions)},
        "personas": inputs.personas,
        "component_files": dict(inputs.files),
        "environment": list(inputs.environment),
        "measures": list(inputs.measures),
        "depth": inputs.depth,
        "hook_api": inputs.hook_api,
        "plugins": list(inputs.plugins),
        "observer_errors": {name: list(lines) for name, lines in (observer_errors or {}).items()},
        "degraded": dict(degraded or {}),
        "bridged": dict(bridged or {}),
        "results": dict(results),
        "files": dict(files),
        **surroundings(),
    }
    return {**made, "seal": seal_of(made)}


# Any: JSON
def surroundings() -> dict[str, Any]:
    """Return the versions of packages and of Python, and the platform."""
    return {
        "versions": {"graphrag-pipeline": __version__, **{name: _version(name) for name in PACKAGES}},
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "platform": f"{platform.system()} {platform.machine()}",
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
