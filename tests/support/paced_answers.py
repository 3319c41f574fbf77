"""A tiny language model whose answer goes on only when a test lets it."""

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Event
from typing import Any

import torch
from support import tiny_causal
from torch import Tensor

from unmask.attribution.session import ModelSession
from unmask.models.adapter import Batch
from unmask.models.huggingface.causal import CausalAdapter

PROMPT, TOKENS = "the film is not bad", 12
CLICK = {"text": PROMPT, "continuation": " and good", "masked": [[1]]}


class PacedModel(CausalAdapter):
    """Its answer waits at the tokens in `gates`. `between` lists the tokens after which other batches ran."""

    def __init__(self, architecture: str = "llama") -> None:
        super().__init__(tiny_causal.model(architecture), tiny_causal.tokenizer(architecture))
        self.gates, self.is_waiting = dict[int, Event](), Event()
        self.generated, self.between = list[int](), list[int]()
        self._is_generating = False

    def hold(self, *tokens: int) -> None:
        """Make the next answer wait at these tokens."""
        self.gates = {token: Event() for token in tokens}
        self.is_waiting.clear()
        self.generated.clear()
        self.between.clear()

    def release(self) -> None:
        """Let the answer go on."""
        for gate in self.gates.values():
            gate.set()

    def generate(
        self,
        ids: Sequence[int],
        *,
        seed: int,
        settings: Mapping[str, Any],
        on_token: Callable[[int], None] | None = None,
    ) -> tuple[int, ...]:
        """Generate as the model does."""
        assert not self._is_generating

        def paced(count: int) -> None:
            self.generated.append(count)
            if count in self.gates:
                self.is_waiting.set()
                assert self.gates[count].wait(30)
            if on_token is not None:
                on_token(count)

        self._is_generating = True
        try:
            return super().generate(ids, seed=seed, settings=settings, on_token=paced)
        finally:
            self._is_generating = False

    def outputs(self, batch: Batch, vectors: Tensor) -> Tensor:
        """The logits; a batch uses up random numbers too."""
        torch.rand(3)
        if self._is_generating:
            self.between.append(self.generated[-1])
        return super().outputs(batch, vectors)


def session_of(model: PacedModel) -> ModelSession:
    return ModelSession(model, batch_tokens=200)


def without_time(content: bytes) -> dict[str, Any]:
    """An explanation's record without the seconds that it took."""
    return {name: value for name, value in json.loads(content).items() if name != "seconds"}
