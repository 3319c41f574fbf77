"""Choose the weights on the development set, store them in half precision, measure them, and write the model card."""

import json
import shutil
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, PreTrainedModel

from . import texts
from .measure import accuracy

PROJECT = Path(__file__).resolve().parents[2]
PLACE = PROJECT / "src" / "unmask" / "data" / "minilm-sst2"
BESIDE = Path(__file__).parent
SHARES = (0.0, 0.1, 0.2, 0.5)
DRAWS = 5  # random choices of the masked words that a figure is averaged over


def pack(masked: Path, twin: Path) -> None:
    """Put the model into the package, with its card."""
    chosen, dev = _chosen(masked)
    other, _ = _chosen(twin)
    _store(chosen, PLACE)
    _store(other, twin / "packed")
    figures = {
        "chosen": chosen.name,
        "dev": dev,
        "test": _figures(PLACE),
        "test of the twin": _figures(twin / "packed"),
        "pieces": json.loads((PLACE / "config.json").read_text())["vocab_size"],
        "bytes": (PLACE / "model.safetensors").stat().st_size,
        "recipe": json.loads((masked / "recipe.json").read_text()),
    }
    (BESIDE / "figures.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    shutil.copy(PROJECT / "LICENSE", PLACE / "LICENSE")
    shutil.copy(BESIDE / "NOTICE", PLACE / "NOTICE")
    write_card()


def write_card() -> None:
    """Fill the card's template with the stored figures."""
    figures = json.loads((BESIDE / "figures.json").read_text(encoding="utf-8"))
    rows = {
        name: " | ".join(f"{figures[key][str(share)]:.4f}" for share in SHARES)
        for name, key in (("model", "test"), ("twin", "test of the twin"))
    }
    template = (BESIDE / "card.md").read_text(encoding="utf-8")
    facts = {"pieces": f"{figures['pieces']:,}", "megabytes": f"{figures['bytes'] / 1e6:.1f}", "draws": DRAWS}
    recipe = figures["recipe"]
    card = template.format(**rows, **facts, chosen=figures["chosen"], dev=f"{figures['dev']:.4f}", **recipe)
    (PLACE / "README.md").write_text(card, encoding="utf-8")


def _chosen(folder: Path) -> tuple[Path, float]:
    """The weights with the best mean of two accuracies on the development set: as it is, and a fifth masked."""
    dev = texts.sst2("dev")

    def quality(candidate: Path) -> float:
        model, tokenizer = _loaded(candidate)
        return (accuracy(model, tokenizer, dev) + accuracy(model, tokenizer, dev, masked=0.2, draws=DRAWS)) / 2

    qualities = {candidate: quality(candidate) for candidate in sorted(folder.glob("epoch-*"))}
    for candidate, found in qualities.items():
        print(f"{candidate.name}: {found:.4f}", flush=True)
    best = max(qualities, key=qualities.__getitem__)
    return best, qualities[best]


def _store(candidate: Path, place: Path) -> None:
    model, tokenizer = _loaded(candidate)
    shutil.rmtree(place, ignore_errors=True)
    model.half().save_pretrained(place)
    tokenizer.save_pretrained(place)
    spec = json.loads((place / "tokenizer.json").read_text(encoding="utf-8"))
    (place / "tokenizer.json").write_text(json.dumps(spec, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    (place / "model.safetensors").chmod(0o644)


def _figures(folder: Path) -> dict[str, float]:
    model, tokenizer = _loaded(folder)
    test = texts.sst2("test")
    return {str(s): accuracy(model, tokenizer, test, masked=s, draws=DRAWS if s else 1) for s in SHARES}


def _loaded(folder: Path) -> tuple[PreTrainedModel, Any]:
    model = AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32)
    return model, AutoTokenizer.from_pretrained(folder)
