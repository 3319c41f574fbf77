"""Long texts in windows, against a slow reference from the definition: the plain model on the ids of each window.

F is the mean of the windows' log-probabilities, renormalized (of a regression, the mean value; of several labels, the
same for each label and its opposite). A score is F minus F with the unit at the baseline in every window that holds it.
"""

import json
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_reference, tiny
from torch import Tensor

from unmask import Explainer, Explanation, Failure, Request
from unmask.errors import ArgumentError, TextError
from unmask.models.formula import FormulaModel

TEXT = (
    "the film is bad. a lovely friendship, not dull at all! isn't it? the plot is a lovely film. never bad. "
    "a film of lovely friendship. it is not bad at all."
)
LIMIT = 16
Read = Callable[[Tensor], Tensor]


def explainer(architecture: str, *, problem: str | None = None, labels: int = 3) -> Explainer:
    model = tiny.model(architecture, labels=labels)
    model.config.problem_type = problem
    return Explainer(model, tiny.tokenizer(architecture), max_length=LIMIT)


class SlowWindows:
    """The windowed model, from its definition."""

    def __init__(self, of: Explainer, explanation: Explanation, *, activation: str) -> None:
        assert explanation.windows is not None
        text, self.model, self.activation = explanation.text, of.model, activation
        self.baseline = of.tokenizer.convert_tokens_to_ids(explanation.baseline_token)
        windows = [(one.start, one.end) for one in explanation.windows.windows]
        self.windows = [self._tokens(of.tokenizer, text, *window) for window in windows]

    @staticmethod
    def _tokens(tokenizer: Any, text: str, start: int, end: int) -> list[tuple[int, int, int, bool]]:
        """Ids of a window, with the characters of the whole text that they stand for."""
        found = tokenizer(text[start:end], return_offsets_mapping=True, return_special_tokens_mask=True)
        columns = zip(found["input_ids"], found["offset_mapping"], found["special_tokens_mask"], strict=True)
        return [(one, first + start, last + start, bool(special)) for one, (first, last), special in columns]

    def outputs(self, masked: Collection[Any], *, removes: bool = False) -> Tensor:
        """The logits of every window with some units masked or removed, [windows, outputs]."""
        rows = []
        for window in self.windows:
            ids = []
            for one, start, end, special in window:
                hit = not special and any(start < unit.end and unit.start < end for unit in masked)
                if not (hit and removes):
                    ids.append(self.baseline if hit else one)
            rows.append(slow_reference.outputs(self.model, ids))
        return torch.stack(rows)

    def value(self, rows: Tensor, target: int) -> Tensor:
        """Log-odds of the target after averaging log-probabilities; of a regression the mean value."""
        if self.activation == "none":
            return rows.mean(0)[target]
        if self.activation == "sigmoid":
            yes, no = (torch.nn.functional.logsigmoid(sign * rows).mean(0)[target] for sign in (1, -1))
            return yes - no
        logs = torch.log_softmax(rows, -1).mean(0)
        shares = torch.softmax(logs, -1)
        return torch.log(shares[target] / (1 - shares[target]))


CASES = [
    ("bert", None, 3, "softmax"),
    ("roberta", None, 3, "softmax"),
    ("gpt2", None, 3, "softmax"),
    ("bert", "multi_label_classification", 3, "sigmoid"),
    ("bert", "regression", 1, "none"),
]


@pytest.mark.parametrize(("architecture", "problem", "labels", "activation"), CASES)
@pytest.mark.parametrize("unit", ["word", "token", "sentence"])
def test_scores_are_those_of_the_windowed_model(
    architecture: str, problem: str | None, labels: int, activation: str, unit: str
) -> None:
    of = explainer(architecture, problem=problem, labels=labels)
    explanation = of.explain(TEXT, long="windows", unit=unit, sets="none")
    slow = SlowWindows(of, explanation, activation=activation)
    windows = explanation.windows
    assert windows is not None
    assert len(windows) > 2
    assert max(window.tokens for window in windows.windows) <= LIMIT
    assert "".join(one.text for one in explanation.units) == "".join(TEXT.split()) or unit == "sentence"
    whole = slow.outputs([])
    target = 0 if activation == "none" else explanation.outputs.index(str(explanation.target))
    assert np.array([one.outputs for one in windows.windows]) == pytest.approx(whole.numpy(), abs=1e-9)
    for at, one in enumerate(explanation.units):
        without = slow.outputs([one])
        expected = slow.value(whole, target) - slow.value(without, target)
        assert explanation.scores[at] == pytest.approx(float(expected), abs=1e-9)
        central = windows.central[at]
        alone = [slow.value(rows[central : central + 1], target) for rows in (whole, without)]
        assert explanation.window_scores is not None
        assert explanation.window_scores[at] == pytest.approx(float(alone[0] - alone[1]), abs=1e-9)


def test_a_unit_is_central_where_it_is_farthest_from_both_ends() -> None:
    of = explainer("bert")
    explanation = of.explain(TEXT, long="windows", sets="none")
    slow, windows = SlowWindows(of, explanation, activation="softmax"), explanation.windows
    assert windows is not None
    for unit, central in zip(explanation.units, windows.central, strict=True):
        margins = []
        for window in slow.windows:
            places = [
                at
                for at, (_, start, end, special) in enumerate(window)
                if not special and start < unit.end and unit.start < end
            ]
            margins.append(min(places[0], len(window) - 1 - places[-1]) if places else -1)
        assert margins[central] == max(margins)


def test_units_removed_from_every_window() -> None:
    of = explainer("bert")
    explanation = of.explain(TEXT, long="windows", method="leave_one_out")
    slow = SlowWindows(of, explanation, activation="softmax")
    target, whole = explanation.outputs.index(str(explanation.target)), slow.outputs([])
    for at, one in enumerate(explanation.units):
        expected = slow.value(whole, target) - slow.value(slow.outputs([one], removes=True), target)
        assert explanation.scores[at] == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("method", ["two_sided", "leave_one_in", "shapley", "recursive_sig", "random"])
def test_other_methods_without_gradients_work(method: str) -> None:
    of = explainer("bert")
    explanation = of.explain(TEXT, long="windows", method=method)
    slow = SlowWindows(of, explanation, activation="softmax")
    target = explanation.outputs.index(str(explanation.target))
    change = slow.value(slow.outputs([]), target) - slow.value(slow.outputs(explanation.units), target)
    assert explanation.together == pytest.approx(float(change), abs=1e-9)
    if explanation.method.adds_up:
        assert sum(explanation.scores) == pytest.approx(float(change), abs=1e-8)
    assert Explanation.from_dict(json.loads(json.dumps(explanation.to_dict(), allow_nan=False))) == explanation


def test_only_windows_that_hold_a_unit_are_run_again() -> None:
    explanation = explainer("bert").explain(TEXT, long="windows", sets="none")
    windows = explanation.windows
    assert windows is not None
    held = sum(
        unit.start < window.end and window.start < unit.end for unit in explanation.units for window in windows.windows
    )
    assert explanation.passes.forward == 2 * len(windows) + held


def test_deciding_sets_are_those_of_the_windowed_model() -> None:
    of = explainer("bert")
    explanation = of.explain(TEXT, long="windows", sets=2000)
    slow = SlowWindows(of, explanation, activation="softmax")
    sets = explanation.sets
    assert sets is not None
    assert sets.necessary is not None
    assert sets.sufficient is not None
    for found, masks in ((sets.necessary, True), (sets.sufficient, False)):
        chosen = set(found.units)
        masked = [unit for at, unit in enumerate(explanation.units) if (at in chosen) is masks]
        logs = torch.log_softmax(slow.outputs(masked), -1).mean(0)
        assert explanation.outputs[int(logs.argmax())] == found.label
    assert sets.necessary.question == "label"
    assert sets.necessary.label != explanation.prediction.label
    assert sets.passes.forward <= 2000
    alone = of.explain(TEXT, long="windows", sets="none")
    assert explanation.passes == alone.passes  # those of the method, without the search


def test_predictions_of_windows_and_other_targets() -> None:
    of = explainer("bert")
    explanation = of.explain(TEXT, long="windows")
    record = json.loads(json.dumps(explanation.to_dict(), allow_nan=False))
    assert Explanation.from_dict(record) == explanation
    slow = SlowWindows(of, explanation, activation="softmax")
    for row, window in zip(torch.softmax(slow.outputs([]), -1), record["windows"], strict=True):
        assert list(window["probabilities"].values()) == pytest.approx(row.tolist(), abs=1e-9)
        assert window["label"] == explanation.outputs[int(row.argmax())]
    logs = torch.log_softmax(slow.outputs([]), -1).mean(0)
    assert list(record["prediction"]["probabilities"].values()) == pytest.approx(logs.softmax(-1).tolist(), abs=1e-9)
    other = next(label for label in explanation.outputs if label != explanation.target)
    again = of.explain(TEXT, long="windows", target=other)
    assert explanation.toward(other).window_scores == pytest.approx(again.window_scores)
    assert "window_score" in record["units"][0]
    assert any("applied to" in warning for warning in explanation.warnings)
    assert not explanation.truncated


def test_a_text_that_fits_is_read_at_once() -> None:
    of = explainer("bert")
    short = "the film is bad."
    assert of.explain(short, long="windows").windows is None
    assert of.explain(short, long="windows").scores == of.explain(short).scores
    assert "windows" not in of.explain(short).to_dict()


def test_batches_do_not_change_scores() -> None:
    model, tokenizer = tiny.model("bert"), tiny.tokenizer("bert")
    one, other = (
        Explainer(model, tokenizer, max_length=LIMIT, batch_tokens=size).explain(TEXT, long="windows")
        for size in (1, 5000)
    )
    assert one.scores == pytest.approx(other.scores, abs=1e-12)


def test_given_and_fixed_spans_reach_into_several_windows() -> None:
    of = explainer("bert")
    start = TEXT.index("isn't")
    explanation = of.explain(Request(TEXT, spans=[(start, start + 60)]), long="windows", sets="none")
    slow = SlowWindows(of, explanation, activation="softmax")
    target = explanation.outputs.index(str(explanation.target))
    expected = slow.value(slow.outputs([]), target) - slow.value(slow.outputs(explanation.units), target)
    assert explanation.scores == pytest.approx([float(expected)], abs=1e-9)
    fixed = of.explain(Request(TEXT, fixed=[(0, start)]), long="windows", sets="none")
    assert min(unit.start for unit in fixed.units) >= start


def test_what_windows_do_not_apply_to() -> None:
    of = explainer("bert")
    with pytest.raises(ArgumentError, match="does not work with method 'ig', which needs gradients"):
        of.explain(TEXT, long="windows", method="ig")
    with pytest.raises(ArgumentError, match="long='wide': expected 'cut' or 'windows'"):
        of.explain(TEXT, long="wide")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TextError, match="does not support pairs"):
        of.explain(Request(TEXT, text_pair="a film"), long="windows")


def test_a_cut_text_names_the_way_to_explain_all_of_it() -> None:
    explanation = explainer("bert").explain(TEXT)
    assert explanation.truncated
    assert any('long="windows" (--long windows)' in warning for warning in explanation.warnings)


def test_a_window_of_which_nothing_is_left_fails_its_text_alone() -> None:
    """Some models have no special tokens: a window that consists of one unit cannot do without it."""
    of = Explainer.from_adapter(FormulaModel.weighted_words({"Good": 2.0, "Bad": -1.0}), max_length=2)
    failed, fine = of.attempts(
        ["Good. Bad. Good.", "Good Bad"], long="windows", method="leave_one_out", unit="sentence"
    )
    assert isinstance(failed, Failure)
    assert "would leave a window empty" in str(failed.error)
    assert isinstance(fine, Failure)  # as without windows
    assert "the only unit" in str(fine.error)
