"""A bar with the time left."""

import pytest
from support import tiny

from unmask import Progress


def test_a_bar_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    list(tiny.explainer("bert").explain_many(tiny.TEXTS, progress="bar"))
    out, err = capsys.readouterr()
    assert out == ""
    assert "4/4" in err
    assert "100%" in err


def test_texts_of_unknown_number_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    list(tiny.explainer("bert").explain_many(iter(tiny.TEXTS), progress="bar"))
    assert "4 texts" in capsys.readouterr().err


def test_failed_texts_are_finished_too() -> None:
    seen: list[Progress] = []
    list(tiny.explainer("bert").attempts(["a film", "", ""], progress=seen.append))
    assert seen[-1] == Progress(texts=3, rows=4)
    seen.clear()
    list(tiny.explainer("bert").attempts([""], progress=seen.append))
    assert seen == [Progress(texts=1, rows=0)]


def done(seen: list[Progress]) -> list[float]:
    return [one.texts + one.partial for one in seen]


def test_one_text_moves_with_its_rows() -> None:
    """One row a batch."""
    seen: list[Progress] = []
    found = tiny.explainer("bert", batch_tokens=1).explain(tiny.TEXTS[0], progress=seen.append, sets="none")
    assert done(seen) == sorted(done(seen))
    rows = found.passes.forward
    assert done(seen)[:-2] == pytest.approx([row / rows for row in range(1, rows)])
    assert seen[-1] == Progress(texts=1, rows=rows)


@pytest.mark.parametrize("method", ["ig:steps=5", "shapley", "sig_path", "deeplift", "dig"])
def test_no_method_goes_back(method: str) -> None:
    seen: list[Progress] = []
    list(tiny.explainer("bert", batch_tokens=60).explain_many(tiny.TEXTS[:2], method=method, progress=seen.append))
    assert max(done(seen)) <= 2
    assert done(seen)[-1] == 2


def test_an_evaluation_moves_before_the_first_text_is_finished() -> None:
    seen: list[Progress] = []
    tiny.explainer("bert", batch_tokens=60).evaluate(tiny.TEXTS[:2], methods=["sig"], progress=seen.append)
    assert 0 < done(seen)[0] < 1
    assert len(set(done(seen))) > 10
    assert (seen[-1].texts, seen[-1].partial) == (2 * 2, 0)


def test_the_bar_of_one_text_counts_rows(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    explainer = tiny.explainer("bert", batch_tokens=1)
    monkeypatch.setattr("unmask.progress.DELAY", 60)
    explainer.explain("a film", progress="bar")
    assert "%" not in capsys.readouterr().err  # over before the bar appears
    monkeypatch.setattr("unmask.progress.DELAY", 0)
    explainer.explain(tiny.TEXTS[0], progress="bar")
    err = capsys.readouterr().err
    assert "0 passes [00:00<" in err
    assert "texts" not in err
