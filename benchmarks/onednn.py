"""Compare float32 linear layers by oneDNN, which unmask uses where that is faster, with PyTorch's default.

OMP_NUM_THREADS=1 .venv/bin/python benchmarks/onednn.py
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from timing import explainer_of, interleaved, ratio
from torch.nn.functional import linear

from unmask.models import onednn

SIZES = ((2000, 384, 384), (2000, 384, 1536), (2000, 1536, 384), (2000, 768, 3072), (200, 384, 1536))
METHODS = ("sig", "ig", "shapley")
TEXT = "The plot is dull, but the acting is superb and the music, however loud, never gets in the way."
ROUNDS, REPEATS = 7, 5
is_faster = onednn.is_faster


def main() -> None:
    print(f"oneDNN is used on this processor: {'yes' if is_faster() else 'no'}")
    for rows, inputs, outputs in SIZES:
        layer = partial(linear, *map(torch.randn, ((rows, inputs), (outputs, inputs), (outputs,))))
        compare(f"{rows} rows, {inputs} to {outputs}", layer)
    explainer = explainer_of("embedded")
    for method in METHODS:
        compare(f"one sentence by {method}", partial(explainer.explain, TEXT, method=method, sets="none"))


def compare(title: str, compute: Callable[[], Any]) -> None:
    """Print how much faster something is by oneDNN."""
    seconds = interleaved(ROUNDS, default=partial(repeat, compute, False), fast=partial(repeat, compute, True))
    print(f"{title}: {ratio(seconds['default'], seconds['fast'])} times as fast", flush=True)


def repeat(compute: Callable[[], Any], is_fast: bool) -> None:
    """Compute something several times, by oneDNN or by PyTorch's default."""
    onednn.is_faster = lambda: is_fast  # type: ignore[assignment]  # the cached function
    with onednn.fast_linear(), torch.inference_mode():
        for _ in range(REPEATS):
            compute()


if __name__ == "__main__":
    main()
