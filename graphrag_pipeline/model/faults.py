"""What is wrong with parameters, in the words of those who wrote the check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def said_of(fault: Mapping[str, Any]) -> str:  # Any: pydantic's faults hold values of any type
    """Return what one of pydantic's faults says; the kind of error that a check raised is no part of it."""
    raised = fault.get("ctx", {}).get("error")
    return str(raised) if isinstance(raised, Exception) else str(fault["msg"])
