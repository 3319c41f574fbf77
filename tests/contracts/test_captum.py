"""Equal to Captum's FeatureAblation with one feature group per word."""

import pytest
import torch
from captum.attr import FeatureAblation
from support import tiny
from support.shared import SHARED, needs_shared
from torch import Tensor

from unmask import Explainer


def ablation(explainer: Explainer, text: str, target: int) -> list[float]:
    """Captum's scores of the words, on the logit, through `inputs_embeds`."""
    model, tokenizer = explainer.model, explainer.tokenizer
    found = tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
    ids, spans = found["input_ids"], found["offset_mapping"][0].tolist()
    units = explainer.explain(text).units
    groups = [
        next((index for index, unit in enumerate(units, 1) if start < unit.end and unit.start < end), 0)
        for start, end in spans
    ]
    words = model.get_input_embeddings()
    content = torch.tensor(groups)[None, :, None] > 0
    with torch.no_grad():
        written = words(ids)
        baseline = torch.where(content, words(torch.full_like(ids, tokenizer.mask_token_id)), written)

        def forward(vectors: Tensor) -> Tensor:
            return model(inputs_embeds=vectors).logits[:, target]  # type: ignore[no-any-return]  # modules are untyped

        mask = torch.tensor(groups)[None, :, None].expand_as(written)
        scores = FeatureAblation(forward).attribute(written, baselines=baseline, feature_mask=mask)
    return [float(scores[0, groups.index(group), 0]) for group in range(1, len(units) + 1)]


@pytest.mark.parametrize("text", tiny.TEXTS)
@pytest.mark.parametrize("architecture", ["bert", "distilbert"])
def test_tiny_models(architecture: str, text: str) -> None:
    explainer = tiny.explainer(architecture)
    explanation = explainer.explain(text, target=2, scale="logit")
    assert explanation.scores == pytest.approx(ablation(explainer, text, 2), rel=1e-9, abs=1e-12)


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("name", ["bert-sst2", "distilbert-sst2"])
def test_trained_models(name: str) -> None:
    explainer = Explainer.from_pretrained(SHARED / "models" / name, device="cpu")
    for text in tiny.TEXTS:
        explanation = explainer.explain(text, target="positive", scale="logit")
        largest = max(map(abs, explanation.whole))
        assert explanation.scores == pytest.approx(ablation(explainer, text, 1), rel=1e-4, abs=2e-6 * largest)
