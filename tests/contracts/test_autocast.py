"""The caller's autocast changes no score, and is on again afterwards."""

import pytest
import torch
from support import tiny

from unmask import Explainer


@pytest.mark.parametrize("method", ["sig", "ig", "dig:steps=3", "deeplift"])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_callers_autocast_changes_no_score(embedded: Explainer, method: str, dtype: torch.dtype) -> None:
    text = "A gripping, beautifully shot film."
    plain = embedded.explain(text, method=method)
    with torch.autocast("cpu", dtype=dtype):
        found = embedded.explain(text, method=method)
        is_on, kind = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")
        assert torch.mm(torch.ones(2, 2), torch.ones(2, 2)).dtype is dtype
    assert (is_on, kind) == (True, dtype)
    assert found.scores == plain.scores
    assert not torch.is_autocast_enabled("cpu")


def test_autocast_is_as_found_between_two_results_and_after_a_failure() -> None:
    explainer = tiny.explainer("bert")
    with torch.autocast("cpu", dtype=torch.bfloat16):
        for _ in explainer.attempts([tiny.TEXTS[0], "", tiny.TEXTS[1]]):
            assert torch.is_autocast_enabled("cpu")
    assert not torch.is_autocast_enabled("cpu")
