"""The configs of a sweep, made from what was asked for, in this process or in another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from graphrag_pipeline.config.models import IndexSection
from graphrag_pipeline.config.settings import Settings
from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace, point_settings, sweep_space
from graphrag_pipeline.experiment.datasets.dataset import Question
from graphrag_pipeline.experiment.datasets.load import load_dataset
from graphrag_pipeline.experiment.plugin_metrics import metrics_of
from graphrag_pipeline.experiment.request import Request
from graphrag_pipeline.experiment.summary import GRAPH_VALUES
from graphrag_pipeline.experiment.sweep.answering import Answering
from graphrag_pipeline.experiment.sweep.groups import Group, grouped
from graphrag_pipeline.experiment.sweep.measuring import Measuring, needs_context
from graphrag_pipeline.plugin.host import PluginHost


def space_of(request: Request, host: PluginHost) -> SweepSpace:
    """Return what a request sweeps."""
    return sweep_space(
        request.overrides, config_dirs=request.config_dirs, host=host, config_file=request.config_file
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

    def keep_in(self, index: IndexSection | None) -> None:
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
