"""Linear layers by oneDNN equal those by definition, and only layers that it computes faster are replaced."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from unmask import Explainer
from unmask.models import onednn
from unmask.models.onednn import fast_linear

ROWS, INPUTS, OUTPUTS = 64, 256, 512

pytestmark = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="PyTorch was built without oneDNN")


@pytest.fixture(autouse=True)
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Use oneDNN on any processor, and record each layer that it computes."""
    recorded: list[object] = []
    original = onednn.onednn_linear
    monkeypatch.setattr(onednn, "is_faster", lambda: True)

    def recording(*args: Tensor) -> Tensor:
        recorded.append(args)
        return original(*args)

    monkeypatch.setattr(onednn, "onednn_linear", recording)
    return recorded


def made(rows: int) -> tuple[Tensor, Tensor, Tensor]:
    rng = torch.Generator().manual_seed(0)
    return tuple(torch.randn(shape, generator=rng) for shape in ((2, rows, INPUTS), (OUTPUTS, INPUTS), (OUTPUTS,)))  # type: ignore[return-value]  # three tensors


@pytest.fixture
def layer() -> tuple[Tensor, Tensor, Tensor]:
    return made(ROWS)


@pytest.mark.parametrize("rows", [ROWS, 77, 128, 999])
def test_outputs_equal_the_sum_of_products(rows: int, calls: list[object]) -> None:
    inputs, weight, bias = made(rows)
    expected = torch.einsum("bri,oi->bro", inputs.double(), weight.double()) + bias.double()
    with fast_linear(), torch.inference_mode():
        found, unbiased = linear(inputs, weight, bias), linear(inputs, weight)
    assert len(calls) == 2
    torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(unbiased.double(), expected - bias.double(), rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("rows", [ROWS, 999])
def test_gradients_equal_the_sum_of_products(rows: int, calls: list[object]) -> None:
    inputs, weight, bias = made(rows)
    inputs.requires_grad_()
    upstream = torch.randn(2, rows, OUTPUTS, generator=torch.Generator().manual_seed(1))
    with fast_linear():
        (found,) = torch.autograd.grad(linear(inputs, weight, bias), inputs, upstream)
    assert calls
    expected = torch.einsum("bro,oi->bri", upstream.double(), weight.double())
    torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-4)


def test_batches_of_any_size_are_multiplied_in_blocks_of_few_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes, product = set[int](), torch.ops.mkldnn._linear_pointwise

    def recording(rows: Tensor, *others: object) -> Tensor:
        sizes.add(len(rows))
        found: Tensor = product(rows, *others)
        return found

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", recording)
    weight = torch.ones(1, 2)
    for rows in range(1, 3_000, 7):
        assert onednn.onednn_linear(torch.ones(rows, 2), weight).tolist() == [[2.0]] * rows
    assert len(sizes) <= 16 * torch.get_num_threads()


def test_a_block_is_at_most_an_eighth_too_large() -> None:
    for rows in range(1, 5_000):
        assert 0 <= onednn.block_size(rows) - rows < max(onednn.GRAIN, rows / onednn.STEPS)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one.double(),
        lambda one: one.bfloat16(),
        lambda one: one.to_sparse(),
        lambda one: one.detach().requires_grad_(),
    ],
    ids=["float64", "bfloat16", "sparse", "trained"],
)
def test_other_weights_are_left_to_pytorch(
    layer: tuple[Tensor, Tensor, Tensor], calls: list[object], change: object
) -> None:
    inputs, weight, _ = layer
    changed = change(weight)  # type: ignore[operator]  # a function
    given = inputs[0].to(changed.dtype)
    expected = linear(given, changed)
    with fast_linear():
        assert torch.equal(linear(given, changed), expected)
    assert not calls


def test_small_layers_are_left_to_pytorch(layer: tuple[Tensor, Tensor, Tensor], calls: list[object]) -> None:
    inputs, weight, bias = layer
    with fast_linear():
        linear(inputs[0, :1], weight, bias)
    assert not calls


def test_pytorch_is_as_before_after_an_exception(layer: tuple[Tensor, Tensor, Tensor], calls: list[object]) -> None:
    with pytest.raises(RuntimeError, match="stop"), fast_linear():
        raise RuntimeError("stop")
    linear(*layer)
    assert not calls


def test_scores_are_those_of_the_plain_model(calls: list[object]) -> None:
    """Against the model's own outputs for altered ids, computed outside the context."""
    explainer = Explainer.default(device="cpu")
    text = "The plot is dull, but the acting is superb and the music, however loud, never gets in the way."
    found = explainer.explain(text, sets="none")
    assert calls
    model, tokenizer = explainer.model, explainer.tokenizer
    encoded = tokenizer(text, return_offsets_mapping=True, return_tensors="pt")
    offsets = encoded.pop("offset_mapping")[0].tolist()
    calls.clear()
    assert isinstance(model, nn.Module)
    for unit, score in zip(found.units, found.scores, strict=True):
        ids = encoded["input_ids"].clone()
        moved = [at for at, (start, end) in enumerate(offsets) if start < unit.end and unit.start < end]
        ids[0, moved] = tokenizer.mask_token_id
        with torch.inference_mode():
            whole, without = (
                model(input_ids=one, attention_mask=encoded["attention_mask"]).logits[0].double()
                for one in (encoded["input_ids"], ids)
            )
        label = int(whole.argmax())
        odds = [float(row[label] - row[1 - label]) for row in (whole, without)]
        assert score == pytest.approx(odds[0] - odds[1], abs=2e-5)
    assert not calls
