"""How a sentence encoder pools its tokens: as its sentence-transformers folder specifies, or else by the mean."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from torch import Tensor
from transformers.utils.hub import cached_file

from ...errors import ModelError

MODULES, SETTINGS = "modules.json", "sentence_bert_config.json"
MODES = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max"}


@dataclass(frozen=True, slots=True)
class Pooling:
    """How the token vectors of a text become one embedding."""

    mode: Literal["mean", "cls", "max"] = "mean"
    limit: int | None = None  # the most tokens that the encoder reads

    def reduce(self, hidden: Tensor, attended: Tensor) -> Tensor:
        """Pool [rows, length, width] to [rows, width]."""
        if self.mode == "cls":
            return hidden[:, 0]
        is_read = attended[..., None].to(hidden.dtype)
        if self.mode == "max":
            return hidden.masked_fill(is_read == 0, -float("inf")).amax(1)
        return (hidden * is_read).sum(1) / is_read.sum(1).clamp_min(1e-9)


def has_modules(name: str) -> bool:
    """Whether a model comes from sentence-transformers."""
    return _read(name, MODULES) is not None


def pooling_of(model: Any) -> Pooling:
    """The pooling that a model's folder specifies; the mean if it specifies none."""
    name = str(model.config._name_or_path or "")
    modules = _read(name, MODULES)
    if modules is None:
        return Pooling()
    settings = _read(name, SETTINGS) or {}
    mode = "mean"
    for module in modules:
        kind = str(module["type"]).rpartition(".")[2]
        if kind == "Pooling":
            mode = _mode(_read(name, f"{module['path']}/config.json") or {})
        elif kind not in ("Transformer", "Normalize"):
            raise ModelError(
                f"this sentence encoder has a {kind} module, which is not supported; only Transformer, Pooling and "
                "Normalize are",
                hint="pass a function: Explainer.from_function(model, tokenizer, readout)",
            )
    return Pooling(mode, settings.get("max_seq_length"))  # type: ignore[arg-type]  # one of the modes


def _mode(config: dict[str, Any]) -> str:
    given = config.get("pooling_mode")
    chosen = [given] if isinstance(given, str) else [mode for key, mode in MODES.items() if config.get(key)]
    others = [key for key, value in config.items() if key.startswith("pooling_mode_") and value and key not in MODES]
    if len(chosen) != 1 or others or chosen[0] not in MODES.values():
        raise ModelError(
            f"the pooling {', '.join([*map(str, chosen), *others]) or 'without a mode'} is not supported; use mean, "
            "cls or max",
            hint="pass a function: Explainer.from_function(model, tokenizer, readout)",
        )
    return str(chosen[0])


def _read(name: str, file: str) -> Any:
    """Read a JSON file from a model's folder or from the hub's cache; None if the file does not exist."""
    if not name:
        return None
    try:
        path = Path(name) / file if Path(name).is_dir() else cached_file(name, file, local_files_only=True)
        return json.loads(Path(str(path)).read_text(encoding="utf-8")) if path and Path(path).is_file() else None
    except (OSError, ValueError):
        return None
