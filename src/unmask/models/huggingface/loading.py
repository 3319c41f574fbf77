"""Loads models from a folder, from the hub or from the package."""

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
import transformers
from huggingface_hub.errors import (
    GatedRepoError,
    LocalEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from safetensors import SafetensorError
from transformers import AutoConfig, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.utils import logging as hugging_face_logging

from ...errors import ArgumentError, ModelError, UnmaskError, check_known, first_line, unknown
from ...results.atomic_io import is_local, is_path
from ...tasks.task import TASKS, task_named
from .checkpoint import check_weights
from .classes import task_of_class, task_of_classes
from .compatibility import FUNCTION, all_supported, model_kind, supported
from .pooling import has_modules

EMBEDDED = {"classification": "minilm-sst2", "generation": "stories15m"}
REASONS: dict[type[Exception], tuple[str, str]] = {  # the first match counts: a gated repository also counts as missing
    GatedRepoError: ("it is gated on the hub", "request access on its page, then log in: hf auth login"),
    RevisionNotFoundError: ("the hub has no such revision", "give an existing branch, tag or commit"),
    RepositoryNotFoundError: (
        "no such folder and no such name on the hub, or it is private",
        "check the spelling, or log in: hf auth login",
    ),
    LocalEntryNotFoundError: (
        "no such folder, not in the cache, and the hub cannot be reached",
        "give a folder, or connect to the network once",
    ),
    UnpicklingError: (
        "its weights are a pickle that contains other objects; loading it could run arbitrary code",
        "if you trust it, convert it to safetensors",
    ),
    SafetensorError: ("its weights are damaged", "copy or download model.safetensors again"),
}
UNSUPPORTED = "Unrecognized configuration class"  # start of transformers' message if the architecture lacks the head
DTYPES = ("float32", "float64", "bfloat16", "float16", "auto")


def embedded_model(task: str = "classification") -> Path:
    """The folder of the built-in model for a task."""
    check_known("task", [task], TASKS)
    if task not in EMBEDDED:
        raise ArgumentError(
            f"the package has no built-in model for {task}", hint="give a model: --model FOLDER-OR-NAME"
        )
    return Path(str(files("unmask") / "data" / EMBEDDED[task]))


def load(
    source: str | os.PathLike[str],
    *,
    device: str | torch.device | None = None,
    dtype: str | torch.dtype | None = None,
    revision: str | None = None,
    trust_remote_code: bool = False,
    task: str | None = None,
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Load a model and its tokenizer, by default in float32 on the best device.

    Args:
        task: A task such as `classification` or `generation`; by default, it is inferred from the architecture.
    """
    name = os.fspath(source)
    check_known("task", [] if task is None else [task], TASKS)
    place, kind = _device(device), _dtype(dtype)
    _check_place(name, revision)
    if revision is not None and Path(name).is_dir():
        raise ArgumentError(f"revision {revision!r} needs a hub name, but {_shown(name)!r} is a folder")
    options: dict[str, Any] = {"revision": revision, "trust_remote_code": trust_remote_code}
    config: Any = None
    try:
        with _quiet():
            config = AutoConfig.from_pretrained(name, **options)  # loaded first: without it, nothing else can load
            tokenizer = AutoTokenizer.from_pretrained(name, **options)
            chosen = task or task_of_checkpoint(name, config) or "classification"
            if chosen in ("generation", "text2text") and task_of_architectures(config) != chosen:
                raise _other_head(name, config, chosen)
            model, report = getattr(transformers, task_named(chosen).auto_class).from_pretrained(
                name, config=config, dtype=kind, output_loading_info=True, ignore_mismatched_sizes=True, **options
            )
    except UnmaskError:
        raise
    except Exception as error:  # for a damaged folder or a missing name, the libraries may raise anything
        if config is not None and UNSUPPORTED in str(error):
            raise _other_head(name, config, task) from error
        raise _unloadable(name, revision, error) from error
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise ModelError(f"the model {_shown(name)!r} has no tokenizer vocabulary", hint=_hint(name))
    names = [str(one) for one in config.architectures or ()]
    own = task_of_architectures(config)
    is_other = own is not None or (report["missing_keys"] and names)
    if chosen not in (own, "similarity") and is_other:
        raise _other_head(name, config, task)
    check_weights(_shown(name), model, report)
    return model.to(place).eval(), tokenizer


def _device(name: str | torch.device | None) -> torch.device:
    if name is None:
        has_mps = torch.backends.mps.is_available()
        return torch.device("cuda" if torch.cuda.is_available() else "mps" if has_mps else "cpu")
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise ArgumentError(f"device {str(name)!r} cannot be used here: {first_line(error)}") from error
    return device


def _dtype(name: str | torch.dtype | None) -> torch.dtype | str:
    if isinstance(name, torch.dtype):
        return name
    if name is None:
        return torch.float32
    if name not in DTYPES:
        raise unknown("dtype", name, DTYPES)
    return "auto" if name == "auto" else getattr(torch, name)


def _check_place(name: str, revision: str | None) -> None:
    folder = Path(name)
    if not name or (is_path(name) and not folder.exists()):
        raise ModelError(f"no such folder: {name!r}", hint="give a model folder or a hub name")
    if not folder.exists() and revision is None and is_local(name):
        raise ModelError(
            f"no such folder: {name!r}, which is read as a path because the folder {name.rpartition('/')[0]!r} exists",
            hint=f'check the path; if you mean the hub\'s {name}, add --revision main (in Python: revision="main")',
        )
    if folder.is_file():
        raise ModelError(f"{_shown(name)!r} is a file; a model is a folder with config.json, weights and a tokenizer")
    if folder.is_dir() and not (folder / "config.json").is_file():
        raise ModelError(f"the folder {_shown(name)!r} has no config.json: it is not a Hugging Face model")


def _unloadable(name: str, revision: str | None, error: BaseException) -> ModelError:
    """The error for a model that cannot be loaded, in one sentence; known kinds of errors get their own message."""
    chain = [error]
    while chain[-1].__cause__ is not None:
        chain.append(chain[-1].__cause__)
    for kind, (message, hint) in REASONS.items():
        if any(isinstance(cause, kind) for cause in chain):
            which = "" if revision is None else f" at revision {revision!r}"
            return ModelError(f"cannot load the model {_shown(name)!r}{which}: {message}", hint=hint)
    if any(isinstance(cause, ImportError) and "sentencepiece" in str(cause).casefold() for cause in chain):
        return ModelError(
            f"the tokenizer of {_shown(name)!r} needs sentencepiece, which is not installed",
            hint="pip install 'unmask[sentencepiece]'",
        )
    message = first_line(error).replace(str(Path(name).resolve()), _shown(name)).replace(name, _shown(name))
    return ModelError(f"cannot load the model {_shown(name)!r}: {message}", hint=_hint(name))


def task_of_architectures(config: Any) -> str | None:
    """The task of a checkpoint, given the names of the model classes it was saved from."""
    task = task_of_classes(config.architectures or (), config)
    return None if task is None else task.name


def task_of_checkpoint(name: str, config: Any) -> str | None:
    """The task of a checkpoint; for a sentence-transformers folder it is similarity, whatever the class."""
    known = task_of_architectures(config)
    return "similarity" if known in (None, "fill_mask") and has_modules(name) else known


def task_of_source(source: str | os.PathLike[str], *, revision: str | None = None) -> str | None:
    """The task of a model, from its configuration alone; None if it is unknown or cannot be read."""
    name = os.fspath(source)
    with suppress(Exception), _quiet():  # loading the model reports what is wrong with it
        _check_place(name, revision)
        return task_of_checkpoint(name, AutoConfig.from_pretrained(name, revision=revision, trust_remote_code=False))
    return None


def _other_head(name: str, config: Any, task: str | None) -> ModelError:
    """The error for a model whose head is missing or belongs to another task."""
    class_name = next(map(str, config.architectures or ()), type(config).__name__.removesuffix("Config"))
    kind = model_kind(class_name, config) or f"a {config.model_type} model"
    known = all_supported() if task is None else supported(task)
    own = task_of_class(class_name, config)
    if own is not None and task in (None, own.name):
        return ModelError(
            f"{_shown(name)!r} is {kind} ({class_name}), but transformers cannot load it as one",
            hint="load the model yourself and pass it: Explainer(model, tokenizer)",
        )
    hint = FUNCTION if task is None or own is None else f"remove the task, or use {own.name}"
    if task is None and "without a head" in kind:
        hint = f'if it embeds texts, explain their similarity: task="similarity"; {FUNCTION}'
    return ModelError(f"{_shown(name)!r} is {kind} ({class_name}), not a {known}", hint=hint)


def _hint(name: str) -> str:
    if Path(name).is_dir():
        return "the folder must contain config.json, model.safetensors and the tokenizer files"
    return "give a model folder or a hub name"


def _shown(name: str) -> str:
    """A model's name for messages: only the last part of a path, because messages get stored and shared."""
    return Path(name).resolve().name if Path(name).exists() else name


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the progress bars and advice of transformers and huggingface_hub while a model loads."""
    settings: Any = hugging_face_logging  # untyped
    level, bars = settings.get_verbosity(), settings.is_progress_bar_enabled()
    hub = logging.getLogger("huggingface_hub")
    hub_level = hub.level
    settings.set_verbosity_error()
    settings.disable_progress_bar()
    hub.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Recommended: pip install sacremoses")  # Marian never uses it for tokens
            yield
    finally:
        hub.setLevel(hub_level)
        settings.set_verbosity(level)
        if bars:
            settings.enable_progress_bar()
