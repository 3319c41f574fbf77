"""Runs: what is there is not done again, whatever happened before; and the numbers are those of a run in one go."""

import json
import os
import random
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import tiny

from unmask import Explainer
from unmask.errors import InputError
from unmask.metrics.measures import Measure
from unmask.render.reports import drawn
from unmask.runs.assembling import Assembled, assembled
from unmask.runs.models import signature
from unmask.runs.plan import Plan
from unmask.runs.running import Doing, Run
from unmask.runs.store import Store

TEXTS = ["the film is not bad", "a lovely film", "junk food cinema at its greasiest!", "lovely", "lovely", ""]
PLAN = """
methods = ["sig", "grad_x_input", "ig:steps=4"]
baselines = ["mask", "pad"]
operators = ["remove", "mask"]
controls = ["random", "greedy", "random words"]
[datasets.films]
source = "films.jsonl"
[models]
bert = "bert"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan with its model and its texts."""
    made = tmp_path_factory.mktemp("plans")
    save(made / "bert", "bert")
    (made / "films.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    (made / "plan.toml").write_text(PLAN)
    return made


def save(place: Path, architecture: str) -> None:
    model = tiny.model(architecture).float()
    model.save_pretrained(place)
    tiny.tokenizer(architecture).save_pretrained(place)


def results(place: Path, plan: Plan) -> dict[str, Assembled]:
    store = Store(place, reading=True)
    return {f"{pair.name} {one}": assembled(store, plan, pair, one) for pair in plan.pairs() for one in plan.baselines}


def numbers(place: Path, plan: Plan) -> Any:
    """All that a run found, but for the time that it took."""
    found = {}
    for name, one in results(place, plan).items():
        assert one.evaluation is not None
        record = one.evaluation.to_dict()
        for row in record["rows"]:
            row.pop("seconds")
        found[name] = (record, one.scores, one.missing)
    return found


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    """A run in one go."""
    Run(folder / "whole", Plan.load(folder / "plan.toml"), device="cpu").go()
    return folder / "whole"


def test_a_run_finds_what_an_evaluation_finds(folder: Path, whole: Path) -> None:
    explainer = Explainer.from_pretrained(folder / "bert", device="cpu")
    for name, one in results(whole, Plan.load(folder / "plan.toml")).items():
        baseline = name.split()[-1]
        methods = ["sig", "grad_x_input", "ig:steps=4"]
        expected = explainer.evaluate(TEXTS, methods=methods, baseline=baseline, operators=["remove", "mask"])
        assert one.evaluation is not None
        assert one.missing == 0
        for row in expected.rows:
            ours = one.evaluation.row(row.name)
            assert ours.baseline == row.baseline
            for measure, values in row.values.items():
                assert ours.values[measure] == pytest.approx(values, abs=1e-5, nan_ok=True), (row.name, measure)
        failed = {failure.example for failure in one.evaluation.failures}
        assert failed == {len(TEXTS) - 1} == {failure.example for failure in expected.failures}


def test_what_is_there_is_not_done_again(folder: Path, whole: Path) -> None:
    said: list[Doing] = []
    plan = Plan.load(folder / "plan.toml")
    opened = Run(whole, plan, device="cpu")
    opened.go(progress=said.append)
    assert not said
    assert opened._held is None  # not even the model is opened


def test_a_plan_that_grows_costs_its_new_cells(folder: Path, whole: Path) -> None:
    plan = folder / "more.toml"
    plan.write_text(PLAN.replace('"ig:steps=4"]', '"ig:steps=4", "saliency"]'))
    said: list[Doing] = []
    Run(whole, Plan.load(plan), device="cpu").go(progress=said.append)
    assert {one.what.split()[1] for one in said} == {"saliency"}
    fewer = folder / "fewer.toml"
    fewer.write_text(PLAN.replace('"grad_x_input", ', ""))
    Run(whole, Plan.load(fewer), device="cpu").go(progress=said.append)
    found = results(whole, Plan.load(fewer))["films/bert mask"].evaluation
    assert found is not None
    assert [row.name for row in found.rows if row.kind == "method"] == ["sig", "ig:steps=4"]
    assert "grad_x_input" in str(numbers(whole, Plan.load(folder / "plan.toml")))  # and nothing was deleted


def test_a_text_that_stands_twice_is_computed_once_and_is_two_rows(folder: Path, whole: Path) -> None:
    found = results(whole, Plan.load(folder / "plan.toml"))["films/bert mask"]
    assert found.evaluation is not None
    values = found.evaluation.row("sig").values[Measure("sufficiency", "remove", 0.2)]
    first, second = (at for at, text in enumerate(TEXTS) if text == "lovely")
    assert values[first] == values[second]
    assert found.planned == len(TEXTS)


def test_failures_are_tried_again_when_asked(folder: Path, whole: Path) -> None:
    said: list[Doing] = []
    Run(whole, Plan.load(folder / "plan.toml"), device="cpu").go(retry_failed=True, progress=said.append)
    assert {one.what.split()[1] for one in said} >= {"sig", "grad_x_input", "ig:steps=4"}


def test_a_model_that_changed_under_its_name_has_cells_of_its_own(folder: Path, tmp_path: Path) -> None:
    save(tmp_path / "bert", "bert")
    (tmp_path / "films.jsonl").write_text('{"text": "a lovely film"}\n')
    (tmp_path / "plan.toml").write_text(PLAN)
    plan = Plan.load(tmp_path / "plan.toml")
    Run(tmp_path / "run", plan, device="cpu").go()
    before = numbers(tmp_path / "run", plan)
    model = tiny.model("bert").float()
    model.classifier.bias.data += 1
    model.save_pretrained(tmp_path / "bert")
    os.utime(tmp_path / "bert" / "config.json", (0, 0))
    Run(tmp_path / "run", plan, device="cpu").go()
    after = results(tmp_path / "run", plan)
    assert {one.other for one in after.values()} == {1}
    assert numbers(tmp_path / "run", plan) != before


def test_a_model_that_changed_unseen_is_told_before_anything_is_kept(tmp_path: Path) -> None:
    save(tmp_path / "bert", "bert")
    (tmp_path / "films.jsonl").write_text('{"text": "a lovely film"}\n')
    (tmp_path / "plan.toml").write_text(PLAN)
    plan = Plan.load(tmp_path / "plan.toml")
    Run(tmp_path / "run", plan.limited(1), device="cpu").go()
    weights = tmp_path / "bert" / "model.safetensors"
    before = weights.stat()
    model = tiny.model("bert").float()
    model.classifier.bias.data += 1
    model.save_pretrained(tmp_path / "bert")
    for file in (tmp_path / "bert").iterdir():
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    kept = Store(tmp_path / "run")
    for name, body in kept.facts("model:").items():
        kept.note(name, body | {"signature": signature(str(tmp_path / "bert"))})
    kept.close()
    (tmp_path / "films.jsonl").write_text('{"text": "a lovely film"}\n{"text": "another film"}\n')
    with pytest.raises(InputError, match="not the one that it was"):
        Run(tmp_path / "run", plan, device="cpu").go()
    Run(tmp_path / "run", plan, device="cpu").go()
    assert {one.missing for one in results(tmp_path / "run", plan).values()} == {0}


RUNNER = """
import sys
from unmask.runs import chunks
from unmask.runs.plan import Plan
from unmask.runs.running import Run
import torch
torch.set_num_threads(1)
chunks.OPERATIONS["cpu"] = 1  # a text at a time, so that there is much to be cut off
Run(sys.argv[2], Plan.load(sys.argv[1]), device="cpu").go(progress=lambda doing: print(doing.share, flush=True))
"""


@pytest.mark.slow
def test_the_report_of_a_run_that_was_killed_ten_times_is_that_of_one_that_was_not(
    folder: Path, tmp_path: Path
) -> None:
    plan, draws, kills = folder / "plan.toml", random.Random(1), 0
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    while kills < 10:
        command = [sys.executable, "-c", RUNNER, str(plan), str(tmp_path / "killed")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=alone) as process:
            assert process.stdout is not None
            assert process.stdout.readline(), "it ended before it was killed ten times"
            time.sleep(draws.random() * 0.05)
            process.kill()
        kills += 1
    for name in ("killed", "whole"):
        subprocess.run([sys.executable, "-c", RUNNER, str(plan), str(tmp_path / name)], env=alone, check=True)
    for form, layout in product(("markdown", "json", "csv"), ("paper", "long")):
        killed, whole = (
            drawn(Run(tmp_path / name, Plan.load(plan)).report(reference="sig"), form, layout)
            for name in ("killed", "whole")
        )
        assert killed == whole
    assert numbers(tmp_path / "killed", Plan.load(plan)) == numbers(tmp_path / "whole", Plan.load(plan))


def test_two_runs_in_one_folder_are_refused(folder: Path, tmp_path: Path) -> None:
    from unmask.runs.lock import held

    (tmp_path / "run").mkdir()
    with held(tmp_path / "run"), pytest.raises(InputError, match="in use by process"):
        Run(tmp_path / "run", Plan.load(folder / "plan.toml"), device="cpu").go()
