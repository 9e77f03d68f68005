"""What is needed to make the configs of a sweep again in another process, or on another machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graphrag_pipeline.config.models import IndexSection
from graphrag_pipeline.config.settings import Settings
from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace, point_settings, sweep_space
from graphrag_pipeline.config.trackers import chooses_trackers
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.plugin_metrics import metrics_of
from graphrag_pipeline.experiment.summary import GRAPH_VALUES
from graphrag_pipeline.experiment.sweep.answering import Answering
from graphrag_pipeline.experiment.sweep.groups import Group, grouped
from graphrag_pipeline.experiment.sweep.measuring import Measuring, needs_context
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.tracking.redaction import override_without_secrets


@dataclass(frozen=True, slots=True)
class Request:
    """A sweep as it was asked for; it can be sent to another process.

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

    @property
    def asked(self) -> tuple[str, ...]:
        """The overrides that results depend on, as they may be kept: trackers and secrets left out."""
        kept = (text for text in self.overrides if not chooses_trackers(text))
        return tuple(map(override_without_secrets, kept))

    def host(self) -> PluginHost:
        """Return a host with the plugins."""
        return PluginHost.discover(files=self.plugins, blocked=self.blocked)

    def space(self, host: PluginHost) -> SweepSpace:
        """Return what is swept."""
        return sweep_space(
            self.overrides, config_dirs=self.config_dirs, host=host, config_file=self.config_file
        )


class Workshop:
    """The configs of a sweep, or some of them, ready to answer; one graph is in memory at a time.

    Args:
        request: The sweep.
        space: What is swept.
        host: Where components come from.
        points: The configs.
        note: Told of each config; it is let go afterwards.

    Raises:
        ConfigError: Configs are invalid; it tells everything that is wrong with any of them.
    """

    def __init__(
        self,
        request: Request,
        space: SweepSpace,
        host: PluginHost,
        points: Sequence[SweepPoint],
        note: Callable[[SweepPoint, Settings], None] | None = None,
    ) -> None:
        with_context = needs_context(request.measures)
        numbered = _numbered(space, points, note)
        self.groups: tuple[Group, ...] = grouped(numbered, host, self._questions, with_context=with_context)
        metrics = metrics_of([name for name in request.measures if name not in GRAPH_VALUES], host)
        self._measuring = Measuring(request.measures, request.depth, metrics)
        self._host = host
        self._index = request.index
        self._open: tuple[int, Answering] | None = None

    def _questions(self, settings: Settings) -> Sequence[Question]:
        self.dataset = load_dataset(settings.dataset)
        return self.dataset.questions

    def keep_in(self, index: IndexSection) -> None:
        """Keep compiled graphs elsewhere than the config says, so that other processes find them there."""
        self._index = index
        self._open = None
        for group in range(len(self.groups)):
            self.answering(group)

    def answering(self, group: int) -> Answering:
        """Return a group with its graph loaded; that of another group is let go."""
        if self._open is None or self._open[0] != group:
            self._open = None
            made = Answering(self.groups[group], self._host, self.dataset, self._measuring, self._index)
            self._open = group, made
        return self._open[1]


def _numbered(
    space: SweepSpace, points: Sequence[SweepPoint], note: Callable[[SweepPoint, Settings], None] | None
) -> Iterator[tuple[int, Settings]]:
    for point, settings in point_settings(space, points):
        if note is not None:
            note(point, settings)
        yield point.number, settings
