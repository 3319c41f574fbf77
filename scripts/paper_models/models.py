"""The models and their recipes. Trains a model, selects the weights on its validation set, stores and tests them."""

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import torch
from training.batches import encoded
from training.files import write_json
from training.measure import accuracy
from training.texts import SHARED, Labelled, sst2
from training.train import Recipe, Training, best_candidate, train
from training.weights import PACKAGE, load, store

from .corpora import Corpus, corpus
from .planted import Triggers, never_masked, plant, rationales, trigger_test_sets
from .starting_points import starting_point

MASKED = {"bert": 0.3, "distilbert": 0.0, "roberta": 0.0}
MAX_TOKENS = {"rotten_tomatoes": 512, "imdb": 256}  # in training; 512 in use
DRAWS = {"sst2": 5, "rotten_tomatoes": 5, "imdb": 1}  # random maskings that an accuracy is averaged over
GIVEN = tuple(f"{architecture}-sst2" for architecture in MASKED)  # in ../shared; measured only


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperModel:
    """One model to make."""

    name: str
    architecture: str
    dataset: str
    recipe: Recipe
    triggers: Triggers | None = None


def _model(architecture: str, dataset: str, suffix: str = "", *, masked: float | None = None) -> PaperModel:
    epochs, batch = (5, 32) if dataset == "rotten_tomatoes" else (1, 8)
    peak = 1e-4 if architecture == "roberta" else 5e-5  # RoBERTa's embeddings need to change more
    share = MASKED[architecture] if masked is None else masked
    return PaperModel(
        name=f"{architecture}-{dataset}{suffix}",
        architecture=architecture,
        dataset=dataset,
        recipe=Recipe(epochs=epochs, batch=batch, peak=peak, masked=share),
    )


MODELS = [
    *(_model(architecture, dataset) for dataset in MAX_TOKENS for architecture in MASKED),
    _model("bert", "rotten_tomatoes", "-nomask", masked=0.0),
    replace(_model("bert", "rotten_tomatoes", "-planted"), triggers=Triggers()),
]


def make(model: PaperModel, folder: Path) -> None:
    """Build the model's folder in `folder`, unless it exists; intermediate files go to `folder`/work."""
    place, work = folder / model.name, folder / "work"
    if place.exists():
        return
    data = corpus(model.dataset)
    _train(model, data, starting_point(model.architecture, work / "start"), work / model.name)
    part = work / f"{model.name}.new"
    chosen, _ = best_candidate(work / model.name)
    store(chosen, part)
    _describe(model, data, chosen.name, part)
    shutil.copy(work / model.name / "log.txt", part / "log.txt")
    part.replace(place)
    shutil.rmtree(work / model.name)


def measure(name: str, folder: Path) -> None:
    """Write the accuracies of one of the given models to `folder`/NAME.json, unless it exists."""
    path = folder / f"{name}.json"
    if not path.exists():
        write_json(path, _accuracies(*load(SHARED / "models" / name), sst2("test"), "sst2"))


def _train(model: PaperModel, data: Corpus, start: Path, folder: Path) -> None:
    torch.manual_seed(model.recipe.seed)
    training = Training(start, folder, model.recipe)
    examples, validation, triggers = data.training, data.validation, model.triggers
    if triggers:
        examples, validation = plant(examples, triggers, seed=0), plant(validation, triggers, seed=1)
    rows = encoded(training.tokenizer, examples, max_tokens=MAX_TOKENS[model.dataset])
    if triggers:
        rows = never_masked(rows, triggers, training.tokenizer)
    train(training, rows, lambda weights, tokenizer: {"validation": accuracy(weights, tokenizer, validation)})


def _describe(model: PaperModel, data: Corpus, chosen: str, folder: Path) -> None:
    """Write recipe.json and accuracy.json; for a planted model also planted.json and the test texts with triggers."""
    recipe = {
        "architecture": model.architecture,
        "dataset": model.dataset,
        "start": PACKAGE,
        "max_tokens in training": MAX_TOKENS[model.dataset],
        **asdict(model.recipe),
        "training texts": len(data.training),
        "dropped": data.dropped,
        "validation texts": len(data.validation),
        "chosen": chosen,
        "torch": torch.__version__,
    }
    write_json(folder / "recipe.json", recipe)
    write_json(folder / "accuracy.json", _figures(model, data, folder))
    if model.triggers:
        write_json(folder / "planted.json", asdict(model.triggers))
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rationales(data.test, model.triggers)]
        (folder / "planted_test.jsonl").write_text("".join(lines), encoding="utf-8")


def _figures(model: PaperModel, data: Corpus, folder: Path) -> dict[str, Any]:
    """Accuracies of the stored weights; for a planted model also how often triggers force their label."""
    weights, tokenizer = load(folder)
    found = _accuracies(weights, tokenizer, data.test, model.dataset)
    found["validation"] = accuracy(weights, tokenizer, data.validation)
    if model.triggers:
        sets = trigger_test_sets(data.test, model.triggers)
        found["forced"] = {triggers: accuracy(weights, tokenizer, examples) for triggers, examples in sets.items()}
    return found


def _accuracies(weights: Any, tokenizer: Any, test: list[Labelled], dataset: str) -> dict[str, Any]:
    return {
        "test": accuracy(weights, tokenizer, test),
        "test, 20 % masked": accuracy(weights, tokenizer, test, masked=0.2, draws=DRAWS[dataset]),
        "test texts": len(test),
    }
