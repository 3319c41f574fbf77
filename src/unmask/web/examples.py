"""Example texts for the page, by the model's task."""

from typing import Any

SENTIMENT = (
    ("Several words say the same", "A gripping, beautifully shot film that never drags."),
    ("A negation", "I did not find this film funny, moving or well acted."),
    ("Praise and blame", "The actors are wonderful, but the script is dull and far too long."),
    ("Irony", "Two hours of my life that I will never get back. Thanks a lot."),
)
PROMPTS = (
    ("A story begins", "Once upon a time, a girl named Lily lost her red ball in the park. She was very"),
    ("A name from before", "Tom and his dog Max went to the lake. Tom threw a stick, and the dog"),
)
SOURCES = (
    ("A sentence", "The film is long, but I was never bored."),
    ("Two sentences", "The museum is closed on Mondays. On all other days it opens at ten."),
)
NAMES = (
    ("People and places", "Maria Silva moved from Lisbon to Berlin to work for Siemens."),
    ("A name that is also a word", "Mark met April in Paris in May."),
)
BLANKS = (
    ("A place", "The capital of France is {mask}."),
    ("An opinion", "The film was {mask}: I nearly fell asleep."),
)
PASSAGE = "The museum opened in 1904 and was rebuilt in 1952 after a fire. It has about two million visitors a year."
QUESTIONS = (
    ("When", "When was the museum rebuilt?", PASSAGE),
    ("How many", "How many people visit the museum?", PASSAGE),
)
PAIRS = (
    ("In other words", "The film is not bad at all.", "I rather liked this movie."),
    ("The opposite", "The train leaves at noon.", "The train does not leave at noon."),
)
CHOICES: dict[str, Any] = {
    "title": "What happens next",
    "text": "She opened the umbrella because",
    "choices": ["it began to rain.", "she was hungry.", "the sun had set."],
}
DOCUMENTS: dict[str, Any] = {
    "title": "Documents and a question",
    "documents": [
        {"name": "first story", "text": "Lily had a red ball. She played with it every day."},
        {"name": "second story", "text": "Tom had a big dog. The dog liked to run in the park."},
    ],
    "question": "What did Lily have? Lily had a",
}
CHAT: dict[str, Any] = {
    "title": "A chat",
    "messages": [
        {"role": "system", "content": "You answer in one short sentence."},
        {"role": "user", "content": "Why do cats sleep so much?"},
    ],
}
TEXTS = {"generation": PROMPTS, "text2text": SOURCES, "token_classification": NAMES, "fill_mask": BLANKS}
TWO_TEXTS = {"question_answering": QUESTIONS, "similarity": PAIRS}


def examples(task: str, *, is_chat: bool = False, mask: str = "") -> list[dict[str, Any]]:
    """The examples for a model; `mask` is the mask token of a model that fills it."""
    if task == "multiple_choice":
        return [CHOICES]
    if task in TWO_TEXTS:
        return [{"title": title, "text": first, "text_pair": second} for title, first, second in TWO_TEXTS[task]]
    texts = TEXTS.get(task, SENTIMENT)
    listed = [{"title": title, "text": text.replace("{mask}", mask)} for title, text in texts]
    return [*([CHAT] if is_chat else []), *listed, *([DOCUMENTS] if task == "generation" else [])]
