"""Linear layers by oneDNN have the outputs and gradients of their definition."""

import pytest
import torch
from torch import Tensor, nn
from training import onednn
from training.onednn import OneDNN

pytestmark = pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="this PyTorch has no oneDNN")


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onednn, "is_faster", lambda: True)


@pytest.mark.parametrize("shape", [(7, 5), (3, 4, 5), (1, 5)])
@pytest.mark.parametrize("has_bias", [True, False])
def test_outputs_and_gradients_are_those_of_a_float64_matrix_product(shape: tuple[int, ...], has_bias: bool) -> None:
    torch.manual_seed(0)
    layer, inputs = nn.Linear(5, 6, bias=has_bias), torch.randn(shape, requires_grad=True)
    upstream = torch.randn(*shape[:-1], 6)
    with OneDNN():
        outputs = layer(inputs)
        outputs.backward(upstream)
    weight, values = (one.detach().double() for one in (layer.weight, inputs))
    bias = layer.bias.detach().double() if has_bias else torch.zeros(6).double()
    expected = torch.einsum("...i,oi->...o", values, weight) + bias
    torch.testing.assert_close(outputs, expected.float())
    _is_close(inputs.grad, torch.einsum("...o,oi->...i", upstream.double(), weight))
    _is_close(layer.weight.grad, torch.einsum("...o,...i->oi", upstream.double(), values))
    if has_bias:
        _is_close(layer.bias.grad, torch.einsum("...o->o", upstream.double()))


def test_a_gradient_that_is_not_contiguous_is_read_in_order() -> None:
    torch.manual_seed(0)
    layer, inputs = nn.Linear(4, 4), torch.randn(2, 3, 4, requires_grad=True)
    with OneDNN():
        (layer(inputs).transpose(1, 2) * torch.arange(12.0).view(4, 3)).sum().backward()
    upstream = torch.arange(12.0).view(4, 3).t().expand(2, 3, 4).double()
    _is_close(inputs.grad, torch.einsum("...o,oi->...i", upstream, layer.weight.detach().double()))


def test_layers_of_other_types_are_left_alone() -> None:
    layer, inputs = nn.Linear(4, 4).double(), torch.randn(2, 4).double()
    with OneDNN():
        found = layer(inputs)
    assert torch.equal(found, layer(inputs))


def _is_close(found: Tensor | None, expected: Tensor) -> None:
    assert found is not None
    torch.testing.assert_close(found, expected.float())
