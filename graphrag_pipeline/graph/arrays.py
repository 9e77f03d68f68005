"""The array types that cross module borders."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]
FloatArray: TypeAlias = NDArray[np.float64]
Array: TypeAlias = NDArray[Any]
"""A stored column: its type is the smallest that holds its values."""

Scalar = TypeVar("Scalar", bound=np.generic)


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Return the array where it cannot be written through already, else a view that cannot."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view
