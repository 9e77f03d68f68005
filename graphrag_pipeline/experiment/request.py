"""What is needed to make the configs of a command again in another process, or on another machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from graphrag_pipeline.config.models import IndexSection
from graphrag_pipeline.config.settings import Settings, load_settings
from graphrag_pipeline.config.trackers import chooses_trackers
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.redaction import override_without_secrets


@dataclass(frozen=True, slots=True)
class Request:
    """An evaluation or a sweep as it was asked for; it can be sent to another process.

    Args:
        overrides: All overrides, swept ones among them.
        config_dirs: Directories of the user's configs.
        plugins: Plugin files.
        blocked: Plugins to leave out.
        measures: Names of the measures.
        depth: Most nodes of a ranking.
        index: Where the compiled graph is kept, in place of what the config says; None for that.
        config_file: A whole config to start from; None for the built-in one.
    """

    overrides: tuple[str, ...]
    config_dirs: tuple[str, ...]
    plugins: tuple[str, ...]
    blocked: tuple[str, ...]
    measures: tuple[str, ...]
    depth: int
    index: IndexSection | None = None
    config_file: str | None = None

    def shown(self) -> Request:
        """Return the request as it may be kept and passed on: without places on this machine, and secrets."""
        return replace(
            self,
            overrides=self.asked,
            config_dirs=tuple(Path(name).name for name in self.config_dirs),
            plugins=tuple(Path(name).name for name in self.plugins),
            index=None,
            config_file=None if self.config_file is None else Path(self.config_file).name,
        )

    def sharing(self, directory: Path) -> Request:
        """Return the request with compiled graphs kept in a directory, those of small graphs, too.

        Processes that answer the same request find them there, and map them into the same memory.
        """
        return replace(self, index=IndexSection(cache_dir=str(directory), cache_from_nodes=0))

    @property
    def asked(self) -> tuple[str, ...]:
        """The overrides that results depend on, as they may be kept: trackers and secrets left out."""
        kept = (text for text in self.overrides if not chooses_trackers(text))
        return tuple(map(override_without_secrets, kept))

    def host(self) -> PluginHost:
        """Return a host with the plugins."""
        return PluginHost.discover(files=self.plugins, blocked=self.blocked)

    def settings(self, host: PluginHost) -> Settings:
        """Return the config of a request that sweeps nothing."""
        settings = load_settings(
            self.overrides, config_dirs=self.config_dirs, host=host, config_file=self.config_file
        )
        return settings if self.index is None else replace(settings, index=self.index)
