"""Compare the Captum-compatible class with the author's class (time-interpret): scores and time.

scripts/compare benchmarks/captum_interface.py
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from tint.attr import SequentialIntegratedGradients as Authors
from torch import Tensor, nn

from unmask.compat.captum import SequentialIntegratedGradients

TOLERANCE = 1e-4  # of the largest score
BATCH, STEPS, OUTPUTS = 4, 50, 3
METHODS = ("gausslegendre", "riemann_left", "riemann_right", "riemann_middle", "riemann_trapezoid")
TRAPEZOID = STEPS / (STEPS - 1)  # Captum's weights, which the author's class uses, add up to the inverse of this factor


class Text(nn.Module):
    """Embedded words read by a recurrent layer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.head = nn.LSTM(16, 24, batch_first=True, bidirectional=True), nn.Linear(48, OUTPUTS)

    def forward(self, words: Tensor) -> Tensor:
        return self.head(self.layer(words)[0].mean(1))  # type: ignore[no-any-return]  # modules are untyped


class Transformer(nn.Module):
    """Embedded words, their positions and a mask, read by two layers of attention."""

    def __init__(self) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True, activation="gelu")
        self.layers, self.head = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(16, OUTPUTS)

    def forward(self, words: Tensor, positions: Tensor, padding: Tensor) -> Tensor:
        return self.head(self.layers(words + positions, src_key_padding_mask=padding)[:, 0])  # type: ignore[no-any-return]  # modules are untyped


class Series(nn.Module):
    """Two time series, [batch, time, features] and [batch, time], read by a GRU."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.head = nn.GRU(6, 24, batch_first=True), nn.Linear(24, OUTPUTS)

    def forward(self, several: Tensor, one: Tensor) -> Tensor:
        return self.head(self.layer(torch.cat([several, one[..., None]], -1))[0][:, -1])  # type: ignore[no-any-return]  # modules are untyped


@dataclass(frozen=True)
class Case:
    """A model and the arguments it is explained with."""

    name: str
    model: nn.Module
    arguments: dict[str, Any]


def cases() -> list[Case]:
    torch.manual_seed(0)
    padding = torch.zeros(BATCH, 12, dtype=torch.bool)
    padding[1:, -3:] = True
    further = (torch.randn(BATCH, 12, 16), padding)
    text = {"inputs": torch.randn(BATCH, 20, 16), "baselines": torch.randn(1, 20, 16), "target": 1}
    words = {"inputs": torch.randn(BATCH, 12, 16), "target": [0, 1, 2, 1], "additional_forward_args": further}
    both = (torch.randn(BATCH, 48, 5), torch.randn(BATCH, 48))
    series = {"inputs": both, "baselines": (0.5, torch.zeros(BATCH, 48)), "target": torch.tensor([2, 0, 1, 1])}
    return [
        Case("recurrent net, 20 words", Text(), text),
        Case("transformer, 12 words, mask", Transformer(), words),
        Case("time series, two inputs, 48 times", Series(), series),
    ]


def timed(attribute: Callable[..., Any], **arguments: Any) -> tuple[list[Tensor], float]:
    started = time.perf_counter()
    found = attribute(**arguments)
    seconds = time.perf_counter() - started
    return list(found if isinstance(found, tuple) else (found,)), seconds


def apart(found: list[Tensor], expected: list[Tensor]) -> float:
    """Return the largest difference, relative to the largest score."""
    largest = max(float(one.abs().max()) for one in expected)
    return max(float((one - other).abs().max()) for one, other in zip(found, expected, strict=True)) / largest


def main() -> int:
    worst = 0.0
    print("| model | rule | score difference | our seconds | author's seconds | our delta per position ", end="")
    print("| author's delta |")
    print("|---|---|---|---|---|---|---|")
    for case in cases():
        case.model.train(mode=False)
        ours, authors = SequentialIntegratedGradients(case.model), Authors(case.model)
        for method in METHODS:
            arguments = {**case.arguments, "method": method, "n_steps": STEPS}
            found, seconds = timed(ours.attribute, **arguments)
            expected, longer = timed(authors.attribute, **arguments)
            scale = TRAPEZOID if method == "riemann_trapezoid" else 1.0
            difference = apart(found, [one.detach() * scale for one in expected])
            worst = max(worst, difference)
            _, deltas = ours.attribute(**arguments, return_convergence_delta=True)
            _, delta = authors.attribute(**arguments, return_convergence_delta=True)
            sizes = f"{float(deltas.abs().max()):.1e} | {float(delta.abs().max()):.1e}"
            print(f"| {case.name} | {method} | {difference:.1e} | {seconds:.2f} | {longer:.2f} | {sizes} |")
    print(f"\nThe largest difference is {worst:.1e} of the largest score; the limit is {TOLERANCE:.0e}.")
    return int(not worst <= TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
