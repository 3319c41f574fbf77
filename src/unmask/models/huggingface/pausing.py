"""Whether a model can run other inputs between two tokens of an answer that it is generating.

Nearly all models can: what they need to continue an answer is in the cache that belongs to this call of `generate()`.
"""

from typing import Any

from .ignoring import has_state

FOREIGN = "transformers_modules"  # code that came with a model may store anything
OFFSETS = "rope_deltas"  # where models that also read images store the positions of the latest prompt


def can_pause(model: Any) -> bool:
    """Whether nothing that the model stores in itself depends on the answer."""
    modules = list(model.modules())
    is_foreign = any(type(module).__module__.startswith(FOREIGN) for module in modules)
    stores_positions = any(hasattr(module, OFFSETS) for module in modules)
    return not (is_foreign or stores_positions or has_state(model) or _switches_experts(model))


def _switches_experts(model: Any) -> bool:
    """Whether `generate()` runs a mixture of experts in another way, which takes too much memory for a batch."""
    how = getattr(model.config.get_text_config(), "_experts_implementation", None)
    return model.device.type != "cpu" and how == "grouped_mm"
