"""Cut the vocabulary of all-MiniLM-L6-v2 to the pieces in use, and give the encoder a fresh two-class head."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from training import texts
from training.weights import download
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

READ = 128  # tokens read per text: full IMDB reviews would add 3,200 rare pieces and 2.5 MB
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def starting_point(folder: Path) -> None:
    """Write the untrained model and its tokenizer to `folder`, in Hugging Face format."""
    source = download(folder / "source")
    spec = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    old = spec["model"]["vocab"]
    kept = _kept(Tokenizer.from_str(json.dumps(spec)), old)
    tokenizer = _tokenizer(spec, kept)
    model = _model(source, torch.tensor([old[piece] for piece in kept]))
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)


def _kept(tokenizer: Tokenizer, vocabulary: dict[str, int]) -> list[str]:
    """Special tokens, all single characters (alone and as continuations) and the pieces in use, in the old order."""
    tokenizer.enable_truncation(READ)
    tokenizer.no_padding()
    used = {piece for text in _vocabulary_texts() for piece in tokenizer.encode(text).tokens}
    single = {piece for piece in vocabulary if len(piece.removeprefix("##")) == 1}
    wanted = (used | single) - set(SPECIAL)
    return [*SPECIAL, *sorted(wanted, key=vocabulary.__getitem__)]


def _vocabulary_texts() -> Iterator[str]:
    """All training texts of the three datasets, whose word pieces are kept."""
    for examples in (texts.sst2("train_phrases"), texts.rotten_tomatoes("train"), texts.imdb("train")):
        yield from (example.text for example in examples)


def _tokenizer(spec: dict[str, Any], kept: list[str]) -> PreTrainedTokenizerFast:
    new = {piece: index for index, piece in enumerate(kept)}
    spec["model"]["vocab"] = new
    spec["truncation"] = spec["padding"] = None
    for token in spec["added_tokens"]:
        token["id"] = new[token["content"]]
    for token in spec["post_processor"]["special_tokens"].values():
        token["ids"] = [new[piece] for piece in token["tokens"]]
    pad, unk, cls, sep, mask = SPECIAL
    return PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer.from_str(json.dumps(spec)),
        model_max_length=512,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        pad_token=pad,
        unk_token=unk,
        cls_token=cls,
        sep_token=sep,
        mask_token=mask,
    )


def _model(source: Path, rows: torch.Tensor) -> BertForSequenceClassification:
    config = BertConfig.from_pretrained(source)
    config.vocab_size = len(rows)
    config.id2label = {0: "negative", 1: "positive"}
    config.label2id = {"negative": 0, "positive": 1}
    torch.manual_seed(0)  # for the head's initial weights
    model = BertForSequenceClassification(config)
    weights = load_file(source / "model.safetensors")
    weights.pop("embeddings.position_ids", None)
    weights["embeddings.word_embeddings.weight"] = weights["embeddings.word_embeddings.weight"][rows]
    model.bert.load_state_dict(weights)
    return model
