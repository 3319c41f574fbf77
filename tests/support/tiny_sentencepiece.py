"""Tiny sentencepiece models, and the tokenizers that read texts with them and return no offsets."""

import io
import json
import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sentencepiece
import torch
import transformers
from support.tiny_heads import MARIAN

TEXTS = [
    "the film is not bad, not bad at all. a lovely friendship",
    "it isn't dull, the film is lovely",
    "der Film ist schön und größer als Käse",
    "naïve food at all, 12 of 3...",
]


@cache
def trained(kind: str = "unigram", size: int = 70, **settings: Any) -> bytes:
    """A sentencepiece model of a few sentences."""
    made = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 20),
        model_writer=made,
        vocab_size=size,
        model_type=kind,
        hard_vocab_limit=False,
        minloglevel=2,
        **settings,
    )
    return made.getvalue()


def processor(kind: str = "unigram", size: int = 70, **settings: Any) -> Any:
    return sentencepiece.SentencePieceProcessor(model_proto=trained(kind, size, **settings))


def vocabulary(model: Any, *special: str) -> dict[str, int]:
    """Ids of our own: those of sentencepiece are other ones."""
    pieces = [model.id_to_piece(at) for at in range(model.get_piece_size())]
    return {piece: at for at, piece in enumerate(dict.fromkeys([*special, *pieces]))}


@cache
def tokenizer(name: str) -> Any:
    """Of Marian, which has a model for sources and one for outputs, or of M2M100, from German to English."""
    with TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Recommended: pip install sacremoses")
        folder, source = Path(place), trained()
        (folder / "source.spm").write_bytes(source)
        words = vocabulary(processor(), "</s>", "<unk>", "<pad>", ">>fr<<")
        if name == "marian":
            (folder / "target.spm").write_bytes(trained("bpe", 60))
            words |= {piece: len(words) + at for at, piece in enumerate(other_pieces(words))}
        (folder / "vocab.json").write_text(json.dumps(words))
        if name == "marian":
            source_spm, target_spm, vocab = (str(folder / one) for one in ("source.spm", "target.spm", "vocab.json"))
            return transformers.MarianTokenizer(source_spm, target_spm, vocab)
        return transformers.M2M100Tokenizer(
            str(folder / "vocab.json"), str(folder / "source.spm"), src_lang="de", tgt_lang="en"
        )


def other_pieces(known: dict[str, int]) -> list[str]:
    return [piece for piece in vocabulary(processor("bpe", 60)) if piece not in known]


@cache
def model(name: str, dtype: torch.dtype = torch.float64) -> Any:
    """With random weights. Shared by all tests: they must leave it as they found it."""
    torch.manual_seed(0)
    words = tokenizer(name)
    count = len(words) if name == "marian" else max(words.lang_token_to_id.values()) + 1
    special = {f"{kind}_token_id": getattr(words, f"{kind}_token_id") for kind in ("pad", "eos")}
    config_class, model_class = {
        "marian": (transformers.MarianConfig, transformers.MarianMTModel),
        "m2m100": (transformers.M2M100Config, transformers.M2M100ForConditionalGeneration),
    }[name]
    begin = words.pad_token_id if name == "marian" else words.eos_token_id
    config = config_class(
        **MARIAN, **special, vocab_size=count, decoder_start_token_id=begin, forced_eos_token_id=None, bos_token_id=None
    )
    made = model_class(config)
    for weight in made.parameters():
        if weight.ndim > 1 and weight.requires_grad:  # positions are a formula
            torch.nn.init.normal_(weight, std=0.3)
    return made.to(dtype).eval()
