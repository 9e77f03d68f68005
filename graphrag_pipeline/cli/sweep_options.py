"""Options of ``sweep`` that say which configs run, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from graphrag_pipeline.cli.options import named_or_not

Command = Callable[..., Any]  # Any: click hands over parameters by keyword

_LAUNCHER, _OF_LAUNCHERS = "hydra/launcher=", ("hydra/launcher=", "hydra.launcher.")
SAMPLERS = ("grid", "random", "tpe", "nsga2")
STUDIES = ("tpe", "nsga2")
"""Samplers that are told what configs were worth."""
_DRAWN = ("random", *STUDIES)
_OF_SAMPLERS = {
    "trials": ("--trials", _DRAWN, "and grid takes every config"),
    "seed": ("--seed", _DRAWN, "which draw at random"),
    "objectives": ("--objective", STUDIES, "which optimise it"),
    "batch": ("--batch", STUDIES, "which propose configs a batch at a time"),
    "study": ("--study", STUDIES, "which keep a study"),
}
"""By parameter: the option, the samplers that look at it, and why no other does."""
_NOT_GIVEN = (None, ParameterSource.DEFAULT, ParameterSource.DEFAULT_MAP)


@dataclass(frozen=True, slots=True)
class Choosing:
    """How configs are chosen.

    Args:
        sampler: One of :data:`SAMPLERS`.
        trials: Most configs of a sampler other than ``grid``.
        seed: Its seed.
        objectives: What it makes larger; smaller with a minus before it.
        batch: Configs that it proposes at a time.
        study: File of a study that other machines share; None keeps it with the sweep.
    """

    sampler: str
    trials: int
    seed: int
    objectives: tuple[str, ...]
    batch: int
    study: str | None

    @property
    def is_study(self) -> bool:
        """Whether configs are proposed by what earlier ones were worth, and so not known before."""
        return self.sampler in STUDIES

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that objectives name; ``seconds`` is none, it is always taken."""
        if not self.objectives:
            return ()
        from graphrag_pipeline.experiment.sweep.samplers import check_objectives, measure_of

        check_objectives(self.objectives)
        return tuple(name for name in map(measure_of, self.objectives) if name != "seconds")

    def about(self, *, half_a: bool) -> dict[str, object]:
        """Return what a sweep that goes on must have in common with what is there.

        Args:
            half_a: Whether a study is told what configs are worth on half A of the queries, else on all.
        """
        if self.sampler == "grid":
            return {"sampler": "grid"}
        about = {"sampler": self.sampler, "seed": self.seed, "objectives": list(self.objectives)}
        if not self.is_study:
            return about
        from graphrag_pipeline.experiment.sweep.samplers import told_of

        return {**about, "told of": told_of(half_a=half_a)}


def sampler_options(command: Command) -> Command:
    """Add how configs are chosen, as ``choosing``."""

    @click.option(
        "--sampler",
        default="grid",
        show_default=True,
        type=click.Choice(SAMPLERS),
        help="What chooses configs: all of them, some at random, or Optuna's TPE or NSGA-II.",
    )
    @click.option(
        "--trials",
        default=100,
        show_default=True,
        metavar="N",
        type=click.IntRange(1, 100_000),
        help="Configs of a sampler other than grid.",
    )
    @click.option(
        "--seed",
        default=0,
        show_default=True,
        metavar="N",
        type=click.IntRange(0, 2**32 - 1),
        help="Its seed.",
    )
    @click.option(
        "--objective",
        "objectives",
        multiple=True,
        metavar="NAME",
        help="What a sampler makes larger, or smaller with a minus before it: -tokens, -seconds. "
        "May be repeated for nsga2. Else the first measure.",
    )
    @click.option(
        "--batch",
        default=16,
        show_default=True,
        metavar="N",
        type=click.IntRange(1, 10_000),
        help="Configs that a sampler proposes at a time; they share stages.",
    )
    @click.option(
        "--study",
        callback=named_or_not,
        metavar="FILE",
        help="Journal of a study that sweeps on other machines share; each has a directory of its own.",
    )
    @wraps(command)
    def wrapped(
        *args: Any,
        sampler: str,
        trials: int,
        seed: int,
        objectives: tuple[str, ...],
        batch: int,
        study: str | None,
        **rest: Any,
    ) -> Any:
        _refuse_idle(sampler)
        choosing = Choosing(sampler, trials, seed, objectives, batch, study)
        return command(*args, choosing=choosing, **rest)

    return wrapped


def _refuse_idle(sampler: str) -> None:
    """Refuse options that were given and that the sampler does not look at.

    Raises:
        UsageError: There is one.
    """
    context = click.get_current_context()
    for option, (name, takers, why) in _OF_SAMPLERS.items():
        if sampler not in takers and context.get_parameter_source(option) not in _NOT_GIVEN:
            raise click.UsageError(f"{name} is for --sampler {_listed(takers)}, {why}.")


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def launcher_options(command: Command) -> Command:
    """Add by what a sweep runs in parts, as ``launching``, and take its overrides out of ``overrides``."""

    @click.option(
        "--launcher",
        metavar="NAME",
        help="Run in parts, by a Hydra launcher: basic, joblib, submitit_local, submitit_slurm.",
    )
    @click.option(
        "-m",
        "--multirun",
        is_flag=True,
        help="Run in parts, by the launcher of the override hydra/launcher=NAME, or else by basic.",
    )
    @click.option(
        "--shards",
        default=2,
        show_default=True,
        metavar="N",
        type=click.IntRange(1, 1000),
        help="Parts that a launcher runs, each a share of the queries.",
    )
    @wraps(command)
    def wrapped(
        *args: Any,
        overrides: tuple[str, ...],
        launcher: str | None,
        multirun: bool,
        shards: int,
        **rest: Any,
    ) -> Any:
        theirs = tuple(text for text in overrides if text.lstrip("+").startswith(_OF_LAUNCHERS))
        named = [text.partition("=")[2] for text in theirs if text.startswith(_LAUNCHER)]
        if theirs and not multirun and launcher is None:
            raise click.UsageError(f"{theirs[0]} is for a launcher: add -m, or --launcher NAME.")
        launching = None
        if multirun or launcher is not None:
            from graphrag_pipeline.experiment.sweep.sharding import Launching

            settings = tuple(text for text in theirs if not text.startswith(_LAUNCHER))
            launching = Launching(launcher or (named[-1] if named else "basic"), shards, settings)
        ours = tuple(text for text in overrides if text not in theirs)
        return command(*args, overrides=ours, launching=launching, **rest)

    return wrapped
