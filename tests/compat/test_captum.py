"""Sequential Integrated Gradients in Captum's shape, against its definition, exact totals and Captum itself."""

import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
from captum.attr import IntegratedGradients
from captum.attr._utils.approximation_methods import approximation_parameters
from torch import Tensor, nn

from unmask.compat.captum import RULES, SequentialIntegratedGradients
from unmask.errors import ArgumentError

BATCH, LENGTH, WIDTH, OUTPUTS = 3, 5, 4, 3
SHAPES = [(BATCH, LENGTH, WIDTH), (BATCH, LENGTH), (BATCH, LENGTH, 2, 3)]
TARGETS: list[Any] = [
    1,
    torch.tensor(2),
    torch.tensor([1]),
    [0, 2, 1],
    torch.tensor([0, 2, 1]),
    [(0,), (2,), (1,)],
    (2,),
]


class Recurrent(nn.Module):
    """A time series, [batch, time, features], to outputs."""

    def __init__(self, width: int = WIDTH, outputs: int = OUTPUTS) -> None:
        super().__init__()
        self.layer = nn.GRU(width, 6, batch_first=True)
        self.head = nn.Linear(6, outputs)

    def forward(self, inputs: Tensor) -> Tensor:
        return self.head(self.layer(inputs)[0][:, -1])  # type: ignore[no-any-return]  # modules are untyped


@pytest.fixture
def model() -> Recurrent:
    torch.manual_seed(0)
    return Recurrent().double()


@pytest.fixture
def inputs() -> Tensor:
    return drawn(BATCH, LENGTH, WIDTH)


def drawn(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def curved(inputs: Tensor) -> Tensor:
    """Something that mixes positions, of any shape, [batch]."""
    flat = inputs.reshape(len(inputs), -1)
    return (torch.sin(flat) * torch.cos(flat.roll(3, 1))).sum(-1) + flat.mean(-1) ** 3


def defined(
    forward: Callable[..., Tensor], inputs: tuple[Tensor, ...], baselines: tuple[Tensor, ...], steps: int, method: str
) -> list[Tensor]:
    """The definition, one position and one step at a time; forward gives one number for each row."""
    weights, alphas = (function(steps) for function in approximation_parameters(method))
    found = [torch.zeros_like(one) for one in inputs]
    for position in range(inputs[0].shape[1]):
        for weight, alpha in zip(weights, alphas, strict=True):
            rows = [one.clone() for one in inputs]
            for row, start in zip(rows, baselines, strict=True):
                row[:, position] = start[:, position] + alpha * (row[:, position] - start[:, position])
                row.requires_grad_()
            for total, gradient in zip(found, torch.autograd.grad(forward(*rows).sum(), rows), strict=True):
                total[:, position] += weight * gradient[:, position]
    return [total * (one - start) for total, one, start in zip(found, inputs, baselines, strict=True)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("method", RULES)
def test_the_definition(shape: tuple[int, ...], method: str) -> None:
    given, start = drawn(*shape), drawn(*shape, seed=2)
    found = SequentialIntegratedGradients(curved).attribute(given, start, n_steps=6, method=method)
    (expected,) = defined(curved, (given,), (start,), 6, method)
    bias = 5 / 6 if method == "riemann_trapezoid" else 1  # what Captum's weights add up to
    assert found.shape == given.shape
    torch.testing.assert_close(found * bias, expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("method", RULES)
def test_captums_integrated_gradients_of_one_position(method: str) -> None:
    """Where there is one position, all move together. Captum's steps are in single precision."""
    given = drawn(BATCH, 1, WIDTH).requires_grad_()
    captum = IntegratedGradients(curved).attribute(given, 0.3, n_steps=9, method=method).detach()
    found = SequentialIntegratedGradients(curved).attribute(given, 0.3, n_steps=9, method=method)
    bias = 8 / 9 if method == "riemann_trapezoid" else 1
    torch.testing.assert_close(found * bias, captum, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("method", RULES)
def test_the_delta_vanishes_as_steps_grow(model: Recurrent, inputs: Tensor, method: str) -> None:
    explained = SequentialIntegratedGradients(model)
    sizes = []
    for steps in (4, 64):
        _, delta = explained.attribute(inputs, target=1, n_steps=steps, method=method, return_convergence_delta=True)
        assert delta.shape == (BATCH, LENGTH)
        sizes.append(float(delta.abs().max()))
    largest = float(explained.totals(inputs, target=1).abs().max())
    assert sizes[1] < sizes[0] / 8 or sizes[1] < 1e-12 * largest
    assert sizes[1] < (1e-12 if method == "gausslegendre" else 0.05) * largest


def test_totals_are_differences_of_outputs(model: Recurrent, inputs: Tensor) -> None:
    explained, start = SequentialIntegratedGradients(model), drawn(BATCH, LENGTH, WIDTH, seed=2)
    found = explained.totals(inputs, start, target=1)
    for position in range(LENGTH):
        without = inputs.clone()
        without[:, position] = start[:, position]
        expected = (model(inputs) - model(without))[:, 1].detach()
        torch.testing.assert_close(found[:, position], expected, rtol=1e-12, atol=1e-12)
    attributions, delta = explained.attribute(inputs, start, target=1, n_steps=3, return_convergence_delta=True)
    torch.testing.assert_close(attributions.sum(-1) - found, delta, rtol=1e-9, atol=1e-12)


def test_averaged_gradients_are_not_multiplied(model: Recurrent, inputs: Tensor) -> None:
    product, delta = SequentialIntegratedGradients(model).attribute(
        inputs, 0.5, target=1, return_convergence_delta=True
    )
    averages, same = SequentialIntegratedGradients(model, multiply_by_inputs=False).attribute(
        inputs, 0.5, target=1, return_convergence_delta=True
    )
    torch.testing.assert_close(averages * (inputs - 0.5), product)
    torch.testing.assert_close(same, delta)


@pytest.mark.parametrize("target", TARGETS)
def test_every_kind_of_target(model: Recurrent, inputs: Tensor, target: Any) -> None:
    found = SequentialIntegratedGradients(model).attribute(inputs, target=target, n_steps=4, internal_batch_size=7)
    values = target.tolist() if isinstance(target, Tensor) else target
    flat = [one[0] if isinstance(one, tuple) else one for one in (values if isinstance(values, list) else [values])]
    labels = torch.tensor(flat).expand(BATCH)

    def forward(rows: Tensor) -> Tensor:
        return model(rows)[torch.arange(BATCH), labels]  # type: ignore[no-any-return]  # modules are untyped

    (expected,) = defined(forward, (inputs,), (torch.zeros_like(inputs),), 4, "gausslegendre")
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("target", [(1, 2), [(1, 2), (0, 0), (1, 1)]])
def test_targets_in_outputs_of_two_dimensions(inputs: Tensor, target: Any) -> None:
    def table(rows: Tensor) -> Tensor:
        return torch.sin(rows).cumsum(1)[:, -2:, :3] * rows[:, :1, :3]

    found = SequentialIntegratedGradients(table).totals(inputs, target=target)
    places = target if isinstance(target, list) else [target] * BATCH
    for example, (row, column) in enumerate(places):
        one = inputs[example : example + 1]
        expected = SequentialIntegratedGradients(lambda rows, at=(row, column): table(rows)[:, at[0], at[1]])
        torch.testing.assert_close(found[example], expected.totals(one)[0])


def test_outputs_of_one_number_need_no_target(inputs: Tensor) -> None:
    flat = SequentialIntegratedGradients(curved).attribute(inputs, n_steps=4)
    column = SequentialIntegratedGradients(lambda rows: curved(rows)[:, None]).attribute(inputs, n_steps=4)
    assert torch.equal(flat, column)


def test_the_size_of_a_batch_changes_nothing(model: Recurrent, inputs: Tensor) -> None:
    explained, seen = SequentialIntegratedGradients(model), list[int]()
    handle = model.register_forward_hook(lambda _module, rows, _outputs: seen.append(len(rows[0])))
    expected = explained.attribute(inputs, target=[0, 1, 2], n_steps=5, return_convergence_delta=True)
    assert seen == [BATCH * LENGTH * 5, BATCH, BATCH * LENGTH]
    for size in (1, 3, 7):
        seen.clear()
        found = explained.attribute(
            inputs, target=[0, 1, 2], n_steps=5, internal_batch_size=size, return_convergence_delta=True
        )
        assert max(seen) == size
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)
    handle.remove()


def test_memory_is_bounded_where_the_caller_does_not_say() -> None:
    seen = list[int]()

    def forward(rows: Tensor) -> Tensor:
        seen.append(len(rows))
        return (rows**2).sum((1, 2))

    SequentialIntegratedGradients(forward).attribute(torch.ones(2, 4, 2**16), n_steps=3)
    assert seen == [4] * 6


@pytest.mark.parametrize(
    "baselines",
    [None, 0, 0.5, torch.tensor(0.5), drawn(1, LENGTH, WIDTH), drawn(1, 1, WIDTH), drawn(BATCH, LENGTH, WIDTH)],
)
def test_baselines_are_repeated(inputs: Tensor, baselines: Any) -> None:
    whole = torch.zeros_like(inputs) + (0 if baselines is None else baselines)
    found = SequentialIntegratedGradients(curved).attribute(inputs, baselines, n_steps=4)
    (expected,) = defined(curved, (inputs,), (whole,), 4, "gausslegendre")
    torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-8)


def both(first: Tensor, second: Tensor) -> Tensor:
    return curved(torch.cat([first, second[..., None]], -1))


def test_a_position_moves_in_all_inputs_at_once(inputs: Tensor) -> None:
    given, starts = (inputs, drawn(BATCH, LENGTH, seed=3)), (torch.zeros_like(inputs), torch.full((BATCH, LENGTH), 0.7))
    explained = SequentialIntegratedGradients(both)
    found, delta = explained.attribute(given, (0, 0.7), n_steps=12, return_convergence_delta=True)
    assert isinstance(found, tuple)
    assert [one.shape for one in found] == [one.shape for one in given]
    for one, expected in zip(found, defined(both, given, starts, 12, "gausslegendre"), strict=True):
        torch.testing.assert_close(one, expected, rtol=1e-6, atol=1e-7)
    totals = explained.totals(given, (0, 0.7))
    assert totals.shape == (BATCH, LENGTH)
    torch.testing.assert_close(found[0].sum(-1) + found[1] - totals, delta)
    assert float(delta.abs().max()) < 1e-6
    assert isinstance(SequentialIntegratedGradients(curved).attribute((inputs,), n_steps=2), tuple)


def test_an_input_that_is_not_used_scores_zero(inputs: Tensor) -> None:
    _, unused = SequentialIntegratedGradients(lambda first, _: curved(first)).attribute((inputs, inputs), n_steps=2)
    assert not unused.any()


def test_further_arguments_go_with_their_examples(inputs: Tensor) -> None:
    weights, bias, scale = drawn(BATCH, WIDTH), drawn(1, WIDTH), torch.tensor(2.0)
    seen = list[Any]()

    def forward(rows: Tensor, weights: Tensor, bias: Tensor, scale: Tensor, word: str) -> Tensor:
        seen.append((bias, scale, word))
        return curved(rows * weights[:, None] + bias[:, None]) * scale

    further = (weights, bias, scale, "word")
    found = SequentialIntegratedGradients(forward).attribute(
        inputs, additional_forward_args=further, n_steps=3, internal_batch_size=4
    )
    assert all(one[0] is bias and one[1] is scale and one[2] == "word" for one in seen)
    for example in range(BATCH):
        (expected,) = defined(
            lambda rows, at=example: curved(rows * weights[at] + bias[0]) * 2,
            (inputs[example : example + 1],),
            (torch.zeros(1, LENGTH, WIDTH),),
            3,
            "gausslegendre",
        )
        torch.testing.assert_close(found[example], expected[0], rtol=1e-6, atol=1e-7)
    single = SequentialIntegratedGradients(lambda rows, one: curved(rows) * one[:, 0])
    torch.testing.assert_close(
        single.totals(inputs, additional_forward_args=weights),
        SequentialIntegratedGradients(curved).totals(inputs) * weights[:, :1],
    )


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode, torch.enable_grad])
def test_everything_is_left_as_found(model: Recurrent, inputs: Tensor, mode: Callable[[], Any]) -> None:
    explained = SequentialIntegratedGradients(model)
    expected = explained.attribute(inputs, target=1, n_steps=3)
    given, start = inputs.clone().requires_grad_(), torch.zeros_like(inputs).requires_grad_()
    before = [weight.clone() for weight in model.parameters()]
    with mode():
        found, delta = explained.attribute(given, start, target=1, n_steps=3, return_convergence_delta=True)
        torch.testing.assert_close(explained.attribute(inputs.clone(), target=1, n_steps=3), expected)
    torch.testing.assert_close(found, expected)
    assert not found.requires_grad
    assert not delta.requires_grad
    assert given.requires_grad
    assert given.grad is None
    assert torch.equal(given, inputs)
    assert start.grad is None
    for weight, kept in zip(model.parameters(), before, strict=True):
        assert weight.requires_grad
        assert weight.grad is None
        assert torch.equal(weight, kept)


def test_half_precision_keeps_its_dtype(inputs: Tensor) -> None:
    expected = SequentialIntegratedGradients(curved).attribute(inputs)
    found = SequentialIntegratedGradients(curved).attribute(inputs.bfloat16())
    assert found.dtype == torch.bfloat16
    assert float((found - expected).abs().max()) < 0.05 * float(expected.abs().max())


@pytest.mark.parametrize("shape", [(0, LENGTH, WIDTH), (BATCH, 0, WIDTH)])
def test_nothing_to_attribute(shape: tuple[int, ...]) -> None:
    found, delta = SequentialIntegratedGradients(lambda rows: rows.sum((1, 2))).attribute(
        torch.zeros(shape), return_convergence_delta=True
    )
    assert found.shape == shape
    assert delta.shape == shape[:2]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"inputs": torch.ones(2, 3, dtype=torch.long)}, "int64 cannot be interpolated"),
    ({"inputs": torch.ones(3)}, r"shape \(3,\); expected \[batch, sequence, ...\]"),
    ({"inputs": [torch.ones(2, 3)]}, "expected a tensor or a tuple of tensors, but an input has type list"),
    ({"inputs": ()}, "no inputs"),
    ({"inputs": (torch.ones(2, 3), torch.ones(2, 4))}, "batch and sequence lengths .*; they must all be the same"),
    ({"baselines": (0, 0)}, "2 baselines for 1 inputs"),
    ({"baselines": "mask"}, "a baseline must be a number or a tensor, not str"),
    ({"baselines": torch.ones(2, 5, 4)}, r"a baseline of shape \(2, 5, 4\)"),
    ({"target": None}, r"the target None selects 3 values of a row's outputs, \(3,\); select one"),
    ({"target": 3}, "the target 3 is not an index into the outputs of a row"),
    ({"target": (1, 2)}, "is not an index into the outputs of a row"),
    ({"target": 1.5}, "expected an integer, a tuple of integers"),
    ({"target": [0, 1]}, "2 targets for 3 examples"),
    ({"target": [(0,), (1,), (1, 2)]}, "different numbers of indices"),
    ({"target": torch.ones(3, 1, dtype=torch.long)}, r"target of shape \(3, 1\)"),
    ({"n_steps": 0}, "n_steps=0: expected a whole number of at least 1"),
    ({"method": "riemann_trapezoid", "n_steps": 1}, "whole number from 2 to 10,000"),
    ({"method": "riemann"}, "unknown method 'riemann'"),
    ({"internal_batch_size": 0}, "internal_batch_size=0"),
]


@pytest.mark.parametrize(("changed", "sentence"), REFUSED)
def test_what_does_not_fit_is_refused_with_a_sentence(
    model: Recurrent, inputs: Tensor, changed: dict[str, Any], sentence: str
) -> None:
    arguments: dict[str, Any] = {"inputs": inputs, "target": 1, **changed}
    with pytest.raises(ArgumentError, match=sentence):
        SequentialIntegratedGradients(model).attribute(**arguments)


def test_functions_that_do_not_fit_are_refused_with_a_sentence(inputs: Tensor) -> None:
    for forward, sentence in (
        (lambda rows: rows.sum(), r"a tensor \[\] for 150 rows"),
        (lambda rows: rows.sum((1, 2))[:2], r"a tensor \[2\] for 150 rows"),
        (lambda rows: {"logits": rows}, "returned dict for 150 rows"),
        (lambda rows: rows.detach().sum((1, 2)), "returned a result without a gradient"),
    ):
        with pytest.raises(ArgumentError, match=sentence):
            SequentialIntegratedGradients(forward).attribute(inputs, n_steps=10)
    with pytest.raises(ArgumentError, match="expected a callable"):
        SequentialIntegratedGradients(None)  # type: ignore[arg-type]


def test_captum_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "captum", None)
    for name in [name for name in sys.modules if name.startswith("unmask.compat")]:
        monkeypatch.delitem(sys.modules, name)
    __import__("unmask.compat.captum")
