"""Encoder-decoder models: every token of the output is an output, as of a language model's answer."""

from dataclasses import dataclass
from typing import ClassVar

from .generation import Generation


@dataclass(frozen=True, slots=True)
class Text2Text(Generation):
    """One output per token of what the model writes about its source."""

    name: ClassVar[str] = "text2text"
    model_classes: ClassVar[tuple[str, ...]] = ("ForConditionalGeneration", "MTModel", "ForSeq2SeqLM")
    kind: ClassVar[str] = "sequence-to-sequence model"
    auto_class: ClassVar[str] = "AutoModelForSeq2SeqLM"
    adapter: ClassVar[str] = "unmask.models.huggingface.text2text:Text2TextAdapter"
    segments: ClassVar[tuple[str, ...]] = ("source",)
