"""The measured token budget: chosen by time on work that is done anyway, kept, without effect on the scores."""

import json
import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from support import tiny

from unmask import Explainer, Explanation
from unmask.attribution.explain_texts import explain_texts
from unmask.attribution.session import ModelSession
from unmask.bulk.folder import ResultFolder
from unmask.engine import Engine, calibration
from unmask.engine.calibration import BudgetTrial, budget_key, cache_folder, kept_budget
from unmask.errors import ArgumentError
from unmask.models.huggingface.adapter import HuggingFaceAdapter

TEXTS = ["the film is not bad at all, a lovely friendship."] * 9


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and budgets for which a few texts are enough."""
    monkeypatch.setattr(calibration, "cache_folder", lambda: tmp_path / "unmask")
    monkeypatch.setattr(calibration, "CPU_CANDIDATES", (32, 64, 128))
    return tmp_path / "unmask" / calibration.FILE


@pytest.fixture
def adapter() -> HuggingFaceAdapter:
    return HuggingFaceAdapter(tiny.model("bert"), tiny.tokenizer("bert"))


@dataclass
class Row:
    length: int


def tried(trial: BudgetTrial, monkeypatch: pytest.MonkeyPatch, seconds: dict[int, float]) -> list[int]:
    """Run a trial on rows of 16 tokens, with these seconds per token by the rows of a batch; returns all rows."""
    now, sizes, rows = 0.0, list[int](), [Row(16) for _ in range(100)]

    def run(batch: Sequence[Row]) -> None:
        nonlocal now
        sizes.append(len(batch))
        if len(batch) not in seconds:
            raise MemoryError
        now += seconds[len(batch)] * 16 * len(batch)

    monkeypatch.setattr(calibration, "time", SimpleNamespace(thread_time=lambda: now, perf_counter=lambda: now))
    for batch in trial.batches(rows):
        try:
            trial.timed(run, batch)
        except MemoryError:
            continue
    assert sum(sizes) + len(rows) == 100  # no row is lost
    return sizes


def test_the_fastest_size_is_kept(adapter: HuggingFaceAdapter, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = BudgetTrial(adapter)
    assert tried(trial, monkeypatch, {2: 1.0, 4: 0.8, 8: 0.79}) == [2, 4, 8] * calibration.ROUNDS
    assert trial.choice == 64  # 128 is not enough faster
    assert json.loads(cache.read_text()) == {budget_key(adapter): 64}
    assert kept_budget(adapter) == 64


def test_a_size_that_does_not_fit_is_tried_once(adapter: HuggingFaceAdapter, monkeypatch: pytest.MonkeyPatch) -> None:
    trial = BudgetTrial(adapter)
    assert tried(trial, monkeypatch, {2: 1.0, 4: 0.8}) == [2, 4, 8, 2, 4, 2, 4]
    assert trial.choice == 64


def test_too_little_work_is_no_trial(adapter: HuggingFaceAdapter, cache: Path) -> None:
    rows = [Row(16)] * 41  # 656 of 672 tokens
    assert list(BudgetTrial(adapter).batches(rows)) == []
    assert len(rows) == 41
    engine = Engine(adapter)
    assert engine.batch_tokens == calibration.CPU_TOKENS
    assert not cache.exists()


def test_work_is_measured_once_and_scores_stay(adapter: HuggingFaceAdapter, cache: Path) -> None:
    fixed = ModelSession(adapter, batch_tokens=50)
    expected = [
        one.scores for one in explain_texts(fixed, TEXTS, fixed.resolve_config()) if isinstance(one, Explanation)
    ]
    assert not cache.exists()
    for _ in range(2):
        session = ModelSession(adapter)
        found = list(explain_texts(session, TEXTS, session.resolve_config()))
        assert session.engine.batch_tokens in calibration.CPU_CANDIDATES
        assert list(json.loads(cache.read_text()).values()) == [session.engine.batch_tokens]
        assert len(found) == len(TEXTS)
        for one, scores in zip(found, expected, strict=True):
            assert isinstance(one, Explanation)
            assert one.scores == pytest.approx(scores, abs=1e-12)


def test_the_kept_budget_is_used_at_once(adapter: HuggingFaceAdapter, cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_text(json.dumps({budget_key(adapter): 99}))
    assert Engine(adapter).batch_tokens == Engine(adapter, batch_tokens="auto").batch_tokens == 99
    assert Engine(adapter, batch_tokens=300).batch_tokens == 300
    cache.write_text("not JSON")
    assert Engine(adapter).batch_tokens == calibration.CPU_TOKENS
    cache.write_text(json.dumps({budget_key(adapter): "many"}))
    assert Engine(adapter).batch_tokens == calibration.CPU_TOKENS


def test_another_model_has_a_budget_of_its_own(adapter: HuggingFaceAdapter) -> None:
    other = HuggingFaceAdapter(tiny.model("bert", labels=2), tiny.tokenizer("bert"))
    assert budget_key(adapter) != budget_key(other)


def test_a_cache_that_cannot_be_written_does_no_harm(
    adapter: HuggingFaceAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "cache_folder", lambda: Path("/dev/null/unmask"))
    trial = BudgetTrial(adapter)
    tried(trial, monkeypatch, {2: 1.0, 4: 1.0, 8: 1.0})
    assert trial.choice == 32
    assert kept_budget(adapter) is None


def test_the_cache_is_where_the_system_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "unmask"


def test_a_copy_measures_nothing(adapter: HuggingFaceAdapter, cache: Path) -> None:
    session = copy(ModelSession(adapter))
    assert len(list(explain_texts(session, TEXTS, session.resolve_config()))) == len(TEXTS)
    assert session.engine.batch_tokens == session.batch_tokens == calibration.CPU_TOKENS
    assert not cache.exists()


def test_a_folder_goes_on_with_the_budget_it_was_begun_with(
    adapter: HuggingFaceAdapter, cache: Path, tmp_path: Path
) -> None:
    def begun(place: Path) -> int | None:
        return ResultFolder(place).begun_with("batch_tokens")

    list(Explainer.from_adapter(adapter).explain_many(TEXTS[:2], into=tmp_path / "a"))
    assert begun(tmp_path / "a") == calibration.CPU_TOKENS
    cache.parent.mkdir()
    cache.write_text(json.dumps({budget_key(adapter): 99}))
    list(Explainer.from_adapter(adapter).explain_many(TEXTS[:2], into=tmp_path / "b"))
    assert begun(tmp_path / "b") == 99
    list(Explainer.from_adapter(adapter).explain_many(TEXTS[:2], into=tmp_path / "a"))
    assert begun(tmp_path / "a") == calibration.CPU_TOKENS


def test_a_number_is_taken_as_it_is() -> None:
    with pytest.raises(ArgumentError, match="batch_tokens must be a number of at least 1, not 'many'"):
        Explainer(tiny.model("bert"), tiny.tokenizer("bert"), batch_tokens="many")  # type: ignore[arg-type]
