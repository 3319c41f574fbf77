"""The measured token budget: kept for its machine and model, chosen by time, without effect on the scores."""

import json
from pathlib import Path

import pytest
from support import tiny
from support.engine_texts import engine_text

from unmask import Explainer, Explanation
from unmask.attribution.explain_texts import explain_texts
from unmask.attribution.session import ModelSession
from unmask.engine import Engine, EngineText, calibration
from unmask.errors import ArgumentError
from unmask.models.adapter import Adapter
from unmask.models.huggingface.adapter import HuggingFaceAdapter

TEXT = "the film is not bad at all, a lovely friendship."


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path / "unmask")
    return tmp_path / "unmask" / calibration.FILE


def test_a_budget_is_measured_once_and_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = list[int]()
    real = calibration.measure_budgets

    def measure(adapter: Adapter, text: EngineText) -> dict[int, float]:
        measured.append(1)
        return real(adapter, text)

    monkeypatch.setattr(calibration, "measure_budgets", measure)
    scores = []
    for _ in range(2):
        adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
        session = ModelSession(adapter, batch_tokens="auto")
        (explanation,) = explain_texts(session, [TEXT], session.resolve_config())
        assert isinstance(explanation, Explanation)
        scores.append(explanation.scores)
        assert session.engine.batch_tokens in calibration.CPU_CANDIDATES
    assert len(measured) == 1
    assert list(json.loads(cache.read_text()).values()) == [session.engine.batch_tokens]
    assert scores[0] == scores[1]
    assert scores[0] == pytest.approx(tiny.explainer("bert").explain(TEXT).scores, abs=1e-12)


def test_the_kept_budget_is_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    text = engine_text(adapter, TEXT)
    monkeypatch.setattr(calibration, "measure_budgets", lambda *_: {77: 1.0, 99: 0.5, 111: 0.49})
    assert calibration.calibrated_budget(adapter, text, least=5) == 99
    monkeypatch.setattr(calibration, "measure_budgets", lambda *_: {})
    assert calibration.calibrated_budget(adapter, text, least=5) == 99
    cache.write_text("not JSON")
    assert calibration.calibrated_budget(adapter, text, least=5) == 5


def test_another_model_has_a_budget_of_its_own() -> None:
    one = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    other = HuggingFaceAdapter(tiny.model("bert", labels=2), tiny.tokenizer("bert"))
    assert calibration.budget_key(one, 20) == calibration.budget_key(one, 25)
    assert (
        len({calibration.budget_key(one, 20), calibration.budget_key(other, 20), calibration.budget_key(one, 200)}) == 3
    )


def test_a_folder_that_cannot_be_written_costs_a_measurement_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "cache_folder", lambda: Path("/dev/null/unmask"))
    adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    assert calibration.calibrated_budget(adapter, engine_text(adapter, TEXT), least=5) in calibration.CPU_CANDIDATES


def test_a_number_is_taken_as_it_is() -> None:
    adapter = HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))
    assert Engine(adapter, batch_tokens=300).batch_tokens == 300
    with pytest.raises(ArgumentError, match="batch_tokens must be a number of at least 1, not 'many'"):
        Explainer(tiny.model("bert"), tiny.tokenizer("bert"), batch_tokens="many")  # type: ignore[arg-type]
