"""What weights are worth by cross-validation, and what those that are shipped are: `python weights.py`.

The objective is the sum over the five sets of what counts there. Below a margin a loss counts twice: one
vector that is good everywhere, rather than very good somewhere.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from benchmark_sets import MEASURES, PASSAGE_SETS, SETS, QuestionSet, read_set
from rankings import pipelines, write_json

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
"""Where ascents begin: each is tried with the signals forwards and backwards, and the best counts."""
FOLDS, ROUNDS = 5, 3
DISCOUNT = 1 / np.log2(np.arange(10) + 2)
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Case:
    """A question's candidates: signals, grades, and how many relevant nodes there are."""

    signals: np.ndarray
    grade: np.ndarray
    gold: int
    ideal: float


def cases(questions: QuestionSet, overrides: Sequence[str] = ()) -> list[Case]:
    """Run every question, and take the signals of its candidates from the trace."""
    wanted = ",".join(f"{name}:1" for name in SIGNALS)
    made = pipelines(questions, [*overrides, "~score.weights", f"+score.weights={{{wanted}}}"])
    found = []
    for question in questions.questions:
        pipeline = made[question.graph]
        candidates = pipeline.trace(question.text).working.candidates
        columns = [candidates.signals.get(name, np.zeros(len(candidates))) for name in SIGNALS]
        signals = np.stack(columns, axis=1)
        ids, types, _ = pipeline.index.names_at(candidates.node)
        grade = np.array([float(question.relevant.get(node, 0)) for node in ids])
        if questions.name in PASSAGE_SETS:
            passage = np.array([kind == "passage" for kind in types], dtype=bool)
            signals, grade = signals[passage], grade[passage]
        best = np.sort(np.array(list(question.relevant.values()), dtype=float))[::-1][:10]
        found.append(
            Case(signals, grade, len(question.relevant), float((best * DISCOUNT[: best.size]).sum()))
        )
    return found


def measured(case: Case, weights: np.ndarray) -> tuple[float, float]:
    """Return R@5 and nDCG@10."""
    order = np.argsort(-(case.signals @ weights), kind="stable")[:10]
    grade = case.grade[order]
    gain = float((grade * DISCOUNT[: grade.size]).sum()) / case.ideal
    return float((grade[:5] > 0).sum()) / case.gold, gain


def means(data: Mapping[str, Sequence[Case]], weights: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return mean R@5 and nDCG@10 of each set."""
    return {
        name: tuple(np.mean([measured(case, weights) for case in some], axis=0))
        for name, some in data.items()
    }


def objective(data: Mapping[str, Sequence[Case]], weights: np.ndarray) -> float:
    """Return how good weights are, over all sets alike."""
    total = 0.0
    for name, (recall, gain) in means(data, weights).items():
        value = gain if MEASURES[name] == "nDCG@10" else recall
        total += 0.15 * (recall + gain) + 0.7 * value - max(0.0, GOOD[name] - value)
    return total


def tune(data: Mapping[str, Sequence[Case]]) -> np.ndarray:
    """Return the best weights of several ascents."""
    found = [
        ascend(data, np.array([start.get(name, 0.0) for name in SIGNALS]), order)
        for start in STARTS
        for order in (TUNED, TUNED[::-1])
    ]
    return max(found, key=lambda weights: objective(data, weights))


def ascend(data: Mapping[str, Sequence[Case]], weights: np.ndarray, order: Sequence[str]) -> np.ndarray:
    """Change one weight at a time to the best of the grid, until nothing helps."""
    best = objective(data, weights)
    for _ in range(ROUNDS):
        before = best
        for name in order:
            tries = [_with(weights, SIGNALS.index(name), value) for value in GRID]
            reached = [objective(data, tried) for tried in tries]
            if max(reached) > best + GAIN:
                best, weights = max(reached), tries[reached.index(max(reached))]
        if best == before:
            break
    return weights


def _with(weights: np.ndarray, place: int, value: float) -> np.ndarray:
    changed = weights.copy()
    changed[place] = value
    return changed


def main() -> None:
    """Tune on four fifths and measure on the fifth, five times; and measure what is shipped on everything."""
    logging.disable(logging.WARNING)
    data = {name: cases(read_set(name)) for name in SETS}
    chosen = tune(data)
    held_out: dict[str, list[tuple[float, float]]] = {name: [] for name in SETS}
    for fold in range(FOLDS):
        train = {name: [c for at, c in enumerate(some) if at % FOLDS != fold] for name, some in data.items()}
        weights = tune(train)
        for name, some in data.items():
            held_out[name] += [measured(case, weights) for at, case in enumerate(some) if at % FOLDS == fold]
    shipped = load_pipeline(["pipeline=hybrid"]).plan.steps[4].weights  # type: ignore[attr-defined]  # the score step
    report = {
        "cross-validated": _shown({name: tuple(np.mean(rows, axis=0)) for name, rows in held_out.items()}),
        "found on all": {name: float(w) for name, w in zip(SIGNALS, chosen, strict=True) if w},
        "those in sample": _shown(means(data, chosen)),
        "shipped": dict(shipped),
        "shipped in sample": _shown(means(data, np.array([shipped.get(name, 0.0) for name in SIGNALS]))),
    }
    print(report)  # noqa: T201
    write_json(RESULTS / "weights.json", report)


def _shown(figures: Mapping[str, tuple[float, float]]) -> dict[str, dict[str, float]]:
    return {
        name: {"R@5": round(float(r), 4), "nDCG@10": round(float(n), 4)} for name, (r, n) in figures.items()
    }


if __name__ == "__main__":
    main()
