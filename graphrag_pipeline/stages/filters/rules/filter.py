"""The filter that a configuration spells out."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from graphrag_pipeline.graph.index import GraphIndex
from graphrag_pipeline.model.component import Component
from graphrag_pipeline.model.query import Query
from graphrag_pipeline.stages.candidates import Candidates
from graphrag_pipeline.stages.contract import Verdict
from graphrag_pipeline.stages.filters.rules.compiled import Compiled, compile_rules
from graphrag_pipeline.stages.filters.rules.judgement import Scene
from graphrag_pipeline.stages.filters.rules.names import EdgeTypeTest
from graphrag_pipeline.stages.filters.rules.nearest_cells import advice, cell_tests, near_cells
from graphrag_pipeline.stages.filters.rules.shape import RulesParams


class Rules(Component[RulesParams]):
    """Keeps candidates that a rule holds for, or that it cannot judge; the reason names what failed.

    It does not apply to a query that has nothing any of its rules is about: without a persona a rule about
    the persona is left out.
    """

    name = "rules"
    Params = RulesParams

    @cached_property
    def _rules(self) -> Compiled:
        return compile_rules(self.params.rule)

    @property
    def judges_edges(self) -> bool:
        """Whether a rule is about the edge that leads to a node."""
        return any(isinstance(test, EdgeTypeTest) for test in self._rules.root.tests())

    def keep(self, candidates: Candidates, query: Query, index: GraphIndex) -> Verdict | None:
        """Judge every candidate."""
        rules = self._rules
        if not rules.root.applies(query):
            return None
        judged = rules.root.judge(Scene(candidates, query, index), np.arange(len(candidates)))
        return Verdict(judged.keep, judged.reason, rules.reasons)

    def remarks(self, candidates: Candidates, query: Query, index: GraphIndex) -> tuple[str, ...]:
        """Say which cells nearby would keep more, and which names the graph does not know."""
        root = self._rules.root
        scene = Scene(candidates, query, index)
        told: list[str] = []
        if any(cell_tests(root, query)):
            kept = root.judge(scene, np.arange(len(candidates))).keep
            told.append(advice(near_cells(root, scene, kept), query))
        for test in root.tests():
            told += test.remarks(scene)
        return tuple(dict.fromkeys(told))
