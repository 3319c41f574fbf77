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


def examples(task: str, *, is_chat: bool = False) -> list[dict[str, Any]]:
    """The examples for a model: texts, or else prompts, documents and a chat."""
    texts = SENTIMENT if task == "classification" else PROMPTS
    listed = [{"title": title, "text": text} for title, text in texts]
    return listed if task == "classification" else [*([CHAT] if is_chat else []), *listed, DOCUMENTS]
