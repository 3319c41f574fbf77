"""What is refused before it runs: models that are no sequence classifiers, without weights, or compiled inside."""

from typing import Any

from torch import nn

from ...errors import GateError, ModelError
from ...tasks.registry import task_of_model
from ...tasks.task import Task


def check_supported(model: Any) -> type[Task]:
    """The model's task; refuse what cannot be explained whatever the text. All other models are up to the gate."""
    if not hasattr(model, "config") or (task := task_of_model(model)) is None:
        raise ModelError(
            f"{type(model).__name__} cannot be explained: it is no sequence classifier of Hugging Face's, whose "
            "classes are named ...ForSequenceClassification",
            hint="for a model of your own, write an adapter: Explainer.from_adapter(...)",
        )
    if not _has_word_embedding(model):
        raise ModelError(
            f"{type(model).__name__} cannot be explained: its get_input_embeddings() names no module, so no word can "
            "be replaced"
        )
    if any(tensor.is_meta for tensor in (*model.parameters(), *model.buffers())):
        raise ModelError(
            f"{type(model).__name__} cannot be explained: some of its weights are not in memory (device meta)",
            hint="load the whole model, without offloading",
        )
    if getattr(model.config, "attention_type", None) == "block_sparse":
        raise ModelError(
            f"{type(model).__name__} cannot be explained: with block_sparse attention it changes itself for good when "
            "it reads a short text",
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
    """Refuse a model with a compiled part: hooks that come after the compilation are ignored there without a word."""
    for name, module in model.named_modules():
        has_compiled_forward = hasattr(vars(module).get("forward"), "_torchdynamo_orig_callable")
        if "_orig_mod" in module._modules or module._compiled_call_impl is not None or has_compiled_forward:
            raise GateError(
                f"this model cannot be explained: {name or 'the model'} was compiled, and a compiled module may ignore "
                "the hook that replaces words",
                hint="give the model as it was before torch.compile or .compile()",
            )
