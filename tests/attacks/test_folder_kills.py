"""A results folder while the process writing to it is killed again and again: it ends up complete.

In the end it has the same bytes as a folder whose process was left alone.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support import tiny

KILLER = """
import os, random, signal, sys, time
import torch, transformers.models.bert.modeling_bert
import unmask.explainer
from unmask.bulk import writer
from unmask.bulk.folder import ResultFolder
from unmask.cli import main
torch.set_num_threads(1)  # and nothing is computed in this process, so that it can fork
writer.TEXTS, writer.SECONDS = 100, 0.05  # so that there is much to be cut off
model, form, folder, draws = *sys.argv[1:4], random.Random(1)

def started(name):
    if not (process := os.fork()):
        sys.argv[1:] = ["explain", "--model", model, "-f", f"{folder}/*.jsonl", "-o", f"{folder}/{name}/"]
        sys.argv += ["--format", form, "--keep", "--quiet"]
        try:
            main()
        except SystemExit as end:
            os._exit(end.code)
        finally:
            os._exit(99)
    return process

def ended(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

def done():
    results = ResultFolder(f"{folder}/killed")
    parts = results.parts() if results.is_begun else []
    return parts[-1].end if parts else 0

begun = time.monotonic()
assert ended(started("whole")) == 1  # one text fails
usual = time.monotonic() - begun
for _ in range(12):
    process = started("killed")
    time.sleep(draws.random() * usual / 6)
    os.kill(process, signal.SIGKILL)
    print(ended(process), done(), flush=True)
assert ended(started("killed")) == 1
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_a_folder_that_was_killed_many_times_has_the_bytes_of_one_that_was_not(tmp_path: Path, form: str) -> None:
    model, folder = tmp_path / "model", tmp_path / "work"
    tiny.model("bert").float().save_pretrained(model)
    tiny.tokenizer("bert").save_pretrained(model)
    folder.mkdir()
    rows = [{"text": "a film" + " of parts" * (at % 9), "id": at} for at in range(800)]
    lines = [json.dumps(row) + "\n" for row in rows]
    (folder / "one.jsonl").write_text("".join(lines[:350]))
    (folder / "two.jsonl").write_text("".join([*lines[350:], "{bad\n"]))
    command = [sys.executable, "-c", KILLER, str(model), form, str(folder)]
    said = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=True, capture_output=True).stdout
    ends = [tuple(map(int, line.split())) for line in said.splitlines()]
    for at, (code, done) in enumerate(ends, 1):
        print(f"kill {at:>2}: exit code {code:>3}, {done:>3} of 801 texts")  # noqa: T201  # shown in docs/scaling.md
    killed = [done for code, done in ends if code == -signal.SIGKILL]
    assert len(killed) >= 8, ends
    assert len(set(killed)) >= 4, ends  # some of them in the middle of the work
    assert killed == sorted(killed), ends  # nothing is lost
    assert parts(folder / "killed") == parts(folder / "whole")
    assert len(parts(folder / "whole")) == 7  # 801 texts in parts of at least 100
    print("in the end: 7 parts, 801 texts, the same bytes as a folder that was left alone")  # noqa: T201


def parts(folder: Path) -> dict[str, bytes]:
    left = [file for file in folder.iterdir() if not file.name.startswith((".unmask-", "manifest", "progress"))]
    return {file.name: file.read_bytes() for file in left}
