"""What was loaded and what was not: the same record for people, programs and manifests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphrag_pipeline.plugin.hookspecs import HOOK_API_VERSION
from graphrag_pipeline.plugin.records import SOURCES, PluginRecord


@dataclass(frozen=True, slots=True)
class PluginReport:
    """Every plugin a host met, by source in loading order and then by name.

    Args:
        plugins: The records, whatever order they were loaded in.
        hook_api: Version of the hooks.
    """

    plugins: tuple[PluginRecord, ...]
    hook_api: int = HOOK_API_VERSION

    def __post_init__(self) -> None:
        ordered = sorted(self.plugins, key=lambda record: (SOURCES.index(record.source), record.name))
        object.__setattr__(self, "plugins", tuple(ordered))

    @property
    def failed(self) -> tuple[PluginRecord, ...]:
        """The plugins that could not be loaded."""
        return tuple(record for record in self.plugins if record.status == "failed")

    def to_dict(self, *, timings: bool = True) -> dict[str, Any]:
        """Return the report as JSON data.

        Args:
            timings: Whether to tell import times; without them the same plugins give the same bytes.
        """
        return {"hook_api": self.hook_api, "plugins": [_record(record, timings) for record in self.plugins]}


def _record(record: PluginRecord, timings: bool) -> dict[str, Any]:
    failure = record.failure
    data: dict[str, Any] = {
        "name": record.name,
        "status": record.status,
        "source": record.source,
        "path": record.path,
        "distribution": record.distribution,
        "version": record.version,
        "digest": record.digest,
        "hooks": list(record.hooks),
        "components": {kind: list(names) for kind, names in record.components.items()},
        "config": list(record.config),
        "error": None if failure is None else failure.error,
        "phase": None if failure is None else failure.phase,
        "where": None if failure is None else failure.where,
        "observer_errors": list(record.observer_errors),
    }
    if timings:
        data["import_ms"] = round(record.import_ms, 3)
    return data
