"""Bad input: one row each, what the command says of it and how it ends. docs/reference/bad-input.md is this table.

Renew with: scripts/test tests/cli/test_bad_input.py --renew.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from support import tiny, tiny_causal, tiny_heads

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "bad-input.md"
HEAD = """# Bad input

Messages of `unmask explain` for bad input, with their [exit codes](exit-codes.md). `…` stands for the message of
another library.

| input | code | message |
|---|---|---|
"""

GENERATION = ["--task", "generation"]  # the built-in story model
TWICE = ["--continuation", " not bad, not bad"]
QUESTION = ["--question", "Who ran?"]
READING = ["--question", "what is bad?", "--context", "the film is bad", "--model", "reader"]
THREE = ["--column", "text", "--column", "label", "--column", "id"]
WRITING = ["the film", "--continuation", "lovely", "--model", "translator"]

# What is given, and the arguments of `unmask explain`; with `--model tiny` unless the row names a model or a task.
ROWS: dict[str, list[str]] = {
    "an empty text": [""],
    "a blank text": [" \t "],
    "a text of invisible characters": ["\u200b\u00ad"],
    "a text without a known character": ["\ufffd"],
    "neither a text nor a file": [],
    "a text and a file": ["a film", "-f", "two.txt"],
    "a folder that does not exist": ["a film", "--model", "./absent"],
    "a folder without a model": ["a film", "--model", "empty"],
    "a folder without a tokenizer": ["a film", "--model", "no-tokenizer"],
    "a folder without weights": ["a film", "--model", "no-weights"],
    "a broken safetensors file": ["a film", "--model", "broken-weights"],
    "a config that is not JSON": ["a film", "--model", "broken-config"],
    "a file instead of a model folder": ["a film", "--model", "two.txt"],
    "a pickle with more than weights": ["a film", "--model", "pickle"],
    "a checkpoint without a trained head": ["a film", "--model", "headless"],
    "an unknown hub name while offline": ["a film", "--model", "nobody/nothing"],
    "a head that cannot be explained": ["a film", "--model", "three-values"],
    "an unknown method": ["a film", "--method", "sgi"],
    "an unknown setting": ["a film", "--method", "ig:stpes=250"],
    "a setting for a method without settings": ["a film", "--method", "sig:steps=250"],
    "a setting out of range": ["a film", "--method", "ig:steps=0"],
    "settings that contradict each other": ["a film", "--method", "ig:steps=none,rule=trapezoid"],
    "several methods for one explanation": ["a film", "--method", "sig,ig"],
    "an unknown target": ["a film", "--target", "LABEL_9"],
    "an index beyond the outputs": ["a film", "--target", "3"],
    "an unknown baseline": ["a film", "--baseline", "msk"],
    "an unknown unit": ["a film", "--unit", "wrod"],
    "an unknown scale": ["a film", "--scale", "logits"],
    "a scale that does not apply": ["a film", "--scale", "value"],
    "an unknown format": ["a film", "--format", "jsn"],
    "an unknown option": ["a film", "--colour", "red"],
    "a suffix without a format": ["a film", "-o", "x.docx"],
    "a contrast of a class with itself": ["a film", "--target", "LABEL_1", "--against", "1"],
    "a baseline token that is not in the vocabulary": ["a film", "--baseline", "token:xyzzy"],
    "a baseline token that is several tokens": ["a film", "--baseline", "token:depictions"],
    "a baseline that the model does not have": ["a film", "--baseline", "eos"],
    "outputs that are not numbers": ["-f", "two.txt", "--model", "nan"],
    "a file that does not exist": ["-f", "absent.txt"],
    "a directory instead of a file": ["-f", "empty"],
    "a file that is not UTF-8": ["-f", "latin1.txt"],
    "a file that is UTF-16": ["-f", "utf16.txt"],
    "an empty file": ["-f", "empty.txt"],
    "a file with a header only": ["-f", "header.csv"],
    "a file without the column": ["-f", "other.csv"],
    "a column that does not exist": ["-f", "table.csv", "--column", "txet"],
    "a broken JSON line": ["-f", "broken.jsonl"],
    "a row of too few fields": ["-f", "ragged.tsv"],
    "a quote that is not closed": ["-f", "quote.csv"],
    "a truncated gzip file": ["-f", "cut.txt.gz"],
    "a .parquet file in another format": ["-f", "none.parquet"],
    "a JSON document instead of JSON Lines": ["-f", "document.json"],
    "a blank line among the texts": ["-f", "blank.txt"],
    "an output in a folder that does not exist": ["a film", "-o", "absent/x.json"],
    "a folder as output": ["a film", "-o", "empty"],
    "the input as output": ["-f", "table.csv", "-o", "table.csv", "--format", "jsonl"],
    "a lone surrogate": ["-f", "surrogate.jsonl"],
    "a line of 1 MB": ["-f", "megabyte.txt"],
    "a text longer than the model reads": ["the film is not bad " * 20],
    "fewer tokens than the tokenizer itself adds": ["a film", "--max-length", "2"],
    "more tokens than the model reads": ["a film", "--max-length", "65"],
    "a device that does not exist": ["a film", "--device", "gpu"],
    "an unknown task": ["a film", "--task", "generatoin"],
    "an empty prompt": ["", *GENERATION],
    "a prompt longer than the model reads": ["the film is not bad " * 80, *GENERATION],
    "a prompt of 1 MB": ["the film is not bad " * 50_000, *GENERATION],
    "a continuation of a thousand tokens": ["Tom ran.", *GENERATION, "--continuation", " He" * 1000],
    "an empty continuation": ["Tom ran.", *GENERATION, "--continuation", ""],
    "a continuation that joins the prompt": ["The cap", *GENERATION, "--continuation", "ital city is big"],
    "a continuation without a space": ["The king is", *GENERATION, "--continuation", "big"],
    "more tokens than fit behind the prompt": ["Tom ran.", *GENERATION, "--max-new-tokens", "900"],
    "an answer that ends at once": ["the film", "--model", "stops"],
    "a classifier for generation": ["a film", *GENERATION, "--model", "tiny"],
    "a language model for classification": ["a film", "--task", "classification", "--model", "stops"],
    "an option of language models for a classifier": ["a film", "--max-new-tokens", "5"],
    "the same without a model": ["a film", "--max-new-tokens", "5", "--task", "classification"],
    "an option of classifiers for a language model": ["-f", "table.csv", *GENERATION, "--label", "label"],
    "a second text for a language model": ["Tom ran.", *GENERATION, "--pair", "He fell."],
    "a phrase that is not in the answer": ["Tom ran.", *GENERATION, *TWICE, "--toward", "good"],
    "a phrase that occurs twice": ["Tom ran.", *GENERATION, *TWICE, "--toward", "bad"],
    "a token beyond the answer": ["Tom ran.", *GENERATION, *TWICE, "--toward", "90"],
    "characters beyond the answer": ["Tom ran.", *GENERATION, *TWICE, "--toward", "10:90"],
    "a phrase and a target": ["Tom ran.", *GENERATION, *TWICE, "--toward", "bad", "--target", "next"],
    "a contrast without a first continuation": ["Tom ran.", *GENERATION, "--against", " He"],
    "a scale that does not apply to several tokens": ["Tom ran.", *GENERATION, *TWICE, "--scale", "probability"],
    "a method that needs a path, without one": ["Tom ran.", *GENERATION, "--baseline", "ignored", "--method", "ig"],
    "a given answer that is to be generated": ["Tom ran.", *GENERATION, *TWICE, "--max-new-tokens", "5"],
    "an unknown setting of generate()": ["Tom ran.", *GENERATION, "--generate", "temprature=1"],
    "sampling settings without sampling": ["Tom ran.", *GENERATION, "--generate", "temperature=0.8"],
    "a chat that does not exist": [*GENERATION, "--chat", "absent.json"],
    "a chat that is not JSON": [*GENERATION, "--chat", "two.txt"],
    "a chat that is not a list": [*GENERATION, "--chat", "object.json"],
    "a chat without messages": [*GENERATION, "--chat", "nothing.json"],
    "messages that are not a list": [*GENERATION, "--chat", "string.json"],
    "a message that is not an object": [*GENERATION, "--chat", "strings.json"],
    "a message without a role": [*GENERATION, "--chat", "roleless.json"],
    "a message without content": [*GENERATION, "--chat", "contentless.json"],
    "a message whose content is not a text": [*GENERATION, "--chat", "parts.json"],
    "a message with an unknown role": [*GENERATION, "--chat", "unknown-role.json"],
    "a chat for a model without a chat template": [*GENERATION, "--chat", "chat.json"],
    "a chat and a text": ["Tom ran.", *GENERATION, "--chat", "chat.json"],
    "a chat for a classifier": ["--chat", "chat.json"],
    "a document that does not exist": [*GENERATION, "--document", "absent.txt", *QUESTION],
    "an empty document": [*GENERATION, "--document", "empty.txt", *QUESTION],
    "the same document twice": [*GENERATION, "--document", "two.txt", "--document", "two.txt", *QUESTION],
    "a document without a question": [*GENERATION, "--document", "two.txt"],
    "a question without a document": [*GENERATION, *QUESTION],
    "a fixed part that does not exist": [*GENERATION, "--document", "two.txt", *QUESTION, "--fixed", "system"],
    "a row without a continuation": ["-f", "prompts.csv", *GENERATION, "--continuation-column", "continuation"],
    "two columns for a language model": ["-f", "prompts.csv", *GENERATION, "--column", "prompt", "--column", "id"],
    "a column of continuations that is not read": ["-f", "prompts.csv", *GENERATION, "--max-new-tokens", "2"],
    "a row with a bad chat": ["-f", "chats.jsonl", *GENERATION],
    "a task without a built-in model": ["a film", "--task", "fill_mask"],
    "two texts for a tagger": ["a film", "--pair", "lovely", "--model", "tagger"],
    "a word that the tagged text does not have": ["a film", "--model", "tagger", "--toward", "cinema"],
    "a label that a tagger does not have": ["a film", "--model", "tagger", "--toward", "film: DOG"],
    "a question without a context": ["what is bad?", "--model", "reader"],
    "a context without a question": ["--context", "the film is bad", "--model", "reader"],
    "an answer that is not in the context": [*READING, "--toward", "cinema"],
    "a context of one token": ["--question", "a", "--context", "a", "--model", "reader"],
    "a text without a mask": ["the film is bad", "--model", "filler"],
    "a text with two masks": ["the [MASK] is [MASK]", "--model", "filler"],
    "a filling of several tokens": ["the [MASK] is bad", "--model", "filler", "--target", "mysteries of it"],
    "one choice": ["the film is", "--choice", "bad", "--model", "chooser"],
    "choices without a prompt": ["--choice", "bad", "--choice", "dull", "--model", "chooser"],
    "one text for a similarity": ["the film", "--model", "encoder", "--task", "similarity"],
    "two sources for a translation": ["the film", "--pair", "it", "--model", "translator"],
    "a phrase that the translation does not have": [*WRITING, "--toward", "cinema"],
    "a translation that is empty": ["the film", "--continuation", "", "--model", "translator"],
    "a translation longer than the model writes": [*WRITING[:2], "lovely " * 200, *WRITING[3:]],
    "more tokens than a translation can have": [*WRITING[:1], *WRITING[3:], "--max-new-tokens", "900"],
    "a chat for a translation": ["--chat", "chat.json", "--model", "translator"],
    "an empty second text for a similarity": ["the film", "--pair", "", "--model", "encoder", "--task", "similarity"],
    "three columns for a classifier": ["-f", "wide.csv", *THREE],
    "one column for a question and its context": ["-f", "table.csv", "--column", "text", "--model", "reader"],
    "a column of choices without a prompt": ["-f", "table.csv", "--column", "text", "--model", "chooser"],
    "two columns for a tagger": ["-f", "table.csv", *THREE[:4], "--model", "tagger"],
    "a removed word whose label is read": ["a film", "--model", "tagger", "--method", "leave_one_out"],
    "an ignored word whose label is read": ["a film", "--model", "tagger", "--baseline", "ignored"],
}
FINE = {
    "a line of 1 MB",
    "a text longer than the model reads",
    "a continuation that joins the prompt",
    "a continuation without a space",
    "more tokens than fit behind the prompt",
    "more tokens than a translation can have",
    "a column of continuations that is not read",
}
FILES: dict[str, bytes] = {
    "two.txt": b"a film\nlovely\n",
    "latin1.txt": b"a film\ncaf\xe9\n",
    "utf16.txt": "a film\n".encode("utf-16"),
    "empty.txt": b"",
    "header.csv": b"text\n",
    "other.csv": b"review,label\na film,1\n",
    "table.csv": b"text,label\na film,1\n",
    "wide.csv": b"text,label,id\na film,1,2\n",
    "broken.jsonl": b'{"text": "a film"}\n{"text": "lov\n',
    "ragged.tsv": b"text\tlabel\na film\t1\nlovely\n",
    "quote.csv": b'text\n"a film\n',
    "cut.txt.gz": b"\x1f\x8b\x08\x00\x00",
    "none.parquet": b"a film\n",
    "document.json": b'[{"text": "a film"}]',
    "blank.txt": b"a film\n\n",
    "surrogate.jsonl": b'{"text": "a film"}\n{"text": "\\ud800 film"}\n',
    "megabyte.txt": b"lovely film " * 90_000 + b"\n",
    "object.json": b'{"role": "user", "content": "Hello!"}',
    "nothing.json": b"[]",
    "string.json": b'{"messages": "Hello!"}',
    "strings.json": b'["Hello!"]',
    "roleless.json": b'[{"content": "Hello!"}]',
    "contentless.json": b'[{"role": "user"}]',
    "parts.json": b'[{"role": "user", "content": [{"type": "text", "text": "Hello!"}]}]',
    "unknown-role.json": b'[{"role": "uesr", "content": "Hello!"}]',
    "chat.json": b'{"messages": [{"role": "user", "content": "Hello!"}]}',
    "prompts.csv": b'prompt,continuation,id\n"Tom ran."," He fell.",1\n"Tom ran.",,2\n',
    "chats.jsonl": b'{"messages": [{"role": "user"}]}\n',
}


HEADS = {
    "tagger": ("token_classification", "bert"),
    "reader": ("question_answering", "bert"),
    "filler": ("fill_mask", "bert"),
    "chooser": ("multiple_choice", "bert"),
    "translator": ("text2text", "bart"),
    "encoder": ("similarity", "mpnet"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every model and file that a row names."""
    folder = tmp_path_factory.mktemp("bad")
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "empty").mkdir()
    models = ["tiny", "no-tokenizer", "no-weights", "broken-weights", "broken-config", "pickle"]
    for name in [*models, "nan", "headless", "three-values"]:
        made = tiny.model("bert")
        if name == "nan":
            torch.nn.init.constant_(made.classifier.weight, float("nan"))
        if name == "three-values":
            made.config.problem_type = "regression"
        (made.bert if name == "headless" else made).save_pretrained(folder / name)
        if name != "no-tokenizer":
            tiny.tokenizer("bert").save_pretrained(folder / name)
    for name, (task, architecture) in HEADS.items():
        tiny_heads.model(task, architecture, torch.float32).save_pretrained(folder / name)
        tiny_heads.tokenizer(architecture).save_pretrained(folder / name)
    for part in tiny_causal.stopping(True):
        part.save_pretrained(folder / "stops")
    (folder / "no-weights" / "model.safetensors").unlink()
    (folder / "broken-weights" / "model.safetensors").write_bytes(b"not weights")
    (folder / "broken-config" / "config.json").write_text("not JSON")
    (folder / "pickle" / "model.safetensors").unlink()
    torch.save({"weight": Path("x")}, folder / "pickle" / "pytorch_model.bin")
    return folder


@pytest.fixture
def said(
    place: Path, unmask: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """From a row to its line of the table."""
    monkeypatch.chdir(place)

    def line(name: str) -> str:
        names_model = {"--model", "--task"} & set(ROWS[name])
        arguments = ROWS[name] if names_model else [*ROWS[name], "--model", "tiny"]
        code, out, err = unmask("explain", *arguments)
        assert "Traceback" not in err
        assert code in ((0,) if name in FINE else (1, 2))
        assert bool(out) == (code < 2), "results where there are some, and only there"
        if name not in FINE:
            assert err.startswith("error: ")
        lines = [_ours(message) for message in err.splitlines()]
        return f"| {name} | {code} | {'<br>'.join(lines)} |".replace("\n", " ")

    return line


def _ours(message: str) -> str:
    """A line of standard error as it stands in a table, without what other libraries say."""
    for begin in ("cannot load the model '[^']*': ", "is damaged or not a parquet file: ", "cannot be used here: "):
        if not any(words in message for words in ("there is no such folder", "its weights are")):
            message = re.sub(f"({begin}).*", r"\1…", message)
    message = re.sub(r"but \d+: .*", "but …", message)  # the tiny tokenizer is trained anew each time
    return f"`{message}`".replace("|", "\\|")


@pytest.mark.parametrize("name", ROWS)
def test_the_page_says_what_the_command_says(
    name: str, said: Callable[..., str], request: pytest.FixtureRequest
) -> None:
    found = said(name)
    if request.config.getoption("--renew"):
        written = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
        rows = {line.split(" | ")[0]: line for line in written if line.startswith("| ")} | {f"| {name}": found}
        PAGE.write_text(HEAD + "".join(f"{rows[f'| {one}']}\n" for one in ROWS if f"| {one}" in rows), encoding="utf-8")
    assert found in PAGE.read_text(encoding="utf-8").splitlines()


def test_the_page_has_these_rows_and_no_others() -> None:
    rows = [line.split(" | ")[0] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert rows[1:] == [f"| {name}" for name in ROWS]


def test_control_characters_are_explained_and_drawn_escaped(unmask: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = unmask("explain", "good\x01 \x1b[2J\x07 film\u202e")
    assert (code, err) == (0, "")
    assert not {"\x01", "\x1b", "\x07", "\u202e"} & set(out)
    code, out, _ = unmask("explain", "good\x01 \x1b[2J film", "--format", "json")
    assert json.loads(out)["text"] == "good\x01 \x1b[2J film"
