"""Hostile names in every field of every command's output: nothing steers the terminal, nothing is swallowed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import filled_stores, tiny
from support.hostile import NAMES, steering, toml

from unmask.experiments.plan import DatasetPlan, ModelPlan
from unmask.methods import registry
from unmask.methods.sig import SIG
from unmask.render.escape import one_line

EVERYTHING = "".join(NAMES.values()).replace("/", "|").replace("*", "|").replace("=", "|")  # a plan refuses these
FILE = "".join(NAMES.values()).replace("/", "|").encode()[:120].decode(errors="ignore")  # a file name has 255 bytes
Command = Callable[..., tuple[int, str, str]]


def check(outcome: tuple[int, str, str], *, exits: tuple[int, ...] = (0,), may_break: bool = False) -> str:
    """What was printed, which steers nothing, and holds no line of the attacker's unless lines may break."""
    code, out, err = outcome
    assert code in exits, err
    assert steering(out) == steering(err) == set()
    assert may_break or not [line for line in (out + err).splitlines() if line.startswith("FAKE")]
    return out + err


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which everything has a hostile name: the model, its labels, files, columns, datasets, the run."""
    folder = tmp_path_factory.mktemp("names")
    model = tiny.model("bert").float()
    model.config.id2label = {at: f"{at}{EVERYTHING}" for at in range(3)}
    model.config.label2id = {name: at for at, name in model.config.id2label.items()}
    model.save_pretrained(folder / FILE)
    tiny.tokenizer("bert").save_pretrained(folder / FILE)
    rows = [{EVERYTHING: "a lovely film", "gold": EVERYTHING}, {EVERYTHING: " ", "gold": "1"}, {EVERYTHING: 3}]
    (folder / f"{FILE}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "plan.toml").write_text(
        f"name = {toml(EVERYTHING)}\nmethods = ['sig']\noperators = ['remove']\ncontrols = ['random']\n"
        f"[datasets.{toml(EVERYTHING)}]\nsource = {toml(FILE + '.jsonl')}\ncolumn = {toml(EVERYTHING)}\n"
        "label = 'gold'\n"
        f"[models.{toml('model' + EVERYTHING)}]\nsource = {toml('./' + FILE)}\n"
    )
    return folder


READING = ["-f", f"{FILE}.jsonl", "--model", f"./{FILE}"]
COLUMN = ["--column", EVERYTHING]
COMMANDS = {
    "explain a text": ["explain", f"a {EVERYTHING} film".replace("\n", " "), "--model", f"./{FILE}"],
    "explain a file": ["explain", *READING, *COLUMN, "--label", "gold"],
    "explain as markdown": ["explain", *READING, *COLUMN, "--format", "markdown"],
    "explain as lines": ["explain", *READING, *COLUMN, "--format", "jsonl", "--keep"],
    "explain as JSON": ["explain", *READING, *COLUMN, "--format", "json", "--keep"],
    "explain what is wrong": ["explain", *READING, *COLUMN, "--label", "gold", "--only-wrong"],
    "explain for a label": ["explain", "a film", "--model", f"./{FILE}", "--target", f"1{EVERYTHING}"],
    "explain, estimated": ["explain", *READING, *COLUMN, "--estimate"],
    "compare": ["compare", "a film", "--model", f"./{FILE}", "--method", "sig,random"],
    "evaluate": ["evaluate", *READING, *COLUMN, "--label", "gold", "--method", "sig"],
    "evaluate, all tables": ["evaluate", *READING, *COLUMN, "--method", "sig", "--full"],
    "evaluate, estimated": ["evaluate", *READING, *COLUMN, "--method", "sig", "--estimate"],
    "evaluate, in a run": ["evaluate", *READING, *COLUMN, "--method", "sig", "--run", f"run{FILE}"],
    "run": ["run", "plan.toml", "run"],
    "run, estimated": ["run", "plan.toml", "--estimate"],
    "run, a part": ["run", "plan.toml", "run", "--only", EVERYTHING],
    "status": ["status", "run"],
    "report": ["report", "run"],
    "report, every figure": ["report", "run", "--layout", "long", "--times"],
    "report as markdown": ["report", "run", "--format", "markdown"],
    "report as CSV": ["report", "run", "--format", "csv"],
    "report as JSON": ["report", "run", "--format", "json"],
    "paths": ["paths", "a film", "--word", "1", "--model", f"./{FILE}"],
    "methods": ["methods"],
}
FILLING = {"status", "report", "report, every figure", "report as markdown", "report as CSV", "report as JSON"}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_name_steers_the_terminal(name: str, place: Path, unmask: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    if name in FILLING and not (place / "run").exists():
        unmask("run", "plan.toml", "run")
    code, out, err = unmask(*COMMANDS[name])
    out = out.replace("\r\n", "\n") if name == "report as CSV" else out  # RFC 4180 ends its lines so
    assert check((code, out, err), exits=(0, 1, 2) if "wrong" in name else (0, 1), may_break=" as " in name) != ""


REFUSED = {
    "a method": ["explain", "a film", "--method", EVERYTHING],
    "a setting": ["explain", "a film", "--method", f"ig:{EVERYTHING}=1"],
    "a unit": ["explain", "a film", "--unit", EVERYTHING],
    "a target": ["explain", "a film", "--target", EVERYTHING],
    "a baseline": ["explain", "a film", "--baseline", EVERYTHING],
    "a scale": ["explain", "a film", "--scale", EVERYTHING],
    "a format": ["explain", "a film", "--format", EVERYTHING],
    "a palette": ["explain", "a film", "--palette", EVERYTHING],
    "a suffix": ["explain", "a film", "-o", f"x.{FILE}"],
    "a folder for the output": ["explain", "a film", "-o", f"{FILE}-absent/x.json"],
    "a file": ["explain", "-f", f"absent{FILE}"],
    "a column": ["explain", "-f", f"{FILE}.jsonl", "--column", f"{EVERYTHING}x"],
    "a model": ["explain", "a film", "--model", f"./absent{FILE}"],
    "a model of the hub": ["explain", "a film", "--model", f"nobody{EVERYTHING}"],
    "a device": ["explain", "a film", "--device", EVERYTHING],
    "an option": ["explain", "a film", f"--{EVERYTHING}"],
    "a command": [EVERYTHING],
    "a method to compare": ["compare", "a film", "--method", f"sig,{EVERYTHING}"],
    "an operator": ["evaluate", "--operator", EVERYTHING],
    "a protocol": ["evaluate", "--protocol", EVERYTHING],
    "a reference": ["evaluate", "--method", "sig", "--reference", EVERYTHING, "--run", "other"],
    "a plan": ["run", EVERYTHING, "run"],
    "a mapped name": ["run", "plan.toml", "run", "--map", f"{EVERYTHING}=x"],
    "a part of a plan": ["run", "plan.toml", "run", "--only", f"x{EVERYTHING}"],
    "a run": ["status", f"absent{FILE}"],
    "a run to report": ["report", f"absent{FILE}"],
    "a layout": ["report", "run", "--layout", EVERYTHING],
    "a picture": ["report", "run", "--picture", EVERYTHING, "-o", "x.svg"],
    "a method to describe": ["methods", EVERYTHING],
    "a method of a path": ["paths", "a film", "--word", "1", "--method", EVERYTHING],
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("debug", [False, True], ids=["", "with its traceback"])
def test_no_refused_name_steers_the_terminal(
    name: str, debug: bool, place: Path, unmask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place)
    takes_it = REFUSED[name][0] not in ("methods", EVERYTHING)
    said = check(unmask(*REFUSED[name], *(["--debug"] if debug and takes_it else [])), exits=(2,), may_break=debug)
    assert "error: " in said


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("command", ["status", "report"])
def test_each_name_in_a_run_is_shown_as_it_is(kind: str, command: str, unmask: Command, tmp_path: Path) -> None:
    """Of the dataset, the model, the plan and a failure; without a model."""
    name = "".join(one for one in NAMES[kind] if one not in "/*=")
    made = filled_stores.plan(["sig"])
    plan = replace(
        made,
        name=name,
        datasets=(DatasetPlan(name=f"d{name}", source="films.jsonl"),),
        models=(ModelPlan(name=f"m{name}", sources={f"d{name}": "some/bert"}),),
    )
    filled_stores.fill(tmp_path / "run", plan, texts=2)
    said = check(unmask(command, str(tmp_path / "run")))
    if command == "status":
        assert f"{one_line(f'd{name}/m{name}')} (auto): " in said


@pytest.mark.parametrize("kind", NAMES)
def test_a_method_of_another_package_is_listed_as_it_is(
    kind: str, unmask: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = type("Hostile", (SIG,), {"name": NAMES[kind], "__doc__": NAMES[kind], "summary": NAMES[kind]})
    known = registry.method_class

    def found(name: str) -> Any:
        return hostile if name == NAMES[kind] else known(name)

    monkeypatch.setattr("unmask.cli.methods.method_class", found)
    monkeypatch.setattr("unmask.cli.methods.known_methods", lambda: ["sig", NAMES[kind]])
    check(unmask("methods"))
    check(unmask("methods", NAMES[kind]))
