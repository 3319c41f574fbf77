"""Models in 8 bits: no gradient is needed, so nothing stands in the way."""

import warnings
from typing import Any

import pytest
import torch
from support import tiny
from torch import Tensor, nn

from unmask import Explainer


class Int8Linear(nn.Module):
    """A linear layer whose weight is whole numbers with one scale per output."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        scale = linear.weight.detach().abs().amax(1, keepdim=True) / 127
        self.weight = nn.Parameter((linear.weight.detach() / scale).round().to(torch.int8), requires_grad=False)
        self.scale, self.bias = nn.Buffer(scale), linear.bias

    def forward(self, values: Tensor) -> Tensor:
        return nn.functional.linear(values, self.weight.to(self.scale.dtype) * self.scale, self.bias)


def in_whole_numbers(model: Any) -> Any:
    for name, module in list(model.named_modules()):
        if isinstance(module, nn.Linear):
            parent, _, child = name.rpartition(".")
            setattr(model.get_submodule(parent), child, Int8Linear(module))
    return model


def packed(model: Any, **settings: Any) -> Any:
    """PyTorch's own: weights are no parameters any more but packed values in the state."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is deprecated in favor of torchao, and all at once there is no other
        return torch.ao.quantization.quantize_dynamic(model.float(), **settings)


def by_ids(explainer: Explainer, units: int) -> list[float]:
    """The scores of tokens by the quantized model itself, one row at a time, with each token masked by its id."""
    ids = explainer.tokenizer(tiny.TEXTS[0], return_tensors="pt")["input_ids"]
    values = []
    for masked in range(units + 1):  # position 0 is [CLS]: nothing is masked
        altered = ids.clone()
        altered[0, masked] = explainer.tokenizer.mask_token_id if masked else altered[0, 0]
        with torch.no_grad():
            values.append(float(explainer.model(input_ids=altered).logits[0, 0]))
    return [values[0] - value for value in values[1:]]


def close(found: tuple[float, ...], expected: tuple[float, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(found, expected, strict=True)) < 0.3 * max(map(abs, expected))


@pytest.mark.parametrize("architecture", ["bert", "llama-without-pad", "t5"])
def test_weights_in_eight_bits(architecture: str) -> None:
    expected = tiny.explainer(architecture).explain(tiny.TEXTS[0], target=0, scale="logit")
    explainer = Explainer(in_whole_numbers(tiny.model(architecture)), tiny.tokenizer(architecture))
    found = explainer.explain(tiny.TEXTS[0], target=0, scale="logit")
    assert close(found.scores, expected.scores)
    assert found.model.hash != expected.model.hash
    assert explainer.explain(tiny.TEXTS[0]).model.hash == found.model.hash


def test_packed_weights_and_activations_in_eight_bits() -> None:
    expected = tiny.explainer("bert").explain(tiny.TEXTS[0], target=0, scale="logit")
    hashes = set()
    for _ in range(2):
        model = packed(tiny.model("bert"), qconfig_spec={nn.Linear}, dtype=torch.qint8)
        explainer = Explainer(model, tiny.tokenizer("bert"), batch_tokens=1)  # rows of a batch would share one scale
        found = explainer.explain(tiny.TEXTS[0], unit="token", target=0, scale="logit")
        assert found.scores == pytest.approx(by_ids(explainer, len(found.units)), rel=1e-5, abs=1e-6)
        hashes.add(found.model.hash)
    assert len(hashes) == 1
    assert expected.model.hash not in hashes


def test_a_packed_word_embedding() -> None:
    expected = tiny.explainer("bert").explain(tiny.TEXTS[0], target=0, scale="logit")
    recipe = {nn.Embedding: torch.ao.quantization.float_qparams_weight_only_qconfig}
    model = packed(tiny.model("bert"), qconfig_spec=recipe, dtype=torch.quint8)
    found = Explainer(model, tiny.tokenizer("bert")).explain(tiny.TEXTS[0], target=0, scale="logit")
    assert close(found.scores, expected.scores)
