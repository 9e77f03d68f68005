"""Every installed component as an option of its slot's group, so that a plugin needs no YAML of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from graphrag_pipeline.config.roots import SUFFIX, conf_root
from graphrag_pipeline.config.trackers import TRACKERS
from graphrag_pipeline.config.yaml_reader import Document, parse_document
from graphrag_pipeline.pipeline.spec import SLOT_KINDS
from graphrag_pipeline.plugin.host import PluginHost

KINDS: Mapping[str, str] = {
    "graph": "graph_source",
    "personas": "persona_source",
    **SLOT_KINDS,
    TRACKERS: "tracker",
}
"""The kind of component that each group chooses."""


@dataclass(frozen=True, slots=True)
class ComponentRoot:
    """The options ``GROUP=COMPONENT`` that stand for ``use: COMPONENT`` and the component's defaults.

    ``trackers=COMPONENT`` is that tracker and no other.

    It is searched last: an option that some directory has a file for is that file. ``plugin:name`` is an
    option too; a bare name that several plugins have is one whose validation says so.

    Args:
        host: Where components are.
        name: How messages call it.
    """

    host: PluginHost
    name: str = "components"

    @property
    def path(self) -> Path:
        """A directory to show; nothing is read from it."""
        return conf_root()

    def has(self, config: str) -> bool:
        """Whether ``group/option`` names a component."""
        group, _, option = config.removesuffix(SUFFIX).rpartition("/")
        return group in KINDS and KINDS[group] in self.host.kinds_of(option)

    def read(self, config: str) -> Document:
        """Return the option as if a file held it."""
        group, _, option = config.removesuffix(SUFFIX).rpartition("/")
        # The section of trackers holds one under each key, where other groups fill one place.
        text = (
            f'"{option.rpartition(":")[2]}": {{use: "{option}"}}' if group == TRACKERS else f'use: "{option}"'
        )
        return parse_document(text, self.shown(config))

    def shown(self, config: str) -> str:
        """Return how messages call it."""
        return f"{self.name}/{config.removesuffix(SUFFIX)}"

    def is_group(self, group: str) -> bool:
        """Whether the group chooses components."""
        return group in KINDS

    def options(self, group: str) -> list[str]:
        """Return the group's components, sorted."""
        return list(self.host.components(KINDS[group])) if group in KINDS else []

    def groups(self) -> Iterator[str]:
        """Yield every group."""
        yield from KINDS
