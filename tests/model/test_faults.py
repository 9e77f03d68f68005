from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import AfterValidator, BaseModel, ValidationError

from graphrag_pipeline.model.faults import said_of
from graphrag_pipeline.plugin.causes import cause


def odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError(f"{value} is even: take another")
    return value


class Model(BaseModel):
    n: Annotated[int, AfterValidator(odd)]


@pytest.mark.parametrize(
    ("given", "said"), [(2, "2 is even: take another"), ([], "Input should be a valid integer")]
)
def test_what_a_check_says_is_told_without_the_kind_of_its_error(given, said):
    with pytest.raises(ValidationError) as caught:
        Model.model_validate({"n": given})
    assert said_of(caught.value.errors()[0]) == said
    assert cause(caught.value) == f"n: {said}"
