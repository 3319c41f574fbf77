"""The value that people keep: derived numbers, other views of it, JSON."""

import json
import math
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unmask import Contrast, Explainer, Explanation, Request
from unmask.errors import ArgumentError, InputError, SchemaError, UnmaskWarning
from unmask.models.formula import FormulaModel
from unmask.tasks.targets import Head

KEYS = {
    "text", "units", "outputs", "together", "interaction", "target", "scale", "prediction", "method", "unit",
    "baseline", "model", "truncated", "passes", "seconds", "versions", "schema",
}  # fmt: skip


@pytest.fixture
def explanation() -> Explanation:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0, "bad": -4.0, "film": 0.5}))
    return explainer.explain("good film, not bad: good")


def test_scores_are_the_words_weights(explanation: Explanation) -> None:
    assert [unit.text for unit in explanation.units] == ["good", "film", ",", "not", "bad", ":", "good"]
    assert explanation.scores == (3.0, 0.5, 0.0, 0.0, -4.0, 0.0, 3.0)  # each "good" keeps its own
    assert explanation.together == 2.5
    assert explanation.interaction is not None
    assert explanation.interaction.kind == "additive"


def test_spans_point_into_the_text(explanation: Explanation) -> None:
    assert all(explanation.text[unit.start : unit.end] == unit.text for unit in explanation.units)


def test_normalized_has_norm_one(explanation: Explanation) -> None:
    norm = math.sqrt(9 + 0.25 + 16 + 9)
    assert explanation.normalized == pytest.approx([score / norm for score in explanation.scores])
    zeros = replace(explanation, scores=(0.0,) * 7)
    assert zeros.normalized == (0.0,) * 7


def test_top_is_by_size(explanation: Explanation) -> None:
    assert [(unit.text, score) for unit, score in explanation.top(2)] == [("bad", -4.0), ("good", 3.0)]
    assert len(explanation.top(99)) == 7


def test_prediction(explanation: Explanation) -> None:
    prediction = explanation.prediction
    assert prediction.label == "positive"
    assert prediction.probabilities["positive"] == pytest.approx(1 / (1 + math.exp(-2.5)))
    assert sum(prediction.probabilities.values()) == pytest.approx(1.0)


def test_scores_by_output(explanation: Explanation) -> None:
    by_output = explanation.scores_by_output
    assert by_output is not None
    assert by_output.shape == (7, 2)
    column = explanation.outputs.index(str(explanation.target))
    assert tuple(by_output[:, column]) == explanation.scores


@pytest.mark.parametrize("target", ["negative", "positive", "max", 0, Contrast("negative", "positive")])
@pytest.mark.parametrize("scale", ["log_odds", "probability", "log_probability", "logit"])
def test_toward_equals_an_explanation_asked_for_anew(explanation: Explanation, target: str, scale: str) -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0, "bad": -4.0, "film": 0.5}))
    anew = explainer.explain(explanation.text, target=target, scale=scale)
    loaded = Explanation.from_dict(json.loads(json.dumps(explanation.to_dict())))
    for seen in (explanation.toward(target, scale=scale), loaded.toward(target, scale=scale)):
        assert seen.scores == pytest.approx(anew.scores, rel=1e-12, abs=1e-15)
        assert seen.together == pytest.approx(anew.together, rel=1e-12)
        assert (seen.target, seen.scale) == (anew.target, anew.scale)


def test_toward_keeps_the_scale_unless_told(explanation: Explanation) -> None:
    assert explanation.toward("negative").scale == explanation.scale
    assert explanation.toward("negative").scores == tuple(-score for score in explanation.scores)


def test_toward_needs_the_raw_outputs(explanation: Explanation) -> None:
    other = replace(explanation, without=None)
    assert other.scores_by_output is None
    assert other.interaction is None
    with pytest.raises(ArgumentError, match="explain again with target='negative'"):
        other.toward("negative")


def test_it_is_frozen(explanation: Explanation) -> None:
    with pytest.raises(FrozenInstanceError):
        explanation.scores = ()  # type: ignore[misc]


def test_it_cannot_contradict_itself(explanation: Explanation) -> None:
    with pytest.raises(ArgumentError, match="7 units but 6 scores"):
        replace(explanation, scores=explanation.scores[1:])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"whole": (1.0,)}, "1 raw outputs but 2 labels"),
        ({"without": ((0.0, 1.0),)}, "7 units but 1 values of without"),
        ({"scale": "foo"}, "unknown scale 'foo'"),
        ({"target": "foo"}, "unknown target 'foo'"),
    ],
)
def test_nor_in_its_other_parts(explanation: Explanation, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        replace(explanation, **changes)


def test_json_has_the_promised_keys(explanation: Explanation) -> None:
    record = explanation.to_dict()
    assert set(record) >= KEYS
    span = {"text", "start", "end", "segment", "unknown"}
    assert set(record["units"][0]) == span | {"score", "scores", "without", "alone"}
    assert set(record["outputs"]) >= {"labels", "whole", "baseline"}
    assert set(record["prediction"]) == {"label", "probabilities"}
    assert set(record["passes"]) == {"forward", "backward"}
    assert set(record["interaction"]) == {"kind", "net", "sentence"}
    assert record["units"][0]["scores"] == [-3.0, 3.0]
    assert record["units"][0]["without"] == [0.0, -0.5]
    assert record["outputs"]["whole"] == [0.0, 2.5]
    assert record["outputs"]["baseline"] == [0.0, 0.0]


@pytest.mark.parametrize("target", ["positive", "max", Contrast("negative", "positive")])
def test_json_round_trip(explanation: Explanation, target: str, tmp_path: Path) -> None:
    seen = explanation.toward(target)
    assert Explanation.from_dict(json.loads(json.dumps(seen.to_dict()))) == seen
    seen.save(tmp_path / "seen.json")
    assert Explanation.load(tmp_path / "seen.json") == seen
    assert [file.name for file in tmp_path.iterdir()] == ["seen.json"]


def test_a_newer_schema_is_refused(explanation: Explanation) -> None:
    with pytest.raises(SchemaError, match="schema 99, but this version of unmask reads only up to 2"):
        Explanation.from_dict({**explanation.to_dict(), "schema": 99})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"not json", "not JSON"),
        (b"[]", "expected a JSON object"),
        (b"{}", "no integer 'schema'"),
        (b'{"schema": 1}', "this explanation is incomplete"),
        (b'{"schema": 1, "units": [{"score": 1}], "outputs": {}, "target": "a"}', "this explanation is incomplete"),
        (b"\xff\xfe", "not JSON"),
    ],
)
def test_a_file_that_is_no_explanation(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(SchemaError, match=message):
        Explanation.load(tmp_path / "x.json")


def test_files_that_cannot_be_read_or_written(explanation: Explanation, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        Explanation.load(tmp_path / "absent.json")
    with pytest.raises(InputError, match="cannot write"):
        explanation.save(tmp_path / "absent" / "x.json")


@pytest.mark.parametrize(
    "changes", [{"scale": "foo"}, {"target": "foo"}, {"schema": True}, {"units": [{"score": "x"}]}, {"versions": None}]
)
def test_a_record_that_was_tampered_with_is_refused(explanation: Explanation, changes: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        Explanation.from_dict({**explanation.to_dict(), **changes})


def test_saving_keeps_links_and_modes(explanation: Explanation, tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "real.json").chmod(0o600)
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    explanation.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert Explanation.load(tmp_path / "real.json") == explanation
    assert (tmp_path / "real.json").stat().st_mode & 0o777 == 0o600


def test_versions_are_each_explanations_own() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0}))
    first, second = explainer.explain_many(["good", "good"])
    assert first.versions == second.versions
    assert first.versions is not second.versions


def test_saving_never_leaves_half_a_file(explanation: Explanation, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    explanation.save(path)
    before = path.read_bytes()
    broken = replace(explanation, scores=(math.nan, *explanation.scores[1:]))
    with pytest.raises(ValueError, match="not JSON compliant"):
        broken.save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_loading_and_looking_needs_no_torch(explanation: Explanation, tmp_path: Path) -> None:
    explanation.save(tmp_path / "x.json")
    script = (
        "import sys; from unmask import Explanation; "
        f"e = Explanation.load({str(tmp_path / 'x.json')!r}); "
        "e.toward('negative', scale='probability'); e.to_dict(); "
        "e.show(); e.to_html(); e.to_markdown(); "
        "assert not {'torch', 'transformers', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_scores_by_output_is_a_copy(explanation: Explanation) -> None:
    first = explanation.scores_by_output
    assert first is not None
    first[:] = 0
    assert np.any(explanation.scores_by_output)


def test_repr_shows_the_prediction_and_the_top_words(explanation: Explanation) -> None:
    assert repr(explanation) == (
        "<Explanation of 'good film, not bad: good': positive 92.4%\n"
        " log-odds of \"positive\" by sig: 'bad' -4, 'good' +3, 'good' +3, 'film' +0.5, ',' +0, ...>"
    )
    raw: Any = {"whole": (2.5,), "at_baseline": (0.0,), "without": None}
    value = replace(explanation, activation="none", outputs=("value",), scale="value", target="value", **raw)
    assert "value 2.5\n model's value by sig: " in repr(value)


def test_an_explanation_is_a_sequence_of_units_with_scores(explanation: Explanation) -> None:
    pairs = list(zip(explanation.units, explanation.scores, strict=True))
    assert list(explanation) == pairs
    assert len(explanation) == 7
    assert explanation[0] == pairs[0]
    assert explanation[-2:] == tuple(pairs[-2:])
    with pytest.raises(IndexError):
        explanation[7]


def test_unknown_units_are_marked_and_stored(explanation: Explanation) -> None:
    first, *others = explanation.units
    marked = replace(explanation, units=(replace(first, unknown=True), *others))
    record = json.loads(json.dumps(marked.to_dict()))
    assert [unit["unknown"] for unit in record["units"]] == [True] + [False] * 6
    assert Explanation.from_dict(record) == marked
    for unit in record["units"]:
        del unit["unknown"]  # as earlier versions wrote it
    assert Explanation.from_dict(record) == explanation
    assert marked.to_pandas()["unknown"].tolist() == [True] + [False] * 6


@pytest.mark.parametrize(
    ("label", "gold", "is_correct"),
    [("POSITIVE", "positive", True), (0, "negative", False), ("1.0", "positive", True), (0.0, "negative", False)],
)
def test_a_gold_label_is_matched_and_stored(label: str | float, gold: str, is_correct: bool) -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0}))
    found = explainer.explain(Request("good film", label=label))
    assert (found.gold, found.is_correct, found.warnings) == (gold, is_correct, ())
    assert found.toward("negative").is_correct is is_correct
    assert Explanation.from_dict(json.loads(json.dumps(found.to_dict()))) == found


def test_a_gold_label_that_the_model_does_not_have() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0}))
    found = explainer.explain(Request("good film", label="neutral"))
    assert (found.gold, found.is_correct) == ("neutral", None)
    assert found.warnings == ("the gold label 'neutral' matches none of the model's labels: negative, positive",)
    assert explainer.explain(Request("good film", label="")).gold is None


def test_wrong_predictions_are_found_before_any_explanation() -> None:
    explainer = Explainer.from_adapter(FormulaModel.weighted_words({"good": 3.0, "bad": -4.0}))
    texts = [Request("good", label=label) for label in ("positive", "negative", None)] + [Request("", label=1)]
    assert list(explainer.wrongly_predicted(texts)) == [texts[1], texts[3]]
    with pytest.warns(UnmaskWarning, match="skipped texts whose gold label is not one of the model's: 'neutral'"):
        assert list(explainer.wrongly_predicted([Request("good", label="neutral")])) == []


def test_the_gold_value_of_a_regression_is_kept_as_given() -> None:
    adapter = FormulaModel({"good": [1.0]}, lambda vectors, _: vectors.sum(1), head=Head(("stars",), "none"))
    found = Explainer.from_adapter(adapter).explain(Request("good film", label=0))
    assert (found.gold, found.is_correct, found.warnings) == ("0", None, ())
