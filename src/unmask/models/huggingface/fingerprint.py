"""The identity of a model: its name without a path, and a hash of everything that can change an output."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import ref

import torch
from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...results.atomic_io import is_path
from .pieces import fingerprint

VOLATILE = ("_name_or_path", "transformers_version")  # configuration keys that do not change outputs


def public_name(model: PreTrainedModel) -> str:
    """The model's name on the hub, or else that of its folder, or else that of its class."""
    name = str(getattr(model.config, "_name_or_path", "") or "")
    if not name:
        return type(model).__name__
    return Path(name.replace("\\", "/")).resolve().name if Path(name).exists() or is_path(name) else name


class Snapshot:
    """A cheap record of a model's state, used to recompute the hash only after a change.

    Detects tensors that were replaced or written to, changes to the configuration, and added tokens. Does not detect
    writes through `.data`, because PyTorch does not count them.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> None:
        tensors = [value for value in model.state_dict(keep_vars=True).values() if isinstance(value, torch.Tensor)]
        versions = (0 if tensor.is_inference() else tensor._version for tensor in tensors)
        self._tensors = [(ref(each), _address(each), version) for each, version in zip(tensors, versions, strict=True)]
        self._rest = (len(tokenizer), model.config.to_json_string())

    def equals(self, other: "Snapshot") -> bool:
        """Whether the model is unchanged between the two snapshots."""
        return (
            self._rest == other._rest
            and len(self._tensors) == len(other._tensors)
            and all(
                mine[0]() is theirs[0]() and mine[1:] == theirs[1:]
                for mine, theirs in zip(self._tensors, other._tensors, strict=True)
            )
        )


def content_hash(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> str:
    """The SHA-256 of weights, configuration and tokenizer."""
    digest = hashlib.sha256()
    for name, value in sorted(model.state_dict().items()):
        digest.update(f"{name} ".encode())
        for part in _parts(value):
            digest.update(part)
    config = {key: value for key, value in model.config.to_dict().items() if key not in VOLATILE}
    digest.update(json.dumps(config, sort_keys=True, default=str).encode())
    backend: Any = tokenizer
    if backend.is_fast:
        spec = json.loads(backend.backend_tokenizer.to_str())
        digest.update(json.dumps({**spec, "truncation": None, "padding": None}, sort_keys=True).encode())
    else:
        for part in fingerprint(backend):
            digest.update(part)
    return f"sha256:{digest.hexdigest()}"


def _parts(value: object) -> Iterator[bytes | Any]:
    """The bytes of a module's state; the state of a quantized module may contain nested, packed and plain values."""
    if isinstance(value, torch.Tensor):
        yield f"{value.dtype} {tuple(value.shape)}\n".encode()
        if hasattr(value, "__tensor_flatten__"):
            names, settings = value.__tensor_flatten__()
            yield from _parts([*(getattr(value, name) for name in names), settings])
        else:
            plain = value.detach().dequantize() if value.is_quantized else value.detach()
            yield plain.cpu().contiguous().reshape(-1).view(torch.uint8).numpy()
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part)
    else:
        yield f"{value!r}\n".encode()


def _address(tensor: torch.Tensor) -> int:
    """The address of the tensor's data; 0 for a tensor that is composed of others and has no address."""
    try:
        return tensor.data_ptr()
    except RuntimeError:
        return 0
