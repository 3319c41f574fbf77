"""Processes that fork: a child explains, or says why it cannot; it never hangs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

BEGIN = """
import os, signal, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # Python's own, of a fork beside threads
import torch
from support import tiny
from unmask.errors import ModelError

torch.set_num_threads({threads})
explainer = tiny.explainer("bert")
text = tiny.TEXTS[0]

def child():
    signal.alarm(20)  # a child that hangs is ended, and its status is not 0
    try:
        print(explainer.explain(text).scores, flush=True)
    except ModelError as error:
        print(error, "|", error.hint, flush=True)
    os._exit(0)

def forked():
    process = os.fork()
    if not process:
        child()
    return os.waitpid(process, 0)[1]
"""

IN_USE = """
inside, go_on = threading.Event(), threading.Event()

def wait(*_):
    inside.set()
    go_on.wait()

hook = explainer.model.classifier.register_forward_pre_hook(wait)
worker = threading.Thread(target=explainer.explain, args=(text,))
worker.start()
inside.wait()
status = forked()
go_on.set()
worker.join()
hook.remove()
assert status == 0, status
explainer.explain(text)  # the parent goes on
assert forked() == 0  # and so does a child that is forked while nobody explains
"""

WHILE_EXPLAINING = """
expected = explainer.explain(text).scores
ended = threading.Event()

def explain():
    while not ended.is_set():
        assert explainer.explain(text).scores == expected

workers = [threading.Thread(target=explain) for _ in range(3)]
for worker in workers:
    worker.start()
statuses = [forked() for _ in range(12)]
ended.set()
for worker in workers:
    worker.join()
print("expected", expected)
assert statuses == [0] * 12, statuses
"""

AFTER_RUNNING = """
explainer.explain(text)
assert forked() == 0
torch.set_num_threads(1)
assert forked() == 0
"""


def run(script: str, *, threads: int = 1) -> list[str]:
    """The lines that a process prints; fails if it does not end."""
    tests = Path(__file__).parents[2]
    paths = [str(tests), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-c", BEGIN.format(threads=threads) + script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_a_child_forked_while_another_thread_explains_says_so() -> None:
    refused, scores = run(IN_USE)
    assert refused.startswith("another thread was using this model when the process forked, so the child cannot use it")
    assert 'multiprocessing.get_context("spawn")' in refused
    assert scores.startswith("(")


@pytest.mark.slow
def test_children_forked_at_any_moment_explain_or_say_so() -> None:
    *children, expected = run(WHILE_EXPLAINING)
    assert len(children) == 12
    for line in children:
        assert line.startswith("another thread was using") or f"expected {line}" == expected


@pytest.mark.slow
def test_a_child_does_not_wait_for_the_threads_of_its_parent() -> None:
    refused, scores = run(AFTER_RUNNING, threads=2)
    assert refused.startswith("a model already ran in 2 threads before this process was forked; torch would hang here")
    assert refused.endswith("or call torch.set_num_threads(1) in the child")
    assert scores.startswith("(")
