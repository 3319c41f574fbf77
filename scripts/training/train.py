"""Fine-tunes a classifier; if the process is killed, training resumes from its last checkpoint.

Each epoch yields two candidates: the trained weights, and their running average.
"""

import copy
import json
import math
import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import nn

from .batches import Encoded, shuffled, tensors
from .files import write_json
from .onednn import OneDNN
from .weights import load

CHECKPOINT_STEPS = 50
DENORMAL_STEPS = 100
VALIDATION = "validation.json"

Figures: TypeAlias = dict[str, float]
Validate: TypeAlias = Callable[[Any, Any], Figures]  # (model, tokenizer) -> figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that influences the weights; stored next to them."""

    epochs: int = 3
    batch: int = 64
    peak: float = 5e-5
    warmup: float = 0.06
    decay: float = 0.01
    average: float = 0.999
    masked: float = 0.3  # largest share of a text's words that is masked; 0 trains the twin
    seed: int = 0

    def rate(self, step: int, steps: int) -> float:
        """The learning rate: linear warmup, then linear decay to zero."""
        rise = max(1, int(self.warmup * steps))
        return self.peak * min((step + 1) / rise, (steps - step) / (steps - rise))

    def inputs(self, batch: list[Encoded], mask: int, draw: random.Random) -> list[list[int]]:
        """The batch's ids; each text has its own share of masked words."""
        if not self.masked:
            return [example.ids for example in batch]
        return [example.masked(draw.uniform(0, self.masked), mask, draw) for example in batch]


class Training:
    """The weights, their running average and the optimizer, kept in a folder."""

    def __init__(self, start: Path, folder: Path, recipe: Recipe) -> None:
        self.folder, self.recipe, self.step = folder, recipe, 0
        self.model: Any
        self.model, self.tokenizer = load(start)
        self.average = copy.deepcopy(self.model)
        weights = list(self.model.parameters())
        decayed = {"params": [weight for weight in weights if weight.ndim > 1], "weight_decay": recipe.decay}
        plain = {"params": [weight for weight in weights if weight.ndim == 1], "weight_decay": 0.0}
        self.optimizer = torch.optim.AdamW([decayed, plain], lr=recipe.peak, fused=True)
        if (folder / "state.pt").exists():
            self._resume()
        folder.mkdir(parents=True, exist_ok=True)
        write_json(folder / "recipe.json", asdict(recipe))

    def learn(self, ids: list[list[int]], batch: list[Encoded], rate: float) -> float:
        """Take one step and return its loss."""
        self.model.train()
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        labels = torch.tensor([example.label for example in batch])
        with OneDNN():
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
        """Write a checkpoint atomically."""
        state = {
            "step": self.step,
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
        }
        torch.save(state, self.folder / "state.new")
        (self.folder / "state.new").replace(self.folder / "state.pt")

    def keep(self, epoch: int, validate: Validate) -> None:
        """Store both candidates of an epoch, then their validation figures."""
        for name, weights in ((f"epoch-{epoch}", self.model), (f"epoch-{epoch}-average", self.average)):
            if (self.folder / name / VALIDATION).exists():
                continue
            figures = validate(weights, self.tokenizer)
            self.log(f"{name}: " + ", ".join(f"{key} {figure:.4f}" for key, figure in figures.items()))
            weights.save_pretrained(self.folder / name)
            self.tokenizer.save_pretrained(self.folder / name)
            write_json(self.folder / name / VALIDATION, figures)

    def log(self, line: str) -> None:
        """Log a line."""
        with (self.folder / "log.txt").open("a", encoding="utf-8") as log:
            log.write(line + "\n")
        print(line, flush=True)

    def _resume(self) -> None:
        if json.loads((self.folder / "recipe.json").read_text()) != asdict(self.recipe):
            raise ValueError(f"{self.folder} was started with another recipe; delete it, or choose another folder")
        state = torch.load(self.folder / "state.pt", weights_only=True)
        self.step = int(state["step"])
        self.model.load_state_dict(state["model"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])

    @torch.no_grad()
    def _follow(self) -> None:
        """Move the average toward the weights; faster at the start, when it still holds an untrained model."""
        kept = min(self.recipe.average, self.step / (self.step + 9))
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - kept)

    def _flush(self) -> None:
        """Set tiny moments to zero; those of rare words decay into denormals, which are far slower on a CPU."""
        for state in self.optimizer.state.values():
            for moment in (state["exp_avg"], state["exp_avg_sq"]):
                moment.masked_fill_(moment.abs() < 1e-30, 0.0)


def train(training: Training, examples: list[Encoded], validate: Validate) -> None:
    """Train to the end; writes the candidates to epoch-N and epoch-N-average in the training folder."""
    recipe, per_epoch = training.recipe, math.ceil(len(examples) / training.recipe.batch)
    steps, first, began = per_epoch * recipe.epochs, training.step, time.monotonic()
    for epoch in range(recipe.epochs):
        draw = random.Random(f"{recipe.seed}/{epoch}")  # reproduces the epoch after an interruption
        for step, batch in enumerate(shuffled(examples, recipe.batch, draw), start=epoch * per_epoch):
            ids = recipe.inputs(batch, training.tokenizer.mask_token_id, draw)
            if step < training.step:
                continue
            loss = training.learn(ids, batch, recipe.rate(step, steps))
            if training.step % CHECKPOINT_STEPS == 0 or training.step % per_epoch == 0:
                training.save()
                left = (time.monotonic() - began) / (training.step - first) * (steps - training.step)
                training.log(f"step {training.step}/{steps} loss {loss:.4f}, {left / 60:.0f} min left")
        if training.step == (epoch + 1) * per_epoch:  # weights of a later epoch are not candidates of this one
            training.keep(epoch + 1, validate)


def best_candidate(folder: Path) -> tuple[Path, Figures]:
    """The candidate with the highest mean validation figures; the earliest in a tie."""
    found = {path.parent: json.loads(path.read_text()) for path in sorted(folder.glob(f"epoch-*/{VALIDATION}"))}
    best = max(found, key=lambda candidate: sum(found[candidate].values()) / len(found[candidate]))
    return best, found[best]
