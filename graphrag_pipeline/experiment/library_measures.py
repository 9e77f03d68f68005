"""Measures that ir-measures computes (https://ir-measur.es): their names, and why one cannot be had.

The library raises errors of every kind, with its own objects in them; here each is one plain sentence, told
before anything runs.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from subprocess import CalledProcessError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.config.messages import nearest
from graphrag_pipeline.errors import DatasetError, GraphRAGError
from graphrag_pipeline.experiment.trec import LARGEST

Ranking = Mapping[str, Mapping[str, float]]

WRITTEN = "Measures are written nDCG@10, R@5, RR, AP, P@5, Success@3, all-gold@5."
ALL_GOLD = "all-gold"
CUTOFF = "cutoff"
_CUTOFFS = f"a whole number from 1 to {LARGEST}"
_NAME = re.compile(r"[^(@]*")
_PERL = "gdeval"
LEVEL_OF_PERL = 4
"""The highest level of relevance that the Perl program of ERR takes."""

# Any throughout: the library, which is optional, and its measures.


def library() -> Any:
    """Return the module.

    Raises:
        GraphRAGError: It is not installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its code's age, which users can do nothing about
            return import_module("ir_measures")
    except ImportError as error:
        raise GraphRAGError(
            "Measures need the package ir-measures, which is not installed.",
            hint='Install it: pip install "graphrag-pipeline[experiment]"',
        ) from error


def parsed(name: str) -> Any:
    """Return a measure of the library that can be computed here.

    Raises:
        DatasetError: There is none of that name, its parameters are wrong, or what computes it is missing.
        GraphRAGError: ir-measures is not installed.
    """
    return _parsed(library(), name)


@lru_cache(maxsize=1024)  # a sweep asks for each query
def _parsed(ir_measures: Any, name: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it reads names with parts of ast that Python 3.12 gives up
            measure = ir_measures.parse_measure(name)
    except Exception as error:  # it raises of every kind, down to AssertionError and NameError
        raise _unread(name, ir_measures.measures.registry) from error
    if mistake := _mistake(measure):
        what, hint = mistake
        raise _none(name, what, hint or WRITTEN)
    if _provider(ir_measures, measure) is None:
        why, hint = _missing(ir_measures, measure)
        raise DatasetError(f"The measure {measure} cannot be computed here: {why}.", hint=hint)
    return measure


def cutoff_in(measure: Any) -> int | None:
    """Return the last rank that a measure looks at; None where it looks at all of them."""
    found = measure.params.get(CUTOFF)
    return found if isinstance(found, int) else None


def highest_level(measure: Any) -> int:
    """Return the highest level of relevance that what computes a measure takes."""
    return LEVEL_OF_PERL if _provider(library(), measure).NAME == _PERL else LARGEST


def _unread(name: str, registry: Mapping[str, Any]) -> DatasetError:
    """Return the error of a name that the library cannot read."""
    known = (*registry, ALL_GOLD)
    match = _NAME.match(name)
    kind = match[0] if match else ""
    if kind == ALL_GOLD:
        what = f"its cutoff must be {_CUTOFFS}" if "@" in name else "it needs a cutoff"
        hint = f"{ALL_GOLD}@5, for instance."
    elif kind in known:
        what, hint = "it is not written as one", WRITTEN
    else:
        meant = nearest(kind.replace("_", "-") if "gold" in kind else kind, known)
        what, hint = "", f"Did you mean {meant}? {WRITTEN}" if meant else WRITTEN
    return _none(name, what, hint)


def _none(name: str, what: str, hint: str) -> DatasetError:
    return DatasetError(f"There is no measure {name!r:.80}{f': {what}' if what else ''}.", hint=hint)


def _mistake(measure: Any) -> tuple[str, str] | None:
    """Return what is wrong with the parameters of a measure and a hint; None where nothing is."""
    known, given, name = measure.SUPPORTED_PARAMS, measure.params, measure.NAME
    if unknown := [key for key in given if key not in known]:
        takes = f"{name} takes: {', '.join(known)}." if known else f"{name} takes no parameters."
        return f"it has no parameter {', '.join(unknown)}", takes
    if missing := [key for key, about in known.items() if about.required and key not in given]:
        return f"it needs {_named(missing)}", _example(name, measure.AT_PARAM, missing)
    for key, value in given.items():
        if not known[key].validate(value) or not _is_safe(value, key):
            if key == CUTOFF:
                return f"its cutoff must be {_CUTOFFS}, not {value!r:.40}", f"{name}@10, for instance."
            return f"its parameter {key} cannot be {value!r:.40} here", ""
    return None


def _is_safe(value: object, key: str) -> bool:
    """Tell whether a parameter is in range: a cutoff of 0 ends the process inside trec_eval."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return key != CUTOFF and isinstance(value, bool | str)
    return 1 <= value <= LARGEST if isinstance(value, int) else 0 <= value <= 1


def _named(parameters: Sequence[str]) -> str:
    plain = ["a cutoff" if key == CUTOFF else f"the parameter {key}" for key in parameters]
    return " and ".join(plain)


def _example(name: str, at: str, parameters: Sequence[str]) -> str:
    """Return a hint that shows a measure with parameters."""
    inside = ", ".join(f"{key}=1" for key in parameters if key != at)
    behind = ("@10" if at == CUTOFF else "@0.5") if at in parameters else ""
    return f"{name}{f'({inside})' if inside else ''}{behind}, for instance."


def _provider(ir_measures: Any, measure: Any) -> Any:
    """Return the part of the library that computes a measure; None where none can do so here."""
    able = (part for part in ir_measures.DefaultPipeline.providers if part.supports(measure))
    return next((part for part in able if part.is_available()), None)


def _missing(ir_measures: Any, measure: Any) -> tuple[str, str]:
    """Return why no part of the library computes a measure, and what to do."""
    parts = ir_measures.DefaultPipeline.providers
    if able := [part for part in parts if part.supports(measure)]:
        ways = [f"{part.NAME}: {part.install_instructions() or 'see https://ir-measur.es'}" for part in able]
        return f"it needs {' or '.join(part.NAME for part in able)}, which is not installed", "; ".join(ways)
    of_name = [one for part in parts for one in part.SUPPORTED_MEASURES if one.NAME == measure.NAME]
    for one in of_name:
        wrong = [key for key, rule in one.params.items() if not rule.validate(measure[key])]
        if wrong and all(getattr(one.params[key], "required", False) for key in wrong):
            hint = _example(measure.NAME, measure.AT_PARAM, wrong)
            return f"ir-measures computes it only with {_named(wrong)}", hint
    return (
        "ir-measures does not compute it with these parameters",
        "See https://ir-measur.es, or leave some out.",
    )


def values_by_library(
    measure: Any,
    judgements: Mapping[str, Mapping[str, int]],
    rankings: Sequence[Ranking],
    queries: int,
) -> NDArray[np.float64]:
    """Return a measure by ranking and query; NaN where the library gives nothing for a ranked query.

    Args:
        measure: The measure.
        judgements: Levels by query, a number from 0 as text, and document.
        rankings: By query and document what is higher for a better rank; no ties.
        queries: How many queries there are.

    Raises:
        DatasetError: It cannot be computed.
    """
    values = np.zeros((len(rankings), queries))
    try:
        evaluator = library().evaluator([measure], judgements)
        for row, ranking in enumerate(rankings):
            values[row, [int(query) for query in ranking]] = np.nan  # a ranked query must get a value
            for metric in evaluator.iter_calc(ranking):
                if metric.query_id in ranking:
                    values[row, int(metric.query_id)] = metric.value
    except Exception as error:  # whatever program the measure is computed by
        raise DatasetError(
            f"The measure {measure} cannot be computed here: {_cause(error)}.",
            hint="Measures that need no further program: nDCG@10, R@5, RR, AP, P@5, Success@3, all-gold@5.",
        ) from error
    return values


def _cause(error: Exception) -> str:
    if isinstance(error, CalledProcessError):  # its text is a command with files that are gone by now
        program = error.cmd[0] if isinstance(error.cmd, list | tuple) else error.cmd
        return f"the program {program} that computes it ended with exit code {error.returncode}"
    return str(error).rstrip(".")
