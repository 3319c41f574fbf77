"""Hostile model folders: each is explained, or refused with an error of ours; no code of theirs runs."""

import json
import math
import shutil
import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from support import tiny

from unmask import Explainer
from unmask.errors import UnmaskError, UnmaskWarning
from unmask.models.huggingface.loading import load

Damage = Callable[[Path], object]
MANY = 10**12
NAMES = ("with space", "-model", "é", "\u202ex", "x\ny", "\x1b[31m", "a" * 200, "{x}", "%s", "x.", "..x", "~", "CON")
EXTRA = "bert.encoder.layer.9.output.dense.bias"
KINDS = (torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.bool)
CONFIG: dict[str, Any] = {
    "vocab_size": ["many", None, -1, 0, 1, 2.5, MANY, [5], True],
    "hidden_size": ["x", None, -1, 0, 7, MANY],
    "num_hidden_layers": ["x", None, -1, 0, 1, 50],
    "num_attention_heads": [0, -1, 7, None, "x"],
    "intermediate_size": [0, -5, None, 7, MANY],
    "max_position_embeddings": [0, 1, 2, 3, -1, None, "512", MANY],
    "type_vocab_size": [0, 1, -1, None],
    "hidden_act": ["nosuch", None, 5, "__import__"],
    "layer_norm_eps": ["x", None, -1.0, 1e308],
    "hidden_dropout_prob": [2.0, -1, "x", None],
    "id2label": [{}, None, {"0": "a"}, {"x": "a"}, {"0": "\x1b[31m", "1": "<script>", "2": "\ud800"}, ["a"], {"0": 5}],
    "num_labels": [0, 1, 2, -1, "x", 1000],
    "architectures": [None, [], ["Nosuch"], [5], "BertForSequenceClassification", ["BertForMaskedLM"]],
    "model_type": [None, "nosuch", 5, "gpt2", "t5", "../bert", "\0"],
    "pad_token_id": [10**9, -1, None, "x", 2.5],
    "problem_type": ["nosuch", "regression", "multi_label_classification", 5],
    "dtype": ["float7", 5, None, "int8", "float16"],
    "auto_map": [{"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}, [], 5],
    "quantization_config": [{"quant_method": "nosuch"}, {}, 5],
    "attn_implementation": ["nosuch", "eager"],
    "tie_word_embeddings": ["x", 5],
    "use_cache": ["x", 5],
    "classifier_dropout": [5, "x"],
    "is_decoder": [True],
    "output_attentions": [True],
    "return_dict": [False],
    "chunk_size_feed_forward": [1, -1, "x"],
}
TOKENIZER: dict[str, Any] = {
    "model_max_length": ["512", 0, -1, 1, 2, 3, 1e30, 2.5, None, []],
    "tokenizer_class": ["Nosuch", None, 5, "GPT2Tokenizer"],
    "unk_token": [None, "", "nosuch", 5],
    "mask_token": [None, "", "two words", 5],
    "pad_token": [None, "[CLS]", "nosuch"],
    "truncation_side": ["middle", "left", 5],
    "padding_side": ["middle", "left"],
    "auto_map": [{"AutoTokenizer": ["own.Tokenizer", None]}],
    "chat_template": ["{{ cycler.__init__.__globals__.os.system('touch owned') }}"],
    "clean_up_tokenization_spaces": ["x"],
}
TEXT_FILES = ("config.json", "tokenizer.json", "tokenizer_config.json")
FILES = (*TEXT_FILES, "model.safetensors")
LETTER = {"id": 5, "content": "f", "single_word": False, "lstrip": True, "rstrip": True}
LETTER |= {"normalized": False, "special": True}
BROKEN = {
    "empty": b"",
    "cut": None,
    "null": b"null",
    "a list": b"[]",
    "a number": b"5",
    "bytes": b"\xff\xfe\0\x01",
    "deep": b"[" * 100_000,
    "an object": b"{}",
    "UTF-16": "{}".encode("utf-16"),
}


def changed(file: str, key: str, value: Any) -> Damage:
    def damage(folder: Path) -> None:
        record = json.loads((folder / file).read_text(encoding="utf-8"))
        (folder / file).write_text(json.dumps(record | {key: value}), encoding="utf-8")

    return damage


def changes(file: str, table: dict[str, Any]) -> dict[str, Damage]:
    return {f"{file} {key}={str(value)[:24]}": changed(file, key, value) for key in table for value in table[key]}


def removed(file: str) -> Damage:
    return lambda folder: (folder / file).unlink()


def replaced_by_folder(file: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / file).unlink()
        (folder / file).mkdir()

    return damage


def replaced_by_loop(file: str) -> Damage:
    def damage(folder: Path) -> None:
        (folder / file).unlink()
        (folder / file).symlink_to(file)

    return damage


def broken(file: str, content: bytes | None) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / file
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if content is None else content)

    return damage


def weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Damage:
    def damage(folder: Path) -> None:
        tensors = load_file(folder / "model.safetensors")
        change(tensors)
        save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})

    return damage


def header(content: bytes, size: int | None = None) -> Damage:
    length = struct.pack("<Q", len(content) if size is None else size)
    return broken("model.safetensors", length + content + b"\0" * 64)


def sharded(index: Any) -> Damage:
    def damage(folder: Path) -> None:
        (folder / "model.safetensors").rename(folder / "part.safetensors")
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))

    return damage


def vocabulary(change: Callable[[dict[str, Any]], object]) -> Damage:
    def damage(folder: Path) -> None:
        spec = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
        change(spec)
        (folder / "tokenizer.json").write_text(json.dumps(spec), encoding="utf-8")

    return damage


def ids(change: Callable[[int], int]) -> Damage:
    def renumber(spec: dict[str, Any]) -> None:
        spec["model"]["vocab"] = {word: change(at) for word, at in spec["model"]["vocab"].items()}

    return vocabulary(renumber)


def normalizer(pattern: str, content: str) -> Damage:
    made = {"type": "Replace", "pattern": {"Regex": pattern}, "content": content}
    return vocabulary(lambda spec: spec.update(normalizer=made))


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({"weight": Evil(folder / "owned")}, folder / "pytorch_model.bin")


class Evil:
    """A pickle that would run code when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def own_code(folder: Path) -> None:
    (folder / "own.py").write_text(f"from pathlib import Path\nPath({str(folder / 'owned')!r}).touch()\n")


def filled(value: float) -> Damage:
    return weights(lambda tensors: [tensor.fill_(value) for tensor in tensors.values()])


def one_filled(value: float) -> Damage:
    return weights(lambda tensors: next(iter(tensors.values())).view(-1)[:1].fill_(value))


def retyped(kind: torch.dtype) -> Damage:
    return weights(lambda tensors: tensors.update({name: tensor.to(kind) for name, tensor in tensors.items()}))


ATTACKS: dict[str, Damage] = {
    **changes("config.json", CONFIG),
    **changes("tokenizer_config.json", TOKENIZER),
    **{f"{file} {kind}": broken(file, content) for file in TEXT_FILES for kind, content in BROKEN.items()},
    **{f"no {file}": removed(file) for file in FILES},
    **{f"a folder for {file}": replaced_by_folder(file) for file in FILES},
    **{f"a loop for {file}": replaced_by_loop(file) for file in FILES},
    "weights empty": broken("model.safetensors", b""),
    "weights cut": broken("model.safetensors", None),
    "weights without tensors": weights(dict.clear),
    "a header of 2^64 bytes": header(b"{}", 2**64 - 1),
    "a header of 2^40 bytes": header(b"{}", 2**40),
    "a header that is no JSON": header(b"not json"),
    "a header with offsets outside": header(b'{"x":{"dtype":"F32","shape":[9],"data_offsets":[0,99999]}}'),
    "a header with negative shapes": header(b'{"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}'),
    "a header with a huge shape": header(b'{"x":{"dtype":"F32","shape":[4611686018427387904,8],"data_offsets":[0,4]}}'),
    "a header of an unknown type": header(b'{"x":{"dtype":"X9","shape":[1],"data_offsets":[0,4]}}'),
    **{f"all weights {value}": filled(value) for value in (0.0, math.nan, math.inf, 1e38, -1e-38)},
    **{f"one weight {value}": one_filled(value) for value in (math.nan, math.inf)},
    **{f"weights as {kind}": retyped(kind) for kind in KINDS},
    "an extra weight": weights(lambda tensors: tensors.update({"x.weight": torch.zeros(3)})),
    "an extra layer": weights(lambda tensors: tensors.update({EXTRA: torch.zeros(3)})),
    "a missing head": weights(lambda tensors: tensors.pop("classifier.weight")),
    "a missing layer": weights(lambda tensors: [tensors.pop(key) for key in list(tensors) if ".layer.1." in key]),
    "a missing embedding": weights(lambda tensors: tensors.pop("bert.embeddings.word_embeddings.weight")),
    "a scalar for a matrix": weights(lambda tensors: tensors.update({"classifier.weight": torch.zeros(())})),
    "a transposed matrix": weights(lambda tensors: tensors.update({"classifier.weight": torch.zeros(24, 3)})),
    "an index to a file outside": sharded({"weight_map": {"classifier.weight": "../../../../etc/passwd"}}),
    "an index to an absolute file": sharded({"weight_map": {"classifier.weight": "/etc/passwd"}}),
    "an index to nothing": sharded({"weight_map": {"classifier.weight": "absent.safetensors"}}),
    "an index without a map": sharded({}),
    "an index that is a list": sharded([]),
    "an index of numbers": sharded({"weight_map": {"classifier.weight": 5}}),
    "a pickle that runs code": pickled,
    "code beside it": own_code,
    "an empty vocabulary": vocabulary(lambda spec: spec["model"].update(vocab={})),
    "ids beyond the model": ids(lambda at: at + 10**6),
    "one id for all words": ids(lambda _: 5),
    "negative ids": vocabulary(lambda spec: spec["model"]["vocab"].update({"film": -1})),
    "an unknown kind of tokenizer": vocabulary(lambda spec: spec["model"].update(type="Nosuch")),
    "no pre-tokenizer": vocabulary(lambda spec: spec.update(pre_tokenizer=None)),
    "no post-processor": vocabulary(lambda spec: spec.update(post_processor=None)),
    "a normalizer that deletes everything": normalizer("[\\s\\S]", ""),
    "a normalizer that doubles everything": normalizer(".", "film film"),
    "a pattern that backtracks": normalizer("(a+)+$", ""),
    "added tokens of every letter": vocabulary(lambda spec: spec["added_tokens"].append(LETTER)),
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-bert"
    tiny.model("bert").float().save_pretrained(folder)
    tiny.tokenizer("bert").save_pretrained(folder)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "tiny-bert"))


def check(folder: Path) -> None:
    """The model explains, or an error of ours says in one line why not; nothing of the folder was run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other libraries' words about what we ask about
        try:
            found = Explainer(*load(folder, device="cpu")).explain("A good film, not bad at all.")
        except UnmaskError as error:
            message = str(error)
        else:
            message = "explained" if all(map(math.isfinite, found.scores)) else ""
    assert message
    assert "\n" not in message
    assert len(message) < 2_000
    assert str(folder.parent) not in message
    assert not list(folder.parent.rglob("owned"))
    assert not Path("owned").exists()


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_folder(name: str, folder: Path) -> None:
    ATTACKS[name](folder)
    check(folder)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_hostile_name(name: str, whole: Path, tmp_path: Path, unmask: Any) -> None:
    shutil.copytree(whole, tmp_path / name)
    code, out, err = unmask("explain", "A good film.", f"--model={tmp_path / name}")
    assert code == 0, err
    assert not {"\x1b", "\u202e"} & set(out + err)


def test_an_unused_head_is_a_note(folder: Path, unmask: Any) -> None:
    weights(lambda tensors: tensors.update({"cls.predictions.bias": torch.zeros(3)}))(folder)
    code, _, err = unmask("explain", "A good film.", "--model", str(folder))
    assert code == 0
    assert err.startswith("note: the checkpoint 'tiny-bert' has 1 weight (cls.predictions.bias) that this model")
    with pytest.warns(UnmaskWarning):
        load(folder)


def test_the_corpus_does_not_shrink() -> None:
    assert len(ATTACKS) >= 200
