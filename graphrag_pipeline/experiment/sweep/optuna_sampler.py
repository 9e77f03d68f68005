"""Points that Optuna proposes: TPE, or NSGA-II for several objectives.

Imported only when it is used: it loads Optuna.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag_pipeline.config.sweep_axis import Axis, Choices, Interval, Steps
from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.samplers import NSGA2, check_objectives, is_smaller_better, measure_of

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.samplers import BaseSampler
    from optuna.storages.journal import JournalFileOpenLock
    from optuna.study import Study
    from optuna.trial import FrozenTrial

_NAME = "sweep"
_MADE_BY, _OWNER = "graphrag-pipeline", "owner"
POPULATION = 50
"""Configs of a generation of NSGA-II."""


class OptunaSampler:
    """Proposes what Optuna does, and notes it in a journal that several processes may share.

    The number of a point is that of its trial. Random numbers are drawn anew for each trial from the seed
    and its number, and a batch ends at a multiple of its size; so a sweep that was interrupted proposes
    what one without a break would have.

    Args:
        name: ``tpe`` or ``nsga2``.
        space: What is swept.
        trials: Most trials of the study.
        seed: Of the random numbers.
        objectives: What is made larger; smaller with ``-`` or ``min:`` before it.
        journal: File of the study.
        owner: Name of this process among those that share the study.

    Raises:
        DatasetError: Optuna is not installed, an objective is wrong, or the journal is of another study.
    """

    def __init__(
        self,
        name: str,
        space: SweepSpace,
        *,
        trials: int,
        seed: int,
        objectives: Sequence[str],
        journal: Path,
        owner: str,
    ) -> None:
        check_objectives(objectives)
        self._name, self._space, self._trials, self._seed = name, space, trials, seed
        self._distributions = _distributions(space)
        self._owner = owner
        self._asked: set[int] = set()
        self._study = _study(journal, objectives, self._made_by(objectives))

    def _made_by(self, objectives: Sequence[str]) -> str:
        axes = [[axis.key, repr(axis.values), list(axis.tags)] for axis in self._space.axes]
        told = [[measure_of(objective), is_smaller_better(objective)] for objective in objectives]
        text = json.dumps([self._name, self._seed, axes, told])
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def ask(self, count: int) -> list[SweepPoint]:
        """Return points that an interrupted process of this name left unfinished, then new ones."""
        known = self._study.get_trials(deepcopy=False)
        points = [self._point(trial.number, trial.params) for trial in self._left(known)][:count]
        whole_batches = len(known) % count == 0
        if not points or not whole_batches:
            until = min((len(known) // count + 1) * count, self._trials)
            points += [self._new(number) for number in range(len(known), until)][: count - len(points)]
        self._asked |= {point.number for point in points}
        return points

    def _left(self, known: Sequence[FrozenTrial]) -> list[FrozenTrial]:
        """Return trials of which nothing will be heard unless they are asked for again."""
        from optuna.trial import TrialState

        left = []
        for trial in known:
            running = trial.state == TrialState.RUNNING and trial.number not in self._asked
            if running and trial.user_attrs.get(_OWNER, "") == self._owner:
                if trial.params.keys() == self._distributions.keys():
                    left.append(trial)
                elif not self._owner:
                    # It was killed while it was proposed. One without a name may be another process's.
                    self._study.tell(trial.number, state=TrialState.FAIL)
        return left

    def _new(self, number: int) -> SweepPoint:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Optuna's remarks on what is experimental tell a user nothing
            self._study.sampler = _sampler(self._name, self._seed, number)
            trial = self._study.ask(self._distributions)
        if self._owner:
            trial.set_user_attr(_OWNER, self._owner)
        return self._point(trial.number, trial.params)

    def _point(self, number: int, params: Mapping[str, Any]) -> SweepPoint:
        axes = self._space.axes
        return self._space.point(number, {axis.key: _text(axis, params[axis.key]) for axis in axes})

    def tell(self, point: SweepPoint, values: Sequence[float] | None) -> None:
        """Say what a point is worth; one without values failed."""
        from optuna.trial import TrialState

        if values is not None and not all(map(math.isfinite, values)):
            values = None
        if values is None:
            self._study.tell(point.number, state=TrialState.FAIL, skip_if_finished=True)
        else:
            self._study.tell(point.number, list(values), skip_if_finished=True)


# -- what Optuna is given -------------------------------------------------------------------------


def _distributions(space: SweepSpace) -> dict[str, BaseDistribution]:
    return {axis.key: _distribution(axis) for axis in space.axes}


def _distribution(axis: Axis) -> BaseDistribution:
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    values, log = axis.values, "log" in axis.tags
    if isinstance(values, Choices):
        return CategoricalDistribution(tuple(dict.fromkeys(values.texts)))
    if isinstance(values, Interval):
        if values.whole:
            return IntDistribution(int(values.low), int(values.high), log=log)
        return FloatDistribution(float(values.low), float(values.high), log=log)
    low, high = sorted(Decimal(values.text(at)) for at in (0, values.size - 1))
    if values.whole and (not log or abs(values.step) == 1):
        return IntDistribution(int(low), int(high), log=log, step=1 if log else int(abs(values.step)))
    # A logarithmic scale has no steps in Optuna: what it proposes is moved to the nearest one.
    return FloatDistribution(float(low), float(high), log=log, step=None if log else float(abs(values.step)))


def _text(axis: Axis, value: Any) -> str:  # Any: what the distribution gives
    values = axis.values
    if isinstance(values, Steps):
        place = round((Decimal(repr(value)) - values.start) / values.step)
        return values.text(min(max(place, 0), values.size - 1))
    return value if isinstance(value, str) else repr(value)


def _sampler(name: str, seed: int, number: int) -> BaseSampler:
    from optuna.samplers import NSGAIISampler, TPESampler

    drawn = hashlib.sha256(f"{seed} {number}".encode("ascii")).digest()
    own = int.from_bytes(drawn[:4], "big")
    return NSGAIISampler(population_size=POPULATION, seed=own) if name == NSGA2 else TPESampler(seed=own)


def _study(journal: Path, objectives: Sequence[str], made_by: str) -> Study:
    try:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend, JournalFileOpenLock
    except ImportError as error:
        raise DatasetError(
            "The samplers tpe and nsga2 need the package optuna, which is not installed.",
            hint='Install it: pip install "graphrag-pipeline[optuna]"; --sampler random needs nothing',
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)  # else it tells of every study and trial
    up, down = optuna.study.StudyDirection.MAXIMIZE, optuna.study.StudyDirection.MINIMIZE
    directions = [down if is_smaller_better(objective) else up for objective in objectives]
    # The lock must find the file from anywhere.
    path = str(journal.resolve())
    try:
        lock = JournalFileOpenLock(path)
        _mend(Path(path), lock)
        storage = JournalStorage(JournalFileBackend(path, lock))
        study = optuna.create_study(
            storage=storage, study_name=_NAME, directions=directions, load_if_exists=True
        )
        known = study.user_attrs.get(_MADE_BY)
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise DatasetError(
            f"The journal of the study cannot be used: {type(error).__name__}: {error}.",
            where=str(journal),
            hint="Restore it from a copy, or make the sweep anew: --force-new.",
        ) from error
    if known is None:
        study.set_user_attr(_MADE_BY, made_by)
    elif known != made_by:
        raise DatasetError(
            "The journal is of another study: its sampler, seed, objectives or swept values differ.",
            where=str(journal),
            hint="--output DIR makes another sweep; --force-new throws away what is there.",
        )
    return study


def _mend(path: Path, lock: JournalFileOpenLock) -> None:
    """Cut off a last line that a killed process wrote in part: what is added behind it could not be read."""
    if not path.is_file():
        return
    lock.acquire()
    try:
        with path.open("rb+") as file:
            whole = file.read()
            if not whole.endswith(b"\n"):
                file.truncate(whole.rfind(b"\n") + 1)
    finally:
        lock.release()
