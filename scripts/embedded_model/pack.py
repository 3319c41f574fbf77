"""Choose the weights on the development set, store them in half precision, measure them, and write the model card."""

import hashlib
import json
import shutil
from pathlib import Path

from training import texts
from training.measure import accuracy
from training.train import best_candidate
from training.weights import SOURCE_HASH, load, store

PROJECT = Path(__file__).resolve().parents[2]
PLACE = PROJECT / "src" / "unmask" / "data" / "minilm-sst2"
BESIDE = Path(__file__).parent
SHARES = (0.0, 0.1, 0.2, 0.5)
DRAWS = 5  # random maskings that an accuracy is averaged over


def pack(masked: Path, twin: Path) -> None:
    """Add the model and its card to the package."""
    chosen, dev = best_candidate(masked)
    other, _ = best_candidate(twin)
    store(chosen, PLACE)
    store(other, twin / "packed")
    figures = {
        "chosen": chosen.name,
        "dev": sum(dev.values()) / len(dev),
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
    stored = hashlib.sha256((PLACE / "model.safetensors").read_bytes()).hexdigest()
    facts = {
        "source": SOURCE_HASH,
        "stored": stored,
        "pieces": f"{figures['pieces']:,}",
        "megabytes": f"{figures['bytes'] / 1e6:.1f}",
        "draws": DRAWS,
    }
    recipe = figures["recipe"]
    card = template.format(**rows, **facts, chosen=figures["chosen"], dev=f"{figures['dev']:.4f}", **recipe)
    (PLACE / "README.md").write_text(card, encoding="utf-8")


def _figures(folder: Path) -> dict[str, float]:
    model, tokenizer = load(folder)
    test = texts.sst2("test")
    return {str(s): accuracy(model, tokenizer, test, masked=s, draws=DRAWS if s else 1) for s in SHARES}
