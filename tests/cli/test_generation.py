"""`unmask explain` and `unmask compare` with language models."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import tiny_causal
from support.chat_templates import TEMPLATES

from unmask import Comparison, Contrast, Explainer, Explanation, Request, Segment

LILY = "Once upon a time, Lily lost her ball."
GENERATION = ("--task", "generation")
SAD = ("--continuation", " She was very sad.")
CHAT = [{"role": "system", "content": "not dull"}, {"role": "user", "content": "is the film bad?"}]


@pytest.fixture(scope="session")
def stories() -> Explainer:
    return Explainer.default(task="generation", device="cpu")


@pytest.fixture
def explained(unmask: Any) -> Any:
    """From the arguments of `unmask explain` to its explanation."""

    def explain(*arguments: str, notes: str = "") -> Explanation:
        code, out, err = unmask("explain", *arguments, "--format", "json")
        assert (code, err) == (0, notes)
        return Explanation.from_dict(json.loads(out))

    return explain


@pytest.fixture(scope="module")
def chat_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("chat")
    tiny_causal.chat_model().save_pretrained(folder)
    tiny_causal.chat_tokenizer(TEMPLATES["chatml"]).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def stopping_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("stopping")
    for part in tiny_causal.stopping(True):
        part.save_pretrained(folder)
    return str(folder)


def same(found: Explanation, expected: Explanation) -> None:
    assert found.scores == pytest.approx(expected.scores, abs=1e-4, nan_ok=True)
    assert (found.target, found.scale, found.unit) == (expected.target, expected.scale, expected.unit)
    assert (found.continuation, found.outputs) == (expected.continuation, expected.outputs)
    assert found.segments == expected.segments


def test_a_generated_answer(explained: Any, stories: Explainer) -> None:
    same(explained(LILY, *GENERATION, "--max-new-tokens", "5"), stories.explain(LILY, max_new_tokens=5))


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ((), {}),
        (("--toward", "very sad"), {"target": "very sad"}),
        (("--toward", "9:17"), {"target": (9, 17)}),
        (("--toward", "2", "--scale", "probability"), {"target": 2, "scale": "probability"}),
        (("--target", "next"), {"target": "next"}),
        (("--unit", "sentence", "--baseline", "ignored"), {"unit": "sentence", "baseline": "ignored"}),
        (("--attribute-to", "all"), {"attribute_to": "all"}),
        (("--method", "leave_one_out", "--sets", "auto"), {"method": "leave_one_out", "sets": "auto"}),
    ],
)
def test_a_given_answer(explained: Any, stories: Explainer, arguments: Any, settings: Any) -> None:
    found = explained(LILY, *GENERATION, *SAD, *arguments)
    same(found, stories.explain(LILY, continuation=SAD[1], **settings))
    assert (found.sets is not None or found.sets_note is not None) or "sets" not in settings


@pytest.mark.parametrize("first", ["--target", "--continuation"])
@pytest.mark.parametrize("normalize", ["sum", "mean"])
def test_a_contrast_of_two_continuations(explained: Any, stories: Explainer, first: str, normalize: Any) -> None:
    found = explained("Lily lost her", *GENERATION, first, " ball", "--against", " toy car", "--normalize", normalize)
    same(found, stories.explain("Lily lost her", target=Contrast(" ball", " toy car", normalize)))
    assert found.output_lengths == (1, 3)


def test_a_sampled_answer_repeats_with_its_seed(explained: Any, stories: Explainer) -> None:
    given = (LILY, *GENERATION, "--max-new-tokens", "6", "--generate", "do_sample=true,temperature=1.5", "--seed", "3")
    found = explained(*given, "--unit", "sentence")
    settings: Any = {"max_new_tokens": 6, "do_sample": True, "temperature": 1.5, "seed": 3, "unit": "sentence"}
    same(found, stories.explain(LILY, **settings))
    assert found.continuation != stories.explain(LILY, max_new_tokens=6, unit="sentence").continuation


def test_the_task_follows_from_the_model(explained: Any, stopping_model: str) -> None:
    found = explained("the film", "--model", stopping_model, "--include-stop")
    assert (found.outputs, found.continuation) == (("<|endoftext|>",), "")


def test_documents_and_a_question(explained: Any, stories: Explainer, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Lily has a red ball.\n")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "a.txt").write_bytes(b"\xef\xbb\xbfTom has a dog.\r\n")
    paths = [str(tmp_path / "a.txt"), str(tmp_path / "b" / "a.txt")]
    files = ("--document", paths[0], "--document", paths[1], "--question", "Who has a ball?")
    found = explained(*GENERATION, *files, "--unit", "sentence", "--max-new-tokens", "4")
    documents = [Segment("Lily has a red ball.", paths[0]), Segment("Tom has a dog.", paths[1])]
    question = Segment("Who has a ball?", "question")
    expected = stories.explain(Request(segments=[*documents, question]), unit="sentence", max_new_tokens=4)
    same(found, expected)
    assert found.without_context is not None
    assert expected.without_context is not None
    assert found.without_context.lost == pytest.approx(expected.without_context.lost, abs=1e-4)
    fixed = explained(*GENERATION, *files, "--unit", "sentence", *SAD, "--fixed", "question", "--fixed", paths[1])
    assert [unit.text for unit in fixed.units] == ["Lily has a red ball."]


def test_sentences_and_words_in_them(explained: Any, stories: Explainer) -> None:
    prompt = "Tom has a big dog. Lily lost her ball."
    arguments = (prompt, *GENERATION, *SAD, "--detail", "sentence+word", "--detail-rows", "3")
    found = explained(*arguments)
    same(found, stories.explain(prompt, continuation=SAD[1], detail="sentence+word", detail_rows=3))
    assert np.isfinite(found.detail.scores).sum() == 3


@pytest.mark.parametrize("content", [CHAT, {"messages": CHAT}])
def test_a_chat(explained: Any, chat_model: str, tmp_path: Path, content: Any) -> None:
    (tmp_path / "chat.json").write_text(json.dumps(content))
    given = ("--chat", str(tmp_path / "chat.json"), "--model", chat_model, "--continuation", "the film")
    found = explained(*given, "--unit", "message")
    same(found, Explainer.from_pretrained(chat_model).explain(CHAT, unit="message", continuation="the film"))
    assert [unit.text for unit in found.units] == ["not dull", "is the film bad?"]
    fixed = explained(*given, "--unit", "message", "--fixed", "system")
    assert [unit.text for unit in fixed.units] == ["is the film bad?"]


def test_what_a_chat_has_besides_messages_is_told(explained: Any, chat_model: str, tmp_path: Path) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": [{**CHAT[1], "name": "Ann"}], "tools": []}))
    note = f"note: {str(path)!r}: only each message's role and content are read, not tools, name\n"
    explained("--chat", str(path), "--model", chat_model, "--continuation", "the film", notes=note)


def test_a_file_of_chats(unmask: Any, chat_model: str, tmp_path: Path) -> None:
    rows = [{"id": 1, "messages": CHAT}, {"id": 2, "messages": [{"role": "uesr", "content": "x"}]}, {"messages": "a"}]
    (tmp_path / "chats.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    given = ("--model", chat_model, "--continuation", "the film", "--format", "jsonl")
    code, out, err = unmask("explain", "-f", str(tmp_path / "chats.jsonl"), *given)
    chat, bad, text = map(json.loads, out.splitlines())
    assert code == 1
    assert "line 2: the column 'messages': message 1: unknown role 'uesr'; did you mean 'user'?" in err
    assert [segment.get("role") for segment in chat["segments"]] == ["system", "user", "answer"]
    assert "text_pair" not in bad
    assert text["text"] == "a", "a text never gets the chat template"


PROMPTS = [
    {"prompt": LILY, "continuation": " She was very sad.", "id": "1"},
    {"prompt": "", "continuation": " He ran.", "id": "2"},
    {"prompt": "Tom saw a big dog.", "continuation": " He was very sad.", "id": "3"},
]


def written(folder: Path, form: str) -> str:
    path = folder / f"prompts.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in PROMPTS))
    elif form == "parquet":
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow.parquet import write_table

        write_table(pyarrow.Table.from_pylist(PROMPTS), path)
    else:
        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, list(PROMPTS[0]))
            table.writeheader()
            table.writerows(PROMPTS)
    return str(path)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_file_of_prompts_and_continuations(unmask: Any, stories: Explainer, tmp_path: Path, form: str) -> None:
    given = ("-f", written(tmp_path, form), "--continuation-column", "continuation", "--toward", "very sad", "--keep")
    code, out, err = unmask("explain", *GENERATION, *given, "--format", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert (code, err.count("error: line")) == (1, 1)
    assert "the prompt has no unit to explain" in err
    assert [record["kept"] for record in records] == [{"id": row["id"]} for row in PROMPTS]
    for record, row in zip(records[::2], PROMPTS[::2], strict=True):
        asked = stories.explain(row["prompt"], continuation=row["continuation"], target="very sad")
        same(Explanation.from_dict(record), asked)
    assert records[1]["error"]["kind"] == "TextError"


def test_one_continuation_for_all_prompts_of_a_file(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("Tom ran.\nLily fell.\n")
    code, out, _ = unmask("explain", *GENERATION, "-f", str(tmp_path / "x.txt"), *SAD, "--format", "jsonl")
    assert code == 0
    assert [json.loads(line)["continuation"] for line in out.splitlines()] == [SAD[1]] * 2


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["html", "csv", "parquet", "json", "txt", "md", "tex", "svg", "png", "pdf"])
def test_all_formats_of_a_file(unmask: Any, tmp_path: Path, suffix: str) -> None:
    (tmp_path / "x.txt").write_text("Tom ran.\nLily fell.\n")
    holds_one = suffix in ("md", "tex", "svg", "png", "pdf")
    path = tmp_path / f"out{'-{line}' * holds_one}.{suffix}"
    given = ("-f", str(tmp_path / "x.txt"), "--max-new-tokens", "3", "-o", str(path))
    assert unmask("explain", *GENERATION, *given) == (0, "", "")
    files = sorted(tmp_path.glob("out*"))
    assert len(files) == (2 if holds_one else 1)
    assert all(file.stat().st_size > 100 for file in files)


@pytest.mark.slow
def test_estimates_count_both_continuations_and_the_words(unmask: Any) -> None:
    arguments = ("explain", "Tom ran home.", *GENERATION, "--estimate", "--format", "json")
    units, ends = 4, 2
    plain = json.loads(unmask(*arguments, "--max-new-tokens", "2")[1])
    assert (plain["units"], plain["passes"]) == (units, units + ends)
    contrast = json.loads(unmask(*arguments, "--target", " He", "--against", " She")[1])
    assert (contrast["units"], contrast["passes"]) == (units, 2 * (units + ends))
    detail = json.loads(unmask(*arguments, *SAD, "--detail", "sentence+word", "--detail-rows", "3")[1])
    assert (detail["units"], detail["passes"]) == (1, 1 + 1 + 3), (
        "the text with all masked is that without its sentence"
    )
    said = unmask("explain", "Tom ran home.", *GENERATION, *SAD, "--detail", "sentence+word", "--estimate")[1]
    assert said.startswith("1 text, 1 sentence, ")


@pytest.mark.slow
def test_a_long_prompt_is_announced_before_its_answer_is_generated(
    unmask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unmask.models.huggingface.causal import CausalAdapter

    generate, calls = CausalAdapter.generate, list[int]()

    def counted(self: Any, ids: Any, **settings: Any) -> Any:
        calls.append(len(ids))
        return generate(self, ids, **settings)

    monkeypatch.setattr(CausalAdapter, "generate", counted)
    code, _, err = unmask("explain", "Tom ran. " * 60, *GENERATION, "--max-new-tokens", "2", "--format", "json")
    assert code == 0
    assert err.startswith("note: 180 words, ")
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        (("--method", "sig,leave_one_out"), {"methods": ["sig", "leave_one_out"]}),
        (("--unit", "word,sentence"), {"units": ["word", "sentence"]}),
        (("--target", "very sad", "--target", "She"), {"targets": ["very sad", "She"]}),
        (("--target", "next", "--target", "very sad"), {"targets": ["next", "very sad"]}),
    ],
)
def test_comparisons(unmask: Any, stories: Explainer, arguments: Any, settings: Any) -> None:
    code, out, _ = unmask("compare", LILY, *GENERATION, *SAD, *arguments, "--format", "json")
    found, expected = Comparison.from_dict(json.loads(out)), stories.compare(LILY, continuation=SAD[1], **settings)
    assert (code, found.names) == (0, expected.names)
    for one, other in zip(found.explanations, expected.explanations, strict=True):
        same(one, other)


def test_contrasts_and_next_tokens_are_compared_with_passes_of_their_own(stories: Explainer) -> None:
    targets: Any = [Contrast(" ball", " toy"), Contrast(" ball", " dog"), "next"]
    found = stories.compare("Lily lost her", targets=targets, max_new_tokens=3)
    for row, target in zip(found.explanations, targets, strict=True):
        assert row.scores == pytest.approx(stories.explain("Lily lost her", target=target).scores, abs=1e-5)


def test_documents_are_compared(unmask: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Lily has a red ball.")
    files = ("--document", str(tmp_path / "a.txt"), "--question", "Who has a ball?")
    code, out, err = unmask("compare", *GENERATION, *files, *SAD, "--unit", "sentence,message")
    assert (code, err) == (0, "")
    assert "message" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", *GENERATION, "--method", "sig,random"), "no text given"),
        (
            ("compare", "Tom ran.", *GENERATION, "--method", "sig,random", "--pair", "x"),
            "--pair applies to classifiers",
        ),
        (
            ("compare", "Tom ran.", "--method", "sig,random", "--attribute-to", "all"),
            "--attribute-to applies to language models",
        ),
        (
            ("interactions", "Tom ran.", *GENERATION),
            "interactions are not supported for language models",
        ),
        (("explain", "Tom ran.", *GENERATION, "--normalize", "mean"), "--normalize applies to a contrast of two"),
        (
            ("explain", "a", *GENERATION, "--target", " b", "--against", " c", "--normalize", "max"),
            "expected sum or mean",
        ),
        (("explain", "a", *GENERATION, "--continuation-column", "b"), "--continuation-column needs -f FILE"),
        (
            ("explain", "a", *GENERATION, "--target", " b", "--against", " c", *SAD),
            "--target or --continuation, not both",
        ),
        (("explain", "a", *GENERATION, "--target", "next", "--max-new-tokens", "3"), "remove --max-new-tokens"),
        (("explain", "a", *GENERATION, "--detail-rows", "3"), "--detail-rows needs --detail"),
        (("explain", "a", *GENERATION, "--generate", "temperature"), "--generate temperature: expected KEY=VALUE"),
        (("explain", "a", *GENERATION, "--generate", "max_new_tokens=3"), "use --max-new-tokens"),
        (("explain", "a", *GENERATION, "--generate", "top_k=3,top_k=4"), "given twice"),
        (("explain", "a", *GENERATION, "--generate", "do_sample=maybe"), "do_sample must be True or False"),
        (("explain", "a", *GENERATION, "--attribute-to", "x"), "attribute_to must be 'prompt' or 'all'"),
        (("explain", "a", *GENERATION, "--detail", "x"), "detail must be None or 'sentence+word'"),
        (("explain", "a", *GENERATION, "--fixed", "system"), "--fixed applies to a chat or documents"),
        (("explain", "a", *GENERATION, "--method", "deeplift"), "deeplift does not support this model"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(unmask: Any, arguments: tuple[str, ...], message: str) -> None:
    code, out, err = unmask(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_paths_are_of_classifiers(stories: Explainer) -> None:
    with pytest.raises(ValueError, match="paths are supported for classifiers"):
        stories.paths("Tom ran.", word=0)


def test_methods_tell_what_language_models_take(unmask: Any) -> None:
    assert "Language models support all methods except deeplift" in " ".join(unmask("methods")[1].split())


def test_an_evaluation_reads_the_task_from_the_model(unmask: Any, chat_model: str, tmp_path: Path) -> None:
    path = tmp_path / "prompts.csv"
    path.write_text('prompt,continuation\n"the film is","not bad"\n')
    given = ("evaluate", "--model", chat_model, "-f", str(path), "--column", "prompt", "--format", "csv")
    code, out, err = unmask(*given)
    assert code == 0, err
    assert out == unmask(*given, *GENERATION)[1]
    methods = list(dict.fromkeys(row["row"] for row in csv.DictReader(io.StringIO(out))))
    assert methods[:4] == ["sig", "leave_one_in", "two_sided", "shapley"]
