"""Which model gave the numbers: a name without a path, and a hash of everything that can change an output."""

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

VOLATILE = ("_name_or_path", "transformers_version")  # of a configuration: they change no output


def public_name(model: PreTrainedModel) -> str:
    """The hub's name, or the last part of a folder's path, or the class."""
    name = str(getattr(model.config, "_name_or_path", "") or "")
    if not name:
        return type(model).__name__
    is_path = Path(name).exists() or name.count("/") > 1 or "\\" in name or name.startswith((".", "/", "~"))
    return Path(name.replace("\\", "/")).resolve().name if is_path else name


def state(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> tuple[object, ...]:
    """What changes when the content does: cheap to ask for, so that a hash is only made anew where it must be."""
    return (len(tokenizer), *((tensor.data_ptr(), _version(tensor)) for tensor in model.state_dict().values()))


def content_hash(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> str:
    """A SHA-256 over weights, configuration and tokenizer."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    config = {key: value for key, value in model.config.to_dict().items() if key not in VOLATILE}
    digest.update(json.dumps(config, sort_keys=True, default=str).encode())
    backend: Any = tokenizer
    spec = json.loads(backend.backend_tokenizer.to_str())
    digest.update(json.dumps({**spec, "truncation": None, "padding": None}, sort_keys=True).encode())
    return f"sha256:{digest.hexdigest()}"


def _version(tensor: torch.Tensor) -> int:
    return 0 if tensor.is_inference() else tensor._version
