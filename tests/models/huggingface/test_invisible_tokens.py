"""Tokens without a visible character, on a byte-level tokenizer: which move, told by the plain model on altered ids."""

from functools import cache

import pytest
import torch
from support.shared import SHARED, needs_shared

from unmask import Explainer, Request

FLAG = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"  # a black flag and invisible tags
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # three people and two joiners


@cache
def roberta() -> Explainer:
    return Explainer.from_pretrained(SHARED / "models" / "roberta-sst2", device="cpu")


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_", "staying"),
    [
        (Request(f"A great film {FLAG} for all"), 1),  # the space before the flag is between two units
        (Request(f"dull {FAMILY}, dull"), 1),
        (Request("A great   film"), 1),  # the spaces between two units are a token of their own
        (Request("A great   film", spans=[(0, 14)]), 0),  # inside a span it moves
    ],
)
def test_invisible_tokens_move_inside_a_unit_alone(request_: Request, staying: int) -> None:
    explainer, tokenizer = roberta(), roberta().tokenizer
    ids = tokenizer(request_.text)["input_ids"]
    moving = [
        at
        for at, one in enumerate(ids)
        if one not in tokenizer.all_special_ids and (tokenizer.decode([one]).strip() or not staying)
    ]
    assert len(moving) == len(ids) - 2 - staying
    altered = torch.tensor([[tokenizer.mask_token_id if at in moving else one for at, one in enumerate(ids)]])
    with torch.no_grad():
        expected = explainer.model(input_ids=altered).logits[0]
    found = explainer.explain(request_, sets="none")
    assert found.at_baseline == pytest.approx(expected.tolist(), abs=2e-4)
