"""Tokenizers of the usual kinds, trained on the fly on a few texts."""

import json
from typing import Any

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

TEXTS = [
    "a well-made and often lovely depiction of the mysteries of friendship.",
    "the film is not bad, not bad at all: it isn't dull",
    "junk food cinema at its greasiest!",
    "lovely",
]
BERT = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]", "mask_token": "[MASK]"}
ROBERTA = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>", "mask_token": "<mask>"}
XLNET = {"unk_token": "<unk>", "cls_token": "<cls>", "sep_token": "<sep>", "pad_token": "<pad>", "mask_token": "<mask>"}
TYPED = ["input_ids", "token_type_ids", "attention_mask"]


def made(tokenizer: Tokenizer, roles: dict[str, str], *, template: str, **settings: Any) -> PreTrainedTokenizerFast:
    """A tokenizer that adds special tokens around the text `$A` as in the template; for a pair, also after `$B`."""
    special = [(name, tokenizer.token_to_id(name)) for name in dict.fromkeys(roles.values())]
    if template != "$A":
        behind = template.split()[template.split().index("$A") + 1 :] if "$A" in template.split() else []
        pair = settings.pop("pair", " ".join([template, "$B:1", *(f"{name}:1" for name in behind)]))
        tokenizer.post_processor = processors.TemplateProcessing(template, pair, special)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **roles, **settings)


def word_piece(roles: dict[str, str] = BERT, *, unk: str = "[UNK]", **settings: Any) -> PreTrainedTokenizerFast:
    special = list(dict.fromkeys([*roles.values(), unk]))
    pieces = [*special, *(name for piece in _merged() for name in (piece, f"##{piece}"))]
    tokenizer = Tokenizer(models.WordPiece({name: at for at, name in enumerate(pieces)}, unk_token=unk))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(special)
    settings = {"template": "[CLS] $A [SEP]", "model_input_names": TYPED, **settings}
    return made(tokenizer, roles, **settings)


def _merged() -> list[str]:
    """Letters and common pieces of the texts' words, in a fixed order, which WordPiece's own trainer does not give."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator(TEXTS, trainers.BpeTrainer(show_progress=False, vocab_size=100))
    return sorted(tokenizer.get_vocab())


def byte_level(special: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        show_progress=False, vocab_size=340, special_tokens=special, initial_alphabet=alphabet
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def roberta_tokenizer() -> PreTrainedTokenizerFast:
    tokenizer = byte_level(list(ROBERTA.values()))
    found = made(tokenizer, {**ROBERTA, "cls_token": "<s>", "sep_token": "</s>"}, template="<s> $A </s>")
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))  # with trimmed offsets
    found.backend_tokenizer.post_processor = tokenizer.post_processor
    return found


def modernbert_tokenizer() -> PreTrainedTokenizerFast:
    return made(byte_level(list(BERT.values())), BERT, template="[CLS] $A [SEP]")


def gpt2_tokenizer(*, pad: str | None) -> PreTrainedTokenizerFast:
    special = ["<|endoftext|>", "<pad>"]
    return PreTrainedTokenizerFast(
        tokenizer_object=byte_level(special), eos_token=special[0], pad_token=pad, model_max_length=64
    )


def opt_tokenizer() -> PreTrainedTokenizerFast:
    roles = {"pad_token": "<pad>", "bos_token": "</s>", "eos_token": "</s>"}
    return made(byte_level(["<s>", "<pad>", "</s>"]), roles, template="</s> $A")


def unigram(roles: dict[str, str], *, template: str, **settings: Any) -> PreTrainedTokenizerFast:
    """Like SentencePiece: a space is part of a token, as ▁. A word's first token has four letters, the others one."""
    special = list(dict.fromkeys(roles.values()))
    letters = sorted({*"".join(TEXTS), "▁"} - {" "})
    pieces = sorted({f"▁{word[:4]}" for text in TEXTS for word in text.split()})
    scores = [(name, 0.0) for name in special] + [(name, -4.0) for name in pieces] + [(name, -6.0) for name in letters]
    tokenizer = Tokenizer(models.Unigram(scores, special.index(roles["unk_token"])))
    tokenizer.add_special_tokens(special)
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return made(tokenizer, roles, template=template, **settings)


def byte_fallback(roles: dict[str, str]) -> PreTrainedTokenizerFast:
    """Like Llama: BPE over characters, with ▁ for a space and bytes for characters outside the vocabulary."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = list(dict.fromkeys([*roles.values(), "<unk>"]))
    tokenizer.train_from_iterator(
        TEXTS, trainers.BpeTrainer(show_progress=False, vocab_size=110, special_tokens=special)
    )
    trained = json.loads(tokenizer.to_str())["model"]
    vocabulary = {**trained["vocab"]}
    for byte in range(256):
        vocabulary[f"<0x{byte:02X}>"] = len(vocabulary)
    merges = [tuple(pair) for pair in trained["merges"]]
    tokenizer.model = models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    tokenizer.add_special_tokens(special)
    return made(tokenizer, roles, template=f"{roles['bos_token']} $A")
