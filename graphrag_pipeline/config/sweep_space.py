"""The configs of a sweep: which keys are swept, over what, and each config's settings."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphrag_pipeline.config.overrides import Override, parse_override
from graphrag_pipeline.config.search_path import options_with_places, search_path
from graphrag_pipeline.config.settings import Settings, compose_with_plugins
from graphrag_pipeline.config.sweep_axis import Axis, not_listed
from graphrag_pipeline.config.sweep_composer import SweepComposer
from graphrag_pipeline.errors import ConfigError, Problem
from graphrag_pipeline.plugin.host import PluginHost

MOST_POINTS = 100_000
"""Most points of a grid."""
MOST_PROBLEMS = 200
"""Most mistakes of a sweep that are listed."""


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One config of a sweep.

    Args:
        number: Its place in the sweep, from 0.
        values: Text of the value of each swept key, as it may stand after ``=``, in the order of the keys.
        overrides: What sets them.
    """

    number: int
    values: Mapping[str, str]
    overrides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SweepSpace:
    """What a sweep goes over.

    Args:
        axes: The swept keys, in the order they were given.
        base: The overrides that are not swept; they apply before those that are.
        composer: What turns overrides into settings.
    """

    axes: tuple[Axis, ...]
    base: tuple[str, ...]
    composer: SweepComposer = field(repr=False, compare=False)

    @property
    def keys(self) -> tuple[str, ...]:
        """The swept keys, in the order they were given."""
        return tuple(axis.key for axis in self.axes)

    @property
    def size(self) -> int | None:
        """How many points its grid has; None when a key has an interval."""
        sizes = [axis.size for axis in self.axes]
        return None if None in sizes else math.prod(size for size in sizes if size is not None)

    def points(self) -> Iterator[SweepPoint]:
        """Yield every point of the grid; the last key changes fastest.

        Raises:
            ConfigError: A key has an interval, or there are more than ``MOST_POINTS`` points.
        """
        if endless := [axis.key for axis in self.axes if axis.size is None]:
            raise ConfigError([not_listed(key) for key in endless])
        if (size := self.size or 0) > MOST_POINTS:
            raise ConfigError([_too_many(self.axes, size)])
        texts = [axis.texts() for axis in self.axes]
        return map(self._point, itertools.count(), itertools.product(*texts))

    def point(self, number: int, choice: Mapping[str, str]) -> SweepPoint:
        """Return the point that has these values.

        Args:
            number: Its number.
            choice: Text of the value of each swept key.

        Raises:
            KeyError: A swept key has no value.
        """
        return self._point(number, tuple(choice[axis.key] for axis in self.axes))

    def _point(self, number: int, texts: Sequence[str]) -> SweepPoint:
        overrides = tuple(f"{axis.head}={text}" for axis, text in zip(self.axes, texts, strict=True))
        return SweepPoint(number, dict(zip(self.keys, texts, strict=True)), overrides)

    def settings_of(self, choice: Mapping[str, str]) -> Settings:
        """Return the settings of the point that has these values.

        Raises:
            ConfigError: They are invalid.
            KeyError: A swept key has no value.
        """
        return self.composer.settings(self.point(0, choice).overrides)


def sweep_space(
    overrides: Sequence[str],
    *,
    config_dirs: Sequence[str | Path] = (),
    host: PluginHost,
    config_file: str | Path | None = None,
) -> SweepSpace:
    """Read a sweep.

    Args:
        overrides: As of ``load_settings``, where a value may be ``a,b``, ``start:stop:step``, ``choice()``,
            ``range()``, ``glob()`` or ``interval()``. Quotes make one text of any of them.
        config_dirs: Directories of the user's configs.
        host: Where components are. Plugins that the config asks for are added to it.
        config_file: A whole config to start from, in place of the built-in one.

    Raises:
        ConfigError: What is swept cannot be read; it lists every mistake in that. Mistakes in the configs
            are found when they are composed, see :func:`point_settings`.
    """
    from graphrag_pipeline.config.sweep_grammar import is_swept, read_axis

    problems: list[Problem] = []
    swept: list[Override] = []
    base: list[str] = []
    for text in overrides:
        override = parse_override(text)
        if isinstance(override, Problem):
            problems.append(override)
        elif is_swept(override):
            swept.append(override)
        else:
            base.append(text)
    axes: list[Axis] = []
    for override in swept:
        axis = read_axis(override, lambda key=override.key: _options(key, base, config_dirs, host))  # type: ignore[misc]
        if isinstance(axis, Axis):
            axes.append(axis)
        else:
            problems.append(axis)
    problems += _unfit(swept, overrides)
    if problems:
        raise ConfigError(problems)
    composer = SweepComposer(base, axes, config_dirs, host, config_file)
    return SweepSpace(tuple(axes), tuple(base), composer)


def _options(
    key: str, base: Sequence[str], config_dirs: Sequence[str | Path], host: PluginHost
) -> Sequence[str]:
    compose_with_plugins(base, config_dirs, host)  # plugins that it loads may bring options
    roots, _ = search_path(config_dirs, host)
    return list(options_with_places(roots, key))


def _unfit(swept: Sequence[Override], overrides: Sequence[str]) -> Iterator[Problem]:
    """Find keys that cannot be swept, or that are set by another override, too."""
    parsed = [parse_override(text) for text in overrides]
    for override in swept:
        if override.path[0] == "plugins":
            what = "plugins are loaded once, for all configs of a sweep"
            yield Problem(override.target, what, str(override.origin), "give them without a sweep")
    targets = [item.target for item in parsed if isinstance(item, Override)]
    for key in dict.fromkeys(override.target for override in swept):
        if targets.count(key) > 1:
            said = [item.text for item in parsed if isinstance(item, Override) and item.target == key]
            what = f"is set {len(said)} times: {', '.join(said)}"
            yield Problem(key, what, str(Override(said[-1], "set", key).origin), "a swept key is given once")


def _too_many(axes: Sequence[Axis], size: int) -> Problem:
    sizes = " × ".join(f"{axis.size:,} of {axis.key}" for axis in axes)
    what = f"this sweep has {size:,} points ({sizes}), and a grid has at most {MOST_POINTS:,}"
    return Problem("", what, "", "give fewer values, or let a sampler draw from them: --sampler random")


def point_settings(space: SweepSpace, points: Iterable[SweepPoint]) -> Iterator[tuple[SweepPoint, Settings]]:
    """Yield the settings of each point, as ``load_settings`` of all its overrides gives them.

    From the first invalid point on nothing more is yielded: the others are only checked, so that the error
    at the end tells everything that is wrong with the sweep.

    Raises:
        ConfigError: Points are invalid; it lists every mistake once, with the points that have it.
    """
    found = _Mistakes()
    for point in points:
        try:
            settings = space.composer.settings(point.overrides)
        except ConfigError as error:
            found.add(point, error.problems)
            continue
        found.valid += 1
        if not found.by_problem:
            yield point, settings
    if found.by_problem:
        raise ConfigError(found.problems())


def check(space: SweepSpace, points: Iterable[SweepPoint] | None = None) -> tuple[Problem, ...]:
    """Return everything that is wrong with the points of a sweep, or with its grid where none are given."""
    try:
        for _ in point_settings(space, space.points() if points is None else points):
            pass
    except ConfigError as error:
        return error.problems
    return ()


class _Mistakes:
    """Problems of many points, each once."""

    def __init__(self) -> None:
        self.by_problem: dict[Problem, tuple[SweepPoint, int]] = {}
        self.valid = 0
        self.invalid = 0
        self.further = 0

    def add(self, point: SweepPoint, problems: Sequence[Problem]) -> None:
        self.invalid += 1
        for problem in dict.fromkeys(problems):
            first, count = self.by_problem.get(problem, (point, 0))
            if count or len(self.by_problem) < MOST_PROBLEMS:
                self.by_problem[problem] = (first, count + 1)
            else:
                self.further += 1

    def problems(self) -> list[Problem]:
        listed = [self._told(problem, *where) for problem, where in self.by_problem.items()]
        if self.further:
            listed.append(Problem("", f"and {self.further:,} further mistakes of other points"))
        return listed

    def _told(self, problem: Problem, first: SweepPoint, count: int) -> Problem:
        total = self.valid + self.invalid
        values = " ".join(f"{key}={text}" for key, text in first.values.items())
        if total == 1 or not values:
            return problem
        where = f"in all {total:,} points" if count == total else f"in {count:,} of {total:,} points"
        where += f", first with {values}" if count > 1 else f": {values}"
        return replace(problem, hint="\n            ".join(filter(None, [problem.hint, where])))
