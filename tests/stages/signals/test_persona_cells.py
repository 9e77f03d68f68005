"""Nearness to the persona's cells."""

from __future__ import annotations

import numpy as np
import pytest

from graphrag_pipeline import Candidates, ConfigError, Persona, PersonaRegistry, Query, ZachmanCell
from graphrag_pipeline.stages.signals.persona_cells import PersonaCells, PersonaCellsParams
from tests.tiny import index_of, node, pipeline_of

STORED = ["architect:who", "architect:why", "architect", "engineer:who", "engineer:how", None, "nobody:who"]
INDEX = index_of([node(f"n{place}", zachman_cell=cell) for place, cell in enumerate(STORED)])
ALL = Candidates.seeds(np.arange(len(STORED)))
CELL = ZachmanCell.from_coordinate("architect:who")


def near(persona: str | None, cell: ZachmanCell | None = None, **params: object) -> list[float]:
    signal = PersonaCells(PersonaCellsParams.model_validate(params))
    return list(signal.compute(ALL, Query("x", persona=persona, persona_cell=cell), INDEX).tolist())


def test_the_very_cell_is_one_and_its_row_and_column_are_shares():
    assert near("P", CELL) == [1, 0.5, 0.5, 0.25, 0, 0, 0]
    assert near("P", CELL, same_perspective=0.8, same_interrogative=0) == [1, 0.8, 0.8, 0, 0, 0, 0]


def test_a_config_may_give_a_persona_cells_of_its_own():
    cells = {"P": ["architect:why", "engineer:how"]}
    assert near("P", CELL, cells=cells) == [0.5, 1, 0.5, 0.5, 1, 0, 0]
    assert near("Q", CELL, cells=cells) == near("Q", CELL)
    assert near("P", CELL, cells={"P": []}) == [0] * 7


def test_of_several_cells_the_best_counts():
    assert near("P", None, cells={"P": ["engineer:who", "architect:who"]})[:2] == [1, 0.5]


def test_nobody_prefers_nothing():
    assert near(None, CELL) == near("", CELL) == near("P") == [0] * 7


def test_the_cell_comes_from_the_persona_registry():
    people = PersonaRegistry([Persona("P", zachman_cell="architect:who"), Persona("Q")])
    pipeline = pipeline_of(INDEX, "seed", personas=people)
    assert pipeline.trace(Query("n", persona="P")).query.persona_cell == CELL
    assert pipeline.trace(Query("n", persona="Q")).query.persona_cell is None
    assert pipeline.trace(Query("n", persona="R")).query.persona_cell is None
    own = ZachmanCell.from_coordinate("engineer:how")
    assert pipeline.trace(Query("n", persona="P", persona_cell=own)).query.persona_cell == own
    asked = Query("n", persona="P", anchors=("mine",))
    assert pipeline.trace(asked).query.persona_cell == CELL
    assert pipeline.trace(asked).query.anchors == ("mine",)


@pytest.mark.parametrize("wrong", ["architect", "architect:whom", "", "who:architect"])
def test_what_is_no_cell_is_refused(wrong):
    with pytest.raises(ValueError, match="is not a Zachman cell"):
        PersonaCellsParams.model_validate({"cells": {"P": [wrong]}})


def test_a_query_wants_a_cell_for_its_persona():
    with pytest.raises(ConfigError, match=r"query\.persona_cell"):
        Query("x", persona_cell="architect:who")  # type: ignore[arg-type]
