"""Outputs of encoder-decoder models: how far they are is reported, and `compare` generates each once."""

from typing import Any

import pytest
from support import tiny_heads

from unmask.progress import Progress


def test_progress_counts_the_tokens_of_an_output() -> None:
    seen = list[Progress]()
    explainer = tiny_heads.explainer("text2text", "t5")
    found = explainer.explain("the film is bad", max_new_tokens=3, include_stop=True, progress=seen.append)
    counts = [one.generated for one in seen if one.generated]
    assert counts == list(range(1, len(found.outputs) + 1))


def test_compare_generates_an_output_once(monkeypatch: pytest.MonkeyPatch) -> None:
    explainer = tiny_heads.explainer("text2text", "t5")
    calls, generate = list[Any](), explainer.model.generate

    def counted(*args: Any, **settings: Any) -> Any:
        calls.append(args)
        return generate(*args, **settings)

    monkeypatch.setattr(explainer.model, "generate", counted)
    explainer.compare("the film is bad", methods=["sig", "random"], max_new_tokens=3)
    assert len(calls) == 1
