"""Fine-tune the cut encoder on SST-2's phrases; stopped at any moment, it goes on from its last checkpoint.

Two sets of weights are kept at each epoch's end: as trained, and their running average.
"""

import copy
import json
import math
import random
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from . import texts
from .batches import Encoded, encoded, shuffled, tensors
from .measure import accuracy

CHECKPOINT_STEPS = 200
DENORMAL_STEPS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that shapes the weights; stored beside them."""

    epochs: int = 3
    batch: int = 64
    peak: float = 5e-5
    warmup: float = 0.06
    decay: float = 0.01
    average: float = 0.999
    masked: float = 0.3  # the largest share of a text's words that is masked; 0 trains the twin
    seed: int = 0

    def rate(self, step: int, steps: int) -> float:
        """The learning rate: a linear rise, then a linear fall to zero."""
        rise = max(1, int(self.warmup * steps))
        return self.peak * min((step + 1) / rise, (steps - step) / (steps - rise))

    def inputs(self, batch: list[Encoded], mask: int, draw: random.Random) -> list[list[int]]:
        """The batch's ids, each text with a share of its own of masked words."""
        if not self.masked:
            return [example.ids for example in batch]
        return [example.masked(draw.uniform(0, self.masked), mask, draw) for example in batch]


class Training:
    """The weights, their running average and the optimizer, kept in a folder."""

    def __init__(self, start: Path, folder: Path, recipe: Recipe) -> None:
        self.folder, self.recipe, self.step = folder, recipe, 0
        self.tokenizer: Any = AutoTokenizer.from_pretrained(start)
        self.model: Any = AutoModelForSequenceClassification.from_pretrained(start, dtype=torch.float32)
        self.average = copy.deepcopy(self.model)
        weights = list(self.model.parameters())
        decayed = {"params": [weight for weight in weights if weight.ndim > 1], "weight_decay": recipe.decay}
        plain = {"params": [weight for weight in weights if weight.ndim == 1], "weight_decay": 0.0}
        self.optimizer = torch.optim.AdamW([decayed, plain], lr=recipe.peak)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "recipe.json").write_text(json.dumps(asdict(recipe), indent=2) + "\n")
        if (folder / "state.pt").exists():
            self._resume()

    def learn(self, ids: list[list[int]], batch: list[Encoded], rate: float) -> float:
        """One step; its loss."""
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        labels = torch.tensor([example.label for example in batch])
        logits = self.model(**tensors(ids, self.tokenizer.pad_token_id)).logits
        loss = nn.functional.cross_entropy(logits, labels)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        self._follow()
        if self.step % DENORMAL_STEPS == 0:
            self._flush()
        return loss.item()

    def save(self) -> None:
        """A checkpoint, whole or not at all."""
        state = {
            "step": self.step,
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
        }
        torch.save(state, self.folder / "state.new")
        (self.folder / "state.new").replace(self.folder / "state.pt")

    def keep(self, epoch: int) -> None:
        """Both sets of weights at an epoch's end, and how good they are on the development set."""
        dev = texts.sst2("dev")
        for name, weights in ((f"epoch-{epoch}", self.model), (f"epoch-{epoch}-average", self.average)):
            if (self.folder / name / "tokenizer.json").exists():
                continue
            clean = accuracy(weights, self.tokenizer, dev)
            hidden = accuracy(weights, self.tokenizer, dev, masked=0.2, draws=5)
            self.log(f"{name}: dev {clean:.4f}, a fifth masked {hidden:.4f}")
            weights.save_pretrained(self.folder / name)
            self.tokenizer.save_pretrained(self.folder / name)

    def log(self, line: str) -> None:
        """A line to look at while it runs."""
        with (self.folder / "log.txt").open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        print(line, flush=True)

    def _resume(self) -> None:
        state = torch.load(self.folder / "state.pt", weights_only=True)
        self.step = int(state["step"])
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])

    @torch.no_grad()
    def _follow(self) -> None:
        """The average moves toward the weights; faster at the start, when it is still that of an untrained model."""
        kept = min(self.recipe.average, self.step / (self.step + 9))
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - kept)

    def _flush(self) -> None:
        """Set tiny moments to zero: rare words' decay into denormal numbers, which a CPU adds many times slower."""
        for state in self.optimizer.state.values():
            for moment in (state["exp_avg"], state["exp_avg_sq"]):
                moment.masked_fill_(moment.abs() < 1e-30, 0.0)


def train(start: Path, folder: Path, recipe: Recipe) -> None:
    """Train from the folder `start`; each epoch goes to `folder`/epoch-N and `folder`/epoch-N-average."""
    training = Training(start, folder, recipe)
    examples = encoded(training.tokenizer, texts.sst2("train_phrases"))
    per_epoch = math.ceil(len(examples) / recipe.batch)
    steps, first, began = per_epoch * recipe.epochs, training.step, time.monotonic()
    for epoch in range(recipe.epochs):
        draw = random.Random(f"{recipe.seed}/{epoch}")  # an epoch can be drawn again after a stop
        for step, batch in enumerate(shuffled(examples, recipe.batch, draw), start=epoch * per_epoch):
            ids = recipe.inputs(batch, training.tokenizer.mask_token_id, draw)
            if step < training.step:
                continue
            loss = training.learn(ids, batch, recipe.rate(step, steps))
            if training.step % CHECKPOINT_STEPS == 0 or training.step % per_epoch == 0:
                training.save()
                left = (time.monotonic() - began) / (training.step - first) * (steps - training.step)
                training.log(f"step {training.step}/{steps} loss {loss:.4f}, {left / 60:.0f} min left")
        training.keep(epoch + 1)
