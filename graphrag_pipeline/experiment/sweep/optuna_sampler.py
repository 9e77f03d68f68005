"""Points that Optuna proposes: TPE, or NSGA-II for several objectives.

Imported only when it is used: it loads Optuna.
"""

from __future__ import annotations

import hashlib
import json
import logging
import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrag_pipeline.config.sweep_space import SweepPoint, SweepSpace
from graphrag_pipeline.errors import DatasetError
from graphrag_pipeline.experiment.sweep.optuna_space import (
    Texts,
    another,
    count_configs,
    distributions,
    params_of,
    texts_of,
)
from graphrag_pipeline.experiment.sweep.samplers import (
    EVERY,
    NSGA2,
    check_objectives,
    is_smaller_better,
    measure_of,
)

if TYPE_CHECKING:
    from optuna.samplers import BaseSampler
    from optuna.storages.journal import JournalFileOpenLock
    from optuna.study import Study
    from optuna.trial import FrozenTrial

logger = logging.getLogger(__name__)

_NAME = "sweep"
_MADE_BY, _OWNER, _TOLD = "graphrag-pipeline", "owner", "told of"
POPULATION = 50
"""Configs of a generation of NSGA-II."""
PATIENCE = 10
"""After so many proposals in a row that are nothing new, a config that is left is drawn at random."""
GIVE_UP = 1000
"""After so many, a study of intervals ends; one that can be counted ends when nothing is left."""


@dataclass(slots=True)
class _Proposed:
    """What a study has proposed so far.

    Args:
        configs: The configs.
        again: Numbers of the trials that proposed one of them again.
        streak: How many of these were the last ones.
    """

    configs: set[Texts] = field(default_factory=set)
    again: set[int] = field(default_factory=set)
    streak: int = 0

    def add(self, number: int, config: Texts) -> bool:
        """Note a trial, and return whether it is new."""
        new = config not in self.configs
        self.configs.add(config)
        self.again |= set() if new else {number}
        self.streak = 0 if new else self.streak + 1
        return new


class OptunaSampler:
    """Proposes what Optuna does, and notes it in a journal that several processes may share.

    The number of a point is that of its trial. Random numbers are drawn anew for each trial from the seed
    and its number, and a batch ends at a multiple of its size; so a sweep that was interrupted proposes
    what one without a break would have.

    Optuna may propose a config again. That trial is noted as failed, which teaches Optuna nothing, and it
    is asked for another one: no config is a point twice. When none is left, the study ends.

    Args:
        name: ``tpe`` or ``nsga2``.
        space: What is swept.
        trials: Most points of the study.
        seed: Of the random numbers.
        objectives: What is made larger; smaller with ``-`` or ``min:`` before it.
        journal: File of the study.
        owner: Name of this process among those that share the study.
        told: The queries that it is told of.

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
        told: str,
    ) -> None:
        check_objectives(objectives)
        self._name, self._space, self._trials, self._seed = name, space, trials, seed
        self._distributions = distributions(space)
        self._configs = count_configs(space)
        self._owner = owner
        self._asked: set[int] = set()
        self._study = _study(journal, objectives, self._made_by(objectives, told), told)

    def _made_by(self, objectives: Sequence[str], of: str) -> str:
        axes = [[axis.key, repr(axis.values), list(axis.tags)] for axis in self._space.axes]
        told = [[measure_of(objective), is_smaller_better(objective)] for objective in objectives]
        text = json.dumps([self._name, self._seed, axes, told, of])
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def ask(self, count: int) -> list[SweepPoint]:
        """Return points that an interrupted process of this name left unfinished, then new ones."""
        known = self._study.get_trials(deepcopy=False)
        proposed = self._proposed(known)
        points = self._left(known, proposed)[:count]
        taken = len(known) - len(proposed.again)
        whole_batches = taken % count == 0
        if not points or not whole_batches:
            until = min((taken // count + 1) * count, self._trials)
            points += self._more(len(known), proposed, min(until - taken, count - len(points)))
        if not points and taken < self._trials:
            self._tell_end(taken)
        self._asked |= {point.number for point in points}
        return points

    def _tell_end(self, taken: int) -> None:
        every = self._configs is not None
        why = "every config that there is was proposed" if every else "Optuna proposes nothing new"
        logger.info("The study ends after %d of %d trials: %s.", taken, self._trials, why)

    def _proposed(self, known: Sequence[FrozenTrial]) -> _Proposed:
        proposed = _Proposed()
        for trial in known:
            if trial.params.keys() == self._distributions.keys():
                proposed.add(trial.number, texts_of(self._space, trial.params))
        return proposed

    def _left(self, known: Sequence[FrozenTrial], proposed: _Proposed) -> list[SweepPoint]:
        """Return points of which nothing will be heard unless they are asked for again."""
        from optuna.trial import TrialState

        left = []
        for trial in known:
            running = trial.state == TrialState.RUNNING and trial.number not in self._asked
            if running and trial.user_attrs.get(_OWNER, "") == self._owner:
                whole = trial.params.keys() == self._distributions.keys()
                if whole and trial.number not in proposed.again:
                    left.append(self._point(trial.number, texts_of(self._space, trial.params)))
                elif whole or not self._owner:
                    # It was killed while it was proposed. One without a name may be another process's.
                    self._study.tell(trial.number, state=TrialState.FAIL)
        return left

    def _more(self, number: int, proposed: _Proposed, count: int) -> list[SweepPoint]:
        """Return so many new points, or as many as there are, from the trial of a number on."""
        from optuna.trial import TrialState

        points: list[SweepPoint] = []
        while len(points) < count and len(proposed.configs) != self._configs and proposed.streak < GIVE_UP:
            trial, config = self._trial(number, proposed)
            number += 1
            if proposed.add(trial, config):
                points.append(self._point(trial, config))
            else:
                self._study.tell(trial, state=TrialState.FAIL)
        return points

    def _trial(self, number: int, proposed: _Proposed) -> tuple[int, Texts]:
        """Return the number of a new trial, and its config; a study has not more patience than it needs."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Optuna's remarks on what is experimental tell a user nothing
            sampler = _sampler(self._name, self._seed, number)
            if proposed.streak >= PATIENCE and self._configs is not None:
                config = another(self._space, proposed.configs, f"{self._seed} {number}")
                sampler = _fixed(params_of(self._space, config), sampler)
            self._study.sampler = sampler
            trial = self._study.ask(self._distributions)
        if self._owner:
            trial.set_user_attr(_OWNER, self._owner)
        return trial.number, texts_of(self._space, trial.params)

    def _point(self, number: int, config: Texts) -> SweepPoint:
        return self._space.point(number, dict(zip(self._space.keys, config, strict=True)))

    def tell(self, point: SweepPoint, values: Sequence[float] | None) -> None:
        """Say what a point is worth; one without values failed."""
        from optuna.trial import TrialState

        if values is not None and not all(map(math.isfinite, values)):
            values = None
        if values is None:
            self._study.tell(point.number, state=TrialState.FAIL, skip_if_finished=True)
        else:
            self._study.tell(point.number, list(values), skip_if_finished=True)


def _sampler(name: str, seed: int, number: int) -> BaseSampler:
    from optuna.samplers import NSGAIISampler, TPESampler

    drawn = hashlib.sha256(f"{seed} {number}".encode("ascii")).digest()
    own = int.from_bytes(drawn[:4], "big")
    return NSGAIISampler(population_size=POPULATION, seed=own) if name == NSGA2 else TPESampler(seed=own)


def _fixed(params: dict[str, Any], sampler: BaseSampler) -> BaseSampler:  # Any: what distributions take
    from optuna.samplers import PartialFixedSampler

    return PartialFixedSampler(params, sampler)


def _study(journal: Path, objectives: Sequence[str], made_by: str, told: str) -> Study:
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
        known, known_told = (study.user_attrs.get(key) for key in (_MADE_BY, _TOLD))
    except (OSError, ValueError, KeyError, TypeError, AssertionError) as error:
        raise DatasetError(
            f"The journal of the study cannot be used: {type(error).__name__}: {error}.",
            where=str(journal),
            hint="Restore it from a copy, or make the sweep anew: --force-new.",
        ) from error
    if known is None:
        study.set_user_attr(_MADE_BY, made_by)
        study.set_user_attr(_TOLD, told)
    elif known != made_by:
        differs = (
            f"it is told of {known_told or EVERY}, not of {told}"
            if (known_told or EVERY) != told
            else "its sampler, seed, objectives or swept values differ"
        )
        raise DatasetError(
            f"The journal is of another study: {differs}.",
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
