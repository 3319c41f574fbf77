"""Encoder-decoder models: every token of the generated text is an output, as in a language model's answer."""

from dataclasses import dataclass
from typing import ClassVar

from .generation import Generation
from .task import Display


@dataclass(frozen=True, slots=True)
class Text2Text(Generation):
    """One output per token of the text that the model generates from its source."""

    name: ClassVar[str] = "text2text"
    model_classes: ClassVar[tuple[str, ...]] = (
        *("ForConditionalGeneration", "MTModel", "ForSeq2SeqLM"),
        "EncoderDecoderModel",
    )
    kind: ClassVar[str] = "sequence-to-sequence model"
    auto_class: ClassVar[str] = "AutoModelForSeq2SeqLM"
    adapter: ClassVar[str] = "unmask.models.huggingface.text2text:Text2TextAdapter"
    segments: ClassVar[tuple[str, ...]] = ("source",)
    display: ClassVar[Display] = Display(context="Source")
