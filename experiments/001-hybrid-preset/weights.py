"""What weights are worth by repeated cross-validation, and what is shipped: `python weights.py`.

The objective is the sum over the five sets of what counts there. Below a margin a loss counts twice: one
vector that is good everywhere, rather than very good somewhere.

Weights are found by bagging (L. Breiman, "Bagging predictors", Machine Learning 24, 1996): twelve coordinate
ascents, each over its own bootstrap resample of the questions, scaled to a sum of 1 and averaged. No ascent
is picked for its outcome. Folds are drawn anew for each of five seeds.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmark_sets import MEASURES, PASSAGE_SETS, SETS, QuestionSet, read_set
from rankings import interval, pipelines, write_json

from graphrag_pipeline import load_pipeline

SIGNALS = (
    "path_from_mention",
    "mention",
    "path_sum",
    "path_max",
    "bm25",
    "residual",
    "residual_path",
    "idf_coverage",
    "ppr",
    "neighbour_smoothing",
    "degree_penalty",
)
GRID = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0)
GAIN = 0.002
"""Least gain that a weight is changed for: below it is noise."""
GOOD = {"mh-2wiki": 0.985, "kg-2wiki": 0.955, "mh-musique-openie": 0.69, "lihua": 0.92, "archimate": 0.445}
"""From here on more counts no more than elsewhere."""
TUNED = (
    "path_from_mention",
    "path_sum",
    "residual",
    "idf_coverage",
    "neighbour_smoothing",
    "bm25",
    "ppr",
    "path_max",
)
STARTS = (
    {**dict.fromkeys(TUNED, 0.2), "path_from_mention": 1.0},
    {"path_from_mention": 1.0, "bm25": 0.5},
    dict.fromkeys(TUNED, 0.5),
)
"""Where ascents begin: each with the signals forwards and backwards, on two resamples."""
RESAMPLES = 2
FOLDS, SEEDS, ROUNDS = 5, (1, 2, 3, 4, 5), 3
DISCOUNT = 1 / np.log2(np.arange(10) + 2)
RESULTS = Path(__file__).parent / "results"

Counts = Mapping[str, np.ndarray]
"""How often each question of each set counts."""


@dataclass(frozen=True, slots=True)
class Cases:
    """The candidates of a set's questions, filled up to equal numbers.

    Args:
        signals: Questions × candidates × signals.
        grade: Questions × candidates.
        last: Added to a score: far below 0 for what fills up, and what keeps ties in visit order.
        gold: How many relevant nodes each question has.
        ideal: Its best discounted gain.
    """

    signals: np.ndarray
    grade: np.ndarray
    last: np.ndarray
    gold: np.ndarray
    ideal: np.ndarray

    def measured(self, weights: np.ndarray) -> np.ndarray:
        """Return R@5 and nDCG@10 of each question."""
        score = self.signals @ weights + self.last
        best = np.argpartition(-score, 9, axis=1)[:, :10]
        order = np.argsort(-np.take_along_axis(score, best, 1), axis=1)
        grade = np.take_along_axis(self.grade, np.take_along_axis(best, order, 1), 1)
        recall = (grade[:, :5] > 0).sum(axis=1) / self.gold
        return np.stack([recall, (grade * DISCOUNT).sum(axis=1) / self.ideal], axis=1)


def cases(questions: QuestionSet, overrides: Sequence[str] = ()) -> Cases:
    """Run every question, and take the signals of its candidates from the trace."""
    wanted = ",".join(f"{name}:1" for name in SIGNALS)
    made = pipelines(questions, [*overrides, "~score.weights", f"+score.weights={{{wanted}}}"])
    signals, grades = [], []
    for question in questions.questions:
        pipeline = made[question.graph]
        candidates = pipeline.trace(question.text).working.candidates
        columns = [candidates.signals.get(name, np.zeros(len(candidates))) for name in SIGNALS]
        ids, types, _ = pipeline.index.names_at(candidates.node)
        ranked = [questions.name not in PASSAGE_SETS or kind == "passage" for kind in types]
        signals.append(np.stack(columns, axis=1)[ranked])
        grades.append(np.array([float(question.relevant.get(node, 0)) for node in ids])[ranked])
    most = max(10, *(grade.size for grade in grades))
    shape = (len(grades), most)
    all_signals, all_grades = np.zeros((*shape, len(SIGNALS))), np.zeros(shape)
    last = np.full(shape, -1e9)
    for row, (signal, grade) in enumerate(zip(signals, grades, strict=True)):
        all_signals[row, : grade.size], all_grades[row, : grade.size] = signal, grade
        last[row, : grade.size] = 0
    relevant = [sorted(q.relevant.values(), reverse=True) for q in questions.questions]
    ideal = [float((np.array(r[:10], dtype=float) * DISCOUNT[: len(r)]).sum()) for r in relevant]
    gold = np.array([len(r) for r in relevant])
    return Cases(all_signals, all_grades, last - 1e-11 * np.arange(most), gold, np.array(ideal))


class Tuner:
    """Finds weights over parts of the questions; what a vector gives is measured once.

    Args:
        data: The sets.
    """

    def __init__(self, data: Mapping[str, Cases]) -> None:
        self.data = data
        self._known: dict[tuple[float, ...], dict[str, np.ndarray]] = {}

    def objective(self, weights: np.ndarray, counts: Counts) -> float:
        """Return how good weights are, over all sets alike."""
        key = tuple(weights.tolist())
        if key not in self._known:
            self._known[key] = {name: some.measured(weights) for name, some in self.data.items()}
        total = 0.0
        for name, values in self._known[key].items():
            recall, gain = counts[name] @ values / counts[name].sum()
            value = gain if MEASURES[name] == "nDCG@10" else recall
            total += 0.15 * (recall + gain) + 0.7 * value - max(0.0, GOOD[name] - value)
        return float(total)

    def bagged(self, parts: Counts) -> np.ndarray:
        """Return the mean of ascents over resamples of the questions whose count is not 0; its sum is 1."""
        found: list[np.ndarray] = []
        for start in STARTS * RESAMPLES:
            for order in (TUNED, TUNED[::-1]):
                counts = _resampled(parts, seed=len(found))
                weights = self._ascend(np.array([start.get(name, 0.0) for name in SIGNALS]), order, counts)
                found.append(weights / weights.sum())
        mean: np.ndarray = np.mean(found, axis=0)
        return mean

    def _ascend(self, weights: np.ndarray, order: Sequence[str], counts: Counts) -> np.ndarray:
        """Change one weight at a time to the best of the grid, until nothing helps."""
        best = self.objective(weights, counts)
        for _ in range(ROUNDS):
            before = best
            for name in order:
                tries = [_with(weights, SIGNALS.index(name), value) for value in GRID]
                reached = [self.objective(tried, counts) for tried in tries]
                if max(reached) > best + GAIN:
                    best, weights = max(reached), tries[reached.index(max(reached))]
            if best == before:
                break
        return weights

    def cross_validated(self, seed: int) -> dict[str, np.ndarray]:
        """Return R@5 and nDCG@10 of each question by weights that were found without its fold."""
        fold = {
            name: np.random.default_rng(seed).permutation(some.gold.size) % FOLDS
            for name, some in self.data.items()
        }
        held = {name: np.zeros((some.gold.size, 2)) for name, some in self.data.items()}
        for this in range(FOLDS):
            weights = self.bagged({name: (of != this).astype(float) for name, of in fold.items()})
            for name, some in self.data.items():
                held[name][fold[name] == this] = some.measured(weights)[fold[name] == this]
        return held


def _resampled(parts: Counts, seed: int) -> Counts:
    rng = np.random.default_rng(seed)
    counts = {}
    for name, part in parts.items():
        of = np.flatnonzero(part)
        counts[name] = np.bincount(rng.choice(of, of.size), minlength=part.size).astype(float)
    return counts


def _with(weights: np.ndarray, place: int, value: float) -> np.ndarray:
    changed = weights.copy()
    changed[place] = value
    return changed


def main() -> None:
    """Cross-validate five times, and measure what is found and what is shipped on everything."""
    logging.disable(logging.WARNING)
    data = {name: cases(read_set(name)) for name in SETS}
    tuner = Tuner(data)
    chosen = tuner.bagged({name: np.ones(some.gold.size) for name, some in data.items()})
    repeats = [tuner.cross_validated(seed) for seed in SEEDS]
    shipped = load_pipeline(["pipeline=hybrid"]).plan.steps[4].weights  # type: ignore[attr-defined]  # the score step
    report = {
        "cross-validated": {name: _summary(name, [held[name] for held in repeats]) for name in SETS},
        "found on all": {name: round(float(w), 4) for name, w in zip(SIGNALS, chosen, strict=True) if w},
        "those in sample": _shown(data, chosen),
        "shipped": dict(shipped),
        "shipped in sample": _shown(data, np.array([shipped.get(name, 0.0) for name in SIGNALS])),
    }
    print(report)  # noqa: T201
    write_json(RESULTS / "weights.json", report)


def _summary(name: str, repeats: Sequence[np.ndarray]) -> dict[str, object]:
    """Return means over the repeats; spread and interval of the measure that counts."""
    column = ("R@5", "nDCG@10").index(MEASURES[name])
    means = [float(held[:, column].mean()) for held in repeats]
    low, high = interval(np.mean([held[:, column] for held in repeats], axis=0))
    recall, gain = np.mean([held.mean(axis=0) for held in repeats], axis=0)
    return {
        "R@5": round(float(recall), 4),
        "nDCG@10": round(float(gain), 4),
        f"{MEASURES[name]} by seed": [round(mean, 4) for mean in means],
        f"95 % of {MEASURES[name]}": [round(low, 4), round(high, 4)],
    }


def _shown(data: Mapping[str, Cases], weights: np.ndarray) -> dict[str, dict[str, float]]:
    means = {name: some.measured(weights).mean(axis=0).tolist() for name, some in data.items()}
    return {name: {"R@5": round(r, 4), "nDCG@10": round(n, 4)} for name, (r, n) in means.items()}


if __name__ == "__main__":
    main()
