"""A large vocabulary costs memory for the answer's positions of one batch only."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import resource
import torch
from support import tiny_causal
from transformers import AutoModelForCausalLM
from unmask import Explainer

tokenizer = tiny_causal.chat_tokenizer("")
config = tiny_causal.recipe("llama").configuration(tokenizer, labels=2)
config.vocab_size, config.max_position_embeddings, config.hidden_size, config.head_dim = 150_000, 600, 64, 16
model = AutoModelForCausalLM.from_config(config).eval()
explainer = Explainer(model, tokenizer)
words = ["the", "film", "is", "not", "bad", "lovely"]
length = lambda text: len(tokenizer(text)["input_ids"])
prompt, answer = "", ""
while length(prompt) < 480:
    prompt += f" {words[len(prompt) % 6]}"
while length(prompt + answer) < 512:
    answer += f" {words[len(answer) % 6]}"
explainer.explain("the film is", continuation=" bad")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = explainer.explain(prompt, continuation=answer, unit="word")
assert found.passes.forward > 90, found.passes
assert len(found.outputs) >= 30, len(found.outputs)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) * 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the peak of memory in Linux's unit")
def test_a_vocabulary_of_a_hundred_and_fifty_thousand() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = [sys.executable, "-c", SCRIPT]
    found = subprocess.run(run, check=True, capture_output=True, text=True, env=environment)
    assert int(found.stdout) < 1_000_000_000
