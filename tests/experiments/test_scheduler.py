"""Runs: what is there is not done again, whatever happened before; and the numbers are those of a run in one go."""

import gc
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from support import tiny

from unmask import Explainer, RayEngine
from unmask.errors import InputError
from unmask.experiments import chunk_runner, runner
from unmask.experiments.identity import signature
from unmask.experiments.plan import Plan
from unmask.experiments.reporting import pair_results
from unmask.experiments.results import Results
from unmask.experiments.scheduler import Run, RunProgress
from unmask.experiments.store import Store
from unmask.metrics.registry import Measure
from unmask.render.reports import layouts, render

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


def results(place: Path, plan: Plan) -> dict[str, Results]:
    store, found = Store(place, reading=True), dict[str, Results]()
    for pair, baseline in product(plan.pairs(), plan.baselines):
        known = pair_results(store, plan, pair, baseline)
        assert known is not None
        found[f"{pair.name} {baseline}"] = known
    store.close()
    return found


def numbers(place: Path, plan: Plan) -> Any:
    """All that a run found, but for the time that it took."""
    found = {}
    for name, one in results(place, plan).items():
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
        assert one.missing == 0
        for row in expected.rows:
            ours = one.evaluation.row(row.name)
            assert ours.baseline == row.baseline
            for measure, values in row.values.items():
                assert ours.values[measure] == pytest.approx(values, abs=1e-5, nan_ok=True), (row.name, measure)
        failed = {failure.example for failure in one.evaluation.failures}
        assert failed == {len(TEXTS) - 1} == {failure.example for failure in expected.failures}


def test_a_run_finds_what_an_evaluation_finds_under_the_papers_protocol(folder: Path, tmp_path: Path) -> None:
    plan = replace(Plan.load(folder / "plan.toml"), operators=()).under("paper").limited(3)
    plan = replace(plan, methods={"paper": ("sig",)}, baselines=("pad",))
    Run(tmp_path / "run", plan, device="cpu").go()
    (one,) = results(tmp_path / "run", plan).values()
    explainer = Explainer.from_pretrained(folder / "bert", device="cpu")
    expected = explainer.evaluate(TEXTS[:3], methods=["sig"], baseline="pad", protocol="paper")
    assert one.evaluation is not None
    for row in expected.rows:
        ours = one.evaluation.row(row.name).values
        assert list(ours) == list(row.values)
        for measure, values in row.values.items():
            assert ours[measure] == pytest.approx(values, abs=1e-5, nan_ok=True), (row.name, measure)
    record = json.loads(Run(tmp_path / "run", plan).report().to_json())
    assert [row["done"] for cell in record["cells"] for row in cell["rows"]] == [{"paper": 3}] * 4


def test_a_run_that_is_cut_off_goes_on_to_the_same_numbers(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any chunk, of several texts each."""
    monkeypatch.setattr(runner, "TEXTS", 2)
    plan = replace(Plan.load(folder / "plan.toml"), baselines=("mask",), operators=("remove",), controls=("random",))
    plan = replace(plan, methods={"corrected": ("sig", "dig:steps=2,neighbors=5")})
    Run(tmp_path / "whole", plan, device="cpu").go()

    def is_cut_off() -> bool:
        try:
            Run(tmp_path / "run", plan, device="cpu").go(progress=cut)
        except KeyboardInterrupt:
            return True
        return False

    def cut(_: RunProgress) -> None:
        raise KeyboardInterrupt

    cuts = [is_cut_off() for _ in range(8)]
    assert cuts.count(True) == 6  # three chunks of cheap methods, and three of others
    assert numbers(tmp_path / "run", plan) == numbers(tmp_path / "whole", plan)


def test_what_is_there_is_not_done_again(folder: Path, whole: Path) -> None:
    said: list[RunProgress] = []
    plan = Plan.load(folder / "plan.toml")
    opened = Run(whole, plan, device="cpu")
    opened.go(progress=said.append)
    assert not said
    assert opened.opened is None  # not even the model is opened


def test_texts_that_a_tokenizer_chose_are_not_counted_again(folder: Path, tmp_path: Path) -> None:
    plan = Plan.load(folder / "plan.toml")
    plan = replace(plan, datasets=tuple(replace(one, max_tokens=9) for one in plan.datasets), controls=())
    first, again = (Run(tmp_path / "run", plan, device="cpu") for _ in range(2))
    first.go()
    again.go()
    assert first.opened is not None
    assert again.opened is None


def test_a_plan_that_grows_costs_its_new_cells(folder: Path, whole: Path) -> None:
    plan = folder / "more.toml"
    plan.write_text(PLAN.replace('"ig:steps=4"]', '"ig:steps=4", "saliency"]'))
    said: list[RunProgress] = []
    Run(whole, Plan.load(plan), device="cpu").go(progress=said.append)
    assert {one.what.split()[1] for one in said} == {"saliency"}
    fewer = folder / "fewer.toml"
    fewer.write_text(PLAN.replace('"grad_x_input", ', ""))
    Run(whole, Plan.load(fewer), device="cpu").go(progress=said.append)
    found = results(whole, Plan.load(fewer))["films/bert mask"].evaluation
    assert [row.name for row in found.rows if row.kind == "method"] == ["sig", "ig:steps=4"]
    assert "grad_x_input" in str(numbers(whole, Plan.load(folder / "plan.toml")))  # and nothing was deleted


def test_a_text_that_stands_twice_is_computed_once_and_is_two_rows(folder: Path, whole: Path) -> None:
    found = results(whole, Plan.load(folder / "plan.toml"))["films/bert mask"]
    values = found.evaluation.row("sig").values[Measure("sufficiency", "remove", 0.2)]
    first, second = (at for at, text in enumerate(TEXTS) if text == "lovely")
    assert values[first] == values[second]
    assert len(found.lengths) == len(TEXTS)


def test_failures_are_tried_again_when_asked(folder: Path, whole: Path) -> None:
    said: list[RunProgress] = []
    Run(whole, Plan.load(folder / "plan.toml"), device="cpu").go(retry_failed=True, progress=said.append)
    assert {row for one in said for row in one.what.split(" ", 1)[1].split(" (")[0].split(", ")} >= {
        "sig",
        "grad_x_input",
        "ig:steps=4",
    }


def test_a_failure_that_goes_away_is_gone(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, usual = Plan.load(folder / "plan.toml").limited(2), vars(chunk_runner)["align_example"]
    run = Run(tmp_path, plan, device="cpu")

    def failing(opened: Any, example: Any, wanted: Any) -> Any:
        if example.request.text == TEXTS[1]:
            raise InputError("the machine is hot")
        return usual(opened, example, wanted)

    with monkeypatch.context() as patched:
        patched.setattr(chunk_runner, "align_example", failing)
        run.go()
    run.go()  # what failed is not tried again unless it is asked for
    assert "the machine is hot" in run.report().to_markdown()
    run.go(retry_failed=True)
    Run(tmp_path / "never", plan, device="cpu").go()
    for name, one in results(tmp_path, plan).items():
        other = results(tmp_path / "never", plan)[name].evaluation
        assert (one.missing, one.evaluation.failures) == (0, ())
        for row in other.rows:
            for measure, values in row.values.items():  # alone in its batch, so that it is not bit by bit
                assert one.evaluation.row(row.name).values[measure] == pytest.approx(values, abs=1e-5, nan_ok=True)


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
    notes = [cell.note for cell in Run(tmp_path / "run", plan).report().cells]
    assert all("files changed during this run" in str(note) for note in notes)
    assert after
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
    with pytest.raises(InputError, match="has changed; the results of the earlier model are kept"):
        Run(tmp_path / "run", plan, device="cpu").go()
    Run(tmp_path / "run", plan, device="cpu").go()
    assert {one.missing for one in results(tmp_path / "run", plan).values()} == {0}


KILLER = """
import os, random, signal, sqlite3, sys, time
import torch, transformers.models.bert.modeling_bert
import unmask.explainer
from unmask.experiments import scheduler
from unmask.experiments.plan import Plan
from unmask.experiments.scheduler import Run
torch.set_num_threads(1)  # and nothing is computed in this process, so that it can fork
scheduler.OPERATIONS["cpu"] = 1  # a text at a time, so that there is much to be cut off
plan, folder, draws = Plan.load(sys.argv[1]), sys.argv[2], random.Random(1)

def started(name):
    if not (process := os.fork()):
        try:
            Run(f"{folder}/{name}", plan, device="cpu").go()
            os._exit(0)
        finally:
            os._exit(1)
    return process

def ended(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])

def kept():
    try:
        return sqlite3.connect(f"file:{folder}/killed/results.sqlite?mode=ro", uri=True).execute(
            "SELECT (SELECT count(*) FROM scores) + (SELECT count(*) FROM judgments)").fetchone()[0]
    except sqlite3.OperationalError:
        return 0

begun = time.monotonic()
assert ended(started("whole")) == 0
usual = time.monotonic() - begun
for _ in range(20):
    process = started("killed")
    time.sleep(draws.random() * usual / 8)
    os.kill(process, signal.SIGKILL)
    print(ended(process), kept(), flush=True)
assert ended(started("killed")) == 0
"""


@pytest.fixture
def shared_texts(folder: Path, tmp_path: Path) -> Path:
    """A plan of two datasets that have texts in common, with a blank line and one that cannot be read."""
    lines = [json.dumps({"text": text}) + "\n" for text in (*TEXTS, *(f"a film of {at} bad parts" for at in range(40)))]
    (tmp_path / "films.jsonl").write_text("".join([*lines, "{bad\n"]))
    (tmp_path / "more.jsonl").write_text("".join([*lines[3:8], '{"text": "a lovely junk film"}\n']))
    (tmp_path / "plan.toml").write_text(
        PLAN.replace("[models]", '[datasets.more]\nsource = "more.jsonl"\n[models]').replace(
            '"bert"\n', f'"{folder / "bert"}"\n'
        )
    )
    return tmp_path


@pytest.mark.slow
def test_the_report_of_a_run_that_was_killed_twenty_times_is_that_of_one_that_was_not(shared_texts: Path) -> None:
    """At random moments: while it starts, while it writes, and while it computes."""
    command = [sys.executable, "-c", KILLER, str(shared_texts / "plan.toml"), str(shared_texts)]
    said = subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=True, capture_output=True).stdout
    ends = [tuple(map(int, line.split())) for line in said.splitlines()]
    killed = [kept for code, kept in ends if code == -signal.SIGKILL]
    assert len(killed) >= 10, ends
    assert len(set(killed)) >= 3, ends  # some of them in the middle of the work
    plan = Plan.load(shared_texts / "plan.toml")
    for form, layout in product(("markdown", "json", "csv"), layouts()):
        one, other = (
            render(Run(shared_texts / name, plan).report(reference="sig"), form, layout) for name in ("killed", "whole")
        )
        assert one == other
    assert numbers(shared_texts / "killed", plan) == numbers(shared_texts / "whole", plan)


def test_two_runs_in_one_folder_are_refused(folder: Path, tmp_path: Path) -> None:
    from unmask.experiments.store import hold

    (tmp_path / "run").mkdir()
    with hold(tmp_path / "run"), pytest.raises(InputError, match="in use by process"):
        Run(tmp_path / "run", Plan.load(folder / "plan.toml"), device="cpu").go()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning")  # Ray's own processes
def test_workers_on_ray_find_the_same_numbers(folder: Path, whole: Path, tmp_path: Path) -> None:
    plan = Plan.load(folder / "plan.toml")
    Run(tmp_path / "ray", plan, engine=RayEngine(workers=2)).go()
    assert numbers(tmp_path / "ray", plan) == numbers(whole, plan)
    gc.collect()  # while the filter holds
