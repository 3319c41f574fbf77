"""Translations by tokenizers without offsets: Marian and M2M100 against one altered source at a time, by pieces."""

from pathlib import Path
from typing import Any

import pytest
import torch
from support import tiny_sentencepiece as tiny
from torch import Tensor

from unmask import Explainer, Explanation

TEXT, OUTPUT = "the film is not bad at all", "isn't it dull"
NAMES = ("marian", "m2m100")
EXACT, SINGLE = 1e-9, 1e-4  # of the largest score, in float64 and in float32


def words_of(tokenizer: Any, ids: list[int]) -> list[list[int]]:
    """The places of each word's pieces, by the mark that begins a word."""
    words = list[list[int]]()
    for at, piece in enumerate(tokenizer.convert_ids_to_tokens(ids)):
        if piece.startswith("▁"):
            words.append([])
        if piece not in ("</s>", "__de__"):
            words[-1].append(at)
    return words


def expected(name: str, dtype: torch.dtype) -> Tensor:
    """What each token of the output loses without each word of the source, [words, tokens]."""
    model, tokenizer = tiny.model(name, dtype), tiny.tokenizer(name)
    ids = tokenizer(TEXT)["input_ids"]
    written = tokenizer(text_target=OUTPUT)["input_ids"]
    target = written[:-1] if name == "marian" else written[1:-1]
    language = [] if name == "marian" else [tokenizer.get_lang_id("en")]
    begin = [model.config.decoder_start_token_id, *language]

    def read(source: list[int]) -> Tensor:
        with torch.no_grad():
            logits = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([[*begin, *target]])).logits
        shares = logits[0, len(begin) - 1 : -1].double().log_softmax(-1)
        return torch.stack([share[one] for share, one in zip(shares, target, strict=True)])

    words = words_of(tokenizer, ids)
    masked = [[tokenizer.unk_token_id if at in word else one for at, one in enumerate(ids)] for word in words]
    return torch.stack([read(ids) - read(one) for one in masked])


def explained(name: str, dtype: torch.dtype, **settings: Any) -> Explanation:
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    explainer = Explainer(tiny.model(name, dtype), tiny.tokenizer(name), **options)
    return explainer.explain(TEXT, continuation=OUTPUT, **settings)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, EXACT), (torch.float32, SINGLE)])
def test_scores_are_those_of_the_definition(name: str, dtype: torch.dtype, tolerance: float) -> None:
    rows = expected(name, dtype)
    for batch in (None, 30):
        found = explained(name, dtype, baseline="unk", batch_tokens=batch)
        assert [unit.text for unit in found.units] == TEXT.split()
        difference = torch.tensor(found.scores_by_output, dtype=torch.float64) - rows
        assert float(difference.abs().max()) <= tolerance * float(rows.abs().max())
        assert "".join(found.outputs) == OUTPUT


@pytest.mark.parametrize("name", NAMES)
def test_units_of_every_kind_point_into_the_text(name: str) -> None:
    explainer, text = Explainer(tiny.model(name), tiny.tokenizer(name)), "größer  als ＡＢＣ 😀 ﬁlm. not bad"
    for unit in ("word", "token", "sentence"):
        found = explainer.explain(text, continuation=OUTPUT, unit=unit)
        assert all(text[one.start : one.end] == one.text for one in found.units)
        assert "".join(one.text for one in found.units).replace(" ", "") == text.replace(" ", "")
    assert "ＡＢＣ" in [one.text for one in explainer.explain(text, continuation=OUTPUT).units]


@pytest.mark.parametrize("name", NAMES)
def test_outputs_are_generated_as_the_model_does(name: str) -> None:
    model, tokenizer = tiny.model(name), tiny.tokenizer(name)
    found = Explainer(model, tokenizer).explain(TEXT, max_new_tokens=5)
    language = {} if name == "marian" else {"forced_bos_token_id": tokenizer.get_lang_id("en")}
    made = model.generate(
        **tokenizer(TEXT, return_tensors="pt"),
        max_new_tokens=5 + len(language),
        do_sample=False,
        num_beams=1,
        **language,
    )
    assert found.prediction.label == tokenizer.decode(made[0, 1 + len(language) :], skip_special_tokens=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_folder_gives_the_same(name: str, tmp_path: Path) -> None:
    tiny.model(name, torch.float32).save_pretrained(tmp_path)
    tiny.tokenizer(name).save_pretrained(tmp_path)
    found = Explainer.from_pretrained(tmp_path, device="cpu").explain(TEXT, continuation=OUTPUT)
    own = explained(name, torch.float32)
    assert found.task == "text2text"
    assert found.scores == pytest.approx(own.scores, abs=1e-5 * max(map(abs, own.scores)))
    assert found.model.hash == own.model.hash
