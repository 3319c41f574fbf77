"""Untrained classifiers of the three architectures, all with the encoder of all-MiniLM-L6-v2.

Configurations and tokenizers are those of ../shared/models. The embedding of a token that MiniLM does not have starts
as the mean of its word pieces.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor
from training.texts import SHARED
from training.weights import download
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

Weights: TypeAlias = dict[str, Tensor]

WORDS, POSITIONS, SEGMENTS = (f"embeddings.{kind}_embeddings.weight" for kind in ("word", "position", "token_type"))
SPECIAL = {"cls": "[CLS]", "sep": "[SEP]", "pad": "[PAD]", "unk": "[UNK]", "mask": "[MASK]"}
DISTILBERT_NAMES = {  # longer names first, since they contain the shorter ones
    "encoder.layer": "transformer.layer",
    "attention.self.query": "attention.q_lin",
    "attention.self.key": "attention.k_lin",
    "attention.self.value": "attention.v_lin",
    "attention.output.dense": "attention.out_lin",
    "attention.output.LayerNorm": "sa_layer_norm",
    "intermediate.dense": "ffn.lin1",
    "output.dense": "ffn.lin2",
    "output.LayerNorm": "output_layer_norm",
}


def starting_point(architecture: str, folder: Path) -> Path:
    """Write an architecture's classifier to a folder in `folder`, unless it exists; returns that folder."""
    place = folder / architecture
    if place.exists():
        return place
    source, like = download(folder / "source"), SHARED / "models" / f"{architecture}-sst2"
    tokenizer = AutoTokenizer.from_pretrained(like)
    weights = load_file(source / "model.safetensors")
    weights.pop("embeddings.position_ids", None)
    pieces = word_pieces(tokenizer, Tokenizer.from_file(str(source / "tokenizer.json")))
    weights[WORDS] = torch.stack([weights[WORDS][ids].mean(0) for ids in pieces])
    part = folder / f"{architecture}.new"
    shutil.rmtree(part, ignore_errors=True)
    classifier(AutoConfig.from_pretrained(like), weights).save_pretrained(part)
    tokenizer.save_pretrained(part)
    return part.replace(place)


def word_pieces(tokenizer: Any, minilm: Tokenizer) -> list[list[int]]:
    """For each token of a vocabulary, the ids of its word pieces in MiniLM; at least one."""
    minilm.no_padding()
    minilm.no_truncation()
    special = {getattr(tokenizer, f"{role}_token"): piece for role, piece in SPECIAL.items()}
    vocabulary, is_word_piece = minilm.get_vocab(), "##s" in tokenizer.get_vocab()

    def ids(token: str) -> list[int]:
        if token in special or is_word_piece:
            return [vocabulary[special.get(token, token)]]
        text = tokenizer.convert_tokens_to_string([token])
        return minilm.encode(text, add_special_tokens=False).ids or [vocabulary["[UNK]"]]

    return [ids(token) for token in tokenizer.convert_ids_to_tokens(range(len(tokenizer)))]


def classifier(config: Any, weights: Weights) -> Any:
    """A float32 classifier with a fresh head, whose encoder is equivalent to BERT with these weights."""
    config.dtype = torch.float32
    torch.manual_seed(0)  # for the head's initial weights
    model = AutoModelForSequenceClassification.from_config(config)
    model.base_model.load_state_dict(LAYOUTS[config.model_type](weights))
    return model


def _for_distilbert(weights: Weights) -> Weights:
    """Weights for a model without segments: the vector of the first segment is added to the positions."""
    found = {_distilbert_name(name): weight for name, weight in weights.items() if not name.startswith("pooler")}
    found[POSITIONS] = found[POSITIONS] + found.pop(SEGMENTS)[0]
    return found


def _distilbert_name(name: str) -> str:
    for old, new in DISTILBERT_NAMES.items():
        name = name.replace(old, new)
    return name


def _for_roberta(weights: Weights) -> Weights:
    """Weights for a model with one segment and positions that start at 2."""
    found = {name: weight for name, weight in weights.items() if not name.startswith("pooler")}
    found[POSITIONS] = torch.cat([torch.zeros_like(found[POSITIONS][:2]), found[POSITIONS]])
    found[SEGMENTS] = found[SEGMENTS][:1]
    return found


LAYOUTS: dict[str, Callable[[Weights], Weights]] = {
    "bert": dict,
    "distilbert": _for_distilbert,
    "roberta": _for_roberta,
}
