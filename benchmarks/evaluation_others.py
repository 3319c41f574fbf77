"""The other side of evaluation.py: Captum and time-interpret, one text at a time, and metrics by a plain loop.

Each package is called as documented, on the word embeddings of one text. The weights are frozen, so that no package
computes gradients that are not needed.
"""

import time
import warnings
from dataclasses import dataclass
from typing import Any

import torch
from captum.attr import DeepLift, GradientShap, InputXGradient, IntegratedGradients
from dig_against_time_interpret import Clock, Theirs
from tint.attr import SequentialIntegratedGradients
from torch import Tensor, nn

from unmask import Explainer

METHODS = ("grad_x_input", "deeplift", "gradient_shap", "ig", "dig", "sig")
TOP, STEPS, SAMPLES = 0.2, 50, 5
CLASSES: dict[str, Any] = {
    "grad_x_input": InputXGradient,
    "deeplift": DeepLift,
    "gradient_shap": GradientShap,
    "ig": IntegratedGradients,
    "sig": SequentialIntegratedGradients,
}
SETTINGS: dict[str, dict[str, Any]] = {
    "gradient_shap": {"n_samples": SAMPLES, "stdevs": 0.0},
    "ig": {"n_steps": STEPS},
    "sig": {"n_steps": STEPS},
}


class Classifier(nn.Module):
    """Map vectors, [rows, tokens, width], to logits. This is a module because DeepLift requires one."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, vectors: Tensor) -> Tensor:
        return self.model(inputs_embeds=vectors).logits  # type: ignore[no-any-return]  # modules are untyped


@dataclass(frozen=True)
class Text:
    """The vectors of one text and of its baseline, [1, tokens, width]: content tokens are masked, special ones kept."""

    written: str
    ids: Tensor  # [1, tokens]
    content: Tensor  # positions of the tokens that are not special
    vectors: Tensor
    baseline: Tensor
    label: int  # that is predicted


class Others:
    """All six methods by their own packages, and the metrics by a plain loop."""

    def __init__(self, explainer: Explainer) -> None:
        self._model, self._tokenizer = explainer.model.requires_grad_(False), explainer.tokenizer
        self._function, self._dig = Classifier(self._model), Theirs(explainer)
        self._neighbors: Any = None

    def neighbors(self) -> float:
        """Find the neighbors of all words, once; return the seconds it took."""
        clock = Clock({})
        self._neighbors = clock("neighbors", self._dig.found)
        return clock.seconds["neighbors"]

    def evaluated(self, texts: list[str]) -> dict[str, Any]:
        """Seconds by part, and the three figures of every text by method."""
        if self._neighbors is None:
            self.neighbors()  # a resumed run: not counted again
        clock, started = Clock({}), time.process_time()
        figures: dict[str, list[list[float]]] = {name: [] for name in METHODS}
        tokens = list[int]()
        for text in map(self._text, texts):
            tokens.append(len(text.content))
            for name in METHODS:
                scores = self._scores(text, name, clock)
                figures[name].append(clock("judging", self._judged, text, scores))
        whole = time.process_time() - started
        seconds = clock.seconds | {"rest": whole - sum(clock.seconds.values())}
        return {"seconds": seconds, "figures": figures, "tokens": tokens}

    def _text(self, written: str) -> Text:
        found = self._tokenizer(written, return_tensors="pt", return_special_tokens_mask=True)
        ids, is_content = found["input_ids"], found["special_tokens_mask"][0] == 0
        words = self._model.get_input_embeddings()
        masked = words(torch.full_like(ids, self._tokenizer.mask_token_id))
        vectors = words(ids)
        baseline = torch.where(is_content[None, :, None], masked, vectors)
        label = int(self._log_probabilities(ids).argmax())
        return Text(written, ids, is_content.nonzero().flatten(), vectors, baseline, label)

    def _scores(self, text: Text, name: str, clock: Clock) -> Tensor:
        """Of the content tokens."""
        if name == "dig":
            points, ids = clock("dig: paths", self._dig.paths, text.written, self._neighbors, "greedy")
            found: Tensor = clock("dig", self._dig.scores, points, ids, text.label)
        else:
            found = clock(name, self._attributed, text, name)
        return found[text.content]

    def _attributed(self, text: Text, name: str) -> Tensor:
        """The scores of all tokens."""
        settings = SETTINGS.get(name, {}) | ({} if name == "grad_x_input" else {"baselines": text.baseline})
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", r"Setting forward, backward hooks", UserWarning)  # gone when it returns
            vectors = text.vectors.clone().requires_grad_()
            found: Tensor = CLASSES[name](self._function).attribute(vectors, target=text.label, **settings)
        return found[0].sum(-1).detach()

    def _judged(self, text: Text, scores: Tensor) -> list[float]:
        """Log-odds, comprehensiveness and sufficiency at the top tokens, by removal."""
        count = max(1, int(TOP * len(scores) + 0.5))
        top = text.content[scores.argsort(descending=True, stable=True)[:count]]
        is_top, is_special = torch.zeros(2, text.ids.shape[1], dtype=torch.bool)
        is_top[top] = True
        is_special[:] = True
        is_special[text.content] = False
        kept = (torch.ones_like(is_top), ~is_top, is_top | is_special)
        whole, without, alone = (self._log_probabilities(text.ids[:, these])[text.label] for these in kept)
        return [float(without - whole), float(whole.exp() - without.exp()), float(whole.exp() - alone.exp())]

    def _log_probabilities(self, ids: Tensor) -> Tensor:
        with torch.no_grad():
            found: Tensor = self._model(input_ids=ids).logits[0].double().log_softmax(-1)
        return found
