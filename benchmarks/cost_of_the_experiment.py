"""Estimate the cost of the paper's whole experiment, on models of the same size with random weights.

.venv/bin/python benchmarks/cost_of_the_experiment.py > docs/results/cost-of-the-experiment.md

Passes and operations do not depend on the weights, so the hub's models are not needed: models of the same size, with
the vocabularies of those in ../shared, take their place. The texts are those in ../shared. It has only 828 of IMDB's
2,000 reviews, so the counts for IMDB are scaled up.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from paper_experiment import PLACES
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from unmask.experiments import Plan, Run
from unmask.experiments.scheduler import PairEstimate

BASE = {
    "bert": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "roberta": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "distilbert": {"dim": 768, "n_layers": 6, "n_heads": 12, "hidden_dim": 3072},
}
IMDB = 2000  # reviews that the paper drew
GPU = 4e12  # assumed operations per second of a GPU in float32: half of the peak of a T4, which the paper used
PAPERS = ("grad_x_input", "deeplift", "gradient_shap", "ig", "dig")


def main() -> None:
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        places = PLACES | {name: saved(Path(folder) / name, name) for name in BASE}
        plan = replace(Plan.load("paper").mapped(places), controls=())
        said = {
            "the paper's six methods with the paper's settings (protocol `paper`)": under(
                plan, "paper", PAPERS, ["sig_path:steps=50"]
            ),
            "the same six with exact SIG (protocol `corrected`)": under(plan, "corrected", PAPERS, ["sig"]),
            "exact SIG alone": under(plan, "corrected", (), ["sig"]),
            "one combination: SIG with 50 steps, BERT on IMDB, baseline mask": of_imdb(
                under(plan, "paper", (), ["sig_path:steps=50"])
            ),
            "the same combination with exact SIG": of_imdb(under(plan, "corrected", (), ["sig"])),
            "the whole plan `paper` (protocol `corrected`)": Plan.load("paper").mapped(places),
        }
        print("\n".join(page({name: list(counted(one)) for name, one in said.items()})))


def under(plan: Plan, protocol: str, names: tuple[str, ...], more: list[str]) -> Plan:
    """The plan with some of its methods, and others."""
    kept = [one for one in plan.methods[protocol] if one.partition(":")[0] in names]
    return replace(plan.under(protocol), methods={protocol: (*kept, *more)})


def of_imdb(plan: Plan) -> Plan:
    """The combination whose running time the paper reports."""
    return replace(plan.only(["imdb/bert"]), baselines=("mask",))


def saved(folder: Path, name: str) -> str:
    """A model of the paper's size."""
    source = PLACES[name]
    torch.manual_seed(0)
    config = AutoConfig.from_pretrained(source, **BASE[name])
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return str(folder)


def counted(plan: Plan) -> Iterator[PairEstimate]:
    """Every pair under every baseline, IMDB up to as many reviews as the paper has."""
    for one in Run(Path(), plan, device="cpu").estimate():
        more = IMDB / one.texts if one.name.startswith("imdb/") else 1.0
        yield replace(
            one, passes=round(one.passes * more), operations=one.operations * more, seconds=one.seconds * more
        )


def page(found: dict[str, list[PairEstimate]]) -> Iterator[str]:
    yield "# What the paper's whole experiment costs\n"
    yield "**On one GPU, exact SIG cuts the paper's experiment from weeks to hours. IMDB takes most of the time.**\n"
    yield "    .venv/bin/python benchmarks/cost_of_the_experiment.py > docs/results/cost-of-the-experiment.md\n"
    yield PREAMBLE
    yield "\n| what | passes | operations | one thread of this machine | one GPU | IMDB's share |"
    yield "|---|---|---|---|---|---|"
    for name, cells in found.items():
        imdb = sum(one.operations for one in cells if one.name.startswith("imdb/"))
        operations, seconds = sum(one.operations for one in cells), sum(one.seconds for one in cells)
        yield (
            f"| {name} | {sum(one.passes for one in cells):.2g} | {operations:.1e} | {days(seconds)} "
            f"| {days(operations / GPU)} | {imdb / operations:.0%} |"
        )
    yield f"\nThe times for one GPU were not measured: they are estimated from the operations, at {GPU:.0e} per"
    yield "second, half of a T4's peak. For SIG with 50 steps and BERT on IMDB, the paper reports 5 days on a T4."
    yield "The figures do not include DIG's path search or the extra time of DeepLift, which runs one text at a time."


def days(seconds: float) -> str:
    """Format a time with about two digits."""
    return f"{seconds / 86400:,.0f} days" if seconds > 10 * 86400 else f"{seconds / 3600:,.0f} h"


PREAMBLE = """\
The experiment has three models, three datasets (1,821, 1,066 and 2,000 texts) and the baselines mask and pad. Passes
are counted as `unmask run paper --estimate` counts them, on 50 texts of each dataset; IMDB is extrapolated from 828 of
its 2,000 reviews. The models have the same size as the paper's models, but random weights, which changes neither the
number of passes nor that of operations. Times were measured with one thread, on a shared machine."""

if __name__ == "__main__":
    main()
