"""From texts to outputs: what the engine needs of a model, the Hugging Face adapter, and a model that is a formula."""
