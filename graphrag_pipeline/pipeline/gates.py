"""Which filters are gates of expanders, checked before anything is built."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from graphrag_pipeline.errors import Problem
from graphrag_pipeline.pipeline.spec import ComponentSpec
from graphrag_pipeline.stages.contract import ExpanderParams


def gate_of(spec: ComponentSpec) -> str | None:
    """Return the slot that an expander has for its gate; None for none, and for any other component."""
    return spec.params.gate if isinstance(spec.params, ExpanderParams) else None


def gate_problems(slots: Mapping[str, ComponentSpec], kinds: Mapping[str, str]) -> list[Problem]:
    """Return what is wrong with the gates of expanders.

    Args:
        slots: The component of each slot that is valid by itself.
        kinds: The kind of each slot, also of those that are not valid.
    """
    found = ((slot, _problem(gate, slots, kinds)) for slot, spec in slots.items() if (gate := gate_of(spec)))
    return [Problem(f"{slot}.gate", *told) for slot, told in found if told is not None]


def _problem(
    gate: str, slots: Mapping[str, ComponentSpec], kinds: Mapping[str, str]
) -> tuple[str, str, str] | None:
    """Return what is wrong with one gate, no origin, and a hint."""
    filters = [slot for slot, kind in kinds.items() if kind == "filter"]
    listed = f"filters: {', '.join(filters)}" if filters else "there is no slot with a filter"
    if gate not in kinds:
        nearest = difflib.get_close_matches(gate, filters, n=1)
        return f"{gate!r} is not a slot", "", f"did you mean {nearest[0]}? {listed}" if nearest else listed
    if kinds[gate] != "filter":
        kind = kinds[gate].replace("_", " ")
        article = "an" if kind[0] in "aeiou" else "a"
        return f"a gate is a filter, and {gate!r} is {article} {kind}", "", listed
    if gate in slots and (unfit := getattr(slots[gate].params, "unfit_as_gate", "")):
        hint = f"put {gate} behind the expander in pipeline.order, or take another filter for the gate"
        return f"{gate!r} cannot be a gate: {unfit}", "", hint
    return None
