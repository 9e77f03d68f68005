"""The contract of its persona source, as the kit of graphrag_pipeline has it.

Its graph source takes seconds to read the package's registries, and the kit has it read some thirty times.
"""

from __future__ import annotations

from graphrag_fcc.personas import FccPersonas

from graphrag_pipeline.testing import PersonaSourceSuite


class TestPersonas(PersonaSourceSuite):
    def make(self) -> FccPersonas:
        return FccPersonas()
