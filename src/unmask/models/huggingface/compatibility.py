"""Rejects models that cannot be explained: unknown tasks, missing weights, compiled modules."""

from typing import Any

from torch import nn

from ...errors import GateError, ModelError
from ...tasks.task import Task, task_of_model

SUPPORTED = {
    "classification": "sequence classifier (...ForSequenceClassification)",
    "generation": "causal language model (...ForCausalLM)",
}
KINDS = {  # what a model is, by the end of its class's name
    "ForCausalLM": "a causal language model",
    "LMHeadModel": "a language model",
    "ForMaskedLM": "a masked language model",
    "ForPreTraining": "a pretrained model",
    "ForTokenClassification": "a token classifier",
    "ForQuestionAnswering": "a question-answering model",
    "ForQuestionAnsweringSimple": "a question-answering model",
    "ForMultipleChoice": "a multiple-choice model",
    "ForConditionalGeneration": "a sequence-to-sequence model",
    "ForSeq2SeqLM": "a sequence-to-sequence model",
    "Model": "a model without a head",
}


def supported(task: str | None) -> str:
    """The supported models of a task, or of any task."""
    return " or a ".join(SUPPORTED.values()) if task is None else SUPPORTED[task]


def model_kind(class_name: str) -> str | None:
    """What a model of this class is, in words; None for a sequence classifier or an unknown class.

    >>> model_kind("GPT2LMHeadModel"), model_kind("BertForSequenceClassification")
    ('a language model', None)
    """
    return next((kind for end, kind in KINDS.items() if class_name.endswith(end)), None)


def check_supported(model: Any) -> type[Task]:
    """The model's task; raises an error for a model that cannot be explained, whatever the text."""
    if not hasattr(model, "config") or (task := task_of_model(model)) is None:
        kind = model_kind(type(model).__name__) if hasattr(model, "config") else None
        raise ModelError(
            f"{type(model).__name__} is {f'{kind}, ' if kind else ''}not a Hugging Face {supported(None)}",
            hint="for any other model, write an adapter: Explainer.from_adapter(...)",
        )
    if not _has_word_embedding(model):
        raise ModelError(
            f"{type(model).__name__} cannot be explained: get_input_embeddings() returns no module, so its "
            "words cannot be replaced"
        )
    if any(tensor.is_meta for tensor in (*model.parameters(), *model.buffers())):
        raise ModelError(
            f"{type(model).__name__} cannot be explained: some of its weights are not in memory (device meta)",
            hint="load the whole model, without offloading",
        )
    if getattr(model.config, "attention_type", None) == "block_sparse":
        raise ModelError(
            f"{type(model).__name__} cannot be explained: with block_sparse attention, reading a short text "
            "changes the model permanently",
            hint='load it with attention_type="original_full"',
        )
    check_not_compiled(model)
    return task


def _has_word_embedding(model: Any) -> bool:
    try:
        return isinstance(model.get_input_embeddings(), nn.Module)
    except (AttributeError, NotImplementedError):
        return False


def check_not_compiled(model: nn.Module) -> None:
    """Reject a compiled model: it silently ignores hooks that are added later."""
    for name, module in model.named_modules():
        has_compiled_forward = hasattr(vars(module).get("forward"), "_torchdynamo_orig_callable")
        if "_orig_mod" in module._modules or module._compiled_call_impl is not None or has_compiled_forward:
            raise GateError(
                f"this model cannot be explained: {name or 'the model'} is compiled and may ignore "
                "the hook that replaces words",
                hint="pass the model without torch.compile or .compile()",
            )
