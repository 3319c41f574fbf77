"""Opens a Hugging Face model with the adapter for its task."""

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from ...tasks.generation import Generation
from ...tasks.task import task_of_model
from .adapter import HuggingFaceAdapter
from .causal import CausalAdapter


def open_model(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> HuggingFaceAdapter:
    """The model and its tokenizer as the engine sees them."""
    is_generative = task_of_model(getattr(model, "_orig_mod", model)) is Generation
    return (CausalAdapter if is_generative else HuggingFaceAdapter)(model, tokenizer)
