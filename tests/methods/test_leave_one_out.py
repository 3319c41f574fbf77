"""Each unit taken out: against the plain model run on the ids that are left."""

import pytest
import torch
from support import slow_reference, tiny


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2", "bart"])
def test_scores_are_those_of_the_ids_that_are_left(architecture: str) -> None:
    explainer = tiny.explainer(architecture)
    for text in tiny.TEXTS[:3]:
        units, ids = slow_reference.places(explainer.tokenizer, text, "word")

        def log_odds(kept: list[int], label: int) -> float:
            with torch.no_grad():
                shares = explainer.model(input_ids=torch.tensor([kept])).logits[0].double().softmax(-1)
            return float(torch.logit(shares[label]))

        found = explainer.explain(text, method="leave_one_out", target=1)
        left = [[token for at, token in enumerate(ids) if at not in unit] for unit in units]
        expected = [log_odds(ids, 1) - log_odds(kept, 1) for kept in left]
        assert max(map(abs, expected)) > 1e-3
        assert found.scores == pytest.approx(expected, abs=1e-9)
        assert found.scores_by_output is not None
        assert found.scores_by_output[:, 1] == pytest.approx(found.scores)
