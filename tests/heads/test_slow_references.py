"""Scores of every head on every architecture equal those of the definition, whatever the batch, the unit, the dtype."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from support import slow_heads, tiny_heads
from torch import Tensor

from unmask import Contrast, Explanation, Request
from unmask.text.segmentation import words
from unmask.text.spans import Span

TEXT = "the film is not bad, not bad at all. a lovely friendship"
QUESTION, CONTEXT = "what is not bad?", "the film is not bad, not bad at all. it isn't dull"
EXACT, SINGLE = 1e-9, 1e-4  # of the largest score, in float64 and in float32
ENCODERS = ("bert", "roberta", "deberta-v3", "electra")
WRITERS = ("t5", "bart", "marian", "mt5")
POOLED = ("mpnet", "bert")  # MiniLM is a BERT
Check = Callable[..., tuple[Explanation, Tensor]]


def close(scores: Any, expected: Tensor, tolerance: float) -> None:
    largest = float(expected.abs().max())
    assert largest > 0.01
    assert float((torch.tensor(scores, dtype=torch.float64) - expected).abs().max()) <= tolerance * largest


def first_tokens(tokenizer: Any, text: str) -> list[int]:
    """The first token of each word that has one of its own, by the tokenizer's offsets."""
    offsets, places = tokenizer(text, return_offsets_mapping=True)["offset_mapping"], list[int]()
    for start, end in words(text, Span(0, len(text))):
        inside = [at for at, (begin, stop) in enumerate(offsets) if begin < end and start < stop]
        if not places or inside[0] > places[-1]:
            places.append(inside[0])
    return places


def tags(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("token_classification", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    found = tiny_heads.explainer("token_classification", architecture, dtype=dtype, **options).explain(TEXT, **settings)
    places = first_tokens(tokenizer, TEXT)
    whole = slow_heads.run(model, tokenizer, tokenizer(TEXT)["input_ids"], TEXT).logits[0, places].double()
    best = whole.argmax(-1)
    kept = [at for at, tag in enumerate(best) if tag]  # all but O
    assert kept

    def read(ids: list[int]) -> Tensor:
        logits = slow_heads.run(model, tokenizer, ids, TEXT).logits[0, places].double()
        return logits.log_softmax(-1)[kept, best[kept]].sum()  # type: ignore[no-any-return]

    return found, slow_heads.differences(tokenizer, found, [0], tokenizer.mask_token_id, read)


def span(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("question_answering", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    explainer = tiny_heads.explainer("question_answering", architecture, dtype=dtype, **options)
    found = explainer.explain(QUESTION, text_pair=CONTEXT, **settings)
    encoding = tokenizer(QUESTION, CONTEXT)
    places = [at for at, side in enumerate(encoding.sequence_ids(0)) if side == 1]

    def shares(ids: list[int]) -> tuple[Tensor, Tensor]:
        read = slow_heads.run(model, tokenizer, ids, QUESTION, CONTEXT)
        return tuple(one[0, places].double().log_softmax(-1) for one in (read.start_logits, read.end_logits))

    starts, ends = shares(encoding["input_ids"])
    spans = [(first, last) for first in range(len(places)) for last in range(first, min(first + 15, len(places)))]
    first, last = max(spans, key=lambda pair: float(starts[pair[0]] + ends[pair[1]]))

    def read(ids: list[int]) -> Tensor:
        one, other = shares(ids)
        return one[first] + other[last]

    (answer,) = found.prediction.spans
    begin, end = encoding.token_to_chars(places[first]), encoding.token_to_chars(places[last])
    assert (answer.start, answer.end) == (begin.start, end.end)
    assert answer.text == found.prediction.label == CONTEXT[answer.start : answer.end]
    return found, slow_heads.differences(tokenizer, found, [0, 1], tokenizer.mask_token_id, read)


def filling(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("fill_mask", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    text = f"the film is {tokenizer.mask_token} bad, not bad at all. a lovely friendship"
    found = tiny_heads.explainer("fill_mask", architecture, dtype=dtype, **options).explain(text, **settings)
    ids = tokenizer(text)["input_ids"]
    place = ids.index(tokenizer.mask_token_id)
    best = int(slow_heads.run(model, tokenizer, ids, text).logits[0, place].argmax())

    def read(ids: list[int]) -> Tensor:
        return slow_heads.run(model, tokenizer, ids, text).logits[0, place].double().log_softmax(-1)[best]  # type: ignore[no-any-return]

    assert tokenizer.mask_token not in [unit.text for unit in found.units]
    return found, slow_heads.differences(tokenizer, found, [0], tokenizer.mask_token_id, read)


CHOICES = ("a lovely friendship", "junk food", "it isn't dull")


def choice(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("multiple_choice", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    segments = [("prompt", QUESTION), *((f"choice {at}", text) for at, text in enumerate(CHOICES, 1))]
    explainer = tiny_heads.explainer("multiple_choice", architecture, dtype=dtype, **options)
    found = explainer.explain(Request(segments=segments), scale="logit", **settings)
    rows = []
    for at, text in enumerate(CHOICES, 1):

        def read(ids: list[int], text: str = text) -> Tensor:
            encoded = tokenizer(QUESTION, text)
            types = (
                {"token_type_ids": torch.tensor([[encoded["token_type_ids"]]])} if "token_type_ids" in encoded else {}
            )
            with torch.no_grad():
                return model(input_ids=torch.tensor([[ids]]), **types).logits[0, 0].double()  # type: ignore[no-any-return]

        rows.append(slow_heads.differences(tokenizer, found, [0, at], tokenizer.mask_token_id, read))
    by_output = torch.stack(rows, -1)
    assert found.scores_by_output is not None
    close(found.scores_by_output, by_output, EXACT if dtype == torch.float64 else SINGLE)
    return found, by_output[:, found.outputs.index(str(found.target))]


def similarity(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("similarity", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    explainer = tiny_heads.explainer("similarity", architecture, dtype=dtype, **options)
    found = explainer.explain(QUESTION, text_pair=CONTEXT, **settings)

    def embed(ids: list[int]) -> Tensor:
        with torch.no_grad():
            return model(input_ids=torch.tensor([ids])).last_hidden_state[0].double().mean(0)  # type: ignore[no-any-return]

    def cosine(one: Tensor, other: Tensor) -> Tensor:
        return torch.cosine_similarity(one, other, 0)

    whole = [embed(tokenizer(text)["input_ids"]) for text in (QUESTION, CONTEXT)]
    without = {
        number: embed(ids)
        for side in (0, 1)
        for number, ids in slow_heads.masked(tokenizer, found, [side], tokenizer.mask_token_id)
    }
    value = cosine(whole[0], whole[1])
    sides = [unit.segment for unit in found.units]
    left = {at: cosine(one, whole[1]) if sides[at] == 0 else cosine(whole[0], one) for at, one in without.items()}
    if found.pair_scores is not None:
        pairs = [
            [value - left[i] - left[j] + cosine(without[i], without[j]) for j, side in enumerate(sides) if side == 1]
            for i, side in enumerate(sides)
            if side == 0
        ]
        close(found.pair_scores, torch.tensor(pairs), EXACT if dtype == torch.float64 else SINGLE)
    return found, torch.stack([value - left[at] for at in range(len(sides))])


OUTPUT = "isn't it dull"


def output(architecture: str, dtype: torch.dtype, **settings: Any) -> tuple[Explanation, Tensor]:
    model, tokenizer = tiny_heads.model("text2text", architecture, dtype), tiny_heads.tokenizer(architecture)
    options = {"batch_tokens": settings.pop("batch_tokens", None)}
    found = tiny_heads.explainer("text2text", architecture, dtype=dtype, **options).explain(
        TEXT, continuation=OUTPUT, **settings
    )
    target = [one for one, special in zip(*special_ids(tokenizer, OUTPUT), strict=True) if not special]
    begin = [model.config.decoder_start_token_id]
    baseline = tokenizer.pad_token_id if tokenizer.mask_token_id is None else tokenizer.mask_token_id

    def read(ids: list[int], written: list[int] | None = None) -> Tensor:
        decoder = torch.tensor([[*begin, *(target if written is None else written)]])
        with torch.no_grad():
            logits = model(
                input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)).long(), decoder_input_ids=decoder
            ).logits[0, :-1]
        shares = logits.double().log_softmax(-1)
        return torch.stack([share[one] for share, one in zip(shares, target, strict=True)])

    expected = slow_heads.differences(tokenizer, found, [0], baseline, read)
    source = tokenizer(TEXT)["input_ids"]
    own = [at for at, unit in enumerate(found.units) if unit.segment == 1]
    spans = tokenizer(OUTPUT, return_offsets_mapping=True)["offset_mapping"]
    offsets = [span for span, special in zip(spans, special_ids(tokenizer, OUTPUT)[1], strict=True) if not special]
    for at in own:  # tokens of the output; what precedes them is not theirs
        places = [n for n, (a, b) in enumerate(offsets) if a < found.units[at].end and found.units[at].start < b]
        changed = [baseline if n in places else one for n, one in enumerate(target)]
        expected[at] = read(source) - read(source, changed)
        expected[at, : max(places) + 1] = 0
    assert found.scores_by_output is not None
    close(np.nan_to_num(found.scores_by_output), expected, EXACT if dtype == torch.float64 else SINGLE)
    return found, expected.sum(-1)


def special_ids(tokenizer: Any, text: str) -> tuple[list[int], list[int]]:
    found = tokenizer(text, return_special_tokens_mask=True)
    return found["input_ids"], found["special_tokens_mask"]


CASES: list[tuple[Check, str]] = [
    *((check, name) for check in (tags, span, filling) for name in ENCODERS),
    *((choice, name) for name in ("bert", "roberta")),
    *((similarity, name) for name in POOLED),
    *((output, name) for name in WRITERS),
]
NAMES = [f"{check.__name__}-{name}" for check, name in CASES]


@pytest.mark.parametrize(("check", "architecture"), CASES, ids=NAMES)
def test_every_head_and_architecture(check: Check, architecture: str) -> None:
    found, expected = check(architecture, torch.float64)
    close(found.scores, expected, EXACT)


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["word", "token", "sentence"])
@pytest.mark.parametrize("batch", [1, 7, 64])
@pytest.mark.parametrize(("check", "architecture"), CASES, ids=NAMES)
def test_every_unit_batch_and_dtype(check: Check, architecture: str, batch: int, unit: str) -> None:
    for dtype, tolerance in ((torch.float64, EXACT), (torch.float32, SINGLE)):
        found, expected = check(architecture, dtype, unit=unit, batch_tokens=40 * batch)
        close(found.scores, expected, tolerance)


@pytest.mark.parametrize("architecture", ["t5", "bart"])
def test_earlier_output_is_explained_too(architecture: str) -> None:
    found, expected = output(architecture, torch.float64, attribute_to="all")
    assert {unit.segment for unit in found.units} == {0, 1}
    close(found.scores, expected, EXACT)


def test_texts_of_different_lengths_share_batches() -> None:
    texts = ["the film is", TEXT, "lovely", "not bad at all"]
    for task, more in (("token_classification", {}), ("text2text", {"continuation": OUTPUT})):
        explainer = tiny_heads.explainer(task, "bart" if task == "text2text" else "bert")
        together = list(explainer.explain_many(texts, **more))  # type: ignore[arg-type]
        for text, found in zip(texts, together, strict=True):
            alone = explainer.explain(text, **more)  # type: ignore[arg-type]
            close(found.scores, torch.tensor(alone.scores, dtype=torch.float64), EXACT)


def test_a_contrast_of_two_fillings() -> None:
    explainer, tokenizer = tiny_heads.explainer("fill_mask", "bert"), tiny_heads.tokenizer("bert")
    text = "the film is [MASK] bad"
    one, other = (explainer.explain(text, target=word) for word in ("the", "a"))
    found = explainer.explain(text, target=Contrast("the", "a"))
    close(
        found.scores,
        torch.tensor(one.scores, dtype=torch.float64) - torch.tensor(other.scores, dtype=torch.float64),
        EXACT,
    )
    assert {"the", "a"} <= set(found.outputs)
    assert tokenizer.mask_token not in found.outputs
