"""The contract of an embedder, as the kit of graphrag_pipeline has it, with a model of two layers."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphrag_minilm.embedder import MiniLm, MiniLmParams

from graphrag_pipeline.testing import EmbedderSuite


class TestContract(EmbedderSuite):
    exceptions = {"test_hash_seeds_change_nothing": "its model is made once, in this process"}  # noqa: RUF012

    @pytest.fixture(autouse=True)
    def _model(self, model: Path) -> None:
        self.model = model

    def make(self) -> MiniLm:
        return MiniLm(MiniLmParams(path=str(self.model)))
