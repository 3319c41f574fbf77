"""Compare the speed of exact SIG with a bare loop, Captum's FeatureAblation and the author's SIG.

.venv/bin/python benchmarks/cost_of_exact_sig.py     # bare loop, Captum
scripts/compare benchmarks/cost_of_exact_sig.py --author 10                          # and the author's package

Times are processor time of one thread; ratios are taken within a round, and shown with their spread over the rounds.
"""

import argparse
from typing import Any

import torch
from timing import interleaved, ratio, sst2
from torch import Tensor

from unmask import Explainer
from unmask.attribution.session import ModelSession
from unmask.engine import PendingRow
from unmask.engine.batching import pack_rows
from unmask.engine.calibration import CPU_TOKENS
from unmask.models.huggingface.adapter import HuggingFaceAdapter
from unmask.questions import Perturbation
from unmask.text.request import Request
from unmask.text.units import UnitSelection, align_units

REPEATS = 10  # runs of exact SIG for each run of the author's, which takes a hundred times as long


def altered_rows(adapter: HuggingFaceAdapter, texts: list[str]) -> list[PendingRow]:
    """Return the inputs that exact SIG runs: each text, each text with one word masked, and with all words masked."""
    rows = []
    session = ModelSession(adapter)
    config = session.resolve_config(baseline="mask")
    for text in texts:
        prepared = session.prepare(Request(text), config)
        everything = tuple(token for unit in prepared.units for token in unit)
        perturbations = dict.fromkeys([Perturbation(), *map(Perturbation, prepared.units), Perturbation(everything)])
        rows += [PendingRow(prepared, perturbation) for perturbation in perturbations]
    return rows


def bare_batches(adapter: HuggingFaceAdapter, rows: list[PendingRow]) -> list[dict[str, Tensor]]:
    """Return these inputs as tensors with altered ids, sorted by length."""
    made = []
    for part in pack_rows(rows, CPU_TOKENS):
        batch = adapter.batch([row.text.encoded for row in part])
        for index, row in enumerate(part):
            batch.ids[index, list(row.perturbation.moved)] = row.text.baseline.id or 0
        made.append({"input_ids": batch.ids, "attention_mask": batch.attention, **batch.inputs})
    return made


def against_a_bare_loop(explainer: Explainer, texts: list[str], rounds: int) -> None:
    adapter = HuggingFaceAdapter(explainer.model, explainer.tokenizer)
    rows = altered_rows(adapter, texts)
    prepared = bare_batches(adapter, rows)

    @torch.inference_mode()
    def bare() -> None:
        for inputs in prepared:
            explainer.model(**inputs)

    found = interleaved(rounds, bare=bare, ours=lambda: list(explainer.explain_many(texts)))
    what = f"a bare loop over the same inputs, prepared as tensors and sorted by length ({len(texts)} sentences"
    print(f"| {what}, {len(rows):,} inputs) | {ratio(found['bare'], found['ours'])} times as fast |", flush=True)


def word_groups(explainer: Explainer, text: str) -> tuple[Tensor, list[int]]:
    adapter = HuggingFaceAdapter(explainer.model, explainer.tokenizer)
    encoded = adapter.encode(text, max_length=None)
    groups = align_units(encoded.segments, encoded.tokens, UnitSelection("word"))
    owner = {token: index for index, group in enumerate(groups, 1) for token in group.tokens}
    return torch.tensor([encoded.ids]), [owner.get(position, 0) for position in range(len(encoded.ids))]


def endpoints(explainer: Explainer, ids: Tensor, groups: list[int]) -> tuple[Tensor, Tensor, Tensor]:
    """Return word embeddings, [1, tokens, width], of the text and of the masked text, and each token's group."""
    words = explainer.model.get_input_embeddings()
    with torch.no_grad():
        written = words(ids)
        masked = words(torch.full_like(ids, explainer.tokenizer.mask_token_id))
    owner = torch.tensor(groups)[None, :, None].expand_as(written)
    return written, torch.where(owner > 0, masked, written), owner


def logits(explainer: Explainer) -> Any:
    return lambda vectors: explainer.model(inputs_embeds=vectors).logits.amax(-1)


def against_captum(explainer: Explainer, texts: list[str], rounds: int) -> None:
    from captum.attr import FeatureAblation

    prepared = [endpoints(explainer, *word_groups(explainer, text)) for text in texts]

    def captum(rows: int) -> None:
        method = FeatureAblation(logits(explainer))
        with torch.no_grad():
            for written, baseline, owner in prepared:
                method.attribute(written, baselines=baseline, feature_mask=owner, perturbations_per_eval=rows)

    found = interleaved(
        rounds,
        ours=lambda: list(explainer.explain_many(texts)),
        one=lambda: captum(1),
        many=lambda: captum(32),
    )
    one, many = ratio(found["one"], found["ours"]), ratio(found["many"], found["ours"])
    what = "Captum's FeatureAblation with word groups, one perturbation at a time"
    print(f"| {what} ({len(texts)} sentences) | {one} times as fast |")
    print(f"| the same, 32 perturbations at a time | {many} times as fast |", flush=True)


def against_the_author(explainer: Explainer, texts: list[str], rounds: int) -> None:
    from tint.attr import SequentialIntegratedGradients

    prepared = [endpoints(explainer, *word_groups(explainer, text)) for text in texts]

    def author() -> None:
        for written, baseline, _ in prepared:
            SequentialIntegratedGradients(logits(explainer)).attribute(written, baselines=baseline, n_steps=50)

    def ours() -> None:
        for _ in range(REPEATS):
            list(explainer.explain_many(texts))

    found = interleaved(rounds, author=author, ours=ours)
    speedup = ratio(found["author"], [seconds / REPEATS for seconds in found["ours"]])
    what = f"the author's SIG with 50 steps, package time-interpret ({len(texts)} sentences)"
    print(f"| {what} | {speedup} times as fast |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="model folder (default: the built-in model)")
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--author", type=int, default=0, metavar="N", help="also run the author's SIG, on N sentences")
    given = parser.parse_args()
    explainer = Explainer.from_pretrained(given.model, device="cpu") if given.model else Explainer.default(device="cpu")
    torch.set_num_threads(1)
    explainer.model.requires_grad_(False)  # no program computes gradients of the weights
    texts = sst2("dev", given.texts)
    print(f"| compared with | speed of exact SIG, median (smallest to largest) of {given.rounds} rounds |\n|---|---|")
    against_a_bare_loop(explainer, texts, given.rounds)
    against_captum(explainer, texts[:50], given.rounds)
    if given.author:
        against_the_author(explainer, texts[: given.author], given.rounds)


main()
