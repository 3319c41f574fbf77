"""Rejects models that cannot be explained: unknown tasks, missing weights, compiled modules."""

from typing import Any

from torch import nn

from ...errors import GateError, ModelError
from ...tasks.task import TASKS, Task, task_named
from .classes import task_of_class, task_of_model

FUNCTION = """for any other head, pass a function that maps the model's output to numbers, [rows, outputs]:
    def readout(output, attention_mask):
        return output.logits[:, 0]
    explainer = Explainer.from_function(model, tokenizer, readout)"""
KINDS = {  # descriptions of models without a task, by the end of the class name
    "ForPreTraining": "a pretrained model",
    "Model": "a model without a head",
}


def supported(task: str) -> str:
    """The kind of model that a task supports, and how its class names end.

    >>> supported("generation")
    'causal language model (...ForCausalLM)'
    """
    known = task_named(task)
    return f"{known.kind} (...{known.model_classes[0]})" if known.model_classes else str(known.kind)


def all_supported() -> str:
    """The kinds of models that all tasks support."""
    *others, last = map(supported, TASKS)
    return f"{', '.join(others)} or {last}"


def model_kind(class_name: str, config: Any = None) -> str | None:
    """A description of models of this class; None for an unknown class.

    >>> model_kind("GPT2LMHeadModel"), model_kind("BertForNextSentencePrediction"), model_kind("BertModel")
    ('a causal language model', None, 'a model without a head')
    """
    if (task := task_of_class(class_name, config)) is not None:
        return f"a {getattr(task, 'kind', task.name)}"
    return next((kind for end, kind in KINDS.items() if class_name.endswith(end)), None)


def check_supported(model: Any) -> type[Task]:
    """Return the model's task, or raise an error if the model cannot be explained for any text."""
    if not hasattr(model, "config") or (task := task_of_model(model) or _task_without_head(model)) is None:
        kind = model_kind(type(model).__name__, model.config) if hasattr(model, "config") else None
        raise ModelError(
            f"{type(model).__name__} is {f'{kind}, ' if kind else ''}not a Hugging Face {all_supported()}",
            hint=FUNCTION
            if hasattr(model, "config")
            else "for any other model, write an adapter: Explainer.from_adapter(...)",
        )
    check_explainable(model)
    return task


def _task_without_head(model: Any) -> type[Task] | None:
    """The similarity task for an encoder without a head, which embeds texts."""
    is_encoder = type(model).__name__.endswith("Model") and not model.config.is_encoder_decoder
    return task_named("similarity") if is_encoder else None


def check_explainable(model: Any) -> None:
    """Reject a model whose word embeddings cannot be replaced, whatever its head."""
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
