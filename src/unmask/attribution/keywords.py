"""Rejects unknown keywords. The error names the called method, the closest keyword and all known keywords."""

import difflib
import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from ..errors import KeywordError
from ..tasks.classification import Classification

P = ParamSpec("P")
R = TypeVar("R")
OTHER_NAMES = {"label": "target", "class_name": "target", "target_class": "target", "class_index": "target"}
STEPS = ("n_steps", "steps", "num_steps")
OF_ANSWERS = {  # settings of language models
    *("attribute_to", "continuation", "include_stop", "max_new_tokens", "normalize"),
    "prefix_cache",
}


def known_keywords(options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a method to reject keywords that are neither its own parameters nor keys of a TypedDict."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        own = inspect.signature(function).parameters.values()
        listed = {one.name for one in own if one.kind is one.KEYWORD_ONLY} | set(options.__annotations__)
        accepted = listed | {one.name for one in own if one.kind is one.POSITIONAL_OR_KEYWORD}

        takes_answers = "max_new_tokens" in listed
        called = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for name, value in kwargs.items():
                if name not in accepted and not (takes_answers and is_generation_setting(name)):
                    is_classifier = bool(args) and getattr(args[0], "task", None) == Classification.name
                    raise keyword_error(called, name, value, listed - OF_ANSWERS if is_classifier else listed)
            return function(*args, **kwargs)

        return checked

    return decorate


def is_generation_setting(name: str) -> bool:
    """Whether `generate()` of a Hugging Face model has this setting."""
    from transformers import GenerationConfig

    return not name.startswith("_") and name in vars(GenerationConfig())


def keyword_error(function: str, name: str, value: object, known: Iterable[str]) -> KeywordError:
    """Build the error for an unknown keyword.

    >>> print(keyword_error("Explainer.explain", "label", "positive", ["method", "target"]))
    Explainer.explain has no keyword 'label'; did you mean 'target'? known keywords: method, target
    """
    names = sorted(known)
    near = [OTHER_NAMES.get(name, ""), *difflib.get_close_matches(name, names, n=1)]
    guesses = [repr(one) for one in near if one in names]
    if name in STEPS and "method" in names:
        guesses = [f'method="ig:steps={value}"']
    guess = f"did you mean {guesses[0]}? " if guesses else ""
    is_for_compare = name == "methods" and "method" in names
    return KeywordError(
        f"{function} has no keyword {name!r}; {guess}known keywords: {', '.join(names)}",
        hint="to use several methods, call Explainer.compare(text, methods=[...])" if is_for_compare else None,
    )
