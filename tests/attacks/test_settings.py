"""Hostile settings: each is used, or refused with an error of ours and exit code 2; nothing is our fault."""

import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import tiny

from unmask import Explainer
from unmask.errors import UnmaskError
from unmask.experiments.plan import DatasetPlan, ModelPlan, Plan
from unmask.methods.registry import METHODS, resolve_methods

TEXT = "good film , bad day"
NUMBERS: tuple[str, ...] = (
    "0",
    "-1",
    "1",
    "2.5",
    "nan",
    "inf",
    "-inf",
    "1e309",
    "10000000000000000000000",
    "200000",
    "1000000000",
)
NUMBERS += ("9" * 5_000, "0x10", "1_1", "none", "None", "true", "ten", "", " ", "²", "١٢", "--", "=", "\x1b[31m")
COUNTS: tuple[str, ...] = (
    "ig:steps",
    "ig:steps_per_token",
    "sig_path:steps",
    "gradient_shap:samples",
    "shapley:permutations",
)
COUNTS += ("dig:steps", "dig:factor", "dig:neighbors", "random:seed", "sdig:steps")
OTHERS = ("ig:tolerance", "gradient_shap:noise", "sig_path:keep", "ig:rule", "dig:strategy", "sig:steps", "nosuch:x")
SPECS = [
    f"{setting}={value}"
    for setting in COUNTS
    for value in NUMBERS[:16]  # what takes long to run is refused
] + [f"{setting}={value}" for setting in OTHERS for value in NUMBERS]
MALFORMED: tuple[str, ...] = (
    "",
    ",",
    ":",
    "ig:",
    "ig:steps",
    "ig:=5",
    "ig:steps==5",
    "ig:steps=5,steps=6",
    "steps=5",
    "ig,sig",
    "IG:STEPS=5",
)
MALFORMED += (
    "sig" * 10_000,
    "../sig",
    "os.system",
    "unmask.methods.sig:SIG",
    "sig\0",
    "ѕig",
    "ig:steps=5:6",
    "ig;steps=5",
)
SETTINGS: list[dict[str, Any]] = [
    *({"unit": unit} for unit in ("", "words", "WORD", "tokens\0", 3, None, ["word"], b"word", float("nan"))),
    *({"target": target} for target in ("", "nosuch", "LABEL_0\0", -1, 3, 10**22, 2.5, None, True, ["LABEL_0"], b"x")),
    *({"scale": scale} for scale in ("", "logits", "value", "\x1b[31m", 5, None, ["logit"])),
    *(
        {"baseline": name}
        for name in ("", "token:", "token:nosuchword", "token:two words", "masks", "token:\0", 7, None)
    ),
    *({"method": method} for method in (None, 5, ["sig"], object(), object, b"sig", print, ("sig", "ig"), {"sig": 1})),
]
OPTIONS: list[dict[str, Any]] = [
    *({"batch_tokens": value} for value in (0, -1, 10**22, 2.5, "5", True, math.nan)),
    *({"max_length": value} for value in (0, -1, 1, 2, 3, 65, 10**22, 2.5, "5", math.inf)),
    *({"labels": value} for value in ((), ["a"], "abc", ["a", "a", "a"], [1, 2, 3], ["\x1b[31m", "<b>", "\ud800"], 5)),
]


@cache
def subject() -> Explainer:
    return tiny.explainer("bert")


def check(**settings: Any) -> None:
    """An explanation with finite scores, or an error of ours in one line that is not longer than a few."""
    try:
        scores = subject().explain(TEXT, **settings).scores
    except UnmaskError as error:
        message = str(error)
    else:
        message = "-" if all(map(math.isfinite, scores)) else ""
    assert message
    assert len(message) < 2_000


@pytest.mark.parametrize("spec", [*SPECS, *MALFORMED], ids=lambda spec: ascii(spec)[:40])
def test_a_hostile_method(spec: str) -> None:
    check(method=spec)


@pytest.mark.parametrize("at", range(len(SETTINGS)))
def test_a_hostile_setting(at: int) -> None:
    check(**SETTINGS[at])


@pytest.mark.parametrize("at", range(len(OPTIONS)))
def test_a_hostile_option(at: int) -> None:
    try:
        explainer = Explainer(tiny.model("bert"), tiny.tokenizer("bert"), **OPTIONS[at])
        assert all(map(math.isfinite, explainer.explain(TEXT).scores))
    except UnmaskError as error:
        message = str(error)
        assert 0 < len(message) < 2_000  # what an option causes may be found late


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [-1, -(10**22), 2.5, True, "1", math.nan])
def test_a_seed_is_a_whole_number(method: str, seed: Any) -> None:
    with pytest.raises(UnmaskError, match=r"seed=.*: expected a whole number of at least 0"):
        resolve_methods([method], seed=seed)


@pytest.mark.parametrize("seed", [0, 2**31, 2**63, 2**64, 10**22, 10**4000])
def test_any_other_seed_is_used(seed: int) -> None:
    for method in resolve_methods(["random", "shapley:permutations=4"], seed=seed):
        check(method=method)


@pytest.mark.parametrize("spec", [*SPECS[::5], *MALFORMED], ids=lambda spec: ascii(spec)[:40])
def test_a_hostile_method_in_a_plan(spec: str) -> None:
    try:
        plan = Plan(
            name="mine",
            methods={"corrected": (spec,)},
            datasets=(DatasetPlan(name="texts", source="./texts.txt"),),
            models=(ModelPlan(name="model", sources={"texts": "./model"}),),
        )
        resolve_methods(plan.methods["corrected"], seed=plan.seed)
    except UnmaskError as error:
        message = str(error)
        assert message  # some are fine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "tiny"
    tiny.model("bert").save_pretrained(place)
    tiny.tokenizer("bert").save_pretrained(place)
    return place


COMMANDS = [
    *(
        ["--method", spec]
        for spec in ("ig:steps=200000", "ig:steps=10000000000000000000000", "shapley:permutations=1e9")
    ),
    *(["--method", spec] for spec in ("gradient_shap:samples=1000000000", "dig:factor=60", "ig:steps=-5", "ig:steps=")),
    *(["--seed", seed] for seed in ("-1", "x", "1e3", "9" * 400, "")),
    *(["--max-length", size] for size in ("0", "-1", "1", "2", "10000000000000000000000", "x")),
    *(["--batch-tokens", size] for size in ("0", "1", "10000000000000000000000")),
    *(["--target", target] for target in ("9", "-1", "\x1b[31m", "LABEL_9", "", "max")),
    *(["--unit", unit] for unit in ("", "x", "WORD")),
    *(["--scale", scale] for scale in ("", "value", "x")),
    *(["--baseline", name] for name in ("", "token:", "token:\u202e", "nosuch")),
    *(["--device", name] for name in ("", "gpu", "cuda:99", "meta", "cpu:x", "\x1b[31m")),
    *(["--dtype", name] for name in ("", "int8", "float23", "FLOAT32")),
    ["--target", "LABEL_0", "--against", "LABEL_0"],
    ["--against", "LABEL_1"],
    ["--format", "nosuch"],
    ["--style", "x"],
    ["--palette", "\x1b[31m"],
]


@pytest.mark.parametrize("given", COMMANDS, ids=lambda given: ascii(" ".join(given))[:50])
def test_a_hostile_command(given: list[str], folder: Path, unmask: Any) -> None:
    code, out, err = unmask("explain", TEXT, "--model", str(folder), *given)
    assert code in (0, 2), err
    assert "bug in unmask" not in err
    assert "\x1b" not in out + err
    assert (code == 0) == bool(out)


def test_the_corpus_does_not_shrink() -> None:
    assert len(SPECS) + len(MALFORMED) + len(SETTINGS) + len(OPTIONS) + len(COMMANDS) >= 400
