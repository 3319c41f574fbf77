"""Methods evaluated on prompts with continuations: metrics equal their definitions, one altered prompt at a time."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_generation, tiny_causal
from support.slow_reference import places

from unmask import Contrast, Example, Explainer, Request
from unmask.errors import ArgumentError
from unmask.metrics.registry import Measure

PROMPTS = ("the film is not bad, not bad at all. a lovely friendship", "junk food cinema at its greasiest, isn't it")
ANSWERS = (" of the mysteries", " dull and bad")
EXACT = 1e-9


def requests() -> list[Request]:
    return [Request(prompt, continuation=answer) for prompt in PROMPTS for answer in ANSWERS]


class Reference:
    """One prompt with its answer, altered as the metrics say; the plain model reads one version at a time."""

    def __init__(self, architecture: str, request: Request) -> None:
        tokenizer = tiny_causal.tokenizer(architecture)
        self.model = tiny_causal.model(architecture)
        self.units, prompt = places(tokenizer, request.text, "word")
        self.ids, self.start = tokenizer(request.text + (request.continuation or ""))["input_ids"], len(prompt)
        self.pad = tokenizer.pad_token_id

    @property
    def tokens(self) -> int:
        return len(self.ids) - self.start

    def log_p(self, units: Any = (), *, by: Any = "removed") -> float:
        """log p of the answer without some units."""
        gone = [token for unit in units for token in self.units[unit]]
        if not gone:
            return float(slow_generation.plain(self.model, self.ids, self.start).sum())
        return float(slow_generation.without(self.model, self.ids, self.start, gone, by).sum())

    def ranked(self) -> list[int]:
        """The units by SIG with the padding token, the largest first."""
        losses = [self.log_p() - self.log_p([unit], by=self.pad) for unit in range(len(self.units))]
        return sorted(range(len(losses)), key=lambda unit: -losses[unit])

    def metrics(self, share: float) -> dict[str, float]:
        """The definitions, with the top units removed or kept."""
        count = max(1, math.floor(share * len(self.units) + 0.5))
        top, rest = self.ranked()[:count], self.ranked()[count:]
        loss = self.log_p() - self.log_p(top)
        return {
            "log_odds": -loss,
            "comprehensiveness": loss,
            "sufficiency": self.log_p() - self.log_p(rest),
            "perplexity_change": math.exp(-self.log_p(top) / self.tokens) / math.exp(-self.log_p() / self.tokens),
        }


@pytest.mark.parametrize("architecture", ["gpt2", "llama"])
def test_metrics_equal_their_definitions(architecture: str) -> None:
    evaluation = tiny_causal.explainer(architecture).evaluate(requests(), methods=["sig"], top=0.3, baseline="pad")
    assert not evaluation.failures
    assert evaluation.scale == "log_probability"
    for at, request in enumerate(requests()):
        expected = Reference(architecture, request).metrics(0.3)
        for metric, value in expected.items():
            found = evaluation.row("sig").values[Measure(metric, "remove", 0.3)][at]
            assert found == pytest.approx(value, rel=EXACT, abs=EXACT), (metric, at)


def test_greedy_takes_the_unit_that_costs_most() -> None:
    request = requests()[0]
    reference = Reference("llama", request)
    units = range(len(reference.units))
    share = 1 / len(units)  # one unit
    evaluation = tiny_causal.explainer("llama").evaluate([request], methods=["sig"], top=share)
    found = {metric: evaluation.row("greedy").values[Measure(metric, "remove", share)][0] for metric in KINDS}
    assert found["comprehensiveness"] == pytest.approx(max(reference.log_p() - reference.log_p([one]) for one in units))
    alone = [reference.log_p([other for other in units if other != one]) for one in units]
    assert found["sufficiency"] == pytest.approx(reference.log_p() - max(alone))


KINDS = ("comprehensiveness", "sufficiency")


def test_the_random_row_is_the_mean_of_ten_orders() -> None:
    request = Request("not bad", continuation=ANSWERS[0])
    reference = Reference("llama", request)
    evaluation = tiny_causal.explainer("llama").evaluate([request], methods=["sig"], top=0.5)
    found = evaluation.row("random").values[Measure("comprehensiveness", "remove", 0.5)][0]
    one, other = (reference.log_p() - reference.log_p([unit]) for unit in range(2))
    count = (found - other) / (one - other) * 10  # how often the first word was drawn
    assert count == pytest.approx(round(count), abs=1e-6)
    assert 0 <= round(count) <= 10


def test_a_prompt_of_which_nothing_is_left_has_no_figure() -> None:
    evaluation = tiny_causal.explainer("gpt2").evaluate(
        [Request("film", continuation=ANSWERS[0]), requests()[0]], methods=["sig"]
    )
    assert not evaluation.failures
    values = evaluation.row("sig").values[Measure("comprehensiveness", "remove", 0.2)]
    assert np.isnan(values).tolist() == [True, False]


def test_a_phrase_of_the_answer_may_be_the_target() -> None:
    request = Request(PROMPTS[0], continuation=ANSWERS[0], target="the")
    reference = Reference("llama", request)
    evaluation = tiny_causal.explainer("llama").evaluate([request], methods=["sig"], top=0.01)
    whole = slow_generation.plain(reference.model, reference.ids, reference.start)
    found = evaluation.row("greedy").values[Measure("comprehensiveness", "remove", 0.01)][0]
    losses = [
        whole - slow_generation.without(reference.model, reference.ids, reference.start, unit, "removed")
        for unit in reference.units
    ]
    assert found == pytest.approx(float(torch.stack(losses)[:, 1].max()))  # " the" is the second token


def test_the_table_says_what_is_measured() -> None:
    evaluation = tiny_causal.explainer("llama").evaluate(requests() * 2, methods=["sig"])
    assert evaluation.explains_answers
    assert any("differences of the answer's log-probability" in warning for warning in evaluation.warnings)
    assert "the log-probability of the answer" in evaluation.verdict
    assert "perplexity" in evaluation.to_markdown()
    assert [row.name for row in evaluation.rows] == ["sig", "random", "greedy", "random words"]


def test_what_has_no_meaning_for_an_answer_is_refused(embedded: Explainer) -> None:
    lm, request = tiny_causal.explainer("llama"), requests()[0]
    with pytest.raises(ArgumentError, match="evaluated on prompts"):
        lm.evaluate()
    with pytest.raises(ArgumentError, match="labels and rationales apply to classifiers"):
        lm.evaluate([Example(request, label="positive")], methods=["sig"])
    with pytest.raises(ArgumentError, match="a contrast of two continuations cannot be evaluated"):
        lm.evaluate([Request(PROMPTS[0], target=Contrast(" dull", " bad"))], methods=["sig"])
    with pytest.raises(ArgumentError, match="the baseline 'ignored' has no embedding"):
        lm.evaluate([request], methods=["ig"], baseline="ignored")
    assert "perplexity" not in embedded.evaluate(["A film."], methods=["sig"]).to_markdown()


@pytest.mark.slow
def test_a_file_of_prompts_and_a_run_give_the_same(unmask: Any, tmp_path: Path) -> None:
    file, run = tmp_path / "prompts.jsonl", tmp_path / "run"
    rows = [
        {"prompt": "Tom had a dog.", "continuation": " He ran."},
        {"prompt": "Tom had a dog.", "continuation": " It sat."},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["evaluate", "--task", "generation", "-f", str(file), "--method", "sig", "--format", "json"]
    code, out, _ = unmask(*arguments)
    assert code == 0
    direct = next(row for row in json.loads(out)["rows"] if row["name"] == "sig")
    (figure,) = [one for one in direct["figures"] if one["metric"] == "perplexity_change"]
    assert figure["values"][0] != figure["values"][1]
    for _ in range(2):  # the second time from the store
        code, again, _ = unmask(*arguments, "--run", str(run))
        assert code == 0
        assert json.dumps(figure["mean"]) in again
    code, _, error = unmask("evaluate", "--task", "generation", "--method", "sig")
    assert (code, "columns prompt and continuation" in error) == (2, True)
    code, _, error = unmask("evaluate", "--task", "generation", "-f", str(file), "--label", "gold")
    assert (code, "--label applies to classifiers" in error) == (2, True)


@torch.no_grad()
def written(reference: Reference, gone: tuple[int, ...]) -> list[int]:
    """The most probable token in the place of each of the answer's, with some tokens of the prompt removed."""
    ids = [one for at, one in enumerate(reference.ids) if at not in gone]
    logits = reference.model(input_ids=torch.tensor([ids])).logits[0]
    return [int(one) for one in logits[-reference.tokens - 1 : -1].argmax(-1)]


def test_random_words_keep_some_of_the_answers_tokens() -> None:
    request = Request("not bad", continuation=ANSWERS[0])
    reference = Reference("llama", request)
    evaluation = tiny_causal.explainer("llama").evaluate([request], methods=["sig"])
    values = evaluation.row("random words").values
    found = {
        (metric, share): values[Measure(metric, "remove", share)][0]
        for metric in ("accuracy", "agreement", "confidence")
        for share in (0.0, 0.5)
    }
    whole = written(reference, ())
    agreements, confidences = list[float](), list[float]()
    for unit in range(2):
        after = written(reference, tuple(reference.units[unit]))
        agreements.append(sum(map(int.__eq__, after, whole)) / len(whole))
        confidences.append(math.exp(reference.log_p([unit]) / reference.tokens))
    first = (found["confidence", 0.5] - confidences[1]) / (confidences[0] - confidences[1]) * 3  # draws of that word
    assert first == pytest.approx(round(first), abs=1e-6)
    assert 0 <= round(first) <= 3
    mean = (round(first) * agreements[0] + (3 - round(first)) * agreements[1]) / 3
    assert found["agreement", 0.5] == pytest.approx(mean)
    assert found["agreement", 0.0] == 1.0
    assert found["confidence", 0.0] == pytest.approx(math.exp(reference.log_p() / reference.tokens))
    assert math.isnan(found["accuracy", 0.5])
