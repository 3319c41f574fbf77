"""What ships says under which terms, and from where it came."""

import hashlib
import re
import tomllib
from pathlib import Path

from training.weights import SOURCE_HASH

PROJECT = Path(__file__).parents[1]
DATA = PROJECT / "src" / "unmask" / "data"
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = {"Apache-2.0": r"Apache License", "CC-BY-4.0": r"CC BY 4\.0", "MIT": r"MIT License"}


def test_the_expression_names_every_license_of_what_ships() -> None:
    notices = "\n".join(path.read_text(encoding="utf-8") for path in DATA.glob("*/NOTICE"))
    named = {name for name, words in NAMES.items() if re.search(words, notices)}
    assert set(METADATA["license"].split(" AND ")) == named


def test_every_license_and_notice_is_listed() -> None:
    listed = {path for pattern in METADATA["license-files"] for path in PROJECT.glob(pattern)}
    there = {path for name in ("LICENSE*", "NOTICE*") for path in (PROJECT / "src").rglob(name)}
    assert listed == there | {PROJECT / "LICENSE"}


def test_the_models_card_has_the_hashes_of_its_weights_and_of_their_source() -> None:
    card = (DATA / "minilm-sst2" / "README.md").read_text(encoding="utf-8")
    stored = hashlib.sha256((DATA / "minilm-sst2" / "model.safetensors").read_bytes()).hexdigest()
    assert re.findall(r"`([0-9a-f]{64})`", card) == [SOURCE_HASH, stored]
