"""Memory of this process, in bytes, as Linux counts it."""

from __future__ import annotations

import re
import resource
from pathlib import Path


def resident() -> int:
    """Return the memory of this process that is in use now, shared pages included."""
    return _kilobytes("status", "VmRSS")


def peak() -> int:
    """Return the most memory this process ever used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def private() -> int:
    """Return the memory that would be free if this process ended."""
    return _kilobytes("smaps_rollup", "Private_Clean") + _kilobytes("smaps_rollup", "Private_Dirty")


def _kilobytes(file: str, field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB$", Path("/proc/self", file).read_text(), re.MULTILINE)
    assert found is not None, field
    return int(found[1]) * 1024
