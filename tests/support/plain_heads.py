"""What models with other heads predict for texts with some words masked, one text at a time, without the library.

`gone` names the masked words: each is the index of its text and its characters.
"""

from typing import Any

import torch
from support import slow_heads, tiny_heads
from torch import Tensor

from unmask.text.segmentation import words
from unmask.text.spans import Span

ARCHITECTURES = {"text2text": "bart", "similarity": "mpnet"}


def parts(task: str) -> tuple[Any, Any]:
    architecture = ARCHITECTURES.get(task, "bert")
    return tiny_heads.model(task, architecture), tiny_heads.tokenizer(architecture)


def word_spans(text: str) -> list[Span]:
    return list(words(text, Span(0, len(text))))


def ids_without(tokenizer: Any, texts: tuple[str, ...], gone: list[tuple[int, Span]]) -> list[int]:
    """The ids of the texts as one sequence, with the tokens of some words masked."""
    read = tokenizer(*texts, return_offsets_mapping=True)
    sides = read.sequence_ids(0)
    return [
        tokenizer.mask_token_id
        if any(sides[at] == side and start < span.end and span.start < end for side, span in gone)
        else one
        for at, (one, (start, end)) in enumerate(zip(read["input_ids"], read["offset_mapping"], strict=True))
    ]


def tag_shares(text: str, gone: list[tuple[int, Span]]) -> Tensor:
    """The probability of every tag of each word, [words, tags]."""
    model, tokenizer = parts("token_classification")
    offsets = tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
    first = [
        next(at for at, (start, end) in enumerate(offsets) if start < one.end and one.start < end)
        for one in word_spans(text)
    ]
    logits = slow_heads.run(model, tokenizer, ids_without(tokenizer, (text,), gone), text).logits
    return logits[0, first].softmax(-1)  # type: ignore[no-any-return]


def span_share(question: str, context: str, span: Span, gone: list[tuple[int, Span]]) -> float:
    """The probability that the answer begins and ends where these characters do."""
    model, tokenizer = parts("question_answering")
    read, ids = tokenizer(question, context), ids_without(tokenizer, (question, context), gone)
    places = [at for at, side in enumerate(read.sequence_ids(0)) if side == 1]
    found = slow_heads.run(model, tokenizer, ids, question, context)
    first, last = (places.index(read.char_to_token(0, at, 1)) for at in (span.start, span.end - 1))
    starts, ends = (one[0, places].softmax(-1) for one in (found.start_logits, found.end_logits))
    return float(starts[first] * ends[last])


def filling_shares(text: str, gone: list[tuple[int, Span]]) -> dict[str, float]:
    model, tokenizer = parts("fill_mask")
    place = tokenizer(text)["input_ids"].index(tokenizer.mask_token_id)
    logits = slow_heads.run(model, tokenizer, ids_without(tokenizer, (text,), gone), text).logits[0, place]
    return {
        name: float(share)
        for name, share in zip(tokenizer.convert_ids_to_tokens(range(len(logits))), logits.softmax(-1), strict=True)
    }


def choice_shares(prompt: str, choices: list[str], gone: list[tuple[int, Span]]) -> list[float]:
    """The probabilities of the choices; `gone` names the prompt 0 and the choices 1, 2, ..."""
    model, tokenizer = parts("multiple_choice")
    logits = []
    for at, choice in enumerate(choices, 1):
        own = [(int(side > 0), span) for side, span in gone if side in (0, at)]
        ids, types = ids_without(tokenizer, (prompt, choice), own), tokenizer(prompt, choice)["token_type_ids"]
        with torch.no_grad():
            logits.append(model(input_ids=torch.tensor([[ids]]), token_type_ids=torch.tensor([[types]])).logits[0, 0])
    return torch.stack(logits).softmax(-1).tolist()


def cosine(texts: tuple[str, str], gone: list[tuple[int, Span]]) -> float:
    model, tokenizer = parts("similarity")
    vectors = []
    for side, text in enumerate(texts):
        ids = ids_without(tokenizer, (text,), [(0, span) for at, span in gone if at == side])
        with torch.no_grad():
            vectors.append(model(input_ids=torch.tensor([ids])).last_hidden_state[0].mean(0))
    return float(torch.cosine_similarity(vectors[0], vectors[1], 0))
