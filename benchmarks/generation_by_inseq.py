"""Compare an answer's scores with inseq: Sequential Integrated Gradients run to convergence, IG and gradients.

scripts/compare benchmarks/generation_by_inseq.py
"""

import argparse
import copy
import os
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
os.environ["HF_HUB_OFFLINE"] = "1"

import inseq
import torch
from support import tiny_causal
from torch import Tensor

from unmask import Explainer

ARCHITECTURE = "gpt2"
PROMPT, ANSWER = "the film is not bad, a lovely friendship", " of the mysteries"
LIMIT = 1e-6  # of the largest score: inseq keeps its scores in float32
FEW = "not converged"
FIXED = "inseq also interpolates earlier answer tokens; we keep them"
LOG_PROBABILITY = "answer_log_probability"


def log_probability(args: Any) -> Tensor:
    """The log-probability of the token that inseq explains; its own functions are the logit and the probability."""
    logits = args.attribution_model.output2logits(args.forward_output)
    token = args.target_ids.reshape(-1, 1).expand(len(logits), 1)
    found: Tensor = logits.log_softmax(-1).gather(-1, token)[:, 0]
    return found


def inseq_scores(method: str, **settings: Any) -> Tensor:
    """Return inseq's scores, [prompt and answer tokens, answer tokens, width]; NaN where a token does not come before.

    inseq alters the model and the tokenizer, so it gets copies. It requires the text to begin with a special token.
    """
    model, tokenizer = (copy.deepcopy(one(ARCHITECTURE)) for one in (tiny_causal.model, tiny_causal.tokenizer))
    tokenizer.bos_token, model.config.bos_token_id = tokenizer.eos_token, tokenizer.eos_token_id
    explained = inseq.load_model(model, method, tokenizer=tokenizer).attribute(
        PROMPT, PROMPT + ANSWER, attributed_fn=LOG_PROBABILITY, show_progress=False, **settings
    )
    found: Tensor = explained.sequence_attributions[0].target_attributions.double()
    return found


def our_scores(token: int, **settings: Any) -> Tensor:
    """Return our scores for one answer token, [units], without the units that do not come before it."""
    explainer = Explainer(tiny_causal.model(ARCHITECTURE), tiny_causal.tokenizer(ARCHITECTURE))
    found = explainer.explain(PROMPT, continuation=ANSWER, unit="token", target=token, **settings)
    scores = torch.tensor(found.scores, dtype=torch.float64)
    return scores[~scores.isnan()]


def difference(theirs: Tensor, **settings: Any) -> float:
    """The largest difference over all answer tokens, relative to the largest score; `theirs` is [tokens, answer]."""
    tokens = theirs.shape[1]
    ours = [our_scores(token, **settings) for token in range(tokens)]
    apart = [(one - theirs[: len(one), at]).abs().max() for at, one in enumerate(ours)]
    return float(torch.stack(apart).max() / torch.cat(ours).abs().max())


def comparisons() -> list[tuple[str, str, float, str]]:
    """Yield each comparison: inseq's method, our settings, the largest difference, and why they may differ."""
    sequential = [inseq_scores("sequential_integrated_gradients", n_steps=steps).sum(-1) for steps in (5, 50)]
    integrated = inseq_scores("integrated_gradients", n_steps=200).sum(-1)
    first = integrated[:, :1]
    saliency, product = inseq_scores("saliency").norm(dim=-1), inseq_scores("input_x_gradient").sum(-1)
    pad: dict[str, Any] = {"baseline": "pad"}
    entire: dict[str, Any] = {**pad, "attribute_to": "all"}
    ig: dict[str, Any] = {"method": "ig:steps=200"}
    return [
        ("sequential_integrated_gradients, 50 steps", "`sig`, prompt", difference(sequential[1], **pad), ""),
        ("the same, with earlier answer tokens", "`sig`, all", difference(sequential[1], **entire), ""),
        ("sequential_integrated_gradients, 5 steps", "`sig`, prompt", difference(sequential[0], **pad), FEW),
        ("integrated_gradients, 200 steps", "`ig`, all", difference(integrated, **ig, **entire), ""),
        ("the same, first answer token", "`ig`, prompt", difference(first, **ig, **pad), ""),
        ("the same, all answer tokens", "`ig`, prompt", difference(integrated, **ig, **pad), FIXED),
        ("saliency, L2 norm", "`saliency`, prompt", difference(saliency, method="saliency", **pad), ""),
        (
            "input_x_gradient",
            "`grad_x_input`, prompt, baseline zero",
            difference(product, method="grad_x_input", baseline="zero"),
            "",
        ),
    ]


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    warnings.simplefilter("ignore")  # inseq's own
    inseq.register_step_function(log_probability, LOG_PROBABILITY)
    torch.set_num_threads(1)
    worst = 0.0
    print("| inseq's method | our method, attributed to | largest difference | why they differ |\n|---|---|---|---|")
    for theirs, ours, apart, why in comparisons():
        print(f"| {theirs} | {ours} | {apart:.1e} | {why} |", flush=True)
        worst = worst if why else max(worst, apart)
    sys.exit(f"a difference of {worst:.1e} is above {LIMIT:.0e}" if worst > LIMIT else 0)


if __name__ == "__main__":
    main()
