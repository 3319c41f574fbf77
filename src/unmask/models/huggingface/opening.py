"""Opens a Hugging Face model with the adapter for its task."""

from pkgutil import resolve_name
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from .adapter import HuggingFaceAdapter
from .compatibility import check_supported

USUAL = "unmask.models.huggingface.adapter:HuggingFaceAdapter"  # for a task that names no adapter


def open_model(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> HuggingFaceAdapter:
    """Wrap the model and its tokenizer in the adapter for the model's task."""
    whole: Any = getattr(model, "_orig_mod", model)
    adapter: type[HuggingFaceAdapter] = resolve_name(getattr(check_supported(whole), "adapter", USUAL))
    return adapter(model, tokenizer)
