"""Compare the cost of each head with a bare loop over the same inputs; writes docs/results/cost-of-other-heads.md.

    PYTHONPATH=benchmarks:tests .venv/bin/python benchmarks/other_heads.py

Both alternate in one process; times are processor time. The models have six layers, width 384 and random weights. The
bare loop runs the same inputs by ids, longest first, in batches of the same token budget, and keeps the raw outputs.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
import transformers
from support.tiny_tokenizers import word_piece
from transformers import BartConfig, BertConfig

from unmask import Explainer, Request

PAGE = Path("docs/results/cost-of-other-heads.md")
SIZES: dict[str, Any] = {
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
}
BART: dict[str, Any] = {
    "d_model": 384,
    "encoder_layers": 3,
    "decoder_layers": 3,
    "encoder_attention_heads": 12,
    "decoder_attention_heads": 12,
    "encoder_ffn_dim": 1536,
    "decoder_ffn_dim": 1536,
}
SENTENCE = "the film is not bad at all and it isn't dull, a lovely depiction of the mysteries of friendship. "
TEXT, QUESTION, OUTPUT = SENTENCE * 2, "what is not bad at all?", "a lovely depiction of friendship"
BUDGET, TIMES, TEXTS, VOCABULARY = 2_048, 5, 4, 30_000
CASES: dict[str, tuple[str, Any]] = {
    "token_classification": ("AutoModelForTokenClassification", TEXT),
    "question_answering": ("AutoModelForQuestionAnswering", Request(QUESTION, text_pair=TEXT)),
    "fill_mask": ("AutoModelForMaskedLM", f"{SENTENCE}it is [MASK] bad"),
    "multiple_choice": (
        "AutoModelForMultipleChoice",
        Request(segments=[("prompt", SENTENCE), ("choice 1", OUTPUT), ("choice 2", QUESTION)]),
    ),
    "similarity": ("AutoModel", Request(SENTENCE, text_pair=f"{QUESTION} {SENTENCE}")),
    "text2text": ("AutoModelForSeq2SeqLM", Request(SENTENCE, continuation=OUTPUT)),
}


def model(task: str, tokenizer: Any) -> Any:
    torch.manual_seed(0)
    special: dict[str, Any] = {"vocab_size": VOCABULARY, "pad_token_id": tokenizer.pad_token_id}
    if task == "text2text":
        more: dict[str, Any] = {
            "decoder_start_token_id": 0,
            "forced_eos_token_id": None,
            "max_position_embeddings": 512,
        }
        config: Any = BartConfig(**BART, **special, **more)
    else:
        special["num_labels"] = 2 if task == "question_answering" else 9
        config = BertConfig(**SIZES, **special)
    return getattr(transformers, CASES[task][0]).from_config(config).eval()


def rows_of(task: str, explainer: Explainer, request: Any) -> Callable[[], object]:
    """Run the inputs of an explanation by ids: the text, the text with each unit masked, with all units masked."""
    tokenizer, units = explainer.tokenizer, explainer.units(request)
    texts = request.texts if isinstance(request, Request) else [request]
    parts: Any = {"multiple_choice": [(0, 1), (0, 2)], "similarity": [(0,), (1,)]}.get(task, [tuple(range(len(texts)))])
    batches = []
    for part in parts:
        read = tokenizer(*(texts[at] for at in part), return_offsets_mapping=True)
        sides = read.sequence_ids(0)
        own = [unit for unit in units if unit.segment in part]
        masked = [[at for at in range(len(sides)) if inside(read, sides, at, part, unit)] for unit in own]
        moved = [[], sorted({at for one in masked for at in one}), *masked]
        ids = [
            [tokenizer.mask_token_id if at in one else token for at, token in enumerate(read["input_ids"])]
            for one in moved
        ]
        types = torch.tensor([read["token_type_ids"]] * len(ids))
        size = max(1, BUDGET // len(ids[0]))
        batches += [(torch.tensor(ids[at : at + size]), types[at : at + size]) for at in range(0, len(ids), size)]
    net: Any = explainer.model
    written = torch.tensor([[0, *tokenizer(OUTPUT, add_special_tokens=False)["input_ids"]]])

    target = written[0, 1:]

    def loop() -> object:
        kept = []
        with torch.inference_mode():
            for ids, types in batches * TEXTS:
                if task == "text2text":
                    logits = net(input_ids=ids, decoder_input_ids=written.expand(len(ids), -1), use_cache=False).logits
                    kept.append(logits[:, :-1].log_softmax(-1).gather(-1, target.expand(len(ids), -1)[..., None]))
                elif task == "multiple_choice":
                    kept.append(net(input_ids=ids[:, None], token_type_ids=types[:, None]).logits)
                else:
                    kept.append(next(iter(net(input_ids=ids, token_type_ids=types).values())))
        return kept

    return loop


def inside(read: Any, sides: list[int | None], at: int, part: tuple[int, ...], unit: Any) -> bool:
    start, end = read["offset_mapping"][at]
    return sides[at] is not None and part[sides[at] or 0] == unit.segment and start < unit.end and unit.start < end


def explained(explainer: Explainer, request: Any) -> Any:
    found, *_ = explainer.explain_many([request] * TEXTS, baseline="mask", sets="none")
    return found


def seconds(run: Callable[[], object]) -> float:
    begun = time.process_time()
    run()
    return time.process_time() - begun


def main() -> None:
    lines = []
    for task, (_, request) in CASES.items():
        tokenizer = word_piece()
        tokenizer.model_max_length = 512
        explainer = Explainer(model(task, tokenizer), tokenizer, batch_tokens=BUDGET)
        loop = rows_of(task, explainer, request)
        explain = partial(explained, explainer, request)
        found = explain()
        loop()
        pairs = [(seconds(loop), seconds(explain)) for _ in range(TIMES)]
        bare, ours = (sorted(column)[TIMES // 2] for column in zip(*pairs, strict=True))
        lines.append(f"| `{task}` | {len(found.units)} | {bare:.2f} | {ours:.2f} | {bare / ours:.2f} |")
        print(lines[-1], flush=True)
    least = min(float(line.split("|")[-2]) for line in lines)
    PAGE.write_text(
        "# Cost of other heads\n\n"
        f"Explaining texts is at least {least:.2f} times as fast as a bare loop over the same inputs.\n\n"
        "| task | units | bare loop, s | unmask, s | ratio |\n|---|---|---|---|---|\n" + "\n".join(lines) + "\n\n"
        f"Times are processor time for {TEXTS} texts: the median of {TIMES} rounds in which the two alternate, with\n"
        f"{torch.get_num_threads()} thread. The models have six layers, width 384, a vocabulary of {VOCABULARY:,}\n"
        f"and random float32 weights; batches have {BUDGET:,} tokens. The bare loop runs the model on ids: on the\n"
        "text, on the text with each unit masked, and on the text with all units masked. It keeps the raw outputs\n"
        "(for text2text, the log-probabilities of the output). A ratio above 1 is possible because unmask does not\n"
        "compute logits at tokens whose logits are not used.\n\n"
        "`PYTHONPATH=benchmarks:tests .venv/bin/python benchmarks/other_heads.py`\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
