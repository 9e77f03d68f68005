"""Reading a run to compare it with another: only what is as it was written is worth comparing."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphrag_pipeline.config.trackers import without_trackers
from graphrag_pipeline.config.tree import plain
from graphrag_pipeline.config.yaml_reader import parse_document
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.manifest import FORMAT, KIND
from graphrag_pipeline.experiment.recorded import RunRecord, mapping, read_manifest, read_run_record
from graphrag_pipeline.experiment.recording import STEPS
from graphrag_pipeline.experiment.run_directory import MANIFEST, manifest_of
from graphrag_pipeline.experiment.run_files import CONTENT, SEALED, content_digest, seal_of
from graphrag_pipeline.experiment.run_names import RANKING

logger = logging.getLogger(__name__)

WHOLE = {
    **dict.fromkeys(("graph", "personas", "python", "platform"), str),
    **dict.fromkeys(("depth", "hook_api"), int),
    **dict.fromkeys(("dataset", "component_files", "results", "files", "versions"), dict),
    **dict.fromkeys(("measures", "environment", "plugins"), list),
}
"""What a manifest holds, and of which type."""
ANEW = "`graphrag-pipeline evaluate --force` makes a run anew."


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run whose files are as they were written.

    Args:
        record: What they hold.
        config: The config as plain data, without trackers.
        results: Digest of the result by query, in the order of the queries; empty for one that failed.
        failures: What went wrong, by query.
    """

    record: RunRecord
    config: Mapping[str, Any]  # Any: plain data
    results: Mapping[str, str]
    failures: Mapping[str, str]

    @property
    def directory(self) -> Path:
        """Where it is."""
        return self.record.directory

    @property
    def manifest(self) -> Mapping[str, Any]:  # Any: JSON
        """What it was made from."""
        return self.record.manifest

    @property
    def steps(self) -> Path:
        """The file of what each step left."""
        return self.directory / STEPS


def read_stored_run(directory: Path) -> StoredRun:
    """Read a run.

    Raises:
        DatasetError: It is no run, an older or newer version wrote it, or a file is not as it was written.
    """
    manifest = read_manifest(directory)
    if manifest["kind"] != KIND:
        raise DatasetError(
            "This is the directory of a sweep, not of a run.",
            where=str(directory),
            hint="`graphrag-pipeline freeze SWEEP` gives a config of it, which `evaluate --config` runs.",
        )
    _refuse_older(manifest, directory)
    refuse_altered(manifest, directory)
    # Times are compared with nothing, so that they may be missing.
    record = read_run_record(directory, times=False)
    document = parse_document(record.config, str(directory / "config.yaml"))
    if document.problems:
        raise DatasetError("The config of the run is damaged.", where=str(directory), hint=ANEW)
    config = without_trackers(plain(document.tree))
    return StoredRun(record, config, manifest["results"], _failures(directory))


def _refuse_older(manifest: Mapping[str, Any], directory: Path) -> None:
    if manifest["format"] < FORMAT:
        raise DatasetError(
            f"The run has format {manifest['format']}, which holds too little to compare it with another; "
            f"this version writes {FORMAT}.",
            where=str(directory / MANIFEST),
            hint=ANEW,
        )


def refuse_altered(manifest: Mapping[str, Any], directory: Path) -> None:
    """Refuse a run that is not as it was written; of an older format, what its manifest says of it counts.

    Args:
        manifest: Its manifest.
        directory: Where it is.

    Raises:
        DatasetError: The manifest or another file was altered, or one is missing.
    """
    older = manifest["format"] < FORMAT
    if manifest.get("seal") != seal_of(manifest) and not (older and "seal" not in manifest):
        raise DatasetError(
            "The manifest is not as it was written.", where=str(directory / MANIFEST), hint=ANEW
        )
    if not older:
        _refuse_damaged(manifest, directory)
    digests = mapping(manifest.get("files"))
    told = [name for name in SEALED if name in digests or (name in CONTENT and not older)]
    missing = [name for name in told if not (directory / name).is_file()]
    altered = [name for name in told if name not in missing and not _is_as_written(name, digests, directory)]
    said = list(_said({"missing": missing, "altered": altered}))
    if said:
        raise DatasetError(
            f"The run is not as it was written; {'; '.join(said)}.", where=str(directory), hint=ANEW
        )


def refuse_altered_run(file: Path) -> None:
    """Refuse a run file that stands in the directory of a run which is not as it was written.

    Raises:
        DatasetError: A file of the run was altered, or one is missing.
    """
    manifest = manifest_of(file.parent) if file.name == RANKING else None
    if manifest and isinstance(manifest.get("format"), int):  # of another one nobody can tell what it was
        refuse_altered(manifest, file.parent)


def _refuse_damaged(manifest: Mapping[str, Any], directory: Path) -> None:
    wrong = [name for name, kind in WHOLE.items() if not isinstance(manifest.get(name), kind)]
    if wrong or not all(isinstance(plugin, dict) for plugin in manifest["plugins"]):
        raise DatasetError("The manifest is damaged.", where=str(directory / MANIFEST), hint=ANEW)


def _said(names: Mapping[str, list[str]]) -> Iterator[str]:
    yield from (f"{what}: {', '.join(found)}" for what, found in names.items() if found)


def _is_as_written(name: str, digests: Mapping[str, Any], directory: Path) -> bool:
    digest = content_digest(directory / name)
    if digest is None:
        logger.warning("%s is not compared, since the package pyarrow is not installed", directory / name)
        return True
    return bool(digest == digests.get(name))


def _failures(directory: Path) -> dict[str, str]:
    """Return what went wrong, by query, without the place: that is a path on the machine it ran on."""
    lines = (directory / "failures.jsonl").read_text("utf-8").split("\n")
    entries = [json.loads(line) for line in lines if line]
    return {str(entry["query"]): str(entry["what"]) for entry in entries}
