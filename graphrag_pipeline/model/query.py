"""The query: what is asked, and for whom."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from types import NoneType

from graphrag_pipeline.errors import ConfigError, Problem
from graphrag_pipeline.model.zachman import ZachmanCell

_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "k": (int,),
    "persona": (str, NoneType),
    "cell": (ZachmanCell, NoneType),
    "max_hops": (int,),
    "persona_cell": (ZachmanCell, NoneType),
}
_WORDS = {
    "text": "text",
    "k": "a whole number",
    "persona": "text or None",
    "cell": "a ZachmanCell or None",
    "max_hops": "a whole number",
    "persona_cell": "a ZachmanCell or None",
}


@dataclass(frozen=True, slots=True)
class Query:
    """One question to the graph.

    Args:
        text: The words; blank text finds no seeds by label.
        k: Most seeds to start from; 0 or less means none.
        persona: Persona id that scoring favours; None or empty means nobody.
        cell: Zachman cell the filter keeps; None means no filter.
        max_hops: Most edges between a seed and a candidate; negative means 0.
        anchors: Texts that stand for the persona in scoring. The runner fills them from the persona
            registry; empty means the persona id itself.
        persona_cell: Zachman cell the persona looks from, for scoring. The runner fills it from the
            persona registry; None means that it has none.

    Raises:
        ConfigError: A value has the wrong type.
    """

    text: str
    k: int = 10
    persona: str | None = None
    cell: ZachmanCell | None = None
    max_hops: int = 3
    anchors: tuple[str, ...] = ()
    persona_cell: ZachmanCell | None = None

    def __post_init__(self) -> None:
        for name in ("k", "max_hops"):
            value: object = getattr(self, name)
            # numpy's whole numbers are as good; a bool is one only by inheritance.
            if not isinstance(value, bool) and isinstance(value, Integral):
                object.__setattr__(self, name, int(value))
        wrong = [problem for problem in map(self._problem, _KINDS) if problem]
        if wrong:
            raise ConfigError(wrong)

    def _problem(self, name: str) -> Problem | None:
        value, kinds = getattr(self, name), _KINDS[name]
        if isinstance(value, kinds) and not isinstance(value, bool):
            return None
        hint = "ZachmanCell.from_coordinate('row:column')" if ZachmanCell in kinds else ""
        return Problem(f"query.{name}", f"must be {_WORDS[name]}, got {value!r:.60}", "the query", hint)

    @property
    def hops(self) -> int:
        """``max_hops``, never negative."""
        return max(self.max_hops, 0)

    @property
    def persona_anchors(self) -> tuple[str, ...]:
        """Texts that stand for the persona; empty when there is none."""
        if not self.persona:
            return ()
        return self.anchors or (self.persona,)
