"""Folders with a tiny model of every task."""

from pathlib import Path

import pytest
import torch
from support import tiny_heads

ARCHITECTURES = {"text2text": "bart", "similarity": "mpnet"}


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The folder of each task's model."""
    made = {}
    for task in tiny_heads.CLASSES:
        folder: Path = tmp_path_factory.mktemp("heads") / task
        architecture = ARCHITECTURES.get(task, "bert")
        tiny_heads.model(task, architecture, torch.float32).save_pretrained(folder)
        tiny_heads.tokenizer(architecture).save_pretrained(folder)
        made[task] = str(folder)
    return made
